// Paying what is missing for something, against an API whose answers are played: how much is asked for, and where it ends.
import { storeSession } from '@gantry/ui/session/session.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router';
import { keepWayBack } from '../../../parts/way-back.ts';
import { words as billing } from '../words/en.ts';
import { PaymentPanel } from './payment-panel.tsx';
import { type Offered, RechargeForm } from './recharge-form.tsx';

const { answer, bodies } = playAnswers();
const PAY = 'POST /api/paybill/v1/wallet-balances-paydo';
const CREATE = '/develop/instance/create';
const OFFERED = {
  currency: 'USD',
  least: '1.00',
  most: '10000.00',
  channels: [{ payment_channel: 'card', name: 'Card', is_test: false }],
} as unknown as Offered;
const payment = (id: string, more: object = {}) =>
  playedResult({
    id,
    amount: '3.46',
    currency: 'USD',
    payment_channel: 'card',
    status: 'paid',
    failure: null,
    message: 'Paid.',
    is_test: false,
    next: null,
    ...more,
  });

let router: ReturnType<typeof createMemoryRouter>;
function Recharge() {
  const [params] = useSearchParams();
  const id = params.get('payment');
  return id === null ? <RechargeForm offered={OFFERED} cards={[]} /> : <PaymentPanel id={id} channels={[]} />;
}
function load(address: string) {
  cleanup();
  router = createMemoryRouter(
    [
      { path: '/manage/billing/recharge', Component: Recharge },
      { path: '*', element: <p>Somewhere else</p> },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing }) });
}
const here = () => router.state.location.pathname + router.state.location.search;
const pay = async () => {
  const form = (await screen.findByLabelText(/^Amount/)).closest('form');
  if (form) fireEvent.submit(form);
};

beforeEach(() => {
  sessionStorage.clear();
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'org-1' });
  answer('GET /api/iam/v1/oauth/front?console=tenant', { body: { code: 0, message: 'ok', data: [] } });
  for (const id of ['pay-1', 'pay-2']) answer(`GET /api/paybill/v1/wallet-balances-paydo/${id}`, payment(id));
});

test('what is missing is paid to the cent, and the payment leads back to the form', async () => {
  keepWayBack(`${CREATE}?preset=tryIt`);
  answer(PAY, playedResult({ id: 'pay-1' }));
  load('/manage/billing/recharge?missing=3.456789');
  await screen.findByText('You need $3.46 more to continue.');
  await pay();
  await waitFor(() => expect(here()).toBe(`${CREATE}?preset=tryIt`));
  expect(bodies(PAY)).toEqual([expect.objectContaining({ amount: '3.46' })]);
  await screen.findByText('$3.46 paid. Continue where you were.');
});

test('a payment that is looked at again leads nowhere', async () => {
  keepWayBack(CREATE);
  load('/manage/billing/recharge?payment=pay-2');
  await screen.findByText('Paid.');
  expect(here()).toBe('/manage/billing/recharge?payment=pay-2');
});

test('whoever tops up without anything missing pays the usual amount and stays', async () => {
  keepWayBack(CREATE);
  answer(PAY, playedResult({ id: 'pay-1' }));
  load('/manage/billing/recharge');
  await pay();
  await screen.findByText('Paid.');
  expect(bodies(PAY)).toEqual([expect.objectContaining({ amount: '20' })]);
  expect(here()).toBe('/manage/billing/recharge?payment=pay-1');
});

test('a payment that takes days offers the way back as a button', async () => {
  keepWayBack(CREATE);
  answer(PAY, playedResult({ id: 'pay-1' }));
  const next = { type: 'transfer', account: 'DE02', reference: 'GT' };
  answer('GET /api/paybill/v1/wallet-balances-paydo/pay-1', payment('pay-1', { status: 'prepaying', next }));
  load('/manage/billing/recharge?missing=1.00');
  await pay();
  fireEvent.click(await screen.findByRole('link', { name: 'Back to where you were' }));
  expect(here()).toBe(CREATE);
});

test('a payment that failed is tried again for the same', async () => {
  keepWayBack(CREATE);
  answer(PAY, playedResult({ id: 'pay-1' }), playedResult({ id: 'pay-2' }));
  answer(
    'GET /api/paybill/v1/wallet-balances-paydo/pay-1',
    payment('pay-1', { status: 'paid_failed', failure: 'declined' }),
  );
  load('/manage/billing/recharge?missing=3.46');
  await pay();
  fireEvent.click(await screen.findByRole('link', { name: 'Try again' }));
  await pay();
  await waitFor(() => expect(here()).toBe(CREATE));
});

test('a missing sum that is no amount is ignored', async () => {
  load('/manage/billing/recharge?missing=1e9');
  expect(((await screen.findByLabelText(/^Amount/)) as HTMLInputElement).value).toBe('20');
  expect(screen.queryByText(/more to continue/)).toBeNull();
});
