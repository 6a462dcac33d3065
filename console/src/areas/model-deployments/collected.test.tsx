// A deployment's collected records, as people see them: how collecting is switched on, who reads it, and that it can be saved and deleted.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { CollectedPage } from './collected-page.tsx';
import { CollectedTab } from './collected-tab.tsx';
import { words } from './words/en.ts';

const SUMS = {
  ...{ records: 3, left_out: 1, size_bytes: 2048 },
  ...{ first_time: '2026-11-20T10:00:00Z', last_time: '2026-11-20T10:01:00Z' },
};
const fetched = playNetwork();
let sent: string[];
let files: object[];
let bodies: unknown[];
beforeEach(() => {
  sent = [];
  bodies = [];
  files = [{ id: 'cdf-1', dataset: 'sea', ...SUMS }];
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method} ${String(url).replace('/api/', '')}`;
    sent.push(call);
    if (call === 'GET model/v1/collected')
      return answerOf({
        sets: [
          { deployment: 'dep-1', exists: true, files: 1, ...SUMS },
          { deployment: 'dep-gone', exists: false, files: 2, ...SUMS },
        ],
      });
    if (call.startsWith('POST ')) {
      bodies.push(JSON.parse(String(init?.body)));
      return answerOf(call.endsWith('/dataset') ? { id: 'dst-1' } : { version: 1 });
    }
    if (call.startsWith('DELETE ')) {
      files = [];
      return answerOf('ok');
    }
    return new Response(
      JSON.stringify({
        ...{ code: 0, message: 'ok', data: files },
        paginated: { page: 1, size: 100, total_num: files.length, total_page: 1, num: files.length },
      }),
    );
  });
});

/** The nodes of one who manages; reading has no node. */
const ALL = Object.values(CALLS).flatMap(({ id, method }) => (method === 'GET' ? [] : [id]));
function open(page: React.ReactNode, nodes: readonly string[] = ALL) {
  const client = newQueryClient();
  const granted = [...nodes, 'modelDeployment.edit'].map((pname) => ({ pname, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), granted);
  const router = createMemoryRouter([
    { path: '/', element: page },
    { path: '/data/space/:id/:tab', element: 'the dataset' },
  ]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ 'model-deployments': words }, client) });
  return userEvent.setup();
}
const tab = (data_reflow: ModelDeploymentView['data_reflow']) => (
  <CollectedTab
    deployment={
      { id: 'dep-1', name: 'chat', data_reflow, actions: [{ action: 'edit' }] } as unknown as ModelDeploymentView
    }
  />
);

test('a deployment that collects nothing says how to begin, and who would read it', async () => {
  files = [];
  open(tab(null));
  expect(await screen.findByText(words.collected.isOff)).toBeTruthy();
  expect(screen.getByText(new RegExp(words.collected.readers.slice(0, 40)))).toBeTruthy();
  expect(screen.getByRole('link', { name: words.collected.change }).getAttribute('href')).toBe(
    '/model/deployment/dep-1/edit',
  );
});

test('one that collects says so to everybody, and shows its files to those who manage', async () => {
  open(tab({ percent: 5, dataset: 'sea' }));
  expect(await screen.findByText(/5% of the answered requests .* “sea”/)).toBeTruthy();
  const row = (await screen.findByText('sea')).closest('tr') as HTMLElement;
  expect(row.textContent).toContain('2.00 KiB');
  expect(within(row).getByRole('button', { name: 'Download: cdf-1' })).toBeTruthy();
});

test('members see that it collects, and ask for nothing', async () => {
  open(tab({ percent: 5, dataset: 'sea' }), []);
  expect(await screen.findByText(/5% of the answered requests/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Download/ })).toBeNull();
  expect(sent).toEqual([]);
});

test('a file is deleted after a question that says how many requests go', async () => {
  const user = open(tab({ percent: 5, dataset: 'sea' }));
  await user.click(await screen.findByRole('button', { name: 'Delete: cdf-1' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('3 requests with their answers')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: ui.actions.delete }));
  await waitFor(() => expect(sent).toContain('DELETE model/v1/model/deployment/dep-1/collected?file=cdf-1'));
  expect(await screen.findByText(words.collected.noneYet)).toBeTruthy();
});

test('what deleted deployments have collected is listed, and can be saved and deleted', async () => {
  open(<CollectedPage />);
  expect(await screen.findByText('dep-gone (deleted)')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'dep-1' }).getAttribute('href')).toBe('/model/deployment/dep-1/collected');
  expect(screen.getByRole('button', { name: 'Delete: dep-gone' })).toBeTruthy();
});

test('collected requests become a dataset, after it is said who will see it', async () => {
  const user = open(tab({ percent: 5, dataset: 'sea' }));
  await user.click(await screen.findByRole('button', { name: 'Make a dataset: dep-1' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(words.collected.managersOnly)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: ui.actions.create }));
  await waitFor(() => expect(sent).toContain('POST data/v1/data/dataset/dst-1/import-from-collected'));
  expect(bodies).toEqual([{ name: 'chat' }, { deployment: 'dep-1', message: '' }]);
});

test('nobody without the right to manage makes a dataset of collected requests', async () => {
  open(
    tab({ percent: 5, dataset: 'sea' }),
    ALL.filter((node) => node !== CALLS.importDatasetFromCollected.id),
  );
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Make a dataset: dep-1' });
  expect(button.disabled).toBe(true);
});
