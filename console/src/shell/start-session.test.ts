// When a tab takes a fresh token, and when the one there is must stay.

import type { Api } from '@gantry/ui/client/api.ts';
import { readToken, storeSession } from '@gantry/ui/session/session.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { holdShell } from '../parts/open-shells.ts';
import { startSession } from './start-session.ts';

/** As a browser has them, of one tab. */
class Locks {
  readonly #held = new Set<string>();
  async request(name: string, ...rest: unknown[]): Promise<unknown> {
    this.#held.add(name);
    const done = await (rest.at(-1) as () => unknown)();
    this.#held.delete(name);
    return done;
  }
  query() {
    return Promise.resolve({ held: [...this.#held].map((name) => ({ name })) });
  }
}

const api = (organization: string) =>
  ({
    call: ({ id }: { id: string }) =>
      Promise.resolve(
        id === 'getMyOrganization'
          ? { org_id: organization }
          : { token: 'fresh', account_id: 'acc-1', org_id: 'org-1', expires_at: '2099-01-01T00:00:00Z' },
      ),
  }) as unknown as Api;

beforeEach(() => {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new Locks() });
  storeSession({ token: 'old', accountId: 'acc-1', organizationId: 'org-1' });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
});

test('a tab that starts takes a fresh token', async () => {
  await startSession(api('org-1'));
  expect(readToken()).toBe('fresh');
});

test('beside an open terminal the token stays, until the terminal is closed', async () => {
  const close = holdShell();
  await startSession(api('org-1'));
  expect(readToken()).toBe('old');
  close();
  await new Promise((resolve) => setTimeout(resolve));
  await startSession(api('org-1'));
  expect(readToken()).toBe('fresh');
});

test('a token for another organisation than the one that is chosen is replaced all the same', async () => {
  holdShell();
  await startSession(api('org-2'));
  expect(readToken()).toBe('fresh');
});
