// Staff command what tenants have: one object, several at once, and what its page shows.
import type { KindAbout, KindRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { typeShownDigits } from '@gantry/ui/testing/type-shown-digits.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import {
  type AuthProvider,
  CoreAdminContext,
  ListContextProvider,
  RecordContextProvider,
  ResourceContextProvider,
} from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as computing } from '../../words/en/computing.ts';
import { words as shell } from '../../words/en/shell.ts';
import { Cost } from './about-tabs.tsx';
import { BulkCommands } from './bulk-commands.tsx';
import { CommandBar } from './command-bar.tsx';
import { ReplicaLogs, RunLogs } from './logs-tab.tsx';
import { Show } from './objects.tsx';

const fetched = playNetwork();
let sent: { path: string; body: Record<string, unknown> }[];
let refusal: object | undefined;
let nodes: ReadonlySet<string>;

const hibernate = { action: 'hibernate', label: 'Hibernate', danger: 'interrupts' } as const;
const release = { action: 'release', label: 'Release', danger: 'destroys' } as const;
const row = (name: string, commands: KindRow['commands'] = [hibernate, release]): KindRow => ({
  id: `org-acme.${name}`,
  organization_id: 'acme',
  name,
  display_name: `<b>${name}</b>`,
  phase: 'running',
  phase_label: 'Running',
  tone: 'good',
  message: null,
  reason: null,
  paused: false,
  region: 'US East Washington',
  node: null,
  address: null,
  queue_position: null,
  replicas: null,
  gpu: null,
  price: null,
  price_currency: null,
  price_per: null,
  created_by: null,
  nodes: null,
  created_at: '2026-11-01T00:00:00.000Z',
  commands,
  spec: {},
  status: {},
});
const ROWS = [row('one'), row('two', []), row('three')];

const ABOUT: KindAbout = {
  yaml: 'kind: <b>GpuInstance</b>',
  conditions: [],
  history: [],
  events: null,
  pods: [],
  related: [
    { resource: 'disks', kind: 'Disk', id: 'org-acme.data', name: '<i>data</i>', phase_label: null, tone: null },
  ],
  runs: [],
  intervals: [],
  cost: { currency: 'USD', list: '10.00', net: '-8.00' },
  audit: [],
};

beforeEach(() => {
  sent = [];
  refusal = undefined;
  nodes = new Set(['adminActInstances', 'adminBatchInstances', 'adminLogInstances']);
  fetched.mockImplementation(async (url, init) => {
    const path = String(url);
    if (path.endsWith('/about')) return answer(ABOUT);
    if (path.endsWith('/instances/org-acme.one')) return answer(ROWS[0]);
    if (path.includes('/log?')) return new Response('<script>alert(1)</script>\n');
    if (init?.method !== 'POST') return answer(ROWS);
    const body = JSON.parse(String(init.body));
    sent.push({ path, body });
    if (refusal) return answer(refusal, 409);
    if (!path.endsWith('/batch')) return answer(ROWS[0]);
    return answer([
      { id: 'org-acme.one', name: 'one', code: 0, error: null, message: 'ok' },
      { id: 'org-acme.three', name: 'three', code: 40903, error: 'action_not_allowed', message: 'It is stopping.' },
    ]);
  });
});

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  const auth = {
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => nodes,
  } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(api)} authProvider={auth} queryClient={newQueryClient()}>
      <ResourceContextProvider value="manage/computing/instances">{children}</ResourceContextProvider>
    </CoreAdminContext>
  );
}

function show(element: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element: <Around>{element}</Around> }]);
  return render(<RouterProvider router={router} />, { wrapper: appAround({ computing, shell, tables }) });
}
const bar = () =>
  show(
    <RecordContextProvider value={ROWS[0] as never}>
      <CommandBar />
    </RecordContextProvider>,
  );
const bulk = (selectedIds = ROWS.map(({ id }) => id), onSelect = (_: readonly unknown[]) => {}) =>
  show(
    <ListContextProvider value={{ resource: 'manage/computing/instances', selectedIds, onSelect } as never}>
      <BulkCommands />
    </ListContextProvider>,
  );
const give = (reason: string, label: string) => {
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: reason } });
  fireEvent.click(dialog.getByRole('button', { name: label }));
};

