// Decides which reports are accepted: pure. The first report of a start and of an end stands; a report that contradicts it, runs
// backwards, overlaps its neighbours or lies in the future is recorded as an anomaly and never billed.
import { isSameUse, type Use } from '@gantry/contract/billing/resources.ts';
import type { Seen } from './seen.ts';

export const ANOMALIES = {
  /** It begins or ends later than any clock may be ahead: looked at again once that time has passed. */
  future: 'it lies in the future',
  /** Its end is before its beginning: nothing was used. */
  backwards: 'it ends before it begins',
  /** Its neighbour of the same object has that time: what both claim is the earlier one's. */
  overlaps: 'it overlaps its neighbour',
  /** It is closed and was reported as longer. */
  grew: 'it is longer than it was when it ended',
  /** It is closed and was reported as shorter. */
  shrank: 'it is shorter than it was when it ended',
  /** Its beginning, its subject or its uses were others before. */
  changed: 'it was another before',
  /** The object no longer lists it, and nobody reported its end. */
  neverClosed: 'its end was never told',
  /** The object went without waiting for the last interval. */
  vanished: 'its object vanished before it was closed',
} as const;
export type Anomaly = keyof typeof ANOMALIES;

/** As far as clocks may differ. */
export const SKEW_MS = 2 * 60_000;

/** The recorded facts of an interval. */
export interface Known {
  readonly uid: string;
  readonly seq: number;
  readonly from: number;
  readonly to?: number | undefined;
  readonly subjectUid: string;
  readonly uses: readonly Use[];
}

export interface Found {
  readonly seen: Seen;
  readonly reason: Anomaly;
  readonly detail: string;
}

export interface Intake {
  /** Not known before; `from` and `to` may be clamped between its neighbours. */
  readonly add: readonly Seen[];
  /** Known as open, and closed now. */
  readonly close: readonly { readonly uid: string; readonly seq: number; readonly to: number }[];
  readonly anomalies: readonly Found[];
  /** Not taken in at all, for now. */
  readonly refused: readonly Seen[];
}

/** `known` holds, of every object that is reported on, the reported intervals, their neighbours and all between. */
export function takeIn(reports: readonly Seen[], known: readonly Known[], now: number): Intake {
  const books = new Books(known, now);
  for (const seen of [...reports].sort(bySeq)) books.take(seen);
  return books;
}

type Tell = (reason: Anomaly) => void;

class Books implements Intake {
  readonly close: { uid: string; seq: number; to: number }[] = [];
  readonly anomalies: Found[] = [];
  readonly refused: Seen[] = [];
  readonly #now: number;
  readonly #known = new Map<string, Known[]>();
  /** Each of them is also in `#known`. */
  readonly #added = new Set<Known>();

  constructor(known: readonly Known[], now: number) {
    this.#now = now;
    for (const [uid, rows] of Map.groupBy(known, (row) => row.uid)) this.#known.set(uid, [...rows].sort(bySeq));
  }

  get add(): readonly Seen[] {
    return [...this.#added] as Seen[];
  }

  take(seen: Seen): void {
    const tell: Tell = (reason) => this.anomalies.push({ seen, reason, detail: spanOf(seen) });
    // Also catches invalid times.
    if (!(seen.from <= this.#now + SKEW_MS)) {
      tell('future');
      this.refused.push(seen);
      return;
    }
    const rows = this.#known.get(seen.uid) ?? [];
    if (rows.length === 0) this.#known.set(seen.uid, rows);
    const found = rows.findIndex(({ seq }) => seq >= seen.seq);
    const at = found < 0 ? rows.length : found;
    const same = rows[at]?.seq === seen.seq ? rows[at] : undefined;
    const end = endOf(seen, this.#now, tell);
    if (same) {
      const to = ending(seen, same, end, rows[at - 1], rows[at + 1], tell);
      if (to !== undefined) this.#end(seen, rows, at, to);
      return;
    }
    const { from, to } = between(seen, end, rows[at - 1], rows[at], tell);
    const taken = from === seen.from && to === seen.to ? seen : { ...seen, from, to };
    rows.splice(at, 0, taken);
    this.#added.add(taken);
  }

  #end(seen: Seen, rows: Known[], at: number, to: number): void {
    const before = rows[at] as Known;
    const ended = { ...before, to };
    rows[at] = ended;
    if (this.#added.delete(before)) this.#added.add(ended);
    else this.close.push({ uid: seen.uid, seq: seen.seq, to });
  }
}

/** The bounds of a new interval: from its predecessor's end at the earliest, to its successor's start at the latest. */
function between(
  seen: Seen,
  end: number | undefined,
  before: Known | undefined,
  after: Known | undefined,
  tell: Tell,
): { from: number; to: number | undefined } {
  const latest = after?.from ?? Number.POSITIVE_INFINITY;
  const from = Math.min(Math.max(seen.from, before?.to ?? seen.from), latest);
  // If it is open although the next has begun, it stays open: its end may still be reported.
  const to = end === undefined ? undefined : Math.max(from, Math.min(end, latest));
  if (from !== seen.from || to !== end) tell('overlaps');
  return { from, to };
}

/** The reported end, if it is acceptable; undefined while it runs. */
function endOf({ from, to }: Seen, now: number, tell: Tell): number | undefined {
  if (to === undefined || Number.isNaN(to)) return undefined;
  if (to < from) {
    tell('backwards');
    return from;
  }
  if (to > now + SKEW_MS) {
    tell('future');
    return undefined;
  }
  return to;
}

/** When a known interval ends according to this report; undefined if the report says nothing new. */
function ending(
  seen: Seen,
  known: Known,
  end: number | undefined,
  before: Known | undefined,
  after: Known | undefined,
  tell: Tell,
): number | undefined {
  const wasClamped = before?.to === known.from && seen.from < known.from;
  if (!isSameInterval(wasClamped ? { ...known, from: seen.from } : known, seen)) tell('changed');
  // An earlier report that came late: it was open then.
  if (end === undefined) return undefined;
  if (known.to === undefined) {
    if (after && end > after.from) tell('overlaps');
    return Math.max(known.from, Math.min(end, after?.from ?? end));
  }
  if (end > known.to) tell(after?.from === known.to ? 'overlaps' : 'grew');
  else if (end < known.to && known.to !== known.from) tell('shrank');
  return undefined;
}

/** The times both are compared in are whole milliseconds. */
export const isSameInterval = (known: Known, seen: Seen): boolean =>
  known.from === seen.from &&
  known.subjectUid === seen.subjectUid &&
  known.uses.length === seen.uses.length &&
  known.uses.every((use, at) => isSameUse(use, seen.uses[at] as Use));

const bySeq = (a: { seq: number }, b: { seq: number }): number => a.seq - b.seq;
const timeText = (at: number | undefined): string =>
  at === undefined ? 'open' : Number.isNaN(at) ? 'no time' : new Date(at).toISOString();
const spanOf = ({ from, to }: Seen): string => `${timeText(from)} – ${timeText(to)}`;
