// At a release: keeps what the CRDs promise, with which `make verify` compares every later one. The version in package.json goes
// first: what was released under a number is never replaced under it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Crd } from './crd-breaches.ts';
import { storeRelease } from './released.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
const crds = globSync(`${root}crds/*.yaml`)
  .sort()
  .map((file) => parse(readFileSync(file, 'utf8')) as Crd);
const refused = storeRelease(crds, version, `${root}contract/gen/released.json`);
if (refused) {
  console.error(refused);
  process.exitCode = 1;
}
