import { expect, test } from '@jest/globals';
import { isKnownMetric, KNOWN_METRICS } from './known-metrics.ts';
import { words } from './words/en.ts';

test('each metric that is known has its meaning among the words, and none else has', () => {
  expect(Object.keys(words.meanings).sort()).toEqual([...KNOWN_METRICS].sort());
  expect(isKnownMetric('up')).toBe(false);
});
