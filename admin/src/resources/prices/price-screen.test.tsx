// Finance proposes a price, sees what last month would have cost, and sets it from a moment on.
import type { PriceItems } from '@gantry/contract/areas/billing/admin-prices.ts';
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { appAround, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
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
const everywhere = { region: null, currency: 'USD', valid_from: null };
const KNOWN: PriceItems = {
  currency: 'USD',
  currencies: ['USD', 'EUR'],
  regions: [{ region: 'us-east', name: 'US East Washington' }],
  items: [
    { sku: 'cpu', name: 'CPU', group: 'CPU', unit: 'core', per: 'hour', prices: [{ ...everywhere, amount: '0.012' }] },
    {
      sku: 'gpu/any',
      name: 'GPU (every other model)',
      group: 'GPU',
      unit: 'card',
      per: 'hour',
      prices: [{ ...everywhere, amount: '2.99' }],
    },
    {
      sku: 'gpu/NVIDIA-L4',
      name: 'GPU NVIDIA L4',
      group: 'GPU',
      unit: 'card',
      per: 'hour',
      prices: [{ ...everywhere, region: 'us-east', amount: '0.43' }],
    },
    { sku: 'host/any', name: 'Host (every other model)', group: 'Host', unit: 'node', per: 'month', prices: [] },
  ],
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

beforeEach(async () => {
  answer('GET /api/admin/price-items', { body: KNOWN });
  answer(SIMULATE, { body: SIMULATION });
  const element = (
    <Around>
      <PriceScreen />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing, shell, tables }) });
  await screen.findByLabelText(/^Item/);
});

/** Without the roles of the whole page, which take a second to compute. */
const optionOf = (name: string) =>
  [...document.querySelectorAll('[role=option]')].find(({ textContent }) => textContent?.startsWith(name));

/** In the row of this number: the item by its name, another field by its label. */
const chooseItem = async (name: string, at = 0) => {
  const field = screen.getAllByLabelText(/^Item/)[at] as HTMLInputElement;
  act(() => field.focus());
  fireEvent.change(field, { target: { value: name } });
  await waitFor(() => expect(optionOf(name)).toBeTruthy());
  fireEvent.click(optionOf(name) as Element);
};
const choose = async (label: string, option: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: new RegExp(`^${label}`) }));
  await waitFor(() => expect(optionOf(option)).toBeTruthy());
  fireEvent.click(optionOf(option) as Element);
};
const type = (amount: string, at = 0) =>
  fireEvent.change(screen.getAllByLabelText(/^New price/)[at] as Element, { target: { value: amount } });
const propose = async (name: string, amount: string) => {
  await chooseItem(name);
  type(amount);
};
const simulate = () => fireEvent.click(screen.getByText('Simulate'));

test('a simulation says every amount with its currency and sign, and what it leaves out', async () => {
  await propose('CPU', '0.015');
  simulate();
  const totals = await screen.findByLabelText('Usage of 2026-10');
  expect(within(totals).getByText('$15.00')).toBeTruthy();
  expect(totals.textContent).toContain('+$3.00');
  // Prices below a cent are not rounded away.
  expect(screen.getByLabelText('By item').textContent).toMatch(/1000 core-hours.*\$0\.012.*\$0\.015/);
  // A tenant's name is text.
  const organizations = screen.getByLabelText('By organisation');
  expect(organizations.textContent).toContain('<b>Acme</b>');
  expect(organizations.textContent).not.toContain('+');
  expect(screen.getByText('The 1 largest differences of 7 organisations.')).toBeTruthy();
  expect(screen.getByText(/Host \(every other model\)/)).toBeTruthy();
  expect(bodies(SIMULATE)).toEqual([{ prices: [{ sku: 'cpu', amount: '0.015' }] }]);
});

test('a changed proposal takes the former answer away, and a refusal says its sentence', async () => {
  await propose('CPU', '0.015');
  simulate();
  await screen.findByLabelText('By item');
  await propose('Host', '1');
  expect(screen.queryByLabelText('By item')).toBeNull();
  answer(SIMULATE, playedRefusal('sku_unknown', 'There is nothing named water that can have a price.'));
  simulate();
  expect(await screen.findByText('There is nothing named water that can have a price.')).toBeTruthy();
});

test('a price is set from the chosen moment on, with a reason', async () => {
  await propose('CPU', '0.015');
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

test('a price stands beside the present one, with what last month’s usage would have cost', async () => {
  await propose('GPU NVIDIA L4', '0.5');
  const now = () => screen.getByRole('group', { name: 'Price now' }).textContent;
  // Without a price of its own everywhere, it costs what every other model does.
  expect(now()).toBe('Price now$2.99');
  await choose('Region', 'US East Washington');
  expect(now()).toBe('Price now$0.43');
  expect(screen.getByText('per GPU and hour')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Set prices' }));
  const dialog = within(await screen.findByRole('dialog'));
  const [, row] = dialog.getAllByRole('row').map((each) => each.textContent);
  expect(row).toBe('GPU NVIDIA L4gpu/NVIDIA-L4US East Washington$0.43$0.50 per GPU and hour');
  const totals = await dialog.findByLabelText('Usage of 2026-10');
  expect(totals.textContent).toContain('$12.00$15.00+$3.00');
  expect(dialog.getByText(/UTC[+-]\d\d:\d\d\) · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)).toBeTruthy();
});

test('each amount stands with its region and currency, and what is set once is not set again after a refusal', async () => {
  await propose('CPU', '0.015');
  await choose('Region', 'US East Washington');
  await choose('Currency', 'EUR');
  fireEvent.click(screen.getByRole('button', { name: 'Add a price' }));
  await chooseItem('Host', 1);
  type('1', 1);
  answer(SET, { body: { id: '7' } }, playedRefusal('sku_unknown', 'Nothing is named water.'));
  const open = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Set prices' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'simulated' } });
    return dialog;
  };
  const rowsOf = (dialog: ReturnType<typeof within>) =>
    within(dialog.getByRole('group', { name: 'Set prices' }))
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
  const first = await open();
  expect(rowsOf(first)).toEqual([
    'CPUcpuUS East WashingtonNo price yet€0.015 per core and hour',
    'Host (every other model)host/anyEvery region without its own priceNo price yet$1.00 per node and month',
  ]);
  fireEvent.click(first.getByRole('button', { name: 'Set prices' }));
  await first.findByText('Nothing is named water.');
  fireEvent.click(first.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const second = await open();
  expect(rowsOf(second)[0]).toContain('Already set');
  answer(SET, { body: { id: '8' } });
  fireEvent.click(second.getByRole('button', { name: 'Set prices' }));
  await waitFor(() => expect(bodies(SET)).toHaveLength(3));
  expect(bodies(SET)).toMatchObject([
    { sku: 'cpu', region: 'us-east', currency: 'EUR' },
    { sku: 'host/any' },
    { sku: 'host/any' },
  ]);
});
