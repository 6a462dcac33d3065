// The page of cluster checks: what is wrong first and with what to do, what changed, how far a running one is, and beginning one.
import { CHECK_IDS } from '@gantry/contract/doctor.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { type AuthProvider, CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as operation } from '../../words/en/operation.ts';
import { words as people } from '../../words/en/people.ts';
import { words as shell } from '../../words/en/shell.ts';
import { List } from './cluster-checks.tsx';

type Report = AdminRow<'cluster-checks'>;

const fetched = playNetwork();
let reports: Report[];
let sent: { path: string; body: unknown }[];
let nodes: ReadonlySet<string>;
beforeEach(() => {
  reports = [];
  sent = [];
  nodes = new Set(['adminCheckCluster']);
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'POST') sent.push({ path: String(url), body: JSON.parse(String(init.body)) });
    return answer(init?.method === 'POST' ? reports[0] : reports);
  });
});

function Around({ children }: { children: ReactNode }) {
  const auth = {
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => nodes,
  } as unknown as AuthProvider;
  return (
    <CoreAdminContext dataProvider={adminData(useApi())} authProvider={auth} queryClient={newQueryClient()}>
      <Suspense fallback="…">{children}</Suspense>
    </CoreAdminContext>
  );
}

function show() {
  const page = (
    <Around>
      <List />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element: page }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation, people, shell, tables }) });
}

const result = (
  check: Report['results'][number]['check'],
  finding: Report['results'][number]['finding'],
  found: Report['results'][number]['found'],
  before: Report['results'][number]['before'] = null,
) => ({ check, finding, found, before, took_ms: 5 });
const report = (row: Partial<Report> = {}): Report => ({
  id: 'clc-1',
  state: 'done',
  started_at: '2026-01-02T03:04:05.000Z',
  ended_at: '2026-01-02T03:05:05.000Z',
  started_by: 'acc-1',
  reason: 'x',
  finding: 'problem',
  done: row.results?.length ?? 0,
  total: CHECK_IDS.length,
  results: [],
  ...row,
});
const WELL = result('kubernetesVersion', 'ok', [{ reason: 'versionFits', args: { version: 'v1.34.4' } }], 'ok');
const OPEN = result(
  'networkPolicies',
  'problem',
  [{ reason: 'ingressOpen', args: { from: 'node-1', to: '<b>node-0</b>' } }],
  'ok',
);

test('what is wrong comes first, with its evidence and what to do; what changed since the report before is named', async () => {
  reports = [report({ results: [WELL, OPEN] })];
  show();
  expect(await screen.findByText('There are problems: they come first, with what to do.')).toBeTruthy();
  const [first, second] = screen.getAllByRole('row').slice(1);
  if (!first || !second) throw new Error('two checks have no rows');
  expect(within(first).getByText('Network policies')).toBeTruthy();
  // A node's name is shown as text.
  expect(
    within(first).getByText('A Pod on node-1 still reached a port on <b>node-0</b> that a policy closes.'),
  ).toBeTruthy();
  expect(within(first).getByText(/^Use a network plugin that enforces NetworkPolicies/)).toBeTruthy();
  expect(within(second).getByText('The API server is v1.34.4.')).toBeTruthy();
  expect(screen.getByText('Network policies: OK → Problem')).toBeTruthy();
  expect(screen.queryByText(/Kubernetes version: /)).toBeNull();
});

test('a report like the one before says so, and the first has nothing to be compared with', async () => {
  reports = [report({ finding: 'ok', results: [WELL] })];
  show();
  expect(await screen.findByText('Nothing has changed since the previous report.')).toBeTruthy();
});

test('a running report says how far it is and what is still being looked at', async () => {
  reports = [report({ state: 'running', ended_at: null, results: [{ ...WELL, before: null }] })];
  show();
  expect((await screen.findByRole('progressbar')).getAttribute('aria-label')).toBe(
    `Checking: 1 of ${CHECK_IDS.length}`,
  );
  expect(screen.getAllByRole('row')).toHaveLength(1 + CHECK_IDS.length);
  expect(screen.queryByText(/since the previous report/)).toBeNull();
  const start = await screen.findByRole<HTMLButtonElement>('button', { name: 'Check the cluster' });
  expect(start.disabled).toBe(true);
});

test('staff begin one with a reason', async () => {
  show();
  expect(await screen.findByText('The cluster has not been checked yet.')).toBeTruthy();
  reports = [report({ results: [WELL] })];
  fireEvent.click(await screen.findByRole('button', { name: 'Check the cluster' }));
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'after the upgrade' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Check the cluster' }));
  await waitFor(() =>
    expect(sent).toEqual([{ path: '/api/admin/cluster-checks', body: { reason: 'after the upgrade' } }]),
  );
  expect(await screen.findByText('The API server is v1.34.4.')).toBeTruthy();
});

test('who may not begin one sees reports without the button; an earlier report can be chosen', async () => {
  nodes = new Set();
  reports = [
    report({ results: [WELL] }),
    report({ id: 'clc-0', state: 'broken', finding: null, started_at: '2026-01-01T03:04:05.000Z', results: [] }),
  ];
  show();
  await screen.findByText('The API server is v1.34.4.');
  expect(screen.queryByRole('button', { name: 'Check the cluster' })).toBeNull();
  fireEvent.mouseDown(screen.getByRole('combobox'));
  fireEvent.click(screen.getAllByRole('option')[1] as HTMLElement);
  expect(await screen.findByText('This report is incomplete because the gateway stopped.')).toBeTruthy();
});

test('what a newer gateway finds is shown as it came', async () => {
  reports = [report({ results: [result('mail', 'warning', [{ reason: 'mailStale', args: { days: '3' } }])] })];
  show();
  expect(await screen.findByText('mailStale 3')).toBeTruthy();
});
