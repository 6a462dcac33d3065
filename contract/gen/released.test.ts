import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { alteredRelease, storeRelease } from './released.ts';

const REPOSITORY = fileURLToPath(new URL('../../crds/', import.meta.url));
const disks = readFileSync(`${REPOSITORY}datadisks.yaml`, 'utf8');
let crds: string;

beforeEach(() => {
  crds = `${mkdtempSync(join(tmpdir(), 'crds-'))}/`;
  writeFileSync(`${crds}datadisks.yaml`, disks);
});
afterEach(() => rmSync(crds, { recursive: true, force: true }));

test('what was released is what `make release` stored', () => {
  expect(alteredRelease(`${REPOSITORY}released/`)).toBeUndefined();
});

test('a version is stored once, and the next one replaces it', () => {
  expect(storeRelease(crds, '1.0.0')).toBeUndefined();
  writeFileSync(`${crds}datadisks.yaml`, disks.replace('description:', 'description: More.\n#'));
  expect(storeRelease(crds, '1.0.0')).toMatch(/^1\.0\.0 is released already; give package\.json its next version/);
  expect(readFileSync(`${crds}released/datadisks.yaml`, 'utf8')).toBe(disks);
  expect(storeRelease(crds, '1.1.0')).toBeUndefined();
  expect(readFileSync(`${crds}released/VERSION`, 'utf8')).toMatch(/^1\.1\.0 [0-9a-f]{64}\n$/);
});

test('what breaks the last release is not stored, and a file that was changed by hand is found', () => {
  storeRelease(crds, '1.0.0');
  writeFileSync(`${crds}datadisks.yaml`, disks.replace('scope: Namespaced', 'scope: Cluster'));
  expect(storeRelease(crds, '1.1.0')).toMatch(/break what 1\.0\.0 promised:\n.*its scope was Namespaced/);
  expect(alteredRelease(`${crds}released/`)).toBeUndefined();
  writeFileSync(`${crds}released/datadisks.yaml`, `${disks}# by hand\n`);
  expect(alteredRelease(`${crds}released/`)).toMatch(/was changed since 1\.0\.0 was released/);
});
