// A node out of service and back; and before it is emptied, what that ends.
import type { ComputingRow, NodeAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type AuthProvider, CoreAdminContext, RecordContextProvider, ResourceContextProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as computing } from '../../words/en/computing.ts';
import { words as shell } from '../../words/en/shell.ts';
import { NodeCommands } from './node-commands.tsx';

const fetched = playNetwork();
let sent: { path: string; body: object }[];
const POD = {
  namespace: 'org-acme',
  organization_id: 'acme',
  resource: 'instances' as const,
  object_id: 'org-acme.dev',
  object_name: 'dev',
  gpus: 1,
};
const PODS: NodeAbout['pods'] = [
  { ...POD, name: 'dev-3', after: 'waits' },
  { ...POD, name: 'data-files', resource: null, object_id: null, object_name: null, gpus: 0, after: 'stays' },
];

beforeEach(() => {
  sent = [];
  fetched.mockImplementation(async (url, init) => {
    const path = String(url);
    if (path.endsWith('/about')) return answer({ labels: {}, conditions: [], events: [], pods: PODS, audit: [] });
    if (init?.method === 'POST') sent.push({ path, body: JSON.parse(String(init.body)) });
    return answer({ id: 'node-a' });
  });
});

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  const getPermissions = async () => new Set(['adminActNodes']);
  const auth = { checkAuth: async () => {}, checkError: async () => {}, getPermissions } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(api)} authProvider={auth} queryClient={newQueryClient()}>
      <ResourceContextProvider value="manage/computing/nodes">{children}</ResourceContextProvider>
    </CoreAdminContext>
  );
}

function show(node: Partial<ComputingRow<'nodes'>>) {
  const element = (
    <Around>
      <RecordContextProvider
        value={{ id: 'node-a', cordoned: false, tenancy: 'shared', instances: 1, ...node } as never}
      >
        <NodeCommands />
      </RecordContextProvider>
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ computing, shell, tables }) });
}
const buttons = async () => {
  await screen.findByRole('button', { name: 'Drain' });
  return screen.getAllByRole('button').map(({ textContent }) => textContent);
};

test.each([
  [{}, ['Take out of service', 'Drain']],
  [{ cordoned: true }, ['Return to service', 'Drain']],
  [{ instances: 0 }, ['Take out of service', 'Drain', 'Join to an organisation']],
  [{ instances: 0, tenancy: 'owned' }, ['Take out of service', 'Drain', 'Remove from organisation']],
  [{ instances: 0, tenancy: 'host' }, ['Take out of service', 'Drain']],
] as const)('of a node %j: %j', async (node, wanted) => {
  show(node);
  expect(await buttons()).toEqual(wanted);
});

test('a drain shows what it ends, and asks for the node’s name', async () => {
  show({});
  fireEvent.click(await screen.findByRole('button', { name: 'Drain' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByText('dev-3')).toBeTruthy();
  expect(dialog.getByText('Waits for this node')).toBeTruthy();
  expect(dialog.queryByText('data-files')).toBeNull();
  fireEvent.change(dialog.getByLabelText(/^Type node-a/), { target: { value: 'node-a' } });
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'a fan' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Drain' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/nodes/node-a/action',
    body: { action: 'drain', reason: 'a fan', confirm: 'node-a' },
  });
});
