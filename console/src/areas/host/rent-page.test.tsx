// Renting a host, against an API whose answers are played: the question before, and the form over a top-up.
import { storeSession } from '@gantry/ui/session/session.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as parts } from '../../parts/words/en.ts';
import { RentPage } from './rent-page.tsx';
import { words as host } from './words/en.ts';

const { answer, bodies } = playAnswers();
const RENT = 'POST /api/elnode/v1/instance';
const SPECS = 'GET /api/elnode/v1/spec';
const ESTIMATE = 'POST /api/paybill/v1/estimate';
const NODES = 'GET /api/iam/v1/oauth/front?console=tenant';
const price = { amount: '900.00', currency: 'USD', per: 'month' };
const spec = (id: string) => ({
  id,
  gpu_type: `NVIDIA-${id}`,
  gpu_count: 8,
  cores: 64,
  memory_gi: 512,
  nodes: 4,
  free_nodes: 4,
  free: 32,
  price: null,
  host_price: price,
});
const estimate = (more: object) =>
  playedResult({
    currency: 'USD',
    lines: [],
    order: '1800.00',
    needed: '1800.00',
    available: '2000.00',
    balance_after: '200.00',
    unpriced: [],
    affordable: true,
    refusal: null,
    ...more,
  });
const LACKING = { available: '20.50', balance_after: '-1779.50', affordable: false, refusal: 'not_enough_credit' };

let router: ReturnType<typeof createMemoryRouter>;
function load(address = '/gpu/nodes/rent?spec=H200') {
  cleanup();
  router = createMemoryRouter(
    [
      { path: '/gpu/nodes/rent', Component: RentPage },
      { path: '*', element: null },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts, host }) });
}

beforeEach(() => {
  sessionStorage.clear();
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'org-1' });
  const nodes = ['createHost', 'recharge'].map((pname) => ({ pname, peltype: 'element' }));
  answer(NODES, { body: { code: 0, message: 'ok', data: nodes } });
  answer(SPECS, { body: { code: 0, message: 'ok', data: [spec('H100'), spec('H200')] } });
  answer(ESTIMATE, estimate({}));
});

/** Once the person's rights are known. */
const enabled = (role: 'button' | 'link', name: string) =>
  waitFor(() => {
    const found = screen.getByRole(role, { name });
    expect(found.getAttribute('aria-disabled') ?? (found as HTMLButtonElement).disabled).toBeFalsy();
    return found;
  });

const name = () => screen.getByLabelText(/^Name/) as HTMLInputElement;
const typeName = async (text: string) => {
  await screen.findByLabelText(/^Name/);
  fireEvent.change(name(), { target: { value: text } });
};

test('a host is rented after a question that names the sum and what is refunded, and not before', async () => {
  answer(RENT, playedResult({ id: 'host-1' }));
  load();
  await typeName('farm');
  fireEvent.click(await enabled('button', 'Rent'));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/\$1,800\.00 is reserved from your balance now/);
  dialog.getByText(/you get it all back\. After that nothing is refunded/);
  dialog.getByText('Nodes: 1, each with 8 × NVIDIA H200. Months: 1.');
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies(RENT)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Rent' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rent' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/gpu/nodes/host-1'));
  expect(bodies(RENT)).toEqual([
    expect.objectContaining({ displayName: 'farm', gpu: { model: 'NVIDIA-H200', count: 8 } }),
  ]);
});

test('whoever has too little is led to pay exactly what is missing, and finds the form again', async () => {
  answer(ESTIMATE, estimate(LACKING));
  load();
  await typeName('farm');
  fireEvent.click(await enabled('link', 'Top up'));
  expect(router.state.location).toMatchObject({ pathname: '/manage/billing/recharge', search: '?missing=1779.50' });
  load();
  await screen.findByText(/We restored your earlier input/);
  expect(name().value).toBe('farm');
});

test('a refusal that comes with the order leads to paying too', async () => {
  const args = { wanted: '1800.00', available: '20.50', currency: 'USD' };
  answer(RENT, {
    status: 402,
    body: { code: 40265, error: 'not_enough_credit', message: 'Needs more.', args, request_id: 'r' },
  });
  load();
  await typeName('farm');
  fireEvent.click(await enabled('button', 'Rent'));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rent' }));
  const alert = within((await screen.findByText('Needs more.')).closest('[role=alert]') as HTMLElement);
  fireEvent.click(alert.getByRole('link', { name: 'Top up' }));
  expect(router.state.location.search).toBe('?missing=1779.50');
});
