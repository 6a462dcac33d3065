// Which amounts are offered.
import { expect, test } from '@jest/globals';
import { amountFor, presetsWithin } from './presets.ts';

test.each([
  ['of a wide range the lowest five', '1.00', '10000.00', ['10', '20', '50', '100', '200']],
  ['none below the least', '100.00', '100000.00', ['100', '200', '500', '1000', '2000']],
  ['none above the most; the edges themselves may be paid', '20.00', '50.00', ['20', '50']],
  ['none at all where none fits', '3.00', '7.00', []],
])('%s', (_, least, most, amounts) => expect(presetsWithin({ least, most })).toEqual(amounts));

test.each([
  ['as exactly as can be paid', '12.341', { least: '1.00', currency: 'USD' }, '12.35'],
  ['to the cent', '12.34', { least: '1.00', currency: 'USD' }, '12.34'],
  ['at least the least', '0.0016', { least: '1.00', currency: 'USD' }, '1'],
  ['in whole yen', '512.5', { least: '100.00', currency: 'JPY' }, '513'],
  ['never what is no amount', '1e9', { least: '1.00', currency: 'USD' }, undefined],
  ['never what is negative', '-5', { least: '1.00', currency: 'USD' }, undefined],
])('what is missing is paid %s', (_, missing, limits, amount) => expect(amountFor(missing, limits)).toBe(amount));
