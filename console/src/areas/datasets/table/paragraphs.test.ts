// The same numbers as the worker's, whose rules these are.
import { expect, test } from '@jest/globals';
import { paragraphsIn, placeOf } from './paragraphs.ts';

const cut = (text: string, first: number, last = first, isByLine = false) => {
  const place = placeOf(text, { first, last }, isByLine);
  return place && text.slice(place.from, place.to);
};

test('blocks between blank lines are paragraphs; spaces around them, and blocks of spaces, are none', () => {
  const text = '\u3000 One\ntwo \n \t\u3000\n\n\u001f\n Three\u0085\n\n\nfour';
  expect(cut(text, 1)).toBe('One\ntwo');
  expect(cut(text, 2)).toBe('Three');
  expect(cut(text, 2, 3)).toBe('Three\u0085\n\n\nfour');
  expect(cut(text, 3, 9)).toBe('four');
  expect(cut(text, 4)).toBeUndefined();
  expect(cut('\n\n \n', 1)).toBeUndefined();
});

test('lines are paragraphs of a long block, by characters and not by halves of them, and where the kind says so', () => {
  const short = `${'😀'.repeat(1999)}\n`;
  expect(cut(`${short}\n\nnext`, 2)).toBe('next');
  expect(cut(`a\n${short}\n\nnext`, 2)).toBe(short.trim());
  expect(cut('a\n\nb\nc', 3, 3, true)).toBe('c');
});

test('a megabyte of one kind of letter, or of blank lines, takes no time', () => {
  const begun = performance.now();
  for (const letter of ['\n', ' ', 'a', '\n ', 'a\n\n', `\n${' '.repeat(1000)}`])
    placeOf(letter.repeat(2 ** 20 / letter.length), { first: 10 ** 8, last: 10 ** 8 }, false);
  expect(performance.now() - begun).toBeLessThan(3000);
});

test.each([
  ['2', { first: 2, last: 2 }],
  ['2-4', { first: 2, last: 4 }],
  ...(['', '0', '-1', '2-', 'a', '1e9', '99999999999'].map((text) => [text, undefined]) as [string, undefined][]),
])('an address that says %j', (text, found) => expect(paragraphsIn(text)).toEqual(found));
