// An empty PGlite. Making one takes four seconds, a minute beside much else; loading a made one less than one: so it is made
// once for each version of PGlite, and kept. Jest makes it before the first test of the groups that need it.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

const PREPARED = '.run/pglite';

/** Its dump. */
export async function emptyPglite(): Promise<Blob> {
  const api: { dependencies: Record<string, string> } = JSON.parse(await readFile('api/package.json', 'utf8'));
  const file = `${PREPARED}/empty-${api.dependencies['@electric-sql/pglite']}.tar`;
  const prepared = await readFile(file).catch(() => undefined);
  if (prepared) return new Blob([prepared]);
  const made = await PGlite.create();
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
}
