// Appends a migration where the schema or the guards differ from what the migrations say so far (`meta/newest.json`).
// Migrations that exist are never changed: databases were made by them. `--check` writes nothing and ends with 1 when
// something is stale.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { GUARDS } from './guards.ts';
import { SCHEMA } from './schema.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const NEWEST = 'meta/newest.json';
const JOURNAL = 'meta/_journal.json';
const BREAKPOINT = '\n--> statement-breakpoint\n';
const USAGE = 'usage: node api/src/platform/db/generate.ts NAME (lower case, digits, _), or --check';

type Snapshot = ReturnType<typeof generateDrizzleJson>;

const checks = process.argv[2] === '--check';
const newest: { guards: string[]; schema: Snapshot } = JSON.parse(await read(NEWEST));
const statements = await missingStatements();
const existing = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
const files = { ...(statements.length > 0 && { [added()]: `${statements.join(BREAKPOINT)}\n` }) };
const all = { ...files, [JOURNAL]: json(journalOf([...existing, ...Object.keys(files)])), [NEWEST]: json(wanted()) };

const stale: string[] = [];
for (const [file, text] of Object.entries(all)) {
  if ((await read(file).catch(() => '')) === text) continue;
  stale.push(file);
  if (!checks) await writeFile(join(FOLDER, file), text);
}
if (checks && stale.length > 0) {
  console.error(
    `api/src/platform/db/migrations is stale, run node api/src/platform/db/generate.ts NAME: ${stale.join(', ')}`,
  );
  process.exitCode = 1;
}

async function missingStatements(): Promise<string[]> {
  const gone = newest.guards.filter((guard) => !GUARDS.includes(guard));
  if (gone.length > 0) {
    throw new Error(
      `a guard was changed or removed: write its statements by hand and take it out of ${NEWEST}: ${gone}`,
    );
  }
  const { schema } = wanted();
  return [
    ...(await generateMigration(newest.schema, schema)),
    ...GUARDS.filter((guard) => !newest.guards.includes(guard)),
  ];
}

function wanted() {
  // Deterministic: a random id would differ every time.
  return { guards: GUARDS, schema: { ...generateDrizzleJson(SCHEMA), id: 'newest', prevId: 'before' } };
}

function added(): string {
  const name = checks ? 'missing' : (process.argv[2] ?? '');
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`the schema differs from the migrations. ${USAGE}`);
  return `${`${existing.length}`.padStart(4, '0')}_${name}.sql`;
}

/** The journal that drizzle's reader uses. `when` orders migrations and identifies those that a database has. */
function journalOf(migrations: readonly string[]) {
  return {
    version: '7',
    dialect: 'postgresql',
    entries: migrations.map((file, idx) => {
      if (Number(file.slice(0, 4)) !== idx)
        throw new Error(`${file} should be number ${idx}: see README.md, "Merging"`);
      return { idx, version: '7', when: idx + 1, tag: file.slice(0, -'.sql'.length), breakpoints: true };
    }),
  };
}

function read(file: string): Promise<string> {
  return readFile(join(FOLDER, file), 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
