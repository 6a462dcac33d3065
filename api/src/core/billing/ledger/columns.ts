// Many rows as parameters of one statement, a text per column: splitting it costs the database a third of what reading JSON
// does, and our own driver nothing. `make bench ROWS=F1` is the judge.
import { type SQL, sql } from 'drizzle-orm';

const BETWEEN = '\u001f';

type Type = 'text' | 'bigint' | 'int' | 'smallint' | 'timestamptz' | 'jsonb' | 'boolean';
type Value = string | bigint | number | boolean | Date | undefined;

/**
 * `unnest(…) as name(columns)`. What is absent, or empty, arrives as null. Throws a RangeError for a text that holds the
 * separator, a control character.
 */
export function rowsAs<Row>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, readonly [Type, (row: Row) => Value]>>,
): SQL {
  const names = Object.keys(columns).map((column) => `"${column}"`);
  const arrays = Object.values(columns).map(([type, read]) => arrayOf(type, rows.map(read)));
  return sql`unnest(${sql.join(arrays, sql`, `)}) as ${sql.raw(`${name}(${names})`)}`;
}

/** A moment in milliseconds as a parameter. */
export const instant = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`;

/** For texts: `where id = ${anyOf(ids)}`. */
export const anyOf = (texts: readonly string[]): SQL => sql`any (${arrayOf('text', texts)})`;

/**
 * `from` the rows of a table whose column is one of these texts, looked up one by one in its index. With `in` or `any` PostgreSQL
 * would rather read the whole of a table of some hundred thousand rows than look up a thousand.
 */
export const lookedUp = (name: string, table: string, column: string, texts: readonly string[]): SQL =>
  sql`unnest(${arrayOf('text', texts)}) as wanted(text) cross join lateral
    (select * from ${sql.raw(table)} where ${sql.raw(column)} = wanted.text offset 0) ${sql.raw(name)}`;

function arrayOf(type: Type, values: readonly Value[]): SQL {
  const text = values.map(textOf).join(BETWEEN);
  return sql`string_to_array(${text}, ${sql.raw('chr(31)')}, '')::${sql.raw(type)}[]`;
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  const text = `${value}`;
  if (text.includes(BETWEEN)) throw new RangeError(`"${text}" holds a control character`);
  return text;
}
