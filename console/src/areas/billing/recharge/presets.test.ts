// Which amounts are offered.
import { expect, test } from '@jest/globals';
import { presetsWithin } from './presets.ts';

test.each([
  ['of a wide range the lowest five', '1.00', '10000.00', ['10', '20', '50', '100', '200']],
  ['none below the least', '100.00', '100000.00', ['100', '200', '500', '1000', '2000']],
  ['none above the most; the edges themselves may be paid', '20.00', '50.00', ['20', '50']],
  ['none at all where none fits', '3.00', '7.00', []],
])('%s', (_, least, most, amounts) => expect(presetsWithin({ least, most })).toEqual(amounts));
