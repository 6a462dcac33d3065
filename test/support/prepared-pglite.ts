// Prepared PGlites. Creating one takes four seconds, a minute on a busy machine, and half as long again to migrate it; loading a
// prepared one takes less than one: so each is created once, and stored. Jest creates them before the first test of the groups
// that need them.
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase } from '../../api/src/db/open.ts';

const PREPARED = '.run/pglite';

/** The dump of one that is empty. */
export async function emptyPglite(): Promise<Blob> {
  return kept(`empty-${await version()}`, () => PGlite.create());
}

/** The dump of one that has no rows, migrated to the newest version. */
export async function migratedPglite(): Promise<Blob> {
  const digest = createHash('sha256');
  for (const file of globSync('api/src/db/migrations/**/*.{sql,json}').sort()) digest.update(await readFile(file));
  return kept(`migrated-${await version()}-${digest.digest('hex').slice(0, 16)}`, async () => {
    const { sql } = await openDatabase({ memory: true, from: await emptyPglite() });
    return (sql as unknown as { $client: PGlite }).$client;
  });
}

async function version(): Promise<string> {
  const api: { dependencies: Record<string, string> } = JSON.parse(await readFile('api/package.json', 'utf8'));
  return `${api.dependencies['@electric-sql/pglite']}`;
}

async function kept(name: string, make: () => Promise<PGlite>): Promise<Blob> {
  const file = `${PREPARED}/${name}.tar`;
  const found = await readFile(file).catch(() => undefined);
  if (found) return new Blob([found]);
  const made = await make();
  const dump = await made.dumpDataDir('none');
  await made.close();
  // Whole or not at all: two test runs may prepare at once.
  await mkdir(PREPARED, { recursive: true });
  await writeFile(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()));
  await rename(`${file}.${process.pid}`, file);
  return dump;
}

/** Jest's `globalSetup`. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it.
export default async function prepare(): Promise<void> {
  await emptyPglite();
  await migratedPglite();
}
