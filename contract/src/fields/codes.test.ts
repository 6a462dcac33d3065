import { expect, test } from '@jest/globals';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { type Chance, isTextCode, newFourDigits, newRandomId, newTextCode, numberOf, textCodeOf } from './codes.ts';

const all =
  (byte: number): Chance =>
  (count) =>
    new Uint8Array(count).fill(byte);
/** The last byte decides. */
const last =
  (byte: number): Chance =>
  (count) =>
    new Uint8Array(count).fill(0).fill(byte, count - 1);

test.each([
  [0n, '0'],
  [9n, '9'],
  [10n, 'A'],
  [35n, 'Z'],
  [36n, 'a'],
  [61n, 'z'],
  [62n, '10'],
  [3843n, 'zz'],
  [3844n, '100'],
  [2n ** 64n, 'LygHa16AHYG'],
])('%s is the text code %s, and back', (value, code) => {
  expect(textCodeOf(value)).toBe(code);
  expect(numberOf(code)).toBe(value);
});

test('a text code stands for no number below zero', () => expect(() => textCodeOf(-1n)).toThrow(RangeError));

test('every number has a text code that leads back to it', () =>
  fc.assert(fc.property(fc.bigInt({ min: 0n }), (value) => numberOf(textCodeOf(value)) === value)));

test.each([
  ['nothing', ''],
  ['a space', 'A B'],
  ['a hyphen', 'HELLO-2026'],
  ['an underscore', 'A_B'],
  ['a plus', 'A+B'],
  ['a slash', 'A/B'],
  ['a full-width digit', '１２'],
  ['a letter with an accent', 'É1'],
  ['a letter of another script', 'А1'],
  ['a line break', 'A1\n'],
  ['an invisible character', 'A\u200b1'],
  ['an emoji', 'A😀'],
  ['the name of a property', '__proto__'],
])('%s is rejected', (_, text) => {
  expect(isTextCode(text)).toBe(false);
  expect(numberOf(text)).toBeUndefined();
});

test.each([
  ['the smallest', all(0), '00000000'],
  ['one more', last(1), '00000001'],
  ['the next digit', last(62), '00000010'],
])('a new text code has its length: %s', (_, chance, code) => expect(newTextCode(8, chance)).toBe(code));

test('new text codes are text codes of their length, whatever the chance', () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 1, max: 24 }), (bytes, length) => {
      const code = newTextCode(length, (count) => bytes.slice(0, count));
      return code.length === length && isTextCode(code);
    }),
  ));

test.each([
  [last(0), '0000'],
  [last(7), '0007'],
  [last(255), '0255'],
])('four digits keep their zeros', (chance, code) => expect(newFourDigits(chance)).toBe(code));

test('four digits are four digits, whatever the chance', () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => /^\d{4}$/.test(newFourDigits(() => bytes))),
  ));

test.each([
  [all(0), '00000000-0000-4000-8000-000000000000'],
  [all(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
])('a random id is a UUID of version 4', (chance, id) => expect(newRandomId(chance)).toBe(id));
