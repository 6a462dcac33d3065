// The CRDs of the last release in `crds/released`, and the version they were released as.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ACCEPTED_BREACHES, type Crd, crdBreaches } from './crd-breaches.ts';

/** In `crds/released`: the version, and the SHA-256 of all files beside it. */
const VERSION_FILE = 'VERSION';

const manifests = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
    : [];

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of manifests(folder)) hash.update(`${file}\n`).update(readFileSync(`${folder}${file}`));
  return hash.digest('hex');
}

const crdsIn = (folder: string): readonly Crd[] =>
  manifests(folder).map((file) => parse(readFileSync(`${folder}${file}`, 'utf8')) as Crd);

/** Why `released` is not what was stored there under its version, in a sentence; undefined where it is. */
export function alteredRelease(released: string): string | undefined {
  const [version, digest] = readFileSync(`${released}${VERSION_FILE}`, 'utf8').trim().split(' ');
  if (digest === digestOf(released)) return undefined;
  return `${released} was changed since ${version} was released; \`make release\` stores the next version there`;
}

/** Stores the CRDs of the folder `crds/` as those of `version`. Returns why it refuses to, in a sentence. */
export function storeRelease(crds: string, version: string): string | undefined {
  const released = `${crds}released/`;
  const [last] = existsSync(`${released}${VERSION_FILE}`)
    ? readFileSync(`${released}${VERSION_FILE}`, 'utf8').trim().split(' ')
    : [];
  if (last === version) return `${version} is released already; give package.json its next version first`;
  const breaches = crdBreaches(crdsIn(released), crdsIn(crds)).filter((breach) => !(breach in ACCEPTED_BREACHES));
  if (breaches.length > 0) return `The CRDs break what ${last ?? 'the last release'} promised:\n${breaches.join('\n')}`;
  rmSync(released, { recursive: true, force: true });
  mkdirSync(released);
  for (const file of manifests(crds)) copyFileSync(`${crds}${file}`, `${released}${file}`);
  writeFileSync(`${released}${VERSION_FILE}`, `${version} ${digestOf(released)}\n`);
  return undefined;
}
