// Calling a payment off, as a person does it, against an API whose answers are played.
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { words as billing } from '../words/en.ts';
import { GiveUp } from './payment-panel.tsx';

const fetched = playNetwork();
const done = jest.fn();
const sent = () => fetched.mock.calls.map(([url, init]) => `${init?.method} ${url}`);
const GIVEN_UP = ['DELETE /api/paybill/v1/wallet-balances-paydo/pay-1'];

beforeEach(() => {
  done.mockReset();
  fetched.mockImplementation(async () => answerOf({}));
});

function show(isAsked: boolean) {
  render(<GiveUp id="pay-1" isAsked={isAsked} onDone={done} />, { wrapper: appAround({ billing }) });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel this payment' }));
}

const question = async () => within(await screen.findByRole('dialog'));

test('a card that was not typed is called off at once', async () => {
  show(false);
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(sent()).toEqual(GIVEN_UP);
});

test('a transfer may be on its way: it is asked first', async () => {
  show(true);
  const dialog = await question();
  dialog.getByText(/Cancel only if you have not sent any money/);
  expect(sent()).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'I have not sent any money' }));
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(sent()).toEqual(GIVEN_UP);
});

test('whoever closes the question has called off nothing', async () => {
  show(true);
  const dialog = await question();
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([]);
  expect(done).not.toHaveBeenCalled();
});
