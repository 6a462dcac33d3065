// Which files of a source a pattern names. Both are a tenant's.
import { expect, test } from '@jest/globals';
import { matching } from './taken.ts';

test.each([
  ['*.gguf', 'a/b.gguf', true],
  ['*.gguf', 'a/b.ggufs', false],
  ['*/8/*', 'runs/8/x', true],
  ['*/8/*', 'runs/9/x', false],
  ['a*', 'abc', true],
  ['*', 'anything/at/all', true],
  ['a.b', 'a.b', true],
  ['a.b', 'axb', false],
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  ['a**c', 'abc', true],
])('%s and %s: %s', (pattern, path, isLike) => {
  expect(matching([pattern])(path)).toBe(isLike);
});

test('no pattern takes long, whatever the path', () => {
  expect(matching([`${'*a'.repeat(12)}*b`])('a'.repeat(200))).toBe(false);
});
