// Logins to private registries in a dialog: what is sent, and that nothing of the token stays on the page.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround, type Played, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RegistriesDialog } from './registries-dialog.tsx';
import { words as image } from './words/en.ts';

const { answer, bodies } = playAnswers();
const ghcr = { id: 'ghcr', server: 'ghcr.io', user: 'ann', creator: 'acc-1', create_time: '2026-11-24T00:00:00Z' };

const playedPage = (data: readonly object[]): Played => ({
  body: {
    code: 0,
    message: 'ok',
    data,
    paginated: { page: 1, size: 100, total_num: data.length, total_page: 1, num: data.length },
  },
});

function open() {
  const client = newQueryClient();
  const nodes = ['createRegistry', 'deleteRegistry'].map((pname) => ({ pname, peltype: 'element' }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  render(<RegistriesDialog onClose={() => {}} />, { wrapper: appAround({ image }, client) });
  return userEvent.setup();
}

test('a login is added, and its token is gone from the page', async () => {
  answer('GET /api/develop/v1/registry?page=1&size=100', playedPage([]));
  answer('POST /api/develop/v1/registry', playedResult(ghcr));
  const user = open();
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: false, selector: 'input' });
  expect(document.activeElement).toBe(field('Name'));
  await user.type(field('Name'), 'ghcr');
  await user.type(field(image.registries.server), 'ghcr.io');
  await user.type(field(image.registries.user), 'ann');
  await user.type(field(image.registries.token), 'hidden');
  expect(field(image.registries.token).type).toBe('password');
  answer('GET /api/develop/v1/registry?page=1&size=100', playedPage([ghcr]));
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('ghcr');
  expect(bodies('POST /api/develop/v1/registry')).toEqual([
    { id: 'ghcr', server: 'ghcr.io', user: 'ann', token: 'hidden' },
  ]);
  await waitFor(() => expect(field(image.registries.token).value).toBe(''));
});
