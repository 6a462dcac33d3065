// People who reach the program, and people who are led to the sign-in.

import { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { keepSessionApart, readToken, storeSession } from '@gantry/ui/session/session.ts';
import { playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { startProgram } from './start-program.ts';

const { answer } = playAnswers();
const FAILURES = { network: 'No network.', timed_out: 'Too late.', bad_answer: 'No answer of ours.' };
const start = () =>
  startProgram({
    api: new Api({ token: readToken, language: 'en', failures: FAILURES }),
    client: newQueryClient(),
    here: '/manage/user?filter={}',
  });
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

keepSessionApart('admin');
beforeEach(() => {
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'acme' });
  answer('GET /api/auth/v1/account/me', playedResult({ account_id: 'acc-1' }));
  answer('GET /api/iam/v1/oauth/front?console=admin', { body: { code: 0, message: 'ok', data: [] } });
  answer('GET /api/settings', playedResult({ staff_second_factor: 'optional' }));
});

test('the session of the operators’ console has names of its own', () => {
  expect(document.cookie).toContain('gantry_admin_token=tok');
  expect(document.cookie).not.toMatch(/(^|; )gantry_token=/);
  expect(localStorage.getItem('gantry_account_id')).toBeNull();
});

test('with a session that holds, the program starts', async () => {
  expect(await thrown(start())).toBeUndefined();
});

test('a session that is over is forgotten, and the sign-in leads back', async () => {
  answer('GET /api/auth/v1/account/me', {
    status: 401,
    body: { code: 40101, error: 'unauthenticated', message: 'no valid user token provided', request_id: 'r' },
  });
  const answered = (await thrown(start())) as Response;
  expect(answered.headers.get('location')).toBe('/login?next=%2Fmanage%2Fuser%3Ffilter%3D%7B%7D');
  expect(readToken()).toBeUndefined();
});

test('a server that is away does not end the session: the page offers to try again', async () => {
  answer('GET /api/auth/v1/account/me', { status: 502, body: 'no JSON of ours' });
  expect(await thrown(start())).toBeInstanceOf(ApiProblem);
  expect(readToken()).toBe('tok');
});
