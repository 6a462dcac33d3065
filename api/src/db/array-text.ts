// Many rows as one parameter per column: `unnest(${arrayText(keys)}::text[], …)`. Against a VALUES list it is a third of the
// database's work and half of ours; a statement has 65,535 parameters at most, and a column of rows is one of them.

/** The literal of a PostgreSQL array. Cast it where it is used: `${arrayText(ids)}::bigint[]`. */
export function arrayText(values: readonly (string | number | bigint | Date | null)[]): string {
  const texts = values.map((value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return `"${MUST_ESCAPE.test(value) ? value.replace(EACH, '\\$&') : value}"`;
    return value instanceof Date ? `"${value.toISOString()}"` : `${value}`;
  });
  return `{${texts.join()}}`;
}

const MUST_ESCAPE = /["\\]/;
const EACH = /["\\]/g;
