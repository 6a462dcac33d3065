// The page of a discount: what it is for, who had it, and what it did to last month. The address names its type.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { appAround, playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as billing } from '../../words/en/billing.ts';
import { words as shell } from '../../words/en/shell.ts';
import { DiscountPage } from './discount-page.tsx';

const ROW = {
  ...{
    id: '7',
    type: 'code',
    target: 'SUMMER-26',
    organization_id: null,
    organization_name: '',
    plan: null,
    sku: null,
  },
  ...{ code: 'SUMMER-26', source: null, percent: 15, state: 'holds', uses: 1, most_uses: 5, reason: '<i>fair</i>' },
  ...{ valid_from: '2026-03-01T00:00:00Z', valid_to: null, created_at: '2026-03-01T00:00:00Z', created_by: 'acc-ann' },
};
const saved = { currency: 'USD', list: '20.00', saved: '3.00' };
const USE = {
  totals: [{ ...saved, organizations: 1 }],
  organizations: [
    { ...saved, organization_id: 'acme', organization_name: 'Acme', first_at: ROW.valid_from, last_at: ROW.valid_from },
  ],
  organization_count: 1,
  redemptions: [
    {
      ...{ organization_id: 'acme', organization_name: 'Acme' },
      account_id: 'acc-1',
      account_name: 'owner',
      redeemed_at: ROW.valid_from,
    },
  ],
  last_month: {
    month: '2026-02',
    posted: [saved],
    alone: [{ ...saved, saved: '4.50' }],
    skus: [{ ...saved, sku: 'cpu' }],
  },
};
const { answer } = playAnswers();
beforeEach(() => {
  answer('GET /api/admin/discounts/7', { body: ROW });
  answer('GET /api/admin/discounts/7/use', { body: USE });
});

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  return (
    <CoreAdminContext dataProvider={adminData(api)} queryClient={newQueryClient()}>
      {children}
    </CoreAdminContext>
  );
}

function open(path: string) {
  const element = (
    <Around>
      <DiscountPage />
    </Around>
  );
  const router = createMemoryRouter([{ path: '/manage/discount/:id/:type', element }], { initialEntries: [path] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing, shell, tables }) });
}

test('its use so far and its effect on last month are told with currency', async () => {
  open('/manage/discount/7/code');
  expect((await screen.findByText(/SUMMER-26 ·/)).textContent).toBe('Code: SUMMER-26 · 15% off · Everything');
  expect((await screen.findByText(/^Discount if applied alone/)).textContent).toContain('$4.50');
  expect(screen.getByText(/^Discount booked/).textContent).toContain('$3.00');
  expect(screen.getByText('owner')).toBeTruthy();
  // Staff's input is shown as text.
  expect(screen.getByText('<i>fair</i>')).toBeTruthy();
});

test('an address with another type is no page', async () => {
  open('/manage/discount/7/plan');
  expect(await screen.findByText(shell.notFound)).toBeTruthy();
});
