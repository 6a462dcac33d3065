// An amount to pay, as a person types it, against an API whose answers are played.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as english } from '../words/en.ts';
import { type Offered, RechargeForm } from './recharge-form.tsx';

const OFFERED: Offered = {
  currency: 'USD',
  least: '1.00',
  most: '10000.00',
  channels: [{ payment_channel: 'transfer', is_test: false }],
} as unknown as Offered;

const PAY = 'POST /api/paybill/v1/wallet-balances-paydo';

const App = appAround({ billing: english });
const { answer, bodies } = playAnswers();
beforeEach(() => {
  answer(PAY, playedResult({ id: 'pay-1' }));
  render(<RechargeForm offered={OFFERED} cards={[]} />, {
    wrapper: ({ children }) => (
      <MemoryRouter>
        <App>{children}</App>
      </MemoryRouter>
    ),
  });
});

function pay(amount: string) {
  const field = screen.getByLabelText(/^Amount/);
  fireEvent.change(field, { target: { value: amount } });
  const form = field.closest('form');
  if (form) fireEvent.submit(form);
}

test.each([
  ['2,000', '2000'],
  ['10 000.00', '10000.00'],
  ['２０', '20'],
])('"%s" is paid as %s', async (typed, amount) => {
  pay(typed);
  await waitFor(() => expect(bodies(PAY)).toEqual([expect.objectContaining({ amount })]));
});

test.each([
  ['2,00', /^An amount has at most two decimals, after a point/],
  ['0.5', 'From $1.00 to $10,000.00 per payment'],
  ['10,000.01', 'From $1.00 to $10,000.00 per payment'],
])('"%s" is refused by its rule, and nothing is sent', async (typed, sentence) => {
  pay(typed);
  await waitFor(() => expect(screen.getByLabelText(/^Amount/).getAttribute('aria-invalid')).toBe('true'));
  screen.getByText(sentence);
  expect(bodies(PAY)).toEqual([]);
});
