// A sentence writes an amount as a screen does.
import { expect, test } from '@jest/globals';
import { sentence } from '../define-kind.ts';
import { isSharedSign, withMoney } from './shown-money.ts';

const words = {
  en: 'Needs %{wanted} %{currency}, %{available} %{currency} available in %{place}.',
  zh: '需要 %{wanted} %{currency}，可用 %{available} %{currency}（%{place}）。',
  ja: '%{wanted} %{currency} が必要ですが、利用できるのは %{available} %{currency} です（%{place}）。',
};

test.each([
  ['USD', 'Needs $1,234.50, -$0.002 available in acme.'],
  ['CNY', 'Needs ¥1,234.50, -¥0.002 available in acme.'],
  ['CHF', 'Needs CHF 1,234.50, -CHF 0.002 available in acme.'],
])('amounts of %s are grouped, with the sign of their currency', (currency, said) => {
  const args = { wanted: '1234.50', available: '-0.002', place: 'acme', currency };
  expect(sentence(words, 'en', args)).toBe(said);
});

test('the other languages have the same amounts', () => {
  const args = { wanted: '1.00', available: '0.00', place: 'acme', currency: 'USD' };
  expect(sentence(words, 'zh', args)).toBe('需要 $1.00，可用 $0.00（acme）。');
  expect(sentence(words, 'ja', args)).toBe('$1.00 が必要ですが、利用できるのは $0.00 です（acme）。');
});

test('what is no amount, or has no currency, stays as it is', () => {
  expect(withMoney('%{wanted} %{currency}', { wanted: 'much' })).toBe('%{wanted} %{currency}');
  expect(withMoney('%{wanted} %{currency}', { wanted: 'much', currency: 'USD' })).toBe('%{wanted} %{currency}');
});

test('a sign that two currencies share is known to be shared', () => {
  expect(['USD', 'CNY', 'JPY', 'CHF'].map(isSharedSign)).toEqual([false, true, true, false]);
});
