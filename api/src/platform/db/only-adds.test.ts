import { expect, test } from '@jest/globals';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { onlyAdds } from './only-adds.ts';

test.each<[string, readonly string[], boolean]>([
  ['a table', ['CREATE TABLE "new" (\n\t"id" text PRIMARY KEY NOT NULL\n);\n'], true],
  ['a column that may be empty', ['ALTER TABLE "old" ADD COLUMN "note" text;'], true],
  ['a column with a default', ['ALTER TABLE "old" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;'], true],
  ['an index', ['CREATE INDEX "by_note" ON "old" USING btree ("note");'], true],
  [
    'rules of a table that is new with them',
    [
      'CREATE TABLE "new" ("id" text NOT NULL);',
      'ALTER TABLE "new" ADD CONSTRAINT "new_fk" FOREIGN KEY ("id") REFERENCES "public"."old"("id");',
      'CREATE UNIQUE INDEX "new_id" ON "new" USING btree ("id");',
      'CREATE TRIGGER "new_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "new" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();',
      'REVOKE UPDATE, DELETE, TRUNCATE ON "new" FROM PUBLIC, CURRENT_USER;',
    ],
    true,
  ],
  ['a comment beside a table', ['-- why\nCREATE TABLE "new" ("id" text);'], true],
  ['a column that every row must have', ['ALTER TABLE "old" ADD COLUMN "note" text NOT NULL;'], false],
  ['a column that is gone', ['ALTER TABLE "old" DROP COLUMN "note";'], false],
  ['a rule for rows of an old table', ['ALTER TABLE "old" ADD CONSTRAINT "positive" CHECK ("count" > 0);'], false],
  ['an index that refuses rows of an old table', ['CREATE UNIQUE INDEX "one" ON "old" USING btree ("note");'], false],
  ['another name', ['ALTER TABLE "old" RENAME TO "new";'], false],
  [
    'a new table, and rows of another that change',
    ['CREATE TABLE "new" ("id" text);', 'UPDATE "old" SET "a" = 1;'],
    false,
  ],
  ['two statements in one', ['ALTER TABLE "old" ADD COLUMN "a" text; DROP TABLE "old";'], false],
])('%s: %j', (_, statements, expected) => {
  expect(onlyAdds(statements)).toBe(expected);
});

test('of the migrations that there are, those that rewrite rows or columns are told apart', () => {
  const all = readMigrationFiles({ migrationsFolder: 'api/src/platform/db/migrations' });
  const telling = all.filter(({ sql }) =>
    /^\s*(drop|update|delete)|alter column|drop constraint/im.test(sql.join('\n')),
  );
  expect(telling.length).toBeGreaterThan(0);
  expect(telling.map(({ sql }) => onlyAdds(sql))).toEqual(telling.map(() => false));
  expect(all.some(({ sql }) => onlyAdds(sql))).toBe(true);
});
