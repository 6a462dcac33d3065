// How a card is described.
import { expect, test } from '@jest/globals';
import { cardName, isExpired } from './own-card.ts';

test.each([
  [
    'a brand that is known is written as it writes itself',
    { brand: 'amex', last4: '0005' },
    'American Express •••• 0005',
  ],
  ['another is written as the provider has it', { brand: 'eftpos', last4: '1234' }, 'eftpos •••• 1234'],
])('%s', (_, card, name) => expect(cardName(card)).toBe(name));

test.each([
  ['in its last month a card is good', '11/2026', new Date(2026, 10, 30, 23, 59), false],
  ['with the next month it is not', '11/2026', new Date(2026, 11, 1), true],
  ['December ends with the year', '12/2026', new Date(2027, 0, 1), true],
  ['of a card without a date nothing is said', '', new Date(2026, 10, 22), false],
])('%s', (_, exp_time, now, expired) => expect(isExpired({ exp_time }, now)).toBe(expired));
