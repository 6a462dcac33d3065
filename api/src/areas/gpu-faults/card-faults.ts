// The annotation of a node about its cards after a look at the exporter: pure. A code stays where it was seen until the node is put back
// into service, or has been started again; an exporter that is silent, or that has seen a later error, mends nothing.
import { type CardFault, MOST_CARD_FAULTS, MOST_XIDS } from '@gantry/contract/gpu-conditions.ts';
import { isFatalXid } from '@gantry/contract/gpu-xids.ts';

/** A card as the exporter has it now. */
export interface CardReading {
  readonly uuid: string;
  readonly gpu: string;
  /** Other than 0. */
  readonly xids: readonly number[];
  /** Pods, as `podKey` writes them. */
  readonly holders: readonly string[];
}

export interface NodeReading {
  readonly cards: readonly CardReading[];
  /** Whether the exporter says who has cards. */
  readonly namesHolders: boolean;
}

const MOST_HOLDERS = 64;

export function nextCardFaults(
  before: readonly CardFault[],
  { cards, namesHolders }: NodeReading,
  { now, boot }: { now: string; boot: string },
): CardFault[] {
  const readings = new Map(cards.map((card) => [card.uuid, card]));
  const kept = before.flatMap((fault): CardFault[] => {
    const reading = readings.get(fault.uuid);
    // One that staff have cleared, and that the exporter no longer has, was replaced.
    if (!reading) return fault.isCleared && cards.length > 0 ? [] : [fault];
    const fatal = reading.xids.filter(isFatalXid);
    if (fault.isCleared) return fatal.some((xid) => fault.xids.includes(xid)) ? [fault] : [];
    // It is no longer the boot in which it failed.
    if (fatal.length === 0 && fault.boot !== boot) return [];
    return [
      {
        ...fault,
        xids: [...new Set([...fault.xids, ...fatal])].slice(0, MOST_XIDS),
        ...holdersOf(reading, namesHolders, fault.holders),
      },
    ];
  });
  const failed = cards.flatMap(({ uuid, gpu, xids, holders }): CardFault[] => {
    const known = kept.find((fault) => fault.uuid === uuid);
    const fatal = [...new Set(xids)].filter((xid) => isFatalXid(xid) && !known?.xids.includes(xid)).slice(0, MOST_XIDS);
    if (fatal.length === 0) return [];
    return [{ uuid, gpu, xids: fatal, since: now, boot, ...holdersOf({ holders }, namesHolders, undefined) }];
  });
  const anew = new Set(failed.map(({ uuid }) => uuid));
  return [...kept.filter(({ uuid }) => !anew.has(uuid)), ...failed].slice(-MOST_CARD_FAULTS);
}

/** A Pod that once had the card stays affected, even after another has taken its place. */
const holdersOf = (
  { holders }: Pick<CardReading, 'holders'>,
  isNamed: boolean,
  before: readonly string[] | undefined,
): Pick<CardFault, 'holders'> =>
  isNamed
    ? { holders: [...new Set([...(before ?? []), ...holders])].slice(-MOST_HOLDERS) }
    : before
      ? { holders: [...before] }
      : {};
