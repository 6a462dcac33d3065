// Both versions of a row that two people have edited: either can be taken, and saving goes on from there.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { Api } from '@gantry/ui/client/api.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../providers/data-provider.ts';
import { words as people } from '../words/en/people.ts';
import { words as shell } from '../words/en/shell.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { Conflicts } from './conflicts.ts';

const fetched = playNetwork();
const SEEN = { id: 'acc-1', name: 'ann', version: '1', disabled_at: null, platform_roles: ['support'] };
let row: { version: string; platform_roles: readonly string[] } & Record<string, unknown>;

beforeEach(() => {
  row = { ...SEEN, version: '2', platform_roles: ['catalogue'] };
  fetched.mockImplementation(async (_, init) => {
    if (init?.method !== 'PUT') return answer(row);
    const body = JSON.parse(String(init.body));
    if (body.version !== row.version)
      return answer({ code: 40943, error: 'edited_meanwhile', message: 'Somebody else…', request_id: 'r' }, 409);
    row = { ...row, version: '3', platform_roles: body.platform_roles };
    return answer(row);
  });
});

const api = new Api({
  token: () => 'tok',
  language: 'en',
  failures: { network: 'no', timed_out: 'late', bad_answer: 'bad' },
});

function save() {
  const data = adminData(api);
  const element = (
    <CoreAdminContext dataProvider={data} queryClient={newQueryClient()}>
      <ConflictDialog />
    </CoreAdminContext>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />, {
    wrapper: appAround({ people, shell, tables }),
  });
  const mine = { ...SEEN, platform_roles: ['finance'], reason: 'why' };
  const saving = data.update('manage/user/users', { id: 'acc-1', data: mine, previousData: SEEN });
  return saving.then(
    ({ data: saved }) => ({ saved }),
    (error: Error) => ({ refused: error.message }),
  );
}

test('mine stands beside theirs, and mine is saved upon the present row', async () => {
  const saving = save();
  const own = await screen.findByRole('radio', { name: 'Staff roles: Mine' });
  expect(screen.getByText('Finance')).toBeTruthy();
  expect(screen.getByText('Catalogue')).toBeTruthy();
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(button.disabled).toBe(true);
  fireEvent.click(own);
  fireEvent.click(button);
  expect(await saving).toMatchObject({ saved: { version: '3', platform_roles: ['finance'] } });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('taking theirs saves nothing more', async () => {
  const saving = save();
  fireEvent.click(await screen.findByRole('radio', { name: 'Staff roles: Theirs' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await saving).toEqual({ refused: 'Somebody else…' });
  expect(row.version).toBe('2');
});

test('a text shows every language that differs, and no other', async () => {
  const of = new Conflicts();
  const content = { en: 'Same.', zh: '旧', ja: '古い' };
  void of.ask({
    name: 'announcements',
    mine: { id: 'ann-1', content: { ...content, zh: '我的' } },
    theirs: { id: 'ann-1', content: { ...content, ja: '別の' } },
    before: { id: 'ann-1', content },
  });
  render(<ConflictDialog of={of} />, { wrapper: appAround({ people, shell, tables }) });
  expect(await screen.findByText('我的')).toBeTruthy();
  expect(screen.getByText('別の')).toBeTruthy();
  expect(screen.queryByText('Same.')).toBeNull();
});
