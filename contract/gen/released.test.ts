import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Crd, promisesOf } from './crd-breaches.ts';
import { alteredRelease, readRelease, storeRelease } from './released.ts';

const disks = readFileSync(new URL('../../crds/datadisks.yaml', import.meta.url), 'utf8');
const crdOf = (text: string): Crd => parse(text) as Crd;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'released-'));
  file = join(folder, 'released.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what was released is what `make release` stored', () => {
  expect(alteredRelease(fileURLToPath(new URL('released.json', import.meta.url)))).toBeUndefined();
});

test('a version is stored once, and the next one replaces it', () => {
  expect(storeRelease([crdOf(disks)], '1.0.0', file)).toBeUndefined();
  const more = crdOf(disks.replace('shortNames:\n', 'shortNames:\n      - more\n'));
  expect(storeRelease([more], '1.0.0', file)).toMatch(
    /^1\.0\.0 is released already; give package\.json its next version/,
  );
  expect(readRelease(file).crds).toEqual([promisesOf(crdOf(disks))]);
  expect(storeRelease([more], '1.1.0', file)).toBeUndefined();
  const stored = readRelease(file);
  expect([stored.version, stored.crds]).toEqual(['1.1.0', [promisesOf(more)]]);
});

test('what breaks the last release is not stored, and a file that was changed by hand is found', () => {
  storeRelease([crdOf(disks)], '1.0.0', file);
  const moved = crdOf(disks.replace('scope: Namespaced', 'scope: Cluster'));
  expect(storeRelease([moved], '1.1.0', file)).toMatch(/break what 1\.0\.0 promised:\n.*its scope was Namespaced/);
  expect(alteredRelease(file)).toBeUndefined();
  writeFileSync(file, readFileSync(file, 'utf8').replace('"scope":"Namespaced"', '"scope":"Cluster"'));
  expect(alteredRelease(file)).toMatch(/was changed since 1\.0\.0 was released/);
});
