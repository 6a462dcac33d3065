import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { differenceOf, listDigest } from './list-digest.ts';

const file = (path: string, digest: string, sizeBytes = 1) => ({ path, digest, sizeBytes });

test('a digest is that of the sorted list, whatever order the files came in', () => {
  const files = [file('b', 'two'), file('B', 'three'), file('a/x', 'one')];
  const wanted = createHash('sha256').update('three  B\none  a/x\ntwo  b\n').digest('hex');
  expect(listDigest(files)).toBe(wanted);
  expect(listDigest(files.toReversed())).toBe(wanted);
  expect(listDigest([...files, file('c', 'two')])).not.toBe(wanted);
});

test('a difference names what is more, less and otherwise, and counts what stayed', () => {
  const base = [file('same', 'a', 5), file('gone', 'b', 7), file('changed', 'c', 2)];
  const now = [file('same', 'a', 5), file('changed', 'd', 4), file('new', 'b', 7)];
  expect(differenceOf(now, base)).toEqual({
    ...{ added: ['new'], removed: ['gone'], changed: ['changed'], unchanged: 1, sizeBytes: 2 },
  });
  expect(differenceOf(base, base)).toMatchObject({ added: [], removed: [], changed: [], unchanged: 3 });
});
