// Marks the cards whose exporter reports a fatal XID: one question for all of them, and an annotation on their nodes, which the rest of
// the platform reads as it reads the conditions of other tools. What the exporter does not say changes nothing.
import { type CardFault, cardFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { type CardReading, type NodeReading, nextCardFaults } from './card-faults.ts';

type Labels = Readonly<Record<string, string>>;

export interface XidWatchParts {
  readonly clock: Clock;
  readonly log: { warn(facts: object, text: string): void };
  /** Rejects where Prometheus does not answer. */
  ask(
    query: string,
    at: number,
    signal: AbortSignal,
  ): Promise<{ series: readonly { labels: Labels; value: number }[] }>;
  nodes(): readonly Node[];
  /** Pods of tenants on a node, as `podKey` writes them: the exporter's word for others is not taken. */
  podsOn(node: string): ReadonlySet<string>;
  mark(node: Node, faults: readonly CardFault[]): Promise<void>;
}

const LOOK_MS = 10_000;
/** A card's last code, and, where the exporter is told to have it, how often each code came in the last minutes. */
const LAST = 'DCGM_FI_DEV_XID_ERRORS';
const COUNTED = 'DCGM_EXP_XID_ERRORS_COUNT';
const XIDS = `__name__=~"${LAST}|${COUNTED}"`;
const UUID = /^[A-Za-z0-9-]{1,64}$/;
const GPU = /^[0-9]{1,4}$/;

export class XidWatch {
  readonly #parts: XidWatchParts;
  #isAway = false;

  constructor(parts: XidWatchParts) {
    this.#parts = parts;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: LOOK_MS, signal },
      () => this.step(signal),
      (error) => {
        // Prometheus may be away for long.
        if (!this.#isAway) log.warn({ err: error }, 'XIDs are not known; marks of cards stay as they are');
        this.#isAway = true;
      },
    );
  }

  async step(signal: AbortSignal): Promise<void> {
    const { clock, log, ask, nodes, podsOn, mark } = this.#parts;
    const now = clock.now();
    const all = nodes();
    const marked = all.filter((node) => cardFaultsOf(node).length > 0).map(({ metadata }) => metadata.name);
    const { series } = await ask(queryOf(marked), now, signal);
    this.#isAway = false;
    const byNode = Map.groupBy(series, ({ labels }) => labels.Hostname ?? '');
    for (const node of all) {
      const { name } = node.metadata;
      const reading = readingOf(byNode.get(name) ?? [], podsOn(name));
      const before = cardFaultsOf(node);
      const boot = node.status?.nodeInfo?.bootID ?? '';
      const after = nextCardFaults(before, reading, { now: rfc3339(now), boot });
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      await mark(node, after).catch((error: unknown) => log.warn({ err: error, node: name }, 'cards are marked later'));
    }
  }
}

/** All cards of the nodes that have an XID or a mark: of a node's cards together it is known whether their exporter names Pods. */
export function queryOf(marked: readonly string[]): string {
  const failing = `{${XIDS}} and on (Hostname) ({${XIDS}} > 0)`;
  // Names of nodes are DNS names: a dot is all in them that means anything in a pattern, and others that it meets are left out later.
  const names = marked.filter((name) => /^[a-z0-9][-.a-z0-9]{0,252}$/.test(name));
  return names.length === 0 ? failing : `${failing} or {${XIDS},Hostname=~"${names.join('|')}"}`;
}

function readingOf(series: readonly { labels: Labels; value: number }[], pods: ReadonlySet<string>): NodeReading {
  const cards = new Map<string, CardReading>();
  for (const { labels, value } of series) {
    const { UUID: uuid = '', gpu = '', namespace, pod } = labels;
    if (!UUID.test(uuid) || !GPU.test(gpu)) continue;
    const xid = value > 0 ? (labels.__name__ === COUNTED ? Number(labels.xid) : value) : 0;
    const known = cards.get(uuid) ?? { uuid, gpu, xids: [], holders: [] };
    const holder = `${namespace}/${pod}`;
    cards.set(uuid, {
      ...known,
      xids: Number.isSafeInteger(xid) && xid > 0 ? [...known.xids, xid] : known.xids,
      // MIG instances of one card have one UUID, and fail together.
      holders: pods.has(holder) ? [...known.holders, holder] : known.holders,
    });
  }
  return { cards: [...cards.values()], namesHolders: series.some(({ labels }) => (labels.pod ?? '') !== '') };
}
