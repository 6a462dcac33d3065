import { expect, test } from '@jest/globals';
import { nextCondition } from './next-condition.ts';

const NOW = Date.parse('2026-11-22T04:00:00Z');
const LATER = NOW + 60_000;
const wanted = { type: 'Ready', status: 'False', reason: 'Mounted', message: 'The disk is mounted by dev.' } as const;

test('what an older version wrote without arguments gets them once, and keeps its time', () => {
  const old = nextCondition(undefined, wanted, NOW);
  expect(old).not.toHaveProperty('args');
  const once = nextCondition([old], { ...wanted, args: { by: 'dev' } }, LATER);
  expect(once).toEqual({ ...old, args: { by: 'dev' } });
  expect(nextCondition([once], { ...wanted, args: { by: 'dev' } }, LATER)).toEqual(once);
});

test('a condition without gaps has no arguments', () => {
  expect(nextCondition(undefined, { ...wanted, args: {} }, NOW)).not.toHaveProperty('args');
});

test.each([
  ['a value that is too long', { by: 'x'.repeat(4097) }],
  ['too many values', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`x${index}`, 'x']))],
])('with %s the arguments are left out, since the API server would refuse the whole status', (_, args) => {
  expect(nextCondition(undefined, { ...wanted, args }, NOW)).toEqual({
    ...wanted,
    lastTransitionTime: '2026-11-22T04:00:00Z',
  });
});
