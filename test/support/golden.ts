// Golden files: desired objects in YAML, for a reader to judge. Renewed only on purpose: GOLDEN=renew make test.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { stringify } from 'yaml';

/** Compares objects with a file beside the test: `expectGolden(new URL('golden/pod.yaml', import.meta.url), [pod])`. */
export function expectGolden(file: URL, objects: readonly object[]): void {
  const text = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
  if (process.env.GOLDEN === 'renew') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
