// Finance proposes a price, sees what last month would have cost, and sets it from a moment on.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { appAround, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as billing } from '../../words/en/billing.ts';
import { words as shell } from '../../words/en/shell.ts';
import { PriceScreen } from './price-screen.tsx';

const SIMULATE = 'POST /api/admin/prices/simulate';
const SET = 'POST /api/admin/prices';
const costs = { currency: 'USD', billed: '10.00', now: '12.00', proposed: '15.00', difference: '3.00' };
const SIMULATION = {
  month: '2026-10',
  totals: [costs],
  skus: [
    {
      ...costs,
      sku: 'cpu',
      region: 'us-east',
      quantity: '1000',
      unit: 'core',
      per: 'hour',
      price_now: '0.012',
      price_proposed: '0.015',
    },
  ],
  organizations: [{ ...costs, organization_id: 'acme', organization_name: '<b>Acme</b>', difference: '-1.00' }],
  organization_count: 7,
  not_metered: ['host/any'],
};
const { answer, bodies } = playAnswers();

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  const authProvider = {
    login: () => Promise.resolve(),
    logout: () => Promise.resolve(),
    checkAuth: () => Promise.resolve(),
    checkError: () => Promise.resolve(),
    getPermissions: () => Promise.resolve(new Set(['adminSetPrice'])),
  };
  return (
    <CoreAdminContext dataProvider={adminData(api)} authProvider={authProvider} queryClient={newQueryClient()}>
      {children}
    </CoreAdminContext>
  );
}

beforeEach(() => {
  answer(SIMULATE, { body: SIMULATION });
  const element = (
    <Around>
      <PriceScreen />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing, shell, tables }) });
});

const propose = (sku: string, amount: string) => {
  fireEvent.change(screen.getByLabelText(/^SKU/), { target: { value: sku } });
  fireEvent.change(screen.getByLabelText(/^New price/), { target: { value: amount } });
};
const simulate = () => fireEvent.click(screen.getByText('Simulate'));

test('a simulation says every amount with its currency and sign, and what it leaves out', async () => {
  propose('cpu', '0.015');
  simulate();
  const totals = await screen.findByLabelText('Usage of 2026-10');
  expect(within(totals).getByText('$15.00').parentElement?.textContent).toContain('USD');
  expect(totals.textContent).toContain('+$3.00');
  // Prices below a cent are not rounded away.
  expect(screen.getByLabelText('By SKU').textContent).toMatch(/1000 core-hours.*\$0\.012.*\$0\.015/);
  // A tenant's name is text.
  const organizations = screen.getByLabelText('By organisation');
  expect(organizations.textContent).toContain('<b>Acme</b>');
  expect(organizations.textContent).not.toContain('+');
  expect(screen.getByText('The 1 largest differences of 7 organisations.')).toBeTruthy();
  expect(screen.getByText(/host\/any/)).toBeTruthy();
  expect(bodies(SIMULATE)).toEqual([{ prices: [{ sku: 'cpu', amount: '0.015' }] }]);
});

test('a changed proposal takes the former answer away, and a refusal says its sentence', async () => {
  propose('cpu', '0.015');
  simulate();
  await screen.findByLabelText('By SKU');
  propose('water', '1');
  expect(screen.queryByLabelText('By SKU')).toBeNull();
  answer(SIMULATE, playedRefusal('sku_unknown', 'There is nothing named water that can have a price.'));
  simulate();
  expect(await screen.findByText('There is nothing named water that can have a price.')).toBeTruthy();
});

test('a price is set from the chosen moment on, with a reason', async () => {
  propose('cpu', '0.015');
  fireEvent.click(await screen.findByRole('button', { name: 'Set prices' }));
  const dialog = within(await screen.findByRole('dialog'));
  const from = dialog.getByLabelText<HTMLInputElement>(/^Valid from/);
  // Midnight ahead is filled in.
  expect(new Date(from.value).getTime()).toBeGreaterThan(Date.now());
  answer(SET, { body: { id: '7' } });
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'simulated' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Set prices' }));
  await waitFor(() => expect(bodies(SET)).toHaveLength(1));
  expect(bodies(SET)[0]).toEqual({
    sku: 'cpu',
    amount: '0.015',
    valid_from: new Date(from.value).toISOString(),
    reason: 'simulated',
  });
});

test('each amount stands with its region and currency, and what is set once is not set again after a refusal', async () => {
  propose('cpu', '0.015');
  fireEvent.change(screen.getByLabelText(/^Region/), { target: { value: 'us-east' } });
  fireEvent.change(screen.getByLabelText(/^Currency/), { target: { value: 'eur' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add a price' }));
  fireEvent.change(screen.getAllByLabelText(/^SKU/)[1] as Element, { target: { value: 'water' } });
  fireEvent.change(screen.getAllByLabelText(/^New price/)[1] as Element, { target: { value: '1' } });
  answer(SET, { body: { id: '7' } }, playedRefusal('sku_unknown', 'Nothing is named water.'));
  const open = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Set prices' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'simulated' } });
    return dialog;
  };
  const first = await open();
  expect(first.getByText('cpu · us-east: 0.015 EUR')).toBeTruthy();
  expect(first.getByText('water · every region without its own price: 1 the installation’s currency')).toBeTruthy();
  fireEvent.click(first.getByRole('button', { name: 'Set prices' }));
  await first.findByText('Nothing is named water.');
  fireEvent.click(first.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const second = await open();
  expect(second.getByText(/^cpu .*Already set/)).toBeTruthy();
  answer(SET, { body: { id: '8' } });
  fireEvent.click(second.getByRole('button', { name: 'Set prices' }));
  await waitFor(() => expect(bodies(SET)).toHaveLength(3));
  expect(bodies(SET).map((body) => (body as { sku: string }).sku)).toEqual(['cpu', 'water', 'water']);
});
