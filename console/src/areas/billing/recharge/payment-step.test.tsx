// The next step of a payment, as a person reads it.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { words as english } from '../words/en.ts';
import type { SeenPayment } from './payment-panel.tsx';
import { PaymentStep } from './payment-step.tsx';

playNetwork();

test('a transfer says how much, to where, with which reference, and that one need not wait for it', () => {
  const payment = {
    id: 'pay-1',
    amount: '20.00',
    currency: 'USD',
    payment_channel: 'bank_transfer',
    next: { type: 'transfer', account: 'DE02 1203 0000', reference: 'GT-ZADQ' },
  } as unknown as SeenPayment;
  render(<PaymentStep payment={payment} channels={[]} onAnswered={() => {}} />, {
    wrapper: appAround({ billing: english }),
  });
  const shown = ['$20.00', 'DE02 1203 0000', 'GT-ZADQ', /You can leave this page/];
  expect(shown.filter((text) => screen.queryByText(text) === null)).toEqual([]);
});
