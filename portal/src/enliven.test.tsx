// What a page does in a browser without React: votes, copying, the kept language, and who is signed in.

import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
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

test('a visitor is shown the way in, and who is signed in the way to the console', () => {
  live(<Visitor site={SURROUNDINGS.site} />);
  const shown = () =>
    [...document.querySelectorAll('a')].filter((link) => !link.closest('[hidden]')).map((link) => link.textContent);
  expect(shown()).toEqual(['Log in', 'Create an account']);
  storeSession({ token: 'tok', accountId: 'acc', organizationId: 'org' });
  enliven(document);
  expect(shown()).toEqual(['Console']);
});
