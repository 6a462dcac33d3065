// Changes of the session in other tabs, and the previous person: nothing that somebody else typed stays in this tab.
import { forgetSession, storeSession } from '@gantry/ui/session/session.ts';
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { draftKey, keepDraft, wayToDraft } from '../parts/draft.ts';
import { words as parts } from '../parts/words/en.ts';
import { words as shell } from './words/en.ts';

// A test cannot reload a page: it checks that the reload is requested.
const leaveAtOnce = jest.fn();
const holding = await import('@gantry/ui/session/hold-reload.ts');
jest.unstable_mockModule('@gantry/ui/session/hold-reload.ts', () => ({ ...holding, leaveAtOnce }));
const { SignedIn } = await import('./signed-in.tsx');

const ADA = { token: 'tok', accountId: 'acc-ada', organizationId: 'org-a' };
const BOB = { ...ADA, accountId: 'acc-bob' };
const fetched = playNetwork();

beforeEach(() => {
  sessionStorage.clear();
  leaveAtOnce.mockReset();
  fetched.mockImplementation(() => new Promise(() => {}));
  storeSession(ADA);
  keepDraft(draftKey('instance'), { values: {}, path: '/typed', search: '' });
});

async function load() {
  const router = createMemoryRouter([{ Component: SignedIn, children: [{ path: '*', element: <p>a page</p> }] }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts, shell }) });
  await screen.findByText('a page');
}

/** In another tab. */
const elsewhere = (happens: () => void) =>
  act(() => {
    happens();
    dispatchEvent(new StorageEvent('storage', { key: 'gantry_account_id' }));
  });

/** Ada's way to her draft after she logs in here again. */
const hers = () => {
  storeSession(ADA);
  return wayToDraft('instance');
};

test('who comes back finds what they typed', async () => {
  await load();
  expect(hers()).toBe('/typed');
});

test('who signs in after somebody else leaves nothing of theirs', async () => {
  storeSession(BOB);
  await load();
  expect(hers()).toBeUndefined();
});

test.each([
  ['signing out', forgetSession],
  ["somebody else's signing in", () => storeSession(BOB)],
])('%s in another tab takes with it what was typed in this one, which begins anew', async (_, happens) => {
  await load();
  elsewhere(happens);
  expect(leaveAtOnce).toHaveBeenCalledTimes(1);
  expect(hers()).toBeUndefined();
});

test('another organisation of the same person, chosen in another tab, leaves what was typed', async () => {
  await load();
  elsewhere(() => storeSession({ ...ADA, organizationId: 'org-b' }));
  expect(leaveAtOnce).toHaveBeenCalledTimes(1);
  expect(hers()).toBe('/typed');
});
