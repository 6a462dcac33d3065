// A component's test: what every app puts around a component, against an API whose network is played.
import { afterEach, beforeEach, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Api } from '../client/api.ts';
import { ApiProvider, newQueryClient } from '../client/use-api.tsx';
import { WordsProvider } from '../i18n/use-words.tsx';
import { type Phrases, Words } from '../i18n/words.ts';
import { ToastProvider } from '../widgets/toast.tsx';
import { words as english } from '../words/en.ts';

/** For each test of the file: fetches go to the returned mock, which answers what the test says. */
export function playNetwork() {
  const fetched = jest.fn<typeof fetch>();
  const real = globalThis.fetch;
  beforeEach(() => {
    globalThis.fetch = fetched;
    fetched.mockReset();
  });
  afterEach(() => {
    cleanup();
    globalThis.fetch = real;
  });
  return fetched;
}

export const answer = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
/** One thing, in the envelope that the API has for it. */
export const answerOf = (result: unknown): Response => answer({ code: 0, message: 'ok', result });

export interface Played {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export const playedResult = (result: unknown): Played => ({ body: { code: 0, message: 'ok', result } });
export const playedRefusal = (error: string, message: string, more: object = {}): Played => ({
  status: 400,
  body: { code: 40000, error, message, request_id: 'r', ...more },
});

/**
 * Like `playNetwork`, with answers by request, such as `GET /api/settings`: each call gets its next answer, and the last one
 * repeats; an unknown call fails. `bodies` are those of the calls that sent one, in order; `calls` counts all.
 */
export function playAnswers() {
  const fetched = playNetwork();
  const answers = new Map<string, readonly (Played | Promise<Played>)[]>();
  const sent: [call: string, body: unknown][] = [];
  const called: string[] = [];
  beforeEach(() => {
    answers.clear();
    sent.length = 0;
    called.length = 0;
    fetched.mockImplementation(async (url, init) => {
      const call = `${init?.method} ${url}`;
      called.push(call);
      if (init?.body) sent.push([call, JSON.parse(String(init.body))]);
      const [next, ...others] = answers.get(call) ?? [];
      if (!next) throw new TypeError(`nobody answers ${call}`);
      if (others.length > 0) answers.set(call, others);
      const played = await next;
      return new Response(JSON.stringify(played.body), played);
    });
  });
  return {
    answer: (call: string, ...played: readonly (Played | Promise<Played>)[]) => void answers.set(call, played),
    bodies: (call: string) => sent.filter(([name]) => name === call).map(([, body]) => body),
    calls: (call: string) => called.filter((name) => name === call).length,
  };
}

/** The API client's messages for failed calls. */
const FAILURES = { network: 'Connection failed.', timed_out: 'Too late.', bad_answer: 'No answer of ours.' };

/** A wrapper for `render`, in English; `areas` are words besides those of all apps. */
export function appAround(areas: Readonly<Record<string, Phrases>> = {}, client = newQueryClient()) {
  const words = new Words('en');
  for (const [area, phrases] of Object.entries({ ui: english, ...areas })) words.add(area, phrases);
  const api = new Api({ token: () => 'tok', language: 'en', failures: FAILURES });
  return ({ children }: { children: ReactNode }) => (
    <WordsProvider words={words}>
      <ToastProvider>
        <ApiProvider api={api}>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </ApiProvider>
      </ToastProvider>
    </WordsProvider>
  );
}
