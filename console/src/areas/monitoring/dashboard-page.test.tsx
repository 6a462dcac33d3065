// A dashboard as people change it: each change names the version that they saw.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { DashboardPage } from './dashboard-page.tsx';
import { words } from './words/en.ts';

// The editor's modules are each another's copy under Jest.
jest.unstable_mockModule('../../parts/promql-field.tsx', () => ({ PromqlField: () => null }));
playLayout();
const { answer, bodies } = playAnswers();
const READ = 'GET /api/monitor/v1/dashboard/dsb-1';
const EDIT = 'PUT /api/monitor/v1/dashboard/dsb-1';
const panel = (title: string) => ({ title, query: 'up', unit: 'none', chart: 'table', width: 'half' });
const dashboard = (version: number, ...titles: string[]) => ({
  ...{ id: 'dsb-1', title: 'GPUs', version, editor: 'ann', update_time: '2026-11-26T00:00:00Z' },
  ...{ panel_count: titles.length, panels: titles.map(panel) },
});

beforeEach(() => {
  answer(READ, playedResult(dashboard(3, 'heat', 'power')));
  answer(EDIT, playedResult(dashboard(4, 'power', 'heat')));
  answer(
    'POST /api/monitor/v1/query/',
    playedResult({
      ...{ start: '2026-11-26T00:00:00Z', end: '2026-11-26T00:01:00Z', step: 60, warnings: [] },
      series: [{ labels: { pod: 'a' }, points: [1, 2] }],
    }),
  );
});

let client: ReturnType<typeof newQueryClient>;
async function open(...nodes: string[]) {
  client = newQueryClient();
  const granted = nodes.map((pname) => ({ pname, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), granted);
  const router = createMemoryRouter([{ path: '/monitor/dashboard/:id', element: <DashboardPage /> }], {
    initialEntries: ['/monitor/dashboard/dsb-1'],
  });
  render(<RouterProvider router={router} />, { wrapper: appAround({ monitoring: words, metrics }, client) });
  await screen.findByRole('table', { name: 'heat' });
  return userEvent.setup();
}
const press = async (user: ReturnType<typeof userEvent.setup>, title: string, command: string) => {
  await user.click(screen.getByRole('button', { name: `Actions for ${title}` }));
  await user.click(await screen.findByRole('menuitem', { name: command }));
};
const titlesSent = () =>
  (bodies(EDIT) as { version: number; panels: { title: string }[] }[]).map(({ version, panels }) => [
    version,
    panels.map(({ title }) => title).join(' '),
  ]);

test('panels are moved and removed where they stand', async () => {
  const user = await open('editDashboard');
  await press(user, 'power', words.dashboards.earlier);
  await waitFor(() => expect(titlesSent()).toEqual([[3, 'power heat']]));
  await press(user, 'heat', ui.actions.remove);
  await waitFor(() => expect(titlesSent().at(-1)).toEqual([3, 'power']));
});

test('a change of what somebody else has changed is refused, and the page shows theirs', async () => {
  answer(EDIT, playedRefusal('conflict', 'Somebody else changed it.'));
  const user = await open('editDashboard');
  answer(READ, playedResult(dashboard(4, 'theirs')));
  await press(user, 'heat', ui.actions.remove);
  await screen.findByText('Somebody else changed it.');
  await screen.findByRole('region', { name: 'theirs' });
});

test('a panel that somebody else has changed while its dialog is open is not overwritten', async () => {
  answer(EDIT, playedRefusal('conflict', 'Somebody else changed it.'), playedResult(dashboard(5)));
  const user = await open('editDashboard');
  await press(user, 'power', ui.actions.edit);
  const title = await screen.findByLabelText(/^Title/);
  await user.type(title, '2');
  // Read again by the page itself, as when its window gets the focus.
  answer(READ, playedResult(dashboard(4, 'theirs', 'heat', 'power')));
  await client.invalidateQueries();
  await screen.findByText('theirs');
  await user.click(screen.getByRole('button', { name: ui.actions.save }));
  await screen.findByText(words.dashboards.conflict);
  expect(titlesSent()).toEqual([[3, 'heat power2']]);
  expect((title as HTMLInputElement).value).toBe('power2');
  await user.click(screen.getByRole('button', { name: ui.actions.save }));
  await waitFor(() => expect(titlesSent().at(-1)).toEqual([4, 'theirs heat power2']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what is typed into a panel that somebody else has removed becomes a new panel', async () => {
  answer(EDIT, playedRefusal('conflict', 'Somebody else changed it.'), playedResult(dashboard(5)));
  const user = await open('editDashboard');
  await press(user, 'heat', ui.actions.edit);
  await user.type(await screen.findByLabelText(/^Title/), '2');
  answer(READ, playedResult(dashboard(4, 'power')));
  await user.click(screen.getByRole('button', { name: ui.actions.save }));
  await screen.findByRole('dialog', { name: words.dashboards.add });
  await user.click(screen.getByRole('button', { name: ui.actions.save }));
  await waitFor(() => expect(titlesSent().at(-1)).toEqual([4, 'power heat2']));
});

test('whoever may only look is offered no change', async () => {
  await open();
  expect(screen.queryByRole('button', { name: 'Actions for heat' })).toBeNull();
  const add = screen.getByRole('button', { name: words.dashboards.add }) as HTMLButtonElement;
  expect(add.disabled).toBe(true);
});
