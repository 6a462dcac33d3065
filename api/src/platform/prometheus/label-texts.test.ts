// The kept texts of labels, which any tenant's query can write.
import { expect, test } from '@jest/globals';
import { LabelTexts } from './label-texts.ts';

const labelled = (letters: number, name = 0) => JSON.stringify({ a: `${name}`.padEnd(letters, 'x') });
const isKept = (texts: LabelTexts, text: string) => {
  const first = texts.of(text);
  return texts.of(text) === first;
};

test('the labels of a series are read once, and those that a query made long each time', () => {
  const texts = new LabelTexts();
  expect([200, 2_000, 2_048, 100_000].map((letters) => isKept(texts, labelled(letters)))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(texts.of(labelled(100_000))).toEqual({ a: '0'.padEnd(100_000, 'x') });
});

test('many labels that are nearly as long push each other out', () => {
  const texts = new LabelTexts();
  const all = Array.from({ length: 15_000 }, (_, name) => texts.of(labelled(2_000, name)));
  const newestFirst = [14_999, 13_500, 10_000, 0];
  expect(newestFirst.map((name) => texts.of(labelled(2_000, name)) === all[name])).toEqual([true, true, false, false]);
});

test('what was seen lately is kept while others come', () => {
  const texts = new LabelTexts();
  const first = texts.of(labelled(200));
  for (let name = 1; name < 60_000; name++) {
    texts.of(labelled(200, name));
    if (name % 5_000 === 0) expect(texts.of(labelled(200))).toBe(first);
  }
});

test.each(['', '[]', '1', 'null', '{"a":1}', '{"a":"b"'])('%j is no label set', (text) => {
  expect(new LabelTexts().of(text)).toBeUndefined();
});
