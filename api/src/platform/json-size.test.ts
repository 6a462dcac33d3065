import { expect, test } from '@jest/globals';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { JsonSize, parseJson } from './json-size.ts';

const sizeOf = (text: string) => new JsonSize().add(Buffer.from(text));

test.each<[string, number, number, number]>([
  ['', 0, 0, 0],
  ['1', 0, 0, 0],
  ['[]', 1, 0, 1],
  ['[1,2,3]', 3, 0, 1],
  ['{"a":1,"b":[{}]}', 4, 2, 3],
  ['"[{,:"', 0, 0, 0],
  ['["\\"[,","\\\\",1]', 3, 0, 1],
  ['[[[[', 4, 0, 4],
])('%j has %d values, %d members and %d levels', (text, values, members, deepest) => {
  expect(sizeOf(text)).toMatchObject({ values, members, deepest });
});

test('in pieces, wherever they are cut, it is the same', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 7 }), (text, length) => {
      const bytes = Buffer.from(text);
      const pieces = new JsonSize();
      for (let at = 0; at < bytes.length; at += length) pieces.add(bytes.subarray(at, at + length));
      const { values, members, deepest } = sizeOf(text);
      expect(pieces).toMatchObject({ values, members, deepest });
    }),
  );
});

test('a text of few values is parsed, and no other', () => {
  expect(parseJson('{"a":[1,2]}')).toEqual({ a: [1, 2] });
  expect(parseJson('[1,2]', 2)).toEqual([1, 2]);
  for (const text of ['[1,2,3]', '{', '['.repeat(65) + ']'.repeat(65)])
    expect(() => parseJson(text, 2)).toThrow(SyntaxError);
});