test('a command says whom it concerns, and goes out with its reason', async () => {
  bar();
  fireEvent.click(await screen.findByRole('button', { name: 'Hibernate' }));
  expect(screen.getByText(/members of organisation acme are notified/)).toBeTruthy();
  give('a repair', 'Hibernate');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/instances/org-acme.one/action',
    body: { action: 'hibernate', reason: 'a repair' },
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what destroys is typed once more, and a refusal stays with its sentence', async () => {
  refusal = { code: 40066, error: 'confirmation_needed', message: 'Type the name.', request_id: 'r', field: 'confirm' };
  bar();
  fireEvent.click(await screen.findByRole('button', { name: 'Release' }));
  fireEvent.change(screen.getByLabelText(/^Type one/), { target: { value: 'on' } });
  give('gone', 'Release');
  expect(await screen.findByText('Type the name.')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ action: 'release', reason: 'gone', confirm: 'on' });
});

test('whoever may not command has no buttons', async () => {
  nodes = new Set();
  show(
    <RecordContextProvider value={ROWS[0] as never}>
      <CommandBar />
      <p>drawn</p>
    </RecordContextProvider>,
  );
  await screen.findByText('drawn');
  expect(screen.queryByRole('button')).toBeNull();
});

test('several at once: what it hits is shown before, and one answer each after', async () => {
  bulk();
  fireEvent.click(await screen.findByRole('button', { name: 'Commands' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Hibernate' }));
  expect(await screen.findByText('Applies to 2 of 3.')).toBeTruthy();
  expect(screen.getAllByText('Not possible in this state')).toHaveLength(1);
  // A tenant's name is text.
  expect(screen.getByText('<b>two</b>')).toBeTruthy();
  give('audit', 'Send the command');
  expect(await screen.findByText('1 of 2 accepted')).toBeTruthy();
  expect(sent[0]).toEqual({
    path: '/api/admin/instances/batch',
    body: { action: 'hibernate', ids: ['org-acme.one', 'org-acme.three'], reason: 'audit' },
  });
  expect(screen.getByText('It is stopping.')).toBeTruthy();
});

test('many are deleted only if the shown digits are typed', async () => {
  bulk();
  fireEvent.click(await screen.findByRole('button', { name: 'Commands' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Release' }));
  await screen.findByRole('dialog');
  give('gone', 'Send the command');
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringMatching(/^Type \d{4} to confirm\.$/),
    ),
  );
  expect(sent).toEqual([]);
  typeShownDigits();
  give('gone', 'Send the command');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ action: 'release', confirm: ['one', 'three'] }));
});

test('a log is read when it is asked for, and is text', async () => {
  const run = {
    number: 3,
    cause: 'start',
    start_time: null,
    end_time: null,
    exit: null,
    exit_label: null,
    exit_code: null,
    log: null,
  };
  show(<RunLogs resource="instances" id="org-acme.one" runs={[run]} />);
  const asked = () => fetched.mock.calls.filter(([url]) => String(url).includes('/log'));
  const button = await screen.findByRole('button', { name: 'Read: 3' });
  expect(asked()).toEqual([]);
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  fireEvent.click(button);
  expect(asked()).toEqual([]);
  fireEvent.change(await screen.findByRole('textbox', { name: /Reason/ }), { target: { value: 'a ticket' } });
  fireEvent.click(screen.getByRole('button', { name: 'Read' }));
  expect(await screen.findByText('<script>alert(1)</script>')).toBeTruthy();
  expect(new Headers(asked()[0]?.[1]?.headers).get('x-reason')).toBe('a%20ticket');
  expect(document.querySelector('script')).toBeNull();
});

test('the log of a worker is read by its run and its number', async () => {
  nodes = new Set(['adminLogJobs']);
  const run = (worker: number) => ({
    number: 3,
    worker,
    cause: 'Started',
    start_time: null,
    end_time: null,
    exit: null,
    exit_label: null,
    exit_code: null,
    log: null,
  });
  show(<RunLogs resource="jobs" id="org-acme.train" runs={[run(0), run(1)]} />);
  const button = await screen.findByRole('button', { name: 'Read: 3, worker 1' });
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  fireEvent.click(button);
  fireEvent.change(await screen.findByRole('textbox', { name: /Reason/ }), { target: { value: 'a ticket' } });
  fireEvent.click(screen.getByRole('button', { name: 'Read' }));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  const [url] = fetched.mock.calls[0] ?? [];
  expect(String(url)).toBe('/api/admin/jobs/org-acme.train/runs/3/log?tail=1000&worker=1');
});

test('the log of a replica is read by its Pod, with the node that it is on', async () => {
  nodes = new Set(['adminReplicaLogServices']);
  const pod = { name: 'web-service-1-abcde', node: 'node-a', ip: null, phase: 'Running' };
  show(<ReplicaLogs resource="services" id="org-acme.web" pods={[pod]} />);
  const button = await screen.findByRole('button', { name: 'Read: web-service-1-abcde' });
  expect(screen.getByRole('link', { name: 'node-a' })).toBeTruthy();
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  fireEvent.click(button);
  fireEvent.change(await screen.findByRole('textbox', { name: /Reason/ }), { target: { value: 'a ticket' } });
  fireEvent.click(screen.getByRole('button', { name: 'Read' }));
  expect(await screen.findByText('<script>alert(1)</script>')).toBeTruthy();
  const [url] = fetched.mock.calls[0] ?? [];
  expect(String(url)).toBe('/api/admin/services/org-acme.web/replica/web-service-1-abcde/log?tail=1000');
});

test('of a job, the cost says which run and which workers used what; of an instance there is no such column', () => {
  const interval = (run: number | null, parts: string | null): KindAbout['intervals'][number] => ({
    ...{ seq: 1, run, parts, from: '2026-11-01T00:00:00Z', to: null, billed_to: '2026-11-01T01:00:00Z' },
    ...{ uses: [], list: '1.00', net: '1.00' },
  });
  const { unmount } = show(<Cost about={{ ...ABOUT, intervals: [interval(2, '0-3')] }} />);
  expect(screen.getByRole('columnheader', { name: computing.cost.parts })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '0-3' })).toBeTruthy();
  unmount();
  show(<Cost about={{ ...ABOUT, intervals: [interval(null, null)] }} />);
  expect(screen.queryByRole('columnheader', { name: computing.cost.parts })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: computing.logs.run })).toBeNull();
});

