// Prepared databases. Creating a PGlite takes four seconds, a minute on a busy machine, and half as long again to migrate it; a
// PostgreSQL takes two. Loading a prepared one takes less than one: so each is created once, and stored. Jest creates them before
// the first test of the groups that need them.
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { copyPostgres, postgresVersion, startPostgres } from './postgres-server.ts';

const PREPARED = '.run/prepared';

/** The database that is there in `migratedPostgres`. */
export const MIGRATED = 'migrated';

/** The dump of one that is empty. */
export async function emptyPglite(): Promise<Blob> {
  return kept(`empty-${await version()}`, () => PGlite.create());
}

/** The dump of one that has no rows, migrated to the newest version. */
export async function migratedPglite(): Promise<Blob> {
  return kept(`migrated-${await version()}-${await migrations()}`, async () => {
    const { sql } = await openDatabase({ memory: true, from: await emptyPglite() });
    return (sql as unknown as { $client: PGlite }).$client;
  });
}

/** The folder of a PostgreSQL whose database `MIGRATED` has no rows, for `startPostgres`. */
export async function migratedPostgres(): Promise<string> {
  const folder = `${PREPARED}/postgres-${postgresVersion()}-${await migrations()}`;
  if (existsSync(folder)) return folder;
  const server = await startPostgres();
  try {
    await (await openDatabase({ url: await server.createDatabase(MIGRATED) })).close();
    await server.stop();
    await whole(folder, (made) => copyPostgres(server.data, made));
  } finally {
    await server.end();
  }
  return folder;
}

async function version(): Promise<string> {
  const api: { dependencies: Record<string, string> } = JSON.parse(await readFile('api/package.json', 'utf8'));
  return `${api.dependencies['@electric-sql/pglite']}`;
}

async function migrations(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of globSync('api/src/platform/db/migrations/**/*.{sql,json}').sort())
    digest.update(await readFile(file));
  return digest.digest('hex').slice(0, 16);
}

async function kept(name: string, make: () => Promise<PGlite>): Promise<Blob> {
  const file = `${PREPARED}/${name}.tar`;
  const found = await readFile(file).catch(() => undefined);
  if (found) return new Blob([found]);
  const made = await make();
  const dump = await made.dumpDataDir('none');
  await made.close();
  await whole(file, async (part) => writeFile(part, Buffer.from(await dump.arrayBuffer())));
  return dump;
}

/** Whole or not at all: two test runs may prepare at once, and both make the same. */
async function whole(place: string, make: (part: string) => Promise<unknown>): Promise<void> {
  const part = `${place}.${process.pid}`;
  await mkdir(PREPARED, { recursive: true });
  await make(part);
  await rename(part, place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(part, { recursive: true, force: true });
}

/** Jest's `globalSetup`. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it.
export default async function prepare(): Promise<void> {
  await emptyPglite();
  await migratedPglite();
  await migratedPostgres();
}
