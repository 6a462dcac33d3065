/** The same rows, with one of them a place earlier or later; at the end of the list it stays. */
export function moved<Row>(rows: readonly Row[], place: number, by: -1 | 1): Row[] {
  const to = place + by;
  const row = rows[place];
  if (row === undefined || to < 0 || to >= rows.length) return [...rows];
  return rows.toSpliced(place, 1).toSpliced(to, 0, row);
}
