import { expect, test } from '@jest/globals';
import { numberText } from './number.ts';

test.each([
  ['thousands are grouped', numberText(131_072), '131,072'],
  ['all decimals stay', numberText(1234.567_891), '1,234.567891'],
  ['or as many as are asked for', numberText(1234.56, 1), '1,234.6'],
  ['none at all', numberText(1234.56, 0), '1,235'],
  ['below zero', numberText(-12_000), '-12,000'],
  ['unknown', numberText(null), '–'],
])('%s', (_, shown, text) => expect(shown).toBe(text));
