// The time that a chart's part leads to, in the address: `from` and `to` in milliseconds, as charts write them themselves.

export interface Moment {
  readonly from: number;
  readonly to: number;
}

/** In the query of an address; undefined where it names none. */
export function momentIn(search: string): Moment | undefined {
  const params = new URLSearchParams(search);
  const [from, to] = [Number(params.get('from')), Number(params.get('to'))];
  return from > 0 && to > from ? { from, to } : undefined;
}

/** The rows that lasted into the moment, among rows that begin one after the other, newest first. */
export const within = <Row extends { since: string }>(rows: readonly Row[], { from, to }: Moment): Row[] =>
  rows.filter(({ since }, at) => {
    const next = rows[at - 1];
    return Date.parse(since) <= to && (next === undefined || Date.parse(next.since) >= from);
  });
