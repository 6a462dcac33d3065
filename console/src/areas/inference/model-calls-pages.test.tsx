// Usage of models, and aliases: as people read, make and delete them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as workload } from '../../parts/workload/words/en.ts';
import { AliasPage } from './alias-page.tsx';
import { UsagePage } from './usage-page.tsx';
import { words } from './words/en.ts';

const TIME = '2026-11-26T00:00:00Z';
const ALIAS = {
  ...{ id: 'mal-1', name: 'best', creator_id: 'acc-1', create_time: TIME, update_time: TIME },
  targets: [
    { deployment: 'dep-1', weight: 9 },
    { deployment: 'dep-2', weight: 1 },
    { deployment: 'dep-gone', weight: 0 },
  ],
};
const COUNTS = { requests: 2, prompt_tokens: 1200, cached_tokens: 0, completion_tokens: 30, estimated_requests: 1 };
/** The gateway's sums, by the dimension of the request. */
const SUMS: Readonly<Record<string, object[]>> = {
  model: [{ key: 'tiny', ...COUNTS, requests: 6, prompt_tokens: 3600, amount: '1.002490' }],
  token: [
    { key: '', ...COUNTS, amount: '0.002490' },
    { key: 'tok-1', ...COUNTS, amount: '1.00' },
    { key: 'tok-2', ...COUNTS, amount: '0.00' },
  ],
};

const fetched = playNetwork();
let sent: [call: string, body: unknown][];
let aliases: (typeof ALIAS)[];
let isUsed: boolean;
let answered: Promise<void>;
beforeEach(() => {
  sent = [];
  aliases = [ALIAS];
  isUsed = true;
  answered = Promise.resolve();
  const listOf = (data: object[]) =>
    new Response(
      JSON.stringify({
        ...{ code: 0, message: 'ok', data },
        paginated: { page: 1, size: 1000, total_num: data.length, total_page: 1, num: data.length },
      }),
    );
  fetched.mockImplementation(async (url, init) => {
    const [path = '', query] = String(url).replace('/api/', '').split('?');
    const call = `${init?.method} ${path}`;
    sent.push([call, init?.body ? JSON.parse(String(init.body)) : undefined]);
    if (call === 'GET model/v1/alias') return answerOf({ aliases });
    if (call === 'GET auth/v1/organization/me') return answerOf({ org_id: 'acme' });
    if (call === 'GET model/v1/usage') {
      await answered;
      return answerOf({
        from: new URLSearchParams(query).get('from'),
        to: '2026-11-26',
        currency: 'USD',
        ...{ rows: [], complete: true },
        sums: isUsed ? SUMS[new URLSearchParams(query).get('by') ?? 'model'] : [],
        total: { ...COUNTS, amount: '1.002490' },
      });
    }
    if (call === 'GET model/v1/model/deployment')
      return listOf([
        { id: 'dep-1', name: 'Large' },
        { id: 'dep-2', name: 'Canary' },
      ]);
    if (call === 'GET account/v1/api-token') return listOf([{ id: 'tok-1', remark: 'bot' }]);
    if (call.startsWith('GET ')) return listOf([]);
    return answerOf(ALIAS);
  });
});

function open(path: string) {
  const client = newQueryClient();
  const nodes = Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const router = createMemoryRouter(
    [
      { path: '/model/usage', element: <UsagePage /> },
      { path: '/model/alias', element: <AliasPage /> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ inference: words, workload }, client) });
  return userEvent.setup();
}

test('usage is shown by model and by key, under the names that people gave them', async () => {
  const user = open('/model/usage');
  const table = await screen.findByRole('table');
  expect(within(table).getByText('tiny').closest('tr')?.textContent).toBe('tiny63,6000301$1.00');
  await user.click(screen.getByRole('button', { name: words.usage.groups.token }));
  await waitFor(() => expect(screen.getByText('bot').closest('tr')?.textContent).toContain('$1.00'));
  expect(screen.getByText(words.usage.console).closest('tr')?.textContent).toContain('$0.00249');
  expect(screen.getByText('Deleted token tok-2')).toBeTruthy();
});

test('what is on its way is not shown under the heading of something else', async () => {
  const user = open('/model/usage');
  await screen.findByText('tiny');
  let answer = () => {};
  answered = new Promise((resolve) => {
    answer = resolve;
  });
  await user.click(screen.getByRole('button', { name: words.usage.groups.token }));
  expect(await screen.findByRole('heading', { name: words.usage.groups.token })).toBeTruthy();
  expect(screen.queryByText('tiny')).toBeNull();
  expect(screen.getAllByText('$1.00')).toHaveLength(1);
  await user.selectOptions(screen.getByRole('combobox', { name: words.usage.days }), 'Last 7 days');
  await waitFor(() => expect(screen.queryByText('$1.00')).toBeNull());
  answer();
  expect(await screen.findByText('bot')).toBeTruthy();
});

test('without usage the page says how to begin', async () => {
  isUsed = false;
  open('/model/usage');
  expect(await screen.findByText(words.usage.emptyHint)).toBeTruthy();
});

test('an alias shows the share of each deployment, and which one is gone', async () => {
  open('/model/alias');
  expect(await screen.findByText('acme/best')).toBeTruthy();
  expect(await screen.findByText('Large: 90%')).toBeTruthy();
  expect(screen.getByText('Canary: 10%')).toBeTruthy();
  expect(screen.getByText('dep-gone does not exist')).toBeTruthy();
});

test('an alias is made with a canary, and deleted after a question', async () => {
  aliases = [];
  const user = open('/model/alias');
  await screen.findByText(words.aliases.emptyTitle);
  await user.click(screen.getAllByRole('button', { name: words.aliases.create })[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText(new RegExp(`^${words.aliases.name}`)), 'good');
  await user.click(within(dialog).getByRole('combobox', { name: new RegExp(words.aliases.target) }));
  await user.click(await screen.findByRole('option', { name: 'Canary' }));
  aliases = [{ ...ALIAS, name: 'good' }];
  await user.click(within(dialog).getByRole('button', { name: ui.actions.create }));
  await screen.findByText('acme/good');
  expect(sent).toContainEqual(['POST model/v1/alias', { name: 'good', targets: [{ deployment: 'dep-2', weight: 1 }] }]);

  await user.click(screen.getByRole('button', { name: 'Delete: good' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: words.aliases.delete }));
  await waitFor(() => expect(sent.map(([call]) => call)).toContain('DELETE model/v1/alias/mal-1'));
});
