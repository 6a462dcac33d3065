import { expect, test } from '@jest/globals';
import { COUNTRIES, countryCode, documentNumber } from './identity-document.ts';

const read = (text: string) => {
  const { data, error } = documentNumber.safeParse(text);
  return data ?? error?.issues[0]?.message;
};

test.each([
  ['X1234567', 'X1234567'],
  ['x 123-45.67/8', 'X12345678'],
  ['123', 'document_number_rule'],
  [' - - - ', 'document_number_rule'],
  ['12345٦', 'document_number_rule'],
  ['X123\u202e4567', 'document_number_rule'],
  ['X123\n4567', 'document_number_rule'],
  ['A'.repeat(25), 'document_number_rule'],
  [`${' '.repeat(1 << 20)}A`, 'document_number_rule'],
])('a document number %j reads %s', (text, result) => expect(read(text)).toBe(result));

test('a country is one of the 249 codes, in capitals', () => {
  expect(new Set(COUNTRIES).size).toBe(249);
  const taken = ['US', 'JP', 'us', 'XX', '', 'USA', 'constructor'].filter(
    (text) => countryCode.safeParse(text).success,
  );
  expect(taken).toEqual(['US', 'JP']);
});
