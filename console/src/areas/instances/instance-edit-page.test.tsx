// An edit of an instance that somebody else has edited meanwhile: their changes are not undone, and no input is lost.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { InstanceEditPage } from './instance-edit-page.tsx';
import { words as instance } from './words/en.ts';

const fetched = playNetwork();
const message = 'Somebody else changed it in the meantime; read it again.';

const seen = (name: string, generation: number, more: object = {}) => ({
  id: 'ins-1',
  name,
  generation,
  phase: 'running',
  phase_label: 'Running',
  tone: 'good',
  actions: [{ action: 'edit', label: 'Edit', danger: 'interrupts', spends: true }],
  conditions: [],
  spec: { image: 'base/ubuntu:24.04', cores: 1, memoryGi: 1, homeDisk: { sizeGi: 10 } },
  ...more,
});

/** The answer to a read of the instance; and the answers to changes, one after the other. */
let there: object;
let changes: (() => Response)[];
const conflict = () => answer({ code: 40902, error: 'conflict', message }, 409);

beforeEach(() => {
  changes = [];
  fetched.mockImplementation(async (url, init) => {
    const path = String(url).replace(/[?].*/, '');
    if (path === '/api/develop/v1/instance/ins-1') {
      if (init?.method === 'PUT') return changes.shift()?.() ?? answerOf(there);
      return answerOf(there);
    }
    // Prices, images and disks are others' concern.
    return answer({ code: 50000, error: 'internal', message: 'Not here.' }, 500);
  });
});

const field = (name: RegExp) => screen.getByRole('textbox', { name }) as HTMLInputElement;
const type = (name: RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const puts = () =>
  fetched.mock.calls
    .filter(([, init]) => init?.method === 'PUT')
    .map(([url, init]) => [String(url).split('?')[1], JSON.parse(String(init?.body))]);

async function open() {
  const client = newQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  const nodes = [{ pname: 'gpuInstance.edit', peltype: 'element' }];
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const router = createMemoryRouter(
    [
      { path: '/develop/instance/:id/edit', element: <InstanceEditPage /> },
      { path: '*', element: <p>the instance</p> },
    ],
    { initialEntries: ['/develop/instance/ins-1/edit'] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts, instances: instance, workload }, client) });
  await screen.findByRole('button', { name: 'Save' });
}

test('a conflict keeps what was typed and says whose change it met; the new values come when they are asked for', async () => {
  there = seen('first', 3);
  changes = [conflict];
  await open();
  type(/^Name/, 'mine');
  there = seen('theirs', 4);
  press('Save');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(puts()).toEqual([['generation=3', { displayName: 'mine' }]]);
  expect(field(/^Name/).value).toBe('mine');
  press('Load new values');
  await waitFor(() => expect(field(/^Name/).value).toBe('theirs'));
  expect(screen.queryByText(message)).toBeNull();
  // From there one goes on.
  type(/^Name/, 'ours');
  press('Save');
  expect(await screen.findByText('the instance')).toBeTruthy();
  expect(puts()[1]).toEqual(['generation=4', { displayName: 'ours' }]);
});

test.each<[string, object, boolean]>([
  ['what runs is asked about', {}, true],
  ['what could not be started is not', { phase: 'createFailed', tone: 'bad', reason: 'ImageNotFound' }, false],
])('before another image, %s', async (_, more, isAsked) => {
  there = seen('first', 3, more);
  await open();
  fireEvent.change(screen.getByRole('combobox', { name: /^Image/ }), { target: { value: 'base/debian:13' } });
  press('Save');
  if (isAsked) {
    expect(await screen.findByText(instance.edit.restartTitle)).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Save' }).at(-1) as HTMLElement);
  }
  expect(await screen.findByText('the instance')).toBeTruthy();
  expect(puts()).toEqual([['generation=3', { image: 'base/debian:13' }]]);
});

test('where nothing that the form shows has changed, it is sent again by itself', async () => {
  there = seen('first', 3);
  changes = [conflict];
  await open();
  type(/^Name/, 'mine');
  there = seen('first', 4);
  press('Save');
  expect(await screen.findByText('the instance')).toBeTruthy();
  expect(puts()).toEqual([
    ['generation=3', { displayName: 'mine' }],
    ['generation=4', { displayName: 'mine' }],
  ]);
});
