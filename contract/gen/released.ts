// The promises of the last release: its version, and its CRDs without their words, in one file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ACCEPTED_BREACHES, type Crd, crdBreaches, promisesOf } from './crd-breaches.ts';

interface Release {
  readonly version: string;
  /** The digest of the CRDs. */
  readonly sha256: string;
  readonly crds: readonly Crd[];
}

const digestOf = (crds: readonly Crd[]): string => createHash('sha256').update(JSON.stringify(crds)).digest('hex');

export const readRelease = (file: string): Release => JSON.parse(readFileSync(file, 'utf8')) as Release;

/** Why `file` is not what was stored there under its version, in a sentence; undefined where it is. */
export function alteredRelease(file: string): string | undefined {
  const { version, sha256, crds } = readRelease(file);
  if (sha256 === digestOf(crds)) return undefined;
  return `${file} was changed since ${version} was released; \`make release\` stores the next version there`;
}

/** Stores CRDs as those of `version`, one on each line. Returns why it refuses to, in a sentence. */
export function storeRelease(crds: readonly Crd[], version: string, file: string): string | undefined {
  const last = existsSync(file) ? readRelease(file) : undefined;
  if (last?.version === version) return `${version} is released already; give package.json its next version first`;
  const breaches = crdBreaches(last?.crds ?? [], crds).filter((breach) => !(breach in ACCEPTED_BREACHES));
  if (breaches.length > 0)
    return `The CRDs break what ${last?.version ?? 'the last release'} promised:\n${breaches.join('\n')}`;
  const kept = crds.map(promisesOf);
  const lines = kept.map((crd) => JSON.stringify(crd)).join(',\n');
  writeFileSync(file, `{"version":"${version}","sha256":"${digestOf(kept)}","crds":[\n${lines}\n]}\n`);
  return undefined;
}
