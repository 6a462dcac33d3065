// Access to pages: the six steps of the guard, by the answers of the calls.
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { forgetSession, readOrganizationId, readToken, storeSession } from '@gantry/ui/session/session.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { LoaderFunctionArgs } from 'react-router';
import type { MenuName } from '../area.ts';
import { Guard } from './guard.ts';
import { type Notice, onNotice } from './notices.ts';

const problem = (status: number, error: ApiProblem['error'] = 'internal') =>
  new ApiProblem({ status, code: 1, error, message: `${status}` });

interface Answers {
  [id: string]: unknown;
}

const GOOD: Answers = {
  switchOrganization: { token: 'fresh', account_id: 'ann', org_id: 'acme', expires_at: '2099-01-01T00:00:00Z' },
  getMyOrganization: { org_id: 'acme' },
  getMe: {},
  getPermissionNodes: [
    { pname: 'home', peltype: 'menu' },
    { pname: 'develop/instance', peltype: 'menu' },
    { pname: 'manage/billing', peltype: 'element' },
  ],
  getSettings: { console_variant: 'full' },
};

/** Answers that are errors are thrown; `calls` says which were made, with the token they were made with. */
function guarded(answers: Answers, here = '/elsewhere') {
  const calls: string[] = [];
  const api = {
    call: async ({ id }: { id: string }) => {
      calls.push(`${id} ${readToken()}`);
      const answer = answers[id];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Api;
  const guard = new Guard({ api, client: newQueryClient(), here: () => here });
  const go = async (path: string, menu?: MenuName) => {
    const args = { request: new Request(`http://localhost${path}`) } as LoaderFunctionArgs;
    try {
      await guard.loader(menu)(args);
      return 'shown';
    } catch (thrown) {
      return thrown instanceof Response ? `to ${thrown.headers.get('Location')}` : `failed: ${String(thrown)}`;
    }
  };
  return { go, calls };
}

beforeEach(() => {
  forgetSession();
  storeSession({ token: 'first', accountId: 'ann', organizationId: 'acme' });
});

describe('the guard', () => {
  test('without a token every page leads to the login, which knows where one wanted to', async () => {
    forgetSession();
    const { go, calls } = guarded(GOOD);
    expect(await go('/develop/instance?status=running', 'develop/instance')).toBe(
      'to /login?next=%2Fdevelop%2Finstance%3Fstatus%3Drunning',
    );
    expect(await go('/home', 'home')).toBe('to /login');
    expect(calls).toEqual([]);
  });

  test('the token is refreshed for the organisation before the nodes are asked for, and once', async () => {
    const { go, calls } = guarded(GOOD);
    expect(await go('/home', 'home')).toBe('shown');
    expect(await go('/develop/instance', 'develop/instance')).toBe('shown');
    expect(calls[0]).toBe('switchOrganization first');
    expect(calls.filter((call) => call.startsWith('getPermissionNodes'))).toEqual(['getPermissionNodes fresh']);
    expect(calls.filter((call) => call.startsWith('switchOrganization'))).toHaveLength(1);
  });

  test('an organisation that is not known is asked for', async () => {
    localStorage.removeItem('gantry_org_id');
    const { go, calls } = guarded(GOOD);
    expect(await go('/home', 'home')).toBe('shown');
    expect(calls.slice(0, 2)).toEqual(['getMyOrganization first', 'switchOrganization first']);
    expect(readOrganizationId()).toBe('acme');
  });

  const FAILURES: Record<string, { error: Error; token: string | undefined; noticed: number }> = {
    'a session that is over is forgotten': { error: problem(401), token: undefined, noticed: 0 },
    'a server in trouble is told of, and the session kept': { error: problem(500), token: 'first', noticed: 1 },
    'no network is told of, and the session kept': { error: problem(0, 'network'), token: 'first', noticed: 1 },
  };
  test.each(Object.entries(FAILURES))(
    'where the organisation fails, the login: %s',
    async (_, { error, token, noticed }) => {
      const notices: Notice[] = [];
      const end = onNotice((notice) => notices.push(notice));
      const { go } = guarded({ ...GOOD, switchOrganization: error });
      expect(await go('/develop/instance', 'develop/instance')).toBe('to /login?next=%2Fdevelop%2Finstance');
      end();
      expect(readToken()).toBe(token);
      expect(notices.map(({ kind }) => kind)).toEqual(noticed === 1 ? ['cancelled'] : []);
    },
  );

  test('after a failure it is tried again', async () => {
    const answers: Answers = { ...GOOD, switchOrganization: problem(500) };
    const { go } = guarded(answers);
    await go('/home', 'home');
    answers.switchOrganization = GOOD.switchOrganization;
    expect(await go('/home', 'home')).toBe('shown');
  });

  test('where the nodes fail, one stays on the page one is on', async () => {
    const { go } = guarded({ ...GOOD, getPermissionNodes: problem(500) }, '/help?at=1');
    expect(await go('/home', 'home')).toBe('to /help?at=1');
  });

  test('where the nodes fail for the first page, it says so', async () => {
    const { go } = guarded({ ...GOOD, getPermissionNodes: problem(500) }, '/home');
    expect(await go('/home', 'home')).toBe('failed: ApiProblem: 500');
  });

  const PAGES: Record<string, { menu?: MenuName; variant?: string; ends: string }> = {
    'a page that has its node is shown': { menu: 'develop/instance', ends: 'shown' },
    'a page without its node is not found': { menu: 'gpu/nodes', ends: 'to /404' },
    'an element of the same name opens no page': { menu: 'manage/billing', ends: 'to /404' },
    'a page of no menu is for whoever is signed in': { ends: 'shown' },
    'the account console has its own home': { menu: 'home', variant: 'account', ends: 'shown' },
    'the account console has no pages of the cluster': {
      menu: 'develop/instance',
      variant: 'account',
      ends: 'to /404',
    },
  };
  test.each(Object.entries(PAGES))('%s', async (_, { menu, variant = 'full', ends }) => {
    const { go } = guarded({ ...GOOD, getSettings: { console_variant: variant } });
    expect(await go('/page', menu)).toBe(ends);
  });
});
