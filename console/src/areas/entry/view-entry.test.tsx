// A ticket of the operators' console becomes this tab's session, once.
import { readToken } from '@gantry/ui/session/session.ts';
import { forgetView, readView, storeView } from '@gantry/ui/session/view-session.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { afterEach, expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { ViewEntry } from './view-entry.tsx';
import { words as entry } from './words/en.ts';

const START = 'POST /api/auth/v1/view';
const api = playAnswers();
afterEach(forgetView);

const show = (ticket: string | null, go = jest.fn()) => {
  render(
    <StrictMode>
      <ViewEntry ticket={ticket} go={go} />
    </StrictMode>,
    { wrapper: appAround({ entry }) },
  );
  return go;
};

test('the ticket is sent once, and leaves the address', async () => {
  history.replaceState(null, '', '/login?view=abc');
  api.answer(
    START,
    playedResult({
      token: 'gtv_1',
      expires_at: '2099-01-01T00:00:00Z',
      account_id: 'acc-staff',
      account_name: 'sam',
      org_id: 'otherorg',
      org_name: 'Other',
      reason: 'ticket 4711',
    }),
  );
  const go = show('abc');
  await waitFor(() => expect(go).toHaveBeenCalledWith('/home'));
  expect(api.bodies(START)).toEqual([{ ticket: 'abc' }]);
  expect([location.search, readToken()]).toEqual(['', 'gtv_1']);
  expect(readView()).toMatchObject({ organizationName: 'Other', accountName: 'sam', reason: 'ticket 4711' });
});

test('a ticket that is used up says so, and leaves the tab without a session', async () => {
  api.answer(START, playedRefusal('view_ticket', 'This link has been used.'));
  const go = show('abc');
  expect(await screen.findByText('This link has been used.')).toBeTruthy();
  expect([go.mock.calls, readView()]).toEqual([[], 'over']);
});

test('a view that is over says so', () => {
  storeView({
    ...{ token: 't', accountId: 'a', accountName: 'n', organizationId: 'o', organizationName: 'o', reason: 'r' },
    expiresAt: '2001-01-01T00:00:00Z',
  });
  show(null);
  expect(screen.getByText(entry.view.over)).toBeTruthy();
});
