// A transaction's details, as a person reads them.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as english } from '../words/en.ts';
import { TransactionDetail } from './transaction-detail.tsx';
import { type Transaction, useTransactionColumns } from './use-transaction-columns.tsx';

playNetwork();

const transaction = (more: object) =>
  ({
    ...{ transaction_id: 'txn-1', date: '2026-11-22T10:00:00Z', total_amount: '5', pay_amount: '0', credit_used: '0' },
    ...{ refunded_amount: '0.00', charged_back_amount: '0.00' },
    ...{ currency: 'USD', operator: 'ann', source_type: null, reference: 'txn-1', detail: '' },
    ...more,
  }) as unknown as Transaction;

const show = (one: Transaction) =>
  render(
    <MemoryRouter>
      <TransactionDetail transaction={one} onClose={() => {}} />
    </MemoryRouter>,
    { wrapper: appAround({ billing: english }) },
  );

test.each([
  ['called off', 'given_up', 'Cancelled', 'neutral'],
  ['declined', 'card_declined', 'Payment failed', 'bad'],
  ['never confirmed', 'timed_out', 'Payment failed', 'bad'],
])('a payment that was %s says just that', (_, detail, label, tone) => {
  show(transaction({ type: 'recharge', status: 'paid_failed', payment_channel: 'card', detail }));
  expect(screen.getByText(label).closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone);
  expect(screen.getByText('Reason')).toBeTruthy();
});

test('a recharge of which a part was refunded says how much was paid, and how much of it went back', () => {
  show(
    transaction({
      ...{ type: 'recharge', status: 'paid', payment_channel: 'card' },
      ...{ total_amount: '50.00', pay_amount: '50.00', refunded_amount: '20.00' },
    }),
  );
  expect([screen.getByText('Refunded'), screen.getByText('$20.00')]).toHaveLength(2);
  expect(screen.queryByText('Charged back by the bank')).toBeNull();
});

test.each([
  ['a payment that was refunded in part says so in the list', { refunded_amount: '10.00' }, '$10.00 refunded'],
  ['so does one that a bank took back', { charged_back_amount: '20.00' }, '$20.00 charged back'],
  ['one that stayed says nothing', {}, undefined],
])('%s', (_, back, said) => {
  const row = transaction({ ...{ type: 'recharge', status: 'paid', pay_amount: '20.00' }, ...back });
  const Paid = () =>
    useTransactionColumns(() => {})
      .find(({ id }) => id === 'paid')
      ?.cell(row);
  const { container } = render(<Paid />, { wrapper: appAround({ billing: english }) });
  expect(container.textContent).toBe(`$20.00${said ?? ''}`);
});

test('an hour of something small costs what it costs, and not nothing', () => {
  const amounts = { total_amount: '0.001587', pay_amount: '0.001500', credit_used: '0.000087' };
  show(transaction({ type: 'consumption', status: 'paid', payment_channel: 'balance', ...amounts }));
  const hidden = ['$0.001587', '$0.0015', '$0.000087'];
  expect(hidden.filter((amount) => screen.queryByText(amount) !== null)).toEqual(hidden);
});
