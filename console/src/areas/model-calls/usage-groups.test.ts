// Usage as people ask for it: by model, key, person and day.
import { expect, test } from '@jest/globals';
import { usageBy } from './usage-groups.ts';

const row = (over: object) => ({
  ...{ day: '2026-11-20', model: 'tiny', account_id: 'acc-ann', token_id: null, requests: 1, prompt_tokens: 10 },
  ...{ cached_tokens: 4, completion_tokens: 2, estimated_requests: 0, amount: '0.000016' },
  ...over,
});
const ROWS = [
  row({}),
  row({ day: '2026-11-21', token_id: 'tok-1', requests: 3, amount: '1.50' }),
  row({ account_id: 'acc-bob', token_id: 'tok-1', model: 'large', completion_tokens: 90, estimated_requests: 1 }),
];

test.each([
  ['model', ['large', 'tiny']],
  ['token', ['tok-1', '']],
  ['person', ['acc-bob', 'acc-ann']],
  ['day', ['2026-11-21', '2026-11-20']],
] as const)('usage by %s has a row for each', (group, keys) => {
  expect(usageBy(ROWS, group).map(({ key }) => key)).toEqual(keys);
});

test('a sum holds all of its rows, and its money is exact', () => {
  expect(usageBy(ROWS, 'person')[1]).toEqual({
    ...{ key: 'acc-ann', requests: 4, prompt_tokens: 20, cached_tokens: 8, completion_tokens: 4 },
    ...{ estimated_requests: 0, amount: '1.500016' },
  });
  expect(usageBy([], 'day')).toEqual([]);
});
