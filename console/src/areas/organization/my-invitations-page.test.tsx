// Invitations as the invited person answers them, against an API whose answers are played.
import { forgetSession, readOrganizationId } from '@gantry/ui/session/session.ts';
import { appAround, type Played, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { MyInvitationsPage } from './my-invitations-page.tsx';
import { words as english } from './words/en.ts';

const LIST = 'GET /api/account/v1/invitation?page=1&size=100';
const ACCEPT = 'POST /api/account/v1/invitation/inv-1/accept';
const DECLINE = 'POST /api/account/v1/invitation/inv-1/decline';
const SWITCH = 'POST /api/iam/v1/oauth/switch';
const INVITATION = {
  id: 'inv-1',
  org_id: 'acme',
  org_name: 'Acme',
  role: 'member',
  invited_by: 'ada',
  create_time: '2026-11-23T02:00:00Z',
  expiration_time: '2026-11-30T02:00:00Z',
};

const listed = (...list: object[]): Played => ({
  body: {
    code: 0,
    message: 'ok',
    data: list,
    paginated: { page: 1, size: 100, total_num: list.length, total_page: 1, num: list.length },
  },
});

const { answer, bodies } = playAnswers();
beforeEach(forgetSession);

function load(path = '/invitations') {
  const page = (
    <MemoryRouter initialEntries={[path]}>
      <MyInvitationsPage />
    </MemoryRouter>
  );
  render(page, { wrapper: appAround({ organization: english }) });
  return userEvent.setup();
}

test('the page says what accepting reveals to others, and accepting leads into the organisation', async () => {
  answer(LIST, listed(INVITATION));
  answer(ACCEPT, playedResult({ org_id: 'acme', role: 'member' }));
  answer(SWITCH, playedResult({ token: 'new', account_id: 'bob', org_id: 'acme', expires_at: '2026-11-30T02:00:00Z' }));
  const user = load();
  await screen.findByText(/ada invites you to join as Member/);
  screen.getByText(/see your e-mail address and phone number/);
  expect(readOrganizationId()).toBeUndefined();
  await user.click(screen.getByRole('button', { name: 'Accept the invitation to Acme' }));
  await waitFor(() => expect(readOrganizationId()).toBe('acme'));
  expect(bodies(SWITCH)).toEqual([{ org_id: 'acme' }]);
});

test('an invitation that is over says so, and one stays', async () => {
  answer(LIST, listed(INVITATION));
  answer(ACCEPT, playedRefusal('invitation_closed', 'This invitation is no longer open.'));
  const user = load();
  await user.click(await screen.findByRole('button', { name: 'Accept the invitation to Acme' }));
  await screen.findByText('This invitation is no longer open.');
  expect(readOrganizationId()).toBeUndefined();
});

test('the invitation of the letter’s link comes first', async () => {
  answer(LIST, listed(INVITATION, { ...INVITATION, id: 'aB3xY9zQ0kLm', org_id: 'other', org_name: 'Other' }));
  load('/invitations?code=aB3xY9zQ0kLm');
  await screen.findByText('Other');
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['Other', 'Acme']);
  expect(screen.queryByText(/is not open for this account/)).toBeNull();
});

test('a link whose invitation is not for this account says so', async () => {
  answer(LIST, listed(INVITATION));
  load('/invitations?code=aB3xY9zQ0kLm');
  await screen.findByText('Acme');
  expect(screen.getByText(/Invitation aB3xY9zQ0kLm is not open for this account/)).toBeTruthy();
});

test('a declined invitation is gone', async () => {
  answer(LIST, listed(INVITATION), listed());
  answer(DECLINE, { body: { code: 0, message: 'ok' } });
  const user = load();
  await user.click(await screen.findByRole('button', { name: 'Decline the invitation to Acme' }));
  await screen.findByText('You have no pending invitations');
});
