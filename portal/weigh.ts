// What a page of a built portal loads, in bytes as a browser takes them (brotli): `node portal/weigh.ts FOLDER`, the folder with `client`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** Sources that each kind of page loads first, and what it asks for then. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'the home page, and all others without React': ['src/still.ts'],
  'the market (en)': ['src/client.tsx', 'src/pages/computing-center.tsx', 'src/words/en.ts'],
  'a GPU model (en)': ['src/client.tsx', 'src/pages/computing.tsx', 'src/words/en.ts'],
};

const client = join(process.argv[2] ?? '', 'client');
const manifest = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

function filesOf(source: string, known: Set<string>): Set<string> {
  const chunk = manifest[source];
  if (!chunk || known.has(chunk.file)) return known;
  known.add(chunk.file);
  for (const one of chunk.imports ?? []) filesOf(one, known);
  return known;
}

/** Files below 512 bytes are not compressed. */
const bytesOf = (file: string): number => {
  const path = join(client, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
};

for (const [page, sources] of Object.entries(PAGES)) {
  const files = new Set<string>();
  for (const source of sources) filesOf(source, files);
  const bytes = [...files].reduce((sum, file) => sum + bytesOf(file), 0);
  process.stdout.write(`${(bytes / 1000).toFixed(1)} kB  ${page}\n`);
}
