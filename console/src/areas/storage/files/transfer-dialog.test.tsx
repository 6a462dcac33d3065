// Moving and copying several entries at once: where to, the rule for names that exist, and what was refused.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as storage } from '../words/en.ts';
import { TransferDialog } from './transfer-dialog.tsx';

const { answer, bodies } = playAnswers();
const COPY = 'POST /api/stor/v1/data-disk/dsk-1/filesystem/copy';
const MOVE = 'POST /api/stor/v1/data-disk/dsk-1/filesystem/rename';
const entry = (name: string): FileEntry => ({ name, type: 'file', size_bytes: 1, modified_at: '2026-11-24T00:00:00Z' });

function open(how: 'move' | 'copy') {
  let closed = 0;
  render(
    <TransferDialog
      how={how}
      disk="dsk-1"
      folder="/runs"
      entries={[entry('a'), entry('b')]}
      onClose={() => closed++}
    />,
    { wrapper: appAround({ storage }) },
  );
  return { user: userEvent.setup(), closed: () => closed };
}
const target = () => screen.getByLabelText<HTMLInputElement>(storage.ask.target);

test('they are copied one after the other, and files there are replaced if that was chosen', async () => {
  answer(COPY, playedResult(null));
  const { user, closed } = open('copy');
  expect(document.activeElement).toBe(target());
  await user.clear(target());
  await user.type(target(), '/old');
  await user.click(screen.getByLabelText(storage.ask.rules.replace));
  await user.click(screen.getByRole('button', { name: storage.files.copy }));
  await waitFor(() => expect(closed()).toBe(1));
  expect(bodies(COPY)).toEqual([
    { path: '/runs/a', to: '/old/a', overwrite: true },
    { path: '/runs/b', to: '/old/b', overwrite: true },
  ]);
});

test('what is refused is named, and the rest is done', async () => {
  answer(MOVE, playedRefusal('disk_full', 'The disk is full.'), playedResult(null));
  const { user, closed } = open('move');
  await user.type(target(), '/old');
  await user.click(screen.getByRole('button', { name: storage.files.move }));
  await screen.findByText('a: The disk is full.');
  expect(bodies(MOVE)).toHaveLength(2);
  expect(closed()).toBe(0);
  await user.click(screen.getByRole('button', { name: storage.files.move }));
  await waitFor(() => expect(closed()).toBe(1));
  expect(bodies(MOVE).slice(2)).toEqual([{ path: '/runs/a', to: '/runs/old/a', overwrite: false }]);
});

test.each(['move', 'copy'] as const)('to %s something to where it is needs another name', async (how) => {
  const { user } = open(how);
  const go = () => screen.getByRole<HTMLButtonElement>('button', { name: storage.files[how] });
  expect(go().disabled).toBe(true);
  await user.click(screen.getByLabelText(storage.ask.rules.both));
  expect(go().disabled).toBe(how === 'move');
});
