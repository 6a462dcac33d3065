import { expect, test } from '@jest/globals';
import { type Mark, marked, rateOf } from './send-rate.ts';

const marksOf = (...marks: Mark[]) =>
  marks.reduce<readonly Mark[]>((former, [at, sent]) => marked(former, at, sent), []);

test('the rate is that of the last seconds', () => {
  expect(rateOf(marksOf([0, 0], [1000, 50], [8000, 100], [10_000, 300]))).toBe(100);
});

test('one moment has no rate', () => {
  expect(rateOf([])).toBeUndefined();
  expect(rateOf(marksOf([5, 9]))).toBeUndefined();
});

test('bytes that have to be sent again do not make it negative', () => {
  expect(rateOf(marksOf([0, 100], [1000, 20]))).toBe(0);
});
