// Series over time as CSV: a column each, a line for each point. Missing data is an empty cell.

interface Series {
  readonly name: string;
  readonly points: readonly (number | null)[];
}

/** Times are RFC 3339. A name that a spreadsheet would take for a formula is kept from being one. */
export async function seriesCsv(startMs: number, stepMs: number, series: readonly Series[]): Promise<string> {
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  const rows = (series[0]?.points ?? []).map((_, at) => [
    new Date(startMs + at * stepMs).toISOString(),
    ...series.map(({ points }) => points[at] ?? ''),
  ]);
  return stringify([['time', ...series.map(({ name }) => name)], ...rows], { escape_formulas: true });
}
