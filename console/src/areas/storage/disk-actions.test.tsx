// A disk's commands: mounting and editing open dialogs, deleting names what is lost.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as parts } from '../../parts/words/en.ts';
import { DiskActions } from './disk-actions.tsx';
import { words as storage } from './words/en.ts';

const { answer, bodies } = playAnswers();
const ACT = 'POST /api/stor/v1/data-disk/dsk-1/action';
const NODES = ['mountDisk', 'unmountDisk', 'updateDisk', 'dataDisk.release'];
const EDIT = { action: 'edit', label: 'Edit', danger: 'none', spends: true };
const RELEASE = { action: 'release', label: 'Delete', danger: 'destroys', spends: false };
const IN_USE = { mounted_by: [{ kind: 'GpuInstance', id: 'ins-1', name: 'dev', at_next_start: false }] };

function show(actions: readonly object[], more: object = {}) {
  const client = newQueryClient();
  const nodes = NODES.map((pname) => ({ pname, peltype: 'element' }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const disk = { id: 'dsk-1', name: 'data', used_bytes: 2048, mounted_by: [], actions, spec: { sizeGi: 1 }, ...more };
  render(<DiskActions disk={disk as unknown as DiskView} />, { wrapper: appAround({ parts, storage }, client) });
  return userEvent.setup();
}
const openMenu = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'More actions for data' }));
const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

test('one that nobody has is mounted by a button; the rest is in the menu, by keyboard too', async () => {
  const user = show([EDIT, RELEASE]);
  screen.getByRole('button', { name: 'Mount' });
  await openMenu(user);
  expect(entries()).toEqual([storage.actions.grow, 'Rename', 'Delete']);
  await user.keyboard('{ArrowDown}{Enter}');
  await screen.findByRole('dialog', { name: 'Rename “data”' });
});

test('one that somebody has is unmounted by a button, mounted elsewhere by the menu, and not deleted', async () => {
  const user = show([EDIT], IN_USE);
  screen.getByRole('button', { name: 'Unmount' });
  await openMenu(user);
  expect(entries()).toEqual(['Mount', storage.actions.grow, 'Rename']);
});

test('a disk that may not be edited now can be neither mounted nor renamed', async () => {
  const user = show([RELEASE]);
  expect((screen.getByRole('button', { name: 'Mount' }) as HTMLButtonElement).disabled).toBe(true);
  await openMenu(user);
  const disabled = screen.getAllByRole('menuitem').filter((entry) => entry.ariaDisabled === 'true');
  expect(disabled.map(({ textContent }) => textContent)).toEqual([storage.actions.grow, 'Rename']);
});

test('deleting says what is lost, and says the id once more', async () => {
  answer(ACT, playedResult({}));
  const user = show([EDIT, RELEASE]);
  await openMenu(user);
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete “data”?' });
  within(dialog).getByText(/All data on “data” \(dsk-1\), 2\.00 KiB of it in use\./);
  await user.type(within(dialog).getByRole('textbox'), 'dsk-1');
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(bodies(ACT)).toEqual([{ action: 'release', confirm: 'dsk-1' }]));
});
