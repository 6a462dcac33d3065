// At a release: keeps a copy of the CRDs, with which `make verify` compares every later one. The version in package.json goes first:
// what was released under a number is never replaced under it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storeRelease } from './released.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
const refused = storeRelease(`${root}crds/`, version);
if (refused) {
  console.error(refused);
  process.exitCode = 1;
}
