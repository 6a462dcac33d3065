// Amounts as people read them: exact, whatever their size.
import { expect, test } from '@jest/globals';
import { currencySign, exactText, moneyText, rateText, typedAmount } from './money.ts';

test.each([
  ['a whole amount has two decimals', '20.00', '$20.00'],
  ['thousands are grouped', '1234567.50', '$1,234,567.50'],
  ['three digits are not', '999.99', '$999.99'],
  ['what is less than half a cent is rounded down', '0.004999', '$0.00'],
  ['half a cent is rounded up', '0.005', '$0.01'],
  ['half a cent of a debt is rounded away from zero', '-0.005', '-$0.01'],
  ['a debt that rounds to nothing has no sign', '-0.004', '$0.00'],
  ['rounding carries on to the next thousand', '999.995', '$1,000.00'],
  ['an amount that no floating number holds stays exact', '9007199254740993.01', '$9,007,199,254,740,993.01'],
  ['the smallest unit below a large amount is not lost', '8999999999999.99', '$8,999,999,999,999.99'],
])('%s', (_, amount, text) => expect(moneyText(amount, 'USD')).toBe(text));

test.each([
  ['a rate below ten cents keeps its digits', '0.002216', '$0.002216'],
  ['zeros at its end are left out, but two decimals stay', '0.050000', '$0.05'],
  ['a rate of ten cents or more has two decimals', '2.219999', '$2.22'],
  ['nothing is nothing', '0.00', '$0.00'],
  ['a rate of whole units has two decimals', '12.050000', '$12.05'],
  ['what one gets back is a rate, too', '-0.002216', '-$0.002216'],
])('%s', (_, amount, text) => expect(rateText(amount, 'USD')).toBe(text));

test.each([undefined, null, '', 'NaN', '1e3', '1.', '.5', '1,000.00'])('%j is no amount: a dash', (amount) => {
  expect(moneyText(amount, 'USD')).toBe('–');
  expect(rateText(amount, 'USD')).toBe('–');
});

test.each([
  ['EUR', '€'],
  ['CNY', '¥'],
  ['CHF', 'CHF '],
])('%s is written %j', (currency, sign) => {
  expect(currencySign(currency)).toBe(sign);
  expect(moneyText('-1.5', currency)).toBe(`-${sign}1.50`);
});

test.each([
  ['as it is sent', '2000.50', '2000.50'],
  ['as we write it', '2,000.50', '2000.50'],
  ['in several groups', '1,234,567', '1234567'],
  ['grouped by spaces', '2 000', '2000'],
  ['grouped by spaces that do not break', '2\u202f000\u00a0000', '2000000'],
  ['in full-width digits', '２，０００．５', '2000.5'],
  ['with spaces around it', ' 20 ', '20'],
  ['with a comma for a point: refused later', '2,00', '2,00'],
  ['in groups of four: refused later', '2,0000', '2,0000'],
  ['in groups of two kinds: refused later', '1,000 000', '1,000 000'],
  ['with a comma after its point: refused later', '2.000,50', '2.000,50'],
  ['words: refused later', 'twenty', 'twenty'],
])('an amount that is typed %s', (_, typed, sent) => expect(typedAmount(typed)).toBe(sent));

test.each([
  ['1.234567', '$1.234567'],
  ['0.012', '$0.012'],
  ['-0.000333', '-$0.000333'],
  ['1200', '$1,200.00'],
])('a unit price of %s has all its decimals: %s', (amount, text) => expect(exactText(amount, 'USD')).toBe(text));
