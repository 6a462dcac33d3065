// The list of approvals: a row opens beside it and is decided there; one's own is not.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext, ResourceContextProvider, ResourceDefinitionContextProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import { words as billing } from '../../words/en/billing.ts';
import { words as home } from '../../words/en/home.ts';
import { words as shell } from '../../words/en/shell.ts';
import { List } from './approvals.tsx';

const ROW = {
  id: 'apr-1',
  organization_id: 'acme',
  organization_name: '<img src=x>',
  kind: 'adjust',
  cause: 'above',
  of: 'cash',
  detail: '',
  currency: 'USD',
  amount: '-150.00',
  state: 'pending',
  reason: 'a cheque',
  requested_by: 'acc-ann',
  requested_by_name: 'ann',
  requested_at: '2026-03-01T10:00:00Z',
  decided_by: null,
  decided_by_name: null,
  decided_at: null,
  decision_reason: null,
  transaction_id: null,
};
const THEME = createTheme();
const fetched = playNetwork();
let sent: [path: string, body: unknown][];
beforeEach(() => {
  sent = [];
  fetched.mockImplementation(async (url, init) => {
    const { pathname } = new URL(`${url}`, 'http://test');
    if (init?.method === 'POST') {
      sent.push([pathname, JSON.parse(`${init.body}`)]);
      return new Response(JSON.stringify({ ...ROW, state: 'approved' }));
    }
    const isOne = pathname.endsWith('/apr-1');
    return new Response(JSON.stringify(isOne ? ROW : [ROW]), { headers: { 'Content-Range': 'approvals 0-0/1' } });
  });
});

function Around({ children, as }: { children: ReactNode; as: string }) {
  const api = useApi();
  const authProvider = {
    login: () => Promise.resolve(),
    logout: () => Promise.resolve(),
    checkAuth: () => Promise.resolve(),
    checkError: () => Promise.resolve(),
    getPermissions: () => Promise.resolve(new Set(['adminApprove', 'adminReject'])),
    getIdentity: () => Promise.resolve({ id: as }),
  };
  return (
    <CoreAdminContext dataProvider={adminData(api)} authProvider={authProvider} queryClient={newQueryClient()}>
      <ResourceDefinitionContextProvider>
        <ThemeProvider theme={THEME}>
          <ResourceContextProvider value={resourceOf('approvals')}>{children}</ResourceContextProvider>
        </ThemeProvider>
      </ResourceDefinitionContextProvider>
    </CoreAdminContext>
  );
}

async function open(as: string) {
  const element = (
    <Around as={as}>
      <List />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ billing, home, shell, tables }) });
  fireEvent.click(await screen.findByText('a cheque', {}, { timeout: 5_000 }));
  await screen.findByText('Open as a page', {}, { timeout: 5_000 });
}

test('another person approves beside the list, with a reason', async () => {
  await open('acc-bob');
  fireEvent.click(await screen.findByText('Approve'));
  expect(await screen.findByText('Approve: Adjustment · -$150.00?')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Reason \*|^Reason/, { selector: 'textarea' }), {
    target: { value: 'seen it' },
  });
  fireEvent.click(screen.getAllByText('Approve').at(-1) as HTMLElement);
  await waitFor(() => expect(sent).toEqual([['/api/admin/approvals/apr-1/approve', { reason: 'seen it' }]]));
}, 30_000);

test('nobody decides about their own request, and the page says why', async () => {
  await open('acc-ann');
  expect(await screen.findByText('This is your own request: another person must decide it.')).toBeTruthy();
  expect(screen.queryByText('Approve')).toBeNull();
}, 30_000);
