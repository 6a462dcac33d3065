// The ways into an instance: a command that would fail is not offered.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as workload } from '../../parts/workload/words/en.ts';
import { InstanceAccess } from './instance-access.tsx';
import { words as instance } from './words/en.ts';

const fetched = playNetwork();

const COMMAND = 'ssh -p 2222 dev@gpu.example';
const EU_WEST = { region: 'eu-west', name: 'EU West' };
const KEY = { remark: 'laptop', publicKey: 'ssh-ed25519 AAAA' };

function show(sshKeys: readonly object[], actions = ['login', 'edit'], command = COMMAND, more: object = {}) {
  const client = newQueryClient();
  const nodes = ['openTerminal', 'openInstanceWeb', 'showNotebookToken', 'gpuInstance.edit'].map((pname) => ({
    pname,
    peltype: 'element',
  }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  client.setQueryData(keyOf(CALLS.listRegions, {}), [{ region: 'us-east', name: 'US East' }, EU_WEST]);
  const view = {
    id: 'ins-1',
    ssh_address: command,
    region: 'us-east',
    spec: { sshKeys },
    actions: actions.map((action) => ({ action })),
    ...more,
  } as unknown as InstanceView;
  render(
    <MemoryRouter>
      <InstanceAccess instance={view} />
    </MemoryRouter>,
    { wrapper: appAround({ instances: instance, workload }, client) },
  );
}

test('with a key there is the command', () => {
  show([KEY]);
  expect(screen.getByText(COMMAND)).toBeTruthy();
  expect(screen.queryByText(instance.form.noKeys)).toBeNull();
});

test('an editor finds it by the file that the page offers', () => {
  show([KEY], ['login', 'edit'], 'ssh -J gantry@ssh.example:2222 root@ins-1.org-acme');
  const file = screen.getByRole('link', { name: 'Download SSH config' });
  expect(file.getAttribute('download')).toBe('gantry-ins-1.conf');
  expect(decodeURIComponent(file.getAttribute('href') ?? '')).toContain(
    'Host gantry-ins-1\n  HostName ins-1.org-acme\n',
  );
  expect(screen.getByRole('link', { name: 'Open in VS Code' }).getAttribute('href')).toBe(
    'vscode://vscode-remote/ssh-remote+gantry-ins-1/root',
  );
});

test('without one there is the way to add it instead', () => {
  show([]);
  expect(screen.queryByText(COMMAND)).toBeNull();
  expect(screen.getByText(instance.form.noKeys)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add key' })).toBeTruthy();
});

test('a key is added by a small dialog, and nothing else of the instance changes', async () => {
  const sent: unknown[] = [];
  const own = (text: string) => {
    const [remark = '', status] = text.split(' ');
    return { id: remark, remark, status, public_key: `ssh-ed25519 ${remark}`, expiration_time: null };
  };
  fetched.mockImplementation(async (url, init) => {
    if (init?.method === 'PUT') sent.push([String(url), JSON.parse(String(init.body))]);
    if (init?.method === 'PUT') return answerOf({});
    return answer({ code: 0, message: 'ok', data: ['desk valid', 'old expired', 'AAAA valid'].map(own) });
  });
  const over = { ...KEY, expiresAt: '2020-01-01T00:00:00Z' };
  show([over], undefined, undefined, { generation: 7 });
  fireEvent.click(screen.getByRole('button', { name: 'Add key' }));
  const dialog = within(await screen.findByRole('dialog'));
  // It has one of them, and one has expired.
  expect(dialog.getAllByRole('radio')).toHaveLength(1);
  fireEvent.click(dialog.getByRole('button', { name: 'Add key' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual([
    expect.stringContaining('/instance/ins-1?generation=7'),
    { sshKeys: [over, { remark: 'desk', publicKey: 'ssh-ed25519 desk' }] },
  ]);
});

test('one that has expired opens nothing, beside one that has not the command stands', () => {
  const over = { ...KEY, remark: 'old', expiresAt: '2020-01-01T00:00:00Z' };
  show([over]);
  expect(screen.queryByText(COMMAND)).toBeNull();
  expect(screen.getByText(instance.form.keysExpired)).toBeTruthy();
  cleanup();
  show([over, { ...KEY, expiresAt: '2126-01-01T00:00:00Z' }]);
  expect(screen.getByText(COMMAND)).toBeTruthy();
});

test('whoever may not edit it now is told all the same', () => {
  show([], ['login']);
  expect(screen.getByText(instance.form.noKeys)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add key' })).toBeNull();
});

test('the notebook token is hidden until it is asked for, and can be hidden again', async () => {
  fetched.mockImplementation(async () => answerOf({ token: 'c0ffee' }));
  show([KEY], ['login'], COMMAND, { has_notebook_token: true, run: { number: 1 } });
  expect(screen.queryByText('c0ffee')).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: instance.detail.tokenShow }));
  expect(await screen.findByText('c0ffee')).toBeTruthy();
  expect(screen.getByRole('button', { name: `Copy: ${instance.detail.token}` })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: instance.detail.tokenHide }));
  expect(screen.queryByText('c0ffee')).toBeNull();
});

test('without a token there is nothing to show', () => {
  show([KEY], ['login'], COMMAND, { has_notebook_token: false });
  expect(screen.queryByRole('button', { name: instance.detail.tokenShow })).toBeNull();
});

test('in another region the terminal opens, and a sentence says that the notebook does not', () => {
  const more = { region: 'eu-west', data_center: 'EU West', has_notebook_token: true };
  show([KEY], ['login'], COMMAND, { ...more, spec: { sshKeys: [KEY], notebookPort: 8888 } });
  expect(screen.getByText('Its notebook and ports in EU West cannot be opened from here yet.')).toBeTruthy();
  expect(screen.getByRole('button', { name: instance.detail.notebook })).toHaveProperty('disabled', true);
  expect(screen.queryByRole('button', { name: instance.detail.tokenShow })).toBeNull();
  expect(screen.getByRole('link', { name: instance.detail.terminal })).toBeTruthy();
});
