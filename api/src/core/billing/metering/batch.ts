// The postings of one transaction of settlement, and the use that is not posted yet: pure. Slices of the same stretch become one charge.
import { type Micros, sumOf } from '@gantry/contract/fields/money.ts';
import type { Charge } from '../ledger/wallet-rules.ts';
import type { Cumulative, Tariff } from '../prices/rate.ts';
import type { Move, Row, SliceRow } from './meter-rows.ts';
import { givenBack, type Piece, piecesOf, type Slice } from './settlement.ts';

/** The contents of one transaction. */
export interface Batch {
  readonly charges: Charge[];
  readonly slices: SliceRow[];
  /** By row: where it was settled before, and where it is after. */
  readonly moves: Map<string, Move>;
  /** By row: where batches before this one have settled it. */
  readonly settled: Map<string, number>;
}

export const emptyBatch = (settled = new Map<string, number>()): Batch => ({
  charges: [],
  slices: [],
  moves: new Map(),
  settled,
});

/** Use ends with the interval, and with the beginning of the next one at the latest. */
export const endOf = ({ to, nextFrom, from }: Row, until: number): number =>
  Math.min(until, to ?? Number.POSITIVE_INFINITY, Math.max(from, nextFrom ?? Number.POSITIVE_INFINITY));

const keyOf = ({ uid, seq }: Row): string => `${uid}/${seq}`;

export function addPiece(batch: Batch, row: Row, piece: Piece): void {
  addSlices(batch, row, piece.slices, { key: `use/${row.uid}/${row.seq}/${piece.from}`, isCorrection: false });
  move(batch, row, piece.to, piece.cost);
}

function move(batch: Batch, row: Row, to: number, cost: readonly Cumulative[]): void {
  const key = keyOf(row);
  const before = batch.moves.get(key)?.before ?? batch.settled.get(key) ?? row.settledTo;
  batch.moves.set(key, { row, before, to, cost });
}

interface Posting {
  readonly key: string;
  readonly isCorrection: boolean;
  /** For rows that were posted before. */
  readonly billId?: string | undefined;
}

function addSlices(batch: Batch, row: Row, slices: readonly Slice[], { key, isCorrection, billId }: Posting): void {
  const list = sumOf(slices.map((slice) => slice.list));
  const net = sumOf(slices.map((slice) => slice.net));
  const isFree = list === 0n && net === 0n;
  for (const slice of slices) batch.slices.push({ ...slice, row, isCorrection, transferKey: isFree ? null : key });
  const from = slices[0]?.from;
  if (isFree || from === undefined) return;
  batch.charges.push({
    key,
    organizationId: row.organizationId,
    list,
    net,
    // A slice lies within one day and one month, which its end need not.
    at: new Date(from),
    bill: {
      id:
        billId ??
        `use/${row.uid}/${new Date(from).toISOString().slice(0, 10)}${row.accountId === null ? '' : `/${row.accountId}`}`,
      type: 'consumption',
      source: row.source,
      accountId: row.accountId ?? undefined,
      reference: `${row.kind}/${row.name}`,
      detail: row.displayName,
    },
    subject: row.uid,
  });
}

/** Returns what was posted beyond the end; `posted` is everything that was. */
export function addGivenBack(
  batch: Batch,
  row: Row,
  end: number,
  posted: readonly (Slice & { billId: string | undefined })[],
  tariff: Tariff,
  zone: string,
): void {
  const really = [...piecesOf({ ...row, settledTo: row.from, cost: [] }, { until: end, isCut: true }, tariff, zone)];
  const cost = row.uses.map((_use, use) => {
    const own = really.flatMap(({ slices }) => slices.filter((slice) => slice.use === use));
    return { list: sumOf(own.map(({ list }) => list)), net: sumOf(own.map(({ net }) => net)) };
  });
  for (const [from, slices] of Map.groupBy(givenBack(end, cost, posted), (slice) => slice.from)) {
    // On the bill that it was posted on, whatever bills are called by now.
    const billId = slices.find((slice) => slice.billId !== undefined)?.billId;
    addSlices(batch, row, slices, { key: `use/${row.uid}/${row.seq}/${from}/back`, isCorrection: true, billId });
  }
  move(batch, row, end, really.at(-1)?.cost ?? []);
}

/** Usage since the last posting, and the SKU without a price that it waits for. */
export function accrued(
  row: Row,
  now: number,
  tariff: Tariff,
  zone: string,
): { list: Micros; net: Micros; unpriced: string[] } {
  const pieces: Piece[] = [];
  const unpriced: string[] = [];
  const all = piecesOf(row, { until: endOf(row, now), isCut: true }, tariff, zone);
  for (let next = all.next(); ; next = all.next()) {
    if (!next.done) pieces.push(next.value);
    else {
      if (next.value !== undefined) unpriced.push(next.value);
      break;
    }
  }
  return { list: sumOf(pieces.map(({ list }) => list)), net: sumOf(pieces.map(({ net }) => net)), unpriced };
}
