import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { expect, test } from '@jest/globals';
import { RegistrySecrets } from './registry-secrets.ts';

const PLACE = { namespace: 'org-acme', name: 'ghcr' };
const LOGIN = { server: 'ghcr.io:5000', user: 'ann', token: 'se:"cret' };

function secrets(answer: () => Promise<unknown>) {
  const done: { user: string; object: KubeObject & { data?: Record<string, string>; type?: string } }[] = [];
  const of = (user: string) => async (_: unknown, object: KubeObject) => {
    done.push({ user, object });
    return answer();
  };
  return {
    done,
    secrets: new RegistrySecrets({ as: (user: string) => ({ create: of(user), delete: of(user) }) } as never),
  };
}
const refused = (code: number, reason: string) => () => Promise.reject(new ApiError(code, { reason }));
const made = async () => ({ metadata: { uid: 'uid-1' } });

test('it is a pull secret as kubelets read it, made by the member', async () => {
  const { done, secrets: of } = secrets(made);
  expect(await of.create('ann', PLACE, LOGIN)).toBe('uid-1');
  const [{ user, object } = { user: '', object: {} as never }] = done;
  expect([user, object.type, object.metadata]).toEqual(['ann', 'kubernetes.io/dockerconfigjson', PLACE]);
  expect(JSON.parse(Buffer.from(object.data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
    auths: {
      'ghcr.io:5000': {
        username: 'ann',
        password: LOGIN.token,
        auth: Buffer.from(`ann:${LOGIN.token}`).toString('base64'),
      },
    },
  });
});

test.each(['docker.io', 'index.docker.io', 'Docker.io'])('%s has the key that kubelets look for', async (server) => {
  const { done, secrets: of } = secrets(made);
  await of.create('ann', PLACE, { ...LOGIN, server });
  const config = Buffer.from(done[0]?.object.data?.['.dockerconfigjson'] ?? '', 'base64').toString();
  expect(Object.keys(JSON.parse(config).auths)).toEqual(['https://index.docker.io/v1/']);
});

test.each([
  ['a name that is taken', refused(409, 'AlreadyExists'), 'taken'],
  ['no namespace', refused(404, 'NotFound'), undefined],
])('%s is told', async (_, answer, expected) => {
  expect(await secrets(answer).secrets.create('ann', PLACE, LOGIN)).toBe(expected);
});

test.each([
  ['gone', refused(404, 'NotFound')],
  ['another of the name', refused(409, 'Conflict')],
])('removing one that is %s is no error', async (_, answer) => {
  const { secrets: of, done } = secrets(answer);
  await of.remove('ann', { ...PLACE, uid: 'uid-1' });
  expect(done[0]?.object).toMatchObject({ ...PLACE, uid: 'uid-1' });
});

test('any other refusal is not swallowed', async () => {
  await expect(secrets(refused(403, 'Forbidden')).secrets.create('ann', PLACE, LOGIN)).rejects.toThrow();
  await expect(secrets(refused(403, 'Forbidden')).secrets.remove('ann', { ...PLACE, uid: 'u' })).rejects.toThrow();
});
