// The banner of a view: whose console it is, how long, and its end in this tab alone.
import { forgetSession, readAccountId, readToken, storeSession } from '@gantry/ui/session/session.ts';
import { forgetView, readView, storeView } from '@gantry/ui/session/view-session.ts';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { words as shell } from './words/en.ts';

const leaveAtOnce = jest.fn();
const holding = await import('@gantry/ui/session/hold-reload.ts');
jest.unstable_mockModule('@gantry/ui/session/hold-reload.ts', () => ({ ...holding, leaveAtOnce }));
const { ViewBanner } = await import('./view-banner.tsx');

const fetched = playNetwork();
const OWN = { token: 'own', accountId: 'acc-own', organizationId: 'org-own' };
const VIEW = {
  token: 'gtv_1',
  accountId: 'acc-staff',
  accountName: 'sam',
  organizationId: 'otherorg',
  organizationName: 'Other <b>Org</b>',
  reason: 'ticket 4711',
};
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

beforeEach(() => {
  leaveAtOnce.mockReset();
  storeSession(OWN);
});
afterEach(() => {
  forgetView();
  forgetSession();
});

const show = () => render(<ViewBanner />, { wrapper: appAround({ shell }) });

test('there is none in a console of one’s own', () => {
  show();
  expect(screen.queryByRole('complementary')).toBeNull();
});

test('says whose it is as text, who looks, why and for how long', () => {
  storeView({ ...VIEW, expiresAt: inMs(29 * 60_000 + 500) });
  show();
  expect(screen.getByRole('complementary', { name: 'View as tenant' }).textContent).toMatch(
    /^You are viewing Other <b>Org<\/b> as sam of the platform’s staff: read only, 29:0[01] left\. Reason: ticket 4711End$/,
  );
});

test('its end is told to the server, and leaves the own session of this machine', async () => {
  storeView({ ...VIEW, expiresAt: inMs(60_000) });
  expect([readToken(), readAccountId()]).toEqual(['gtv_1', 'acc-staff']);
  fetched.mockImplementation(async () => answer({ code: 0, message: 'ok' }));
  show();
  fireEvent.click(screen.getByRole('button', { name: 'End' }));
  await waitFor(() => expect(leaveAtOnce).toHaveBeenCalledTimes(1));
  expect(String(fetched.mock.calls[0]?.[0])).toContain('/auth/v1/view/end');
  expect([readView(), readToken()]).toEqual(['over', undefined]);
  forgetView();
  expect([readToken(), readAccountId()]).toEqual(['own', 'acc-own']);
});

test('a view that is refused is forgotten without the own session', () => {
  storeView({ ...VIEW, expiresAt: inMs(60_000) });
  forgetSession();
  expect(readToken()).toBeUndefined();
  forgetView();
  expect(readToken()).toBe('own');
});
