// The dialog that invites people, against an API whose answers are played.
import type { OrgRole } from '@gantry/contract/roles.ts';
import { appAround, type Played, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as english } from '../words/en.ts';
import { InvitePeople } from './invite-people.tsx';

const INVITE = 'POST /api/auth/v1/organization/acme/invitation';
const OWNER: OrgRole = 'owner';
const PEOPLE = 'Names or e-mail addresses';
const { answer, bodies } = playAnswers();

const invited = (account: string) => ({ account, outcome: 'invited', error: null, message: null });
const refused = (account: string, message: string) => ({
  account,
  outcome: 'refused',
  error: 'already_member',
  message,
});
const answered = (...data: object[]): Played => ({ body: { code: 0, message: 'ok', data } });

function open() {
  render(<InvitePeople organizationId="acme" role={OWNER} onClose={() => {}} />, {
    wrapper: appAround({ organization: english }),
  });
  return userEvent.setup();
}

test('everybody who was typed is invited in the role that was chosen', async () => {
  answer(INVITE, answered(invited('bob'), invited('cleo@example.test')));
  const user = open();
  await user.type(screen.getByLabelText(PEOPLE), 'bob, Cleo <cleo@example.test>');
  screen.getByText('2 people');
  await user.click(screen.getByRole('combobox', { name: 'Role' }));
  await user.click(screen.getByRole('option', { name: /^Viewer/ }));
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('dialog', { name: 'Results' });
  expect(screen.getAllByText('Invited')).toHaveLength(2);
  expect(bodies(INVITE)).toEqual([
    {
      members: [
        { account: 'bob', role: 'viewer' },
        { account: 'cleo@example.test', role: 'viewer' },
      ],
    },
  ]);
});

test('people who were not invited come first, with the reason, and stay to be corrected', async () => {
  answer(INVITE, answered(invited('bob'), refused('cleo', 'cleo is already a member.')));
  const user = open();
  await user.type(screen.getByLabelText(PEOPLE), 'bob cleo');
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('dialog', { name: 'Results' });
  const rows = screen.getAllByRole('listitem');
  expect(rows).toHaveLength(2);
  within(rows[0] as HTMLElement).getByText('cleo is already a member.');
  within(rows[0] as HTMLElement).getByText('Not invited');
  within(rows[1] as HTMLElement).getByText('Invited');
  await user.click(screen.getByRole('button', { name: 'Invite more' }));
  expect((screen.getByLabelText(PEOPLE) as HTMLTextAreaElement).value).toBe('cleo');
});

test('without a name nothing is sent', async () => {
  const user = open();
  await user.type(screen.getByLabelText(PEOPLE), ' ,; ');
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByText('Enter at least one name or address.');
  expect(bodies(INVITE)).toEqual([]);
});

test('more people than one call takes are invited by several', async () => {
  const names = Array.from({ length: 101 }, (_, at) => `user${at}`);
  answer(INVITE, answered(...names.slice(0, 100).map(invited)), answered(invited('user100')));
  const user = open();
  await user.click(screen.getByLabelText(PEOPLE));
  await user.paste(names.join('\n'));
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('dialog', { name: 'Results' });
  expect(screen.getAllByRole('listitem')).toHaveLength(101);
  expect(bodies(INVITE).map((body) => (body as { members: unknown[] }).members.length)).toEqual([100, 1]);
});

test('a refusal of the whole call is shown where the names still stand', async () => {
  answer(INVITE, playedRefusal('session_needed', 'Log in again.'));
  const user = open();
  await user.type(screen.getByLabelText(PEOPLE), 'bob');
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByText('Log in again.');
  expect((screen.getByLabelText(PEOPLE) as HTMLTextAreaElement).value).toBe('bob');
});
