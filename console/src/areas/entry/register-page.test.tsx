// Registering as a person does it, with reloads on the way, against an API with scripted answers.
import { forgetSession } from '@gantry/ui/session/session.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as partsWords } from '../../parts/words/en.ts';
import { keepProof } from './kept-proof.ts';
import { words as english } from './words/en.ts';

// The puzzle's own element needs a browser with workers; the code around it only listens to its events.
jest.unstable_mockModule('altcha', () => ({}));
const { RegisterPage } = await import('./register-page.tsx');

const SEND = 'POST /api/auth/v1/captcha/email';
const VERIFY = 'POST /api/auth/v1/register/verify';
const REGISTER = 'POST /api/auth/v1/register/account';
const ADDRESS = 'ada@example.com';

const { answer, bodies } = playAnswers();
beforeEach(() => {
  forgetSession();
  sessionStorage.clear();
  answer('GET /api/settings', playedResult({ register_type: 'email', terms_version: '1', region_label: 'Here' }));
  answer(SEND, playedResult({ resend_after_s: 60 }));
  answer(VERIFY, playedResult({ ticket: 'proven' }));
});

/** As a browser shows the page when it is loaded: whatever was there before is gone. */
function load(address = '/register') {
  cleanup();
  const router = createMemoryRouter(
    [
      { path: '/register', Component: RegisterPage },
      { path: '*', element: <p>another page</p> },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts: partsWords, entry: english }) });
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typed = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

async function solvePuzzle() {
  await act(async () => undefined);
  const detail = { state: 'verified', payload: 'solved' };
  act(() => void document.querySelector('altcha-widget')?.dispatchEvent(new CustomEvent('statechange', { detail })));
}

async function sendCode() {
  await screen.findByLabelText('E-mail address');
  type('E-mail address', ADDRESS);
  await solvePuzzle();
  press('Send code');
  await screen.findByRole('button', { name: /Send another in/ });
}

async function makeAccount() {
  await screen.findByLabelText('Username');
  type('Username', 'ada-l');
  type('Password', 'Correct-horse-7');
  type('Repeat password', 'Correct-horse-7');
  fireEvent.click(screen.getByRole('checkbox'));
  press('Create account');
}

test('loaded anew once a code was sent, the page still knows where to, and how long until another', async () => {
  load();
  await sendCode();
  load();
  await screen.findByText(/If ada@example.com can be used/);
  expect(typed('E-mail address')).toBe(ADDRESS);
  screen.getByRole('button', { name: /Send another in/ });
  type('Verification code', '123 456');
  press('Continue');
  await screen.findByText('Step 2 of 2');
  expect(bodies(VERIFY)).toEqual([{ email: ADDRESS, code: '123456' }]);
});

test('loaded anew in the second step, it goes on there, and the account is made with what the code gave', async () => {
  answer(REGISTER, playedResult({ account_id: 'acc-1', username: 'ada-l' }));
  load();
  await sendCode();
  type('Verification code', '123456');
  press('Continue');
  await screen.findByText('Step 2 of 2');
  load();
  await makeAccount();
  await screen.findByText('another page');
  expect(bodies(REGISTER)[0]).toMatchObject({ username: 'ada-l', ticket: 'proven' });
  // Another account on this machine is verified again.
  load();
  await screen.findByText('Step 1 of 2');
});

test('an expired proof is refused with advice, and one can begin again', async () => {
  answer(REGISTER, playedRefusal('registration_failed', 'Registration failed.'));
  keepProof('register', { address: ADDRESS, resendAt: 0, ticket: 'old' }, Date.now());
  load();
  await makeAccount();
  await screen.findByText(/^Registration failed\. .*start again below/);
  press(/Start again/);
  await screen.findByText('Step 1 of 2');
});

test('a proof of more than ten minutes ago is none', async () => {
  keepProof('register', { address: ADDRESS, resendAt: 0, ticket: 'old' }, Date.now() - 11 * 60_000);
  load();
  await screen.findByText('Step 1 of 2');
});

test('a code that was used says what to do, until another is typed', async () => {
  answer(VERIFY, playedRefusal('code_wrong', 'Verification code error.', { field: 'code' }));
  load();
  await sendCode();
  type('Verification code', '123456');
  press('Continue');
  await screen.findByText(/^Verification code error\. .*send another one/);
  type('Verification code', '12345');
  await screen.findByText('Six digits, valid for 10 minutes');
});

test('who asks for a code too early is told that one is on its way, and counts down to the next', async () => {
  const early = playedRefusal('code_too_soon', 'Ask for another in 14 seconds.');
  answer(SEND, { ...early, status: 429, headers: { 'Retry-After': '14' } });
  load();
  await sendCode();
  await screen.findByText(/If ada@example.com can be used/);
  expect(screen.queryByText(/Ask for another/)).toBeNull();
});

test('the error about an address goes once it is corrected', async () => {
  load();
  await screen.findByLabelText('E-mail address');
  type('E-mail address', 'ada@');
  press('Send code');
  await screen.findByText('Please enter a valid e-mail address.');
  type('E-mail address', ADDRESS);
  expect(screen.queryByText('Please enter a valid e-mail address.')).toBeNull();
});

const INVITED = `/register#email=${encodeURIComponent('Grace+gpu@example.com')}`;

test('an invitation brings its address', async () => {
  load(INVITED);
  await screen.findByLabelText('E-mail address');
  expect(typed('E-mail address')).toBe('Grace+gpu@example.com');
});

test('an invitation that is followed brings its address, whatever other was proven here before', async () => {
  keepProof('register', { address: ADDRESS, resendAt: 0, ticket: 'of another' }, Date.now());
  load(INVITED);
  await screen.findByLabelText('E-mail address');
  expect(typed('E-mail address')).toBe('Grace+gpu@example.com');
});

test('whoever proved the address of the link goes on, also from where the link was not', async () => {
  keepProof('register', { address: 'grace+gpu@example.com', resendAt: 0, ticket: 'proven' }, Date.now());
  load(INVITED);
  await screen.findByText('Step 2 of 2');
});

test('loaded anew with its link, it goes on with the other address that was typed there', async () => {
  load(INVITED);
  await sendCode();
  load(INVITED);
  await screen.findByText(/If ada@example.com can be used/);
  expect(typed('E-mail address')).toBe(ADDRESS);
});

test('where there is no room to keep it, a code that was sent is one that was sent', async () => {
  const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  try {
    load();
    await sendCode();
    await screen.findByText(/If ada@example.com can be used/);
    expect(screen.queryByText('full')).toBeNull();
  } finally {
    full.mockRestore();
  }
});

test('the button that sends the code solves the puzzle, if nobody has', async () => {
  load();
  await screen.findByLabelText('E-mail address');
  await act(async () => undefined);
  const widget = document.querySelector('altcha-widget') as HTMLElement;
  Object.assign(widget, { verify: async () => ({ payload: 'solved' }) });
  type('E-mail address', ADDRESS);
  press('Send code');
  await screen.findByRole('button', { name: /Send another in/ });
  expect(bodies(SEND)).toEqual([{ email: ADDRESS, purpose: 'register', captcha: 'solved' }]);
});

test.each([
  ['the first part of the address', 'grace.hopper@example.com', 'grace.hopper'],
  ['nothing where that is no name', ADDRESS, ''],
])('the suggested name is %s', async (_, address, name) => {
  keepProof('register', { address, resendAt: 0, ticket: 'proven' }, Date.now());
  load();
  await screen.findByLabelText('Username');
  expect(typed('Username')).toBe(name);
});
