// Series as CSV: a column each, a line for each point. Missing data is an empty cell.

interface Series {
  readonly name: string;
  readonly points: readonly (number | null)[];
}

/** What the points are at: their column comes first. */
export interface Places {
  readonly name: string;
  readonly values: readonly (string | number)[];
}

/** A name that a spreadsheet would take for a formula is kept from being one. */
export async function seriesCsv({ name, values }: Places, series: readonly Series[]): Promise<string> {
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  const rows = values.map((value, at) => [value, ...series.map(({ points }) => points[at] ?? '')]);
  return stringify([[name, ...series.map((one) => one.name)], ...rows], { escape_formulas: true });
}

/** Times are RFC 3339. */
export const timesOf = (startMs: number, stepMs: number, [first]: readonly Series[]): Places => ({
  name: 'time',
  values: (first?.points ?? []).map((_, at) => new Date(startMs + at * stepMs).toISOString()),
});
