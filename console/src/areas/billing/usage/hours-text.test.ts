// Hours of use.
import { expect, test } from '@jest/globals';
import { hoursText } from './hours-text.ts';

test.each([
  ['nothing is nothing', '0', '0.00'],
  ['hours have two decimals', '1.5', '1.50'],
  ['thousands are grouped', '12345.678901', '12,345.68'],
  ['a little is not shown as nothing', '0.000278', '< 0.01'],
  ['a hundredth is shown', '0.01', '0.01'],
  ['what is not known is a dash', undefined, '–'],
])('%s', (_, hours, text) => expect(hoursText(hours)).toBe(text));
