// A word in a column that holds several with spaces between them.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** `word` is taken as it is: its `%`, `_` and `\` mean nothing. */
export const hasWord = (column: SQLWrapper, word: string): SQL =>
  sql`' ' || ${column} || ' ' like ${`% ${word.replaceAll(/[\\%_]/g, '\\$&')} %`}`;
