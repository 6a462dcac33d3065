import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readKeyPair } from './read-key-pair.ts';

const OPTION = '--backup-credentials-file';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Those names that a Secret lacks are left out. */
function secret(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) file(name, text);
  return folder;
}

test('a file has two lines, whichever way they end', () => {
  expect(readKeyPair(OPTION, file('pair', 'AKIA\r\ns3cret\r\n'))).toEqual({ accessKey: 'AKIA', secretKey: 's3cret' });
});

test('a mounted Secret is a folder with a file for each', () => {
  const path = secret({ accessKey: 'AKIA', secretKey: 's3cret\n' });
  expect(readKeyPair(OPTION, path)).toEqual({ accessKey: 'AKIA', secretKey: 's3cret' });
});

test('no path gives none', () => {
  expect(readKeyPair(OPTION, '')).toBeUndefined();
});

test.each<[string, () => string, string]>([
  ['one line', () => file('pair', 's3cret'), 'must hold two lines'],
  ['three lines', () => file('pair', 'AKIA\ns3cret\nmore'), 'must hold two lines'],
  ['a folder that lacks one', () => secret({ accessKey: 'AKIA' }), 'secretKey" cannot be read'],
  ['an empty secret in a folder', () => secret({ accessKey: 's3cret', secretKey: '' }), 'two files'],
  ['a path that leads nowhere', () => join(folder, 'gone'), 'cannot be read'],
])('%s is refused, and nothing of it is quoted', (_, path, words) => {
  expect(() => readKeyPair(OPTION, path())).toThrow(words);
  expect(() => readKeyPair(OPTION, path())).not.toThrow(/s3cret/);
});
