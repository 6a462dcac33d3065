// Whether a version that does not know a migration can go on after it: it adds tables, columns that a writer may leave out, and
// indexes that refuse nothing. Whatever else it changes, it may only change of its own tables. Undecided counts as no.

const TABLE = '"(?<table>\\w+)"';
const NEW_TABLE = new RegExp(`^create table ${TABLE}`, 'i');
/** Harmless to whichever table. */
const HARMLESS = [
  /^create index /i,
  // A row that lacks it must still be taken.
  /^alter table "\w+" add column (?!.*\bnot null\b)[^;]*;?$/i,
  /^alter table "\w+" add column (?=.*\bdefault\b)[^;]*;?$/i,
];
/** Harmless to a table that is new. */
const OF_A_TABLE = [
  new RegExp(`^alter table ${TABLE}`, 'i'),
  new RegExp(`^create unique index .* on ${TABLE}`, 'i'),
  new RegExp(`^create trigger .* on ${TABLE}`, 'i'),
  new RegExp(`^revoke .* on ${TABLE}`, 'i'),
];

const tableIn = (statement: string, patterns: readonly RegExp[]): string | undefined =>
  patterns.map((pattern) => pattern.exec(statement)?.groups?.table).find((table) => table !== undefined);

/** `statements` are those of one migration. */
export function onlyAdds(statements: readonly string[]): boolean {
  const lines = statements.map((text) =>
    text
      .replace(/^\s*--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const added = new Set(lines.map((line) => tableIn(line, [NEW_TABLE])));
  return lines.every((line) => {
    if (NEW_TABLE.test(line) || HARMLESS.some((pattern) => pattern.test(line))) return true;
    const table = tableIn(line, OF_A_TABLE);
    return table !== undefined && added.has(table);
  });
}
