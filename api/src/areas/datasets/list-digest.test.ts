import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { listDigest } from './list-digest.ts';

const file = (path: string, digest: string, sizeBytes = 1) => ({ path, digest, sizeBytes });

test('a digest is that of the sorted list, whatever order the files came in', () => {
  const files = [file('b', 'two'), file('B', 'three'), file('a/x', 'one')];
  const wanted = createHash('sha256').update('three  B\none  a/x\ntwo  b\n').digest('hex');
  expect(listDigest(files)).toBe(wanted);
  expect(listDigest(files.toReversed())).toBe(wanted);
  expect(listDigest([...files, file('c', 'two')])).not.toBe(wanted);
});
