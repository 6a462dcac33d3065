import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { single } from './measure.ts';
import { figuresOf, README, withResults } from './results-table.ts';

test('the README says what the committed results say', () => {
  const readme = readFileSync(README, 'utf8');
  expect(withResults(readme)).toBe(readme);
});

test('a missed target is said aloud', () => {
  const figure = single({ row: 'X1', work: 'something', unit: 'ms', target: { atMost: 10 } }, 12.34);
  expect(figuresOf(figure)).toEqual(['12.3 ms', '–', '–', '–', '≤ 10', 'NO']);
});
