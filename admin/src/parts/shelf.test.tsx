// Shelving: asked with a reason, and not offered for what is not in order or belongs to a tenant.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type AuthProvider, CoreAdminContext, RecordContextProvider, ResourceContextProvider } from 'react-admin';
import { createMemoryRouter, Route, RouterProvider, Routes } from 'react-router';
import { adminData } from '../providers/data-provider.ts';
import { Show as DatasetShow } from '../resources/datasets/datasets.tsx';
import { Show as ModelShow } from '../resources/models/models.tsx';
import { words as operation } from '../words/en/operation.ts';
import { words as shell } from '../words/en/shell.ts';

const SHARED = {
  ...{ organization_id: 'staff', organization_name: 'Staff', state: 'ready', shelved: false, can_shelve: true },
  ...{ license: null, version_count: 1, size_bytes: 8, downloads: 0, shelved_at: null, shelved_by: null },
  ...{ created_at: '2026-11-26T00:00:00Z', updated_at: '2026-11-26T00:00:00Z' },
};
const KINDS = {
  models: {
    row: {
      ...SHARED,
      id: 'mdl-1',
      name: 'tiny',
      structure: 'llama',
      parameters: 1,
      quantisation: 'F32',
      latest_version: '1',
    },
    menu: 'manage/model/models',
    Show: ModelShow,
  },
  datasets: {
    row: { ...SHARED, id: 'dst-1', name: 'sea', type: 'qa', format: 'jsonl', rows: 7, latest_version: 2 },
    menu: 'manage/dataset/datasets',
    Show: DatasetShow,
  },
} as const;
type Kind = keyof typeof KINDS;
const EACH = Object.keys(KINDS) as Kind[];
const MAY = ['adminShelveModel', 'adminUnshelveModel', 'adminShelveDataset', 'adminUnshelveDataset'];

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

function Around({ menu, children }: { menu: string; children: ReactNode }) {
  const auth = {
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => new Set(MAY),
  } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(useApi())} authProvider={auth} queryClient={newQueryClient()}>
      <ResourceContextProvider value={menu}>
        <RecordContextProvider value={row}>{children}</RecordContextProvider>
      </ResourceContextProvider>
    </CoreAdminContext>
  );
}

function open(kind: Kind, more: object = {}) {
  const { row: plain, menu, Show } = KINDS[kind];
  row = { ...plain, ...more };
  const element = (
    <Around menu={menu}>
      <ThemeProvider theme={createTheme()}>
        <Routes>
          <Route path={`/${menu}/:id/show`} element={<Show />} />
        </Routes>
      </ThemeProvider>
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [`/${menu}/${plain.id}/show`] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, shell, tables }) });
  return plain.id;
}
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

test.each(EACH)('of %s one is shelved with a reason', async (kind) => {
  const id = open(kind);
  fireEvent.click(await button('Shelve'));
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'asked for' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Shelve' }));
  await waitFor(() =>
    expect(sent).toEqual([{ path: `/api/admin/${kind}/${id}/shelve`, body: { reason: 'asked for' } }]),
  );
});

test.each(EACH)('of %s the size is said in units', async (kind) => {
  open(kind, { size_bytes: 96_000_000 });
  expect(await screen.findByText('91.55 MiB')).toBeTruthy();
});

test.each(EACH)('of %s one of a tenant cannot be shelved', async (kind) => {
  open(kind, { can_shelve: false });
  expect((await button('Shelve')).disabled).toBe(true);
  expect(screen.getByText(operation.shelf[kind].ofTenant)).toBeTruthy();
});

test.each(EACH)(
  'of %s one in an abnormal state can be neither shelved nor unshelved, and is said why',
  async (kind) => {
    open(kind, { state: 'failed', shelved: true });
    expect((await button('Unshelve')).disabled).toBe(true);
    expect(screen.getByText(operation.shelf[kind].notReady)).toBeTruthy();
  },
);
