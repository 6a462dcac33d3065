import { expect, test } from '@jest/globals';
import { leastPx, tracksFor } from './use-fitted-tracks.ts';

test.each([
  ['a fixed width has none', '9.75rem', undefined],
  ['of a range, its beginning is the least', 'minmax(9rem, 3fr)', 144],
  ['a share has the usual least', '2fr', 112],
  ['no width has the usual least', undefined, 112],
])('%s', (_, width, px) => expect(leastPx(width)).toBe(px));

const NAME = { id: 'name', width: 'minmax(9rem, 3fr)' };
const PRICE = { id: 'price', width: '5rem' };
const ACTIONS = { id: 'actions', width: '10.5rem' };
const all = (px: number) => ({ whole: px, least: px });

test('a column of texts shrinks to its least, one of numbers never', () => {
  expect(tracksFor([NAME, PRICE], [all(210.2), all(130)])).toEqual(['minmax(144px, 211fr)', 'minmax(130px, 130fr)']);
});

test('a second line gives way, but not that of a number', () => {
  const wanted = [{ whole: 200, least: 120 }];
  expect(tracksFor([PRICE], wanted)).toEqual(['minmax(120px, 200fr)']);
  expect(tracksFor([{ ...PRICE, align: 'end' }], wanted)).toEqual(['minmax(200px, 200fr)']);
});

test('buttons at the end get what they want and no more', () => {
  expect(tracksFor([ACTIONS], [all(120)])).toEqual(['120px']);
});

test('a cell of any length takes no more than its part', () => {
  expect(tracksFor([NAME], [all(30_000)])).toEqual(['minmax(144px, 480fr)']);
});
