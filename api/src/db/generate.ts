// Writes the migration from the schema. Nothing is released yet, so there is one, made from nothing each time; with
// `--check` it writes nothing and ends with 1 when the one there is stale.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { GUARDS } from './guards.ts';
import { SCHEMA } from './schema.ts';

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
  return `${[...statements, ...GUARDS].join('\n--> statement-breakpoint\n')}\n`;
}
