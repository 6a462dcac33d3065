// What a page does in a browser without React: votes, copying, the kept language, and who is signed in.

import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { forgetSession, storeSession } from '@gantry/ui/session/session.ts';
import { afterEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { enliven } from './enliven.ts';
import { Command } from './parts/command.tsx';
import { Helpful } from './parts/helpful.tsx';
import { LanguageMenu } from './shell/language-menu.tsx';
import { Visitor } from './shell/visitor.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';
import { words as english } from './words/en.ts';

const words = new Words('en');
words.add('portal', english);
const before = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = before;
});

function live(part: ReactNode): void {
  enliven(render(<WordsProvider words={words}>{part}</WordsProvider>).container);
}

function voted(button: string, answer: Promise<Response>) {
  const calls = jest.fn<typeof fetch>(() => answer);
  globalThis.fetch = calls;
  live(<Helpful slug="ssh" votes={{ yes: 0, no: 0 }} />);
  fireEvent.click(screen.getByRole('button', { name: button }));
  return calls;
}

test('a vote is sent once, and thanked for', async () => {
  const calls = voted('No', Promise.resolve(new Response('{}')));
  expect(await screen.findByText('Thank you.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(calls.mock.calls.map(([url, init]) => [url, init?.method, init?.body])).toEqual([
    ['/api/portal/v1/articles/ssh/helpful', 'POST', '{"helpful":false}'],
  ]);
});

test.each([
  ['is refused', () => Promise.resolve(new Response('{}', { status: 429 }))],
  ['cannot be sent', () => Promise.reject(new TypeError('offline'))],
])('a vote that %s can be sent again', async (_, answer) => {
  voted('Yes', answer());
  expect(await screen.findByText(/was not sent/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Yes' })).toBeTruthy();
});

test('without scripts nobody is asked to vote', () => {
  render(
    <WordsProvider words={words}>
      <Helpful slug="ssh" votes={{ yes: 0, no: 0 }} />
    </WordsProvider>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('a command is copied as it stands', async () => {
  const writeText = jest.fn((_: string) => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  live(<Command text={'curl a \\\n  -d <b>'} label="The API" />);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(screen.getByRole('button').textContent).toBe('Copied'));
  expect(writeText).toHaveBeenCalledWith('curl a \\\n  -d <b>');
});

test('a chosen language is kept', () => {
  live(<LanguageMenu input={{ name: 'home', language: 'en', params: {}, query: {}, data: {}, ...SURROUNDINGS }} />);
  fireEvent.click(screen.getByText('日本語'));
  expect(document.cookie).toContain('gantry_language=ja');
});

const shown = () =>
  [...document.querySelectorAll('a, button, [data-account]')]
    .filter((link) => !link.closest('[hidden]'))
    .map((link) => link.textContent);

function signedIn(...answers: Promise<Response>[]) {
  const calls = jest.fn<typeof fetch>(() => answers.shift() ?? Promise.reject(new TypeError('offline')));
  globalThis.fetch = calls;
  storeSession({ token: 'tok', accountId: 'acc', organizationId: 'org' });
  live(<Visitor site={SURROUNDINGS.site} />);
  return calls;
}
const me = () => Promise.resolve(new Response(JSON.stringify({ result: { username: '<b>mei' } })));

test('a visitor is shown the way in', () => {
  forgetSession();
  live(<Visitor site={SURROUNDINGS.site} />);
  expect(shown()).toEqual(['Log in', 'Create an account']);
});

test('who is signed in has a menu with their name, and logs out', async () => {
  const calls = signedIn(me(), Promise.resolve(new Response('{}')));
  await waitFor(() => expect(shown()).toEqual(['<b>mei', 'Console', 'Log out']));
  fireEvent.click(screen.getByText('Log out'));
  await waitFor(() => expect(shown()).toEqual(['Log in', 'Create an account']));
  expect(calls.mock.calls.map(([url, init]) => [url, init?.method, new Headers(init?.headers).get('x-token')])).toEqual(
    [
      ['/api/auth/v1/account/me', undefined, 'tok'],
      ['/api/auth/v1/logout', 'POST', 'tok'],
    ],
  );
  expect(document.cookie).not.toContain('tok');
});

test('a session that is over is shown the way in', async () => {
  signedIn(Promise.resolve(new Response('{}', { status: 401 })));
  await waitFor(() => expect(shown()).toEqual(['Log in', 'Create an account']));
});

test('while the gateway is away the menu stays, and a logout that failed is told', async () => {
  signedIn();
  expect(shown()).toEqual(['Account', 'Console', 'Log out']);
  fireEvent.click(screen.getByText('Log out'));
  expect(await screen.findByText('Could not log out. Please try again.')).toBeTruthy();
  expect(document.cookie).toContain('tok');
});
