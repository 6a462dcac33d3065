// The tab of an organisation's invitations, against an API whose answers are played.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, type Played, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as english } from '../words/en.ts';
import { InvitationsTab } from './invitations-tab.tsx';

playLayout();
const { answer, calls } = playAnswers();

const MINE = 'GET /api/auth/v1/organization/me';
const OF_ACME = '/api/auth/v1/organization/acme/invitation';
const LIST = `GET ${OF_ACME}?page=1&size=100`;
const RESEND = `POST ${OF_ACME}/inv-bob/resend`;
const WITHDRAW = `DELETE ${OF_ACME}/inv-bob`;

const invitation = (account: string, more: object = {}) => ({
  ...{ id: `inv-${account}`, account, role: 'member', state: 'pending' },
  ...{ create_time: '2026-11-22T10:00:00Z', expiration_time: '2026-11-29T10:00:00Z', ...more },
});
const listed = (...data: object[]): Played => ({
  body: { code: 0, message: 'ok', data, paginated: { page: 1, size: 100, total_num: data.length, total_page: 1 } },
});

function open({ role = 'owner', elements = ['withdrawInvitation'] }: { role?: OrgRole; elements?: string[] } = {}) {
  const client = newQueryClient();
  const nodes = elements.map((pname) => ({ pname, peltype: 'element' }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  answer(MINE, playedResult({ org_id: 'acme', org_name: 'Acme', role }));
  render(<InvitationsTab />, { wrapper: appAround({ organization: english }, client) });
  return userEvent.setup();
}
const buttons = () => screen.queryAllByRole('button', { name: /invitation to/ }).map((one) => one.ariaLabel);

test('each invitation has its status, and those without an answer can be sent again and withdrawn', async () => {
  answer(
    LIST,
    listed(
      invitation('bob'),
      invitation('cleo', { state: 'expired' }),
      invitation('dan', { state: 'accepted' }),
      invitation('eve', { state: 'declined' }),
      invitation('fay', { state: 'withdrawn' }),
    ),
  );
  open();
  await screen.findByText('bob');
  const states = ['Pending', 'Expired', 'Accepted', 'Declined', 'Withdrawn'];
  expect(states.filter((state) => screen.queryByText(state) === null)).toEqual([]);
  expect(buttons()).toEqual([
    'Send again: invitation to bob',
    'Withdraw the invitation to bob',
    'Send again: invitation to cleo',
    'Withdraw the invitation to cleo',
  ]);
});

test('an invitation that is sent again is read again', async () => {
  answer(LIST, listed(invitation('bob', { state: 'expired' })), listed(invitation('bob')));
  answer(RESEND, playedResult(invitation('bob')));
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Send again: invitation to bob' }));
  await screen.findByText('Invitation sent again, valid for seven days');
  await screen.findByText('Pending');
});

test('whom platform staff proposed is invited by sending it', async () => {
  answer(LIST, listed(invitation('bob', { state: 'proposed' })), listed(invitation('bob')));
  answer(RESEND, playedResult(invitation('bob')));
  const user = open();
  await screen.findByText('Proposed by platform staff');
  screen.getByRole('button', { name: 'Withdraw the invitation to bob' });
  await user.click(screen.getByRole('button', { name: 'Send the invitation to bob' }));
  await screen.findByText('Pending');
});

test('an invitation is withdrawn only after a question', async () => {
  answer(LIST, listed(invitation('bob')), listed(invitation('bob', { state: 'withdrawn' })));
  answer(WITHDRAW, { body: { code: 0, message: 'ok' } });
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Withdraw the invitation to bob' }));
  const dialog = await screen.findByRole('dialog', { name: 'Withdraw the invitation?' });
  within(dialog).getByText('bob can no longer accept it.');
  expect(calls(WITHDRAW)).toBe(0);
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
  await screen.findByText('Withdrawn');
  expect(calls(WITHDRAW)).toBe(1);
});

test('an invitation that was answered meanwhile says so in the question', async () => {
  answer(LIST, listed(invitation('bob')));
  answer(WITHDRAW, playedRefusal('invitation_closed', 'This invitation is no longer open.'));
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Withdraw the invitation to bob' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
  await within(dialog).findByText('This invitation is no longer open.');
});

test('an admin can neither send nor withdraw the invitation of an owner', async () => {
  answer(LIST, listed(invitation('bob', { role: 'owner' })));
  open({ role: 'admin' });
  const found = await screen.findAllByRole('button', { name: /invitation to bob/ });
  expect(found.map((button) => (button as HTMLButtonElement).disabled)).toEqual([true, true]);
});

test('an organisation without invitations says how long one is valid', async () => {
  answer(LIST, listed());
  open();
  await screen.findByText(/An invitation is valid for seven days/);
});

test('whoever may not withdraw invitations is told who sees them, and nothing is asked', async () => {
  open({ role: 'member', elements: [] });
  await screen.findByText('Only owners and admins can see invitations.');
  await waitFor(() => expect(calls(MINE)).toBe(1));
  expect(calls(LIST)).toBe(0);
});
