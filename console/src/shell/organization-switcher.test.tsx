// The organisation switcher, as an invited person sees it.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { SwitchOrganization } from './switch-organization.tsx';
import { words as shell } from './words/en.ts';

const { answer } = playAnswers();
const MINE = 'GET /api/auth/v1/organization/me';
const ALL = 'GET /api/auth/v1/organization?size=1000';
const INVITATIONS = 'GET /api/account/v1/invitation?size=1';
const NODES = 'GET /api/iam/v1/oauth/front?console=tenant';

const ACME = { org_id: 'acme', org_name: 'Acme', is_personal: false, role: 'viewer' };
const page = (data: readonly object[], total = data.length) => ({
  body: { code: 0, message: 'ok', data, paginated: { page: 1, size: 1000, total_num: total, total_page: 1 } },
});
const Address = () => <p>{useLocation().pathname}</p>;

function show(invited: number) {
  answer(MINE, playedResult(ACME));
  answer(ALL, page([ACME, { ...ACME, org_id: 'other', org_name: 'Other' }]));
  answer(INVITATIONS, page(invited === 0 ? [] : [{ id: 'inv-1' }], invited));
  answer(NODES, { body: { code: 0, message: 'ok', data: [] } });
  const element = (
    <SwitchOrganization>
      <OrganizationSwitcher />
      <Address />
    </SwitchOrganization>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/home'] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ shell }) });
  return userEvent.setup();
}

test('the button says how many invitations wait, and the menu leads to them', async () => {
  const user = show(3);
  await user.click(await screen.findByRole('button', { name: 'Organisation: Acme. Invitations (3)' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Invitations (3)' }));
  await screen.findByText('/invitations');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

test('without an invitation neither button nor menu speaks of any', async () => {
  const user = show(0);
  await user.click(await screen.findByRole('button', { name: 'Organisation: Acme' }));
  await screen.findByRole('menuitem', { name: 'Other' });
  expect(screen.queryByRole('menuitem', { name: /Invitations/ })).toBeNull();
});
