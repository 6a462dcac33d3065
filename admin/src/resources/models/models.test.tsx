// Shelving: asked with a reason, and not offered for a model that is not in order or belongs to a tenant.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type AuthProvider, CoreAdminContext, RecordContextProvider, ResourceContextProvider } from 'react-admin';
import { createMemoryRouter, Route, RouterProvider, Routes } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as operation } from '../../words/en/operation.ts';
import { words as shell } from '../../words/en/shell.ts';
import { Show } from './models.tsx';

const ROW = {
  ...{ id: 'mdl-1', name: 'tiny', organization_id: 'staff', organization_name: 'Staff', state: 'ready' },
  ...{ shelved: false, can_shelve: true, license: null, structure: 'llama', parameters: 1, quantisation: 'F32' },
  ...{ latest_version: '1', version_count: 1, size_bytes: 8, downloads: 0, shelved_at: null, shelved_by: null },
  ...{ created_at: '2026-11-26T00:00:00Z', updated_at: '2026-11-26T00:00:00Z' },
};

const fetched = playNetwork();
let row: object;
let sent: { path: string; body: unknown }[];
beforeEach(() => {
  sent = [];
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'POST') sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
    return answer(row);
  });
});

function Around({ children }: { children: ReactNode }) {
  const auth = {
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => new Set(['adminShelveModel', 'adminUnshelveModel']),
  } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(useApi())} authProvider={auth} queryClient={newQueryClient()}>
      <ResourceContextProvider value="manage/model/models">
        <RecordContextProvider value={row}>{children}</RecordContextProvider>
      </ResourceContextProvider>
    </CoreAdminContext>
  );
}

function open(more: object = {}) {
  row = { ...ROW, ...more };
  const element = (
    <Around>
      <ThemeProvider theme={createTheme()}>
        <Routes>
          <Route path="/manage/model/models/:id/show" element={<Show />} />
        </Routes>
      </ThemeProvider>
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/manage/model/models/mdl-1/show'] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, shell, tables }) });
}
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

test('a model is shelved with a reason', async () => {
  open();
  fireEvent.click(await button('Shelve'));
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'asked for' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Shelve' }));
  await waitFor(() =>
    expect(sent).toEqual([{ path: '/api/admin/models/mdl-1/shelve', body: { reason: 'asked for' } }]),
  );
});

test('a model of a tenant cannot be shelved, and neither can one that is not in order', async () => {
  open({ can_shelve: false });
  expect((await button('Shelve')).disabled).toBe(true);
  expect(screen.getByText(operation.shelf.ofTenant)).toBeTruthy();
});

test('a model in an abnormal state can be neither shelved nor unshelved', async () => {
  open({ state: 'abnormal', shelved: true });
  expect((await button('Unshelve')).disabled).toBe(true);
});
