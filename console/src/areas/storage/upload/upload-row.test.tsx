// One upload among many: files with the same name are distinguished by their folders.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { words as storage } from '../words/en.ts';
import type { UploadQueue } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';

playNetwork();

test.each([
  ['/notes.txt', 'notes.txt'],
  ['/folder/sub/notes.txt', 'notes.txt/folder/sub'],
])('%s', (path, shown) => {
  const row = { id: 'u', disk: 'dsk-1', path, size: 2, sent: 2, bytesPerSecond: 0, state: 'done', isPreparing: false };
  render(<UploadRow row={row as never} queue={{} as UploadQueue} />, { wrapper: appAround({ storage }) });
  expect(screen.getByTitle(path).textContent).toBe(shown);
});

test('one that asks is answered by its name', () => {
  const answer = jest.fn();
  const row = { id: 'u', disk: 'dsk-1', path: '/sub/b.txt', size: 2, sent: 0, bytesPerSecond: 0, state: 'asks' };
  const queue = { answer } as unknown as UploadQueue;
  render(<UploadRow row={row as never} queue={queue} />, { wrapper: appAround({ storage }) });
  fireEvent.click(screen.getByRole('button', { name: 'Skip: b.txt' }));
  fireEvent.click(screen.getByRole('button', { name: 'Replace: b.txt' }));
  expect(answer.mock.calls).toEqual([
    ['u', false, false],
    ['u', true, false],
  ]);
});
