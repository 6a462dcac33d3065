// Signing in as a person does it, against an API whose answers are played.
import { forgetSession, readOrganizationId, readToken } from '@gantry/ui/session/session.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { LoginPage } from './login-page.tsx';
import { forgetProviderLogin, keepProviderLogin } from './provider-login.ts';
import { words as english } from './words/en.ts';

const LOGIN = 'POST /api/auth/v1/login';
const SETTINGS = {
  market: 'overseas',
  register_type: 'email',
  login_types: ['password'],
  login_providers: [] as { id: string; name: string }[],
  terms_version: '1',
  region_label: 'US East Washington',
};
const SESSION = { token: 'tok', account_id: 'acc-1', org_id: 'org-1', expires_at: '2126-01-01T00:00:00Z' };

const { answer, bodies } = playAnswers();
beforeEach(() => {
  forgetSession();
  forgetProviderLogin();
  answer('GET /api/settings', playedResult(SETTINGS));
  answer('GET /api/elnode/v1/spec', { body: { code: 0, message: 'ok', data: [] } });
  answer(
    'GET /api/paybill/v1/out-billing-config',
    playedResult({ currency: 'USD', prices: [], disk: { amount: null } }),
  );
});

function show(address = '/login?next=%2Fdevelop%2Finstance') {
  const router = createMemoryRouter(
    [
      { path: '/login', Component: LoginPage },
      { path: '*', element: <p>another page</p> },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ entry: english }) });
  return router;
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const press = (button: HTMLElement) => fireEvent.click(button);

async function typePassword(password: string) {
  type(await screen.findByLabelText('Username, e-mail or phone number'), 'ada');
  type(screen.getByLabelText('Password'), password);
  press(screen.getByText('Log in', { selector: 'button' }));
}

async function typeCode(code: string) {
  type(await screen.findByLabelText('Code'), code);
  press(screen.getByText('Continue'));
}

test('a right password enters, and goes where one wanted to', async () => {
  answer(LOGIN, playedResult(SESSION));
  const router = show();
  await typePassword('Correct-horse-7');
  await screen.findByText('another page');
  expect(router.state.location.pathname).toBe('/develop/instance');
  expect([readToken(), readOrganizationId()]).toEqual(['tok', 'org-1']);
});

test('a wrong one shows the sentence of the server, and keeps what was typed', async () => {
  answer(LOGIN, playedRefusal('login_failed', 'Wrong account or password.'));
  show();
  await typePassword('Wrong-horse-7');
  await screen.findByText('Wrong account or password.');
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('Wrong-horse-7');
  expect(readToken()).toBeUndefined();
});

test('nothing typed is said at the fields, and nobody is asked', async () => {
  show();
  press(await screen.findByText('Log in', { selector: 'button' }));
  await screen.findByText('Please enter your password.');
  expect(bodies(LOGIN)).toEqual([]);
});

test('with a second factor one enters by its code alone; spaces in it do no harm', async () => {
  answer(LOGIN, playedResult({ second_factor: true, ticket: 't1' }), playedResult(SESSION));
  show();
  await typePassword('Correct-horse-7');
  await typeCode('123 456');
  await screen.findByText('another page');
  expect(bodies(LOGIN).at(-1)).toEqual({ ticket: 't1', code: '123456' });
});

test('a second factor that took too long begins again, and says so', async () => {
  answer(
    LOGIN,
    playedResult({ second_factor: true, ticket: 't1' }),
    playedRefusal('login_over', 'The login took too long; start again.'),
  );
  show();
  await typePassword('Correct-horse-7');
  await typeCode('123456');
  await screen.findByText('The login took too long; start again.');
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

test.each([
  ['a provider before the password', ['oidc', 'password'], Node.DOCUMENT_POSITION_FOLLOWING],
  ['the password before a provider', ['password', 'oidc'], Node.DOCUMENT_POSITION_PRECEDING],
])('the settings put %s', async (_, login_types, place) => {
  const login_providers = [{ id: 'corp', name: 'Corp' }];
  answer('GET /api/settings', playedResult({ ...SETTINGS, login_types, login_providers }));
  show();
  const provider = await screen.findByRole('button', { name: 'Continue with Corp' });
  const password = screen.getByLabelText('Password');
  expect(provider.compareDocumentPosition(password)).toBe(place);
});

test('back from a provider, one goes where one wanted to before', async () => {
  keepProviderLogin({ id: 'lgn-1', secret: 's', provider: 'corp', next: '/gpu/storage' }, Date.now());
  answer('GET /api/auth/v1/login/lgn-1', playedResult(SESSION));
  const router = show('/login?login=lgn-1');
  await screen.findByText('another page');
  expect(router.state.location.pathname).toBe('/gpu/storage');
});

test('a provider’s login that was begun elsewhere gives nothing', async () => {
  show('/login?login=lgn-2');
  await screen.findByText(english.provider.late);
  expect(readToken()).toBeUndefined();
});

test('who is new at a provider accepts the terms before an account is made', async () => {
  keepProviderLogin({ id: 'lgn-1', secret: 's', provider: 'corp', next: null }, Date.now());
  const login_providers = [{ id: 'corp', name: 'Corp' }];
  answer('GET /api/settings', playedResult({ ...SETTINGS, login_types: ['oidc'], login_providers }));
  answer('GET /api/auth/v1/login/lgn-1', playedRefusal('terms_not_accepted', 'The terms must be accepted.'));
  answer(LOGIN, playedRefusal('unavailable', 'Later, please.'));
  show('/login?login=lgn-1');
  const go = (await screen.findByRole('button', { name: 'Continue with Corp' })) as HTMLButtonElement;
  expect(go.disabled).toBe(true);
  press(screen.getByRole('checkbox'));
  press(go);
  await screen.findByText('Later, please.');
  expect(bodies(LOGIN)).toEqual([{ provider: 'corp', locale: 'en', terms_version: '1' }]);
});
