// Writes the migration from the schema. Nothing is released yet, so there is one, made from nothing each time; with
// `--check` it writes nothing and ends with 1 when the one there is stale.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { getTableName } from 'drizzle-orm';
import { APPEND_ONLY, SCHEMA } from './schema.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const TAG = '0000_first';

const files = {
  [`${TAG}.sql`]: await migration(),
  'meta/_journal.json': `${JSON.stringify(
    { version: '7', dialect: 'postgresql', entries: [{ idx: 0, version: '7', when: 1, tag: TAG, breakpoints: true }] },
    null,
    2,
  )}\n`,
};

if (process.argv.includes('--check')) {
  const stale = await Promise.all(
    Object.entries(files).map(
      async ([name, text]) => (await readFile(join(FOLDER, name), 'utf8').catch(() => '')) !== text,
    ),
  );
  if (stale.includes(true)) {
    console.error('api/src/db/migrations is stale: node api/src/db/generate.ts');
    process.exitCode = 1;
  }
} else {
  await rm(FOLDER, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(FOLDER, name)), { recursive: true });
    await writeFile(join(FOLDER, name), text);
  }
}

async function migration(): Promise<string> {
  const nothing = generateDrizzleJson({});
  const statements = await generateMigration(nothing, generateDrizzleJson(SCHEMA, nothing.id));
  return `${[...statements, ...growOnly(APPEND_ONLY.map(getTableName))].join('\n--> statement-breakpoint\n')}\n`;
}

/**
 * What may only grow has a trigger that refuses everything else, TRUNCATE too; and the gateway's own role gives up the
 * rights, where it is not a superuser, so that the trigger is not the only guard.
 */
function growOnly(tables: readonly string[]): string[] {
  if (tables.length === 0) return [];
  const refuse = `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% may only grow', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;`;
  return [
    refuse,
    ...tables.flatMap((table) => [
      `CREATE TRIGGER ${table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`,
      `REVOKE UPDATE, DELETE, TRUNCATE ON "${table}" FROM PUBLIC, CURRENT_USER;`,
    ]),
  ];
}
