// A refund as finance types it: half of it, too much of it, and why.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { appAround, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as billing } from '../../words/en/billing.ts';
import { words as shell } from '../../words/en/shell.ts';
import { RefundDialog } from './refund-dialog.tsx';

const REFUND = 'POST /api/admin/payments/pay-1/refund';
const PAYMENT = { id: 'pay-1', paid: '50.00', refundable: '40.00', currency: 'USD' };
const { answer, bodies } = playAnswers();
let closed: number;

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  return (
    <CoreAdminContext dataProvider={adminData(api)} queryClient={newQueryClient()}>
      {children}
    </CoreAdminContext>
  );
}

function show(payment: object = PAYMENT) {
  const element = (
    <Around>
      <RefundDialog payment={payment as never} onClose={() => void closed++} />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing, shell, tables }) });
}
beforeEach(() => {
  closed = 0;
  answer(REFUND, { body: { id: 'rfd-1', state: 'sent' } });
});

const amount = () => screen.getByLabelText<HTMLInputElement>(/^Amount/);
const type = (text: string) => fireEvent.change(amount(), { target: { value: text } });
const confirm = () => fireEvent.click(screen.getByRole('button', { name: 'Refund' }));

test('half of a payment goes back with a reason, after the form said what remains', async () => {
  show();
  expect(screen.getByText('Refundable now: $40.00')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Half' }));
  expect(amount().value).toBe('25.00');
  expect(screen.getByText('Refundable after this: $15.00')).toBeTruthy();
  confirm();
  expect(await screen.findByText('Please give a reason')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'half a month' } });
  confirm();
  await waitFor(() => expect(closed).toBe(1));
  expect(bodies(REFUND)).toEqual([{ amount: '25.00', reason: 'half a month' }]);
});

test('more than what is refundable is said before it is sent, and the server’s sentence after', async () => {
  answer(REFUND, playedRefusal('refund_too_large', 'At most $40.00 of this payment can be refunded.'));
  show();
  type('40.01');
  expect(screen.getAllByText('Refundable now: $40.00')).toHaveLength(2);
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'all of it' } });
  confirm();
  expect(await screen.findByText('At most $40.00 of this payment can be refunded.')).toBeTruthy();
  expect(closed).toBe(0);
});

test.each(['-5', '1.234', 'abc', '0'])('"%s" is no amount, and is not sent', async (text) => {
  show();
  type(text);
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'x' } });
  confirm();
  expect((await screen.findAllByText('A decimal with at most two decimals, above zero')).length).toBeGreaterThan(0);
  expect(bodies(REFUND)).toEqual([]);
});

test('where nothing is refundable, the form says why', () => {
  show({ ...PAYMENT, refundable: '0.00' });
  expect(screen.getByText(/^It cannot be refunded now/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Half' }).disabled).toBe(true);
});
