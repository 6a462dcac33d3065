// The query that the transactions' address makes.
import { expect, test } from '@jest/globals';
import { transactionQuery } from './transaction-query.ts';

const NONE = { range: '', type: '', status: '', payment_channel: '', source_type: '', search: '' };
const BY_DATE = { by: 'date', type: 'desc' } as const;
const NOW = new Date('2026-11-22T05:00:00Z');
const ORDER = { order_by: 'date', order_type: 'desc' };

test.each([
  ['nothing chosen asks for all', NONE, ORDER],
  [
    'what is chosen is asked for',
    { ...NONE, type: 'top-up', search: 'pay-' },
    { ...ORDER, type: 'top-up', search: 'pay-' },
  ],
  ['a range begins as long ago as it says', { ...NONE, range: 'h12' }, { ...ORDER, start: '2026-11-21T17:00:00.000Z' }],
  ['a range that nobody offers is none', { ...NONE, range: 'y9' }, ORDER],
])('%s', (_, values, query) => expect(transactionQuery(values, BY_DATE, NOW)).toEqual(query));

test.each([
  ['all of one side', NONE, 'top-up'],
  ['one type of it', { ...NONE, type: 'recharge' }, 'recharge'],
])('a page of one side asks for %s', (_, values, type) =>
  expect(transactionQuery(values, BY_DATE, NOW, 'top-up')).toEqual({ ...ORDER, type }),
);
