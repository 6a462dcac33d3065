// The welcome of a new organisation promises credits only to a person who may still get them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { Welcome } from './welcome.tsx';
import { words as shell } from './words/en.ts';

const { answer } = playAnswers();

/** Says when the person's own state has arrived. */
const Known = () => useCall(CALLS.getOwnRealAuth, {}).data && <p>known</p>;

const NEW = { status: 0, personal: null, welcome_credit: 'none' };
const CERTIFIED = { status: 1, personal: { state: 'approved' } };

test.each([
  ['a new person is promised them', NEW, true],
  ['a person whose name is under review is promised them', { ...NEW, status: 3, personal: { state: 'pending' } }, true],
  ['a person who has had them is promised none', { ...CERTIFIED, welcome_credit: 'granted' }, false],
  [
    'a person who had them in another account is promised none',
    { ...CERTIFIED, welcome_credit: 'usedElsewhere' },
    false,
  ],
  ['a person certified without them is promised none', { ...CERTIFIED, welcome_credit: 'none' }, false],
  [
    'a certified person whose enterprise is under review is promised none',
    { ...CERTIFIED, status: 3, welcome_credit: 'granted' },
    false,
  ],
])('%s', async (_, own, isPromised) => {
  answer('GET /api/settings', playedResult({ market: 'overseas', welcome_credits: '100.00' }));
  answer(
    'GET /api/auth/v1/organization/me',
    playedResult({ org_id: 'acme', phase: 'ready', is_new: true, currency: 'USD' }),
  );
  answer('GET /api/account/v1/user-real-auth', playedResult(own));
  render(
    <MemoryRouter>
      <Welcome />
      <Known />
    </MemoryRouter>,
    { wrapper: appAround({ shell }) },
  );
  await screen.findByText('known');
  if (isPromised) expect(await screen.findByText('$100 of free credits are waiting for you')).toBeTruthy();
  else expect(screen.queryByText(shell.welcome.title)).toBeNull();
});