test('the page of an object: what happened, what it cost and what belongs to it', async () => {
  const path = '/manage/computing/instances/:id/show';
  const router = createMemoryRouter(
    [
      {
        path,
        element: (
          <ThemeProvider theme={createTheme()}>
            <Around>
              <Show />
            </Around>
          </ThemeProvider>
        ),
      },
    ],
    {
      initialEntries: [path.replace(':id', 'org-acme.one')],
    },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ computing, shell, tables }) });
  fireEvent.click(await screen.findByRole('tab', { name: 'Events' }));
  expect(await screen.findByText('The API server did not report any.')).toBeTruthy();
  fireEvent.click(screen.getByRole('tab', { name: 'Cost' }));
  expect((await screen.findByText(/8\.00/)).textContent).toMatch(/^[-−]\$8\.00$/);
  fireEvent.click(screen.getByRole('tab', { name: 'Related' }));
  const link = await screen.findByRole('link', { name: '<i>data</i>' });
  expect(link.getAttribute('href')).toBe('/manage/storage/disks/org-acme.data/show');
  fireEvent.click(screen.getByRole('tab', { name: 'YAML' }));
  expect(await screen.findByText('kind: <b>GpuInstance</b>')).toBeTruthy();
  expect(router.state.location.search).toBe('?tab=yaml');
});

test('of more than the server takes at once, the rest is named, and what got no command stays selected', async () => {
  const others = Array.from({ length: 99 }, (_, at) => `org-acme.other-${at}`);
  const kept: unknown[] = [];
  bulk([...ROWS.map(({ id }) => id), ...others], (ids) => void kept.push(ids.length));
  fireEvent.click(await screen.findByRole('button', { name: 'Commands' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Hibernate' }));
  expect(await screen.findByText(/Only the first 100 of the 102 selected/)).toBeTruthy();
  give('audit', 'Send the command');
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(kept).toEqual([100]);
});
