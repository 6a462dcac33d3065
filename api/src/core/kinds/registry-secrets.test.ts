import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { expect, test } from '@jest/globals';
import { RegistrySecrets } from './registry-secrets.ts';

const PLACE = { namespace: 'org-acme', name: 'ghcr' };
const LOGIN = { server: 'ghcr.io:5000', user: 'ann', token: 'se:"cret' };

function secrets(answer: () => Promise<unknown>) {
  const done: (KubeObject & { data?: Record<string, string>; type?: string })[] = [];
  const write = async (_: unknown, object: KubeObject) => {
    done.push(object);
    return answer();
  };
  return { done, secrets: new RegistrySecrets({ create: write, delete: write } as never) };
}
const refused =
  (code: number, reason: string, message = '') =>
  () =>
    Promise.reject(new ApiError(code, { reason, message }));
const POLICY = 'gantry-gateway-secrets';
const KEPT = `secrets "ghcr" is forbidden: ValidatingAdmissionPolicy '${POLICY}' with binding '${POLICY}' denied request: The gateway writes only Secrets that carry gantry.dev/managed`;
const made = async () => ({ metadata: { uid: 'uid-1' } });

test("it is a pull secret as kubelets read it, and the platform's", async () => {
  const { done, secrets: of } = secrets(made);
  expect(await of.create(PLACE, LOGIN)).toBe('uid-1');
  const [object] = done;
  const metadata = { ...PLACE, labels: { 'gantry.dev/managed': 'true' } };
  expect(object).toMatchObject({ type: 'kubernetes.io/dockerconfigjson', metadata });
  expect(JSON.parse(Buffer.from(object?.data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
    auths: {
      'ghcr.io:5000': {
        username: 'ann',
        password: LOGIN.token,
        auth: Buffer.from(`ann:${LOGIN.token}`).toString('base64'),
      },
    },
  });
});

test.each(['docker.io', 'index.docker.io'])('%s has the key that kubelets look for', async (server) => {
  const { done, secrets: of } = secrets(made);
  await of.create(PLACE, { ...LOGIN, server });
  const config = Buffer.from(done[0]?.data?.['.dockerconfigjson'] ?? '', 'base64').toString();
  expect(Object.keys(JSON.parse(config).auths)).toEqual(['https://index.docker.io/v1/']);
});

test.each([
  ['a name that is taken', refused(409, 'AlreadyExists'), 'taken'],
  ['no namespace', refused(404, 'NotFound'), undefined],
])('%s is told', async (_, answer, expected) => {
  expect(await secrets(answer).secrets.create(PLACE, LOGIN)).toBe(expected);
});

test.each([
  ['gone', refused(404, 'NotFound')],
  ['another of the name', refused(409, 'Conflict')],
])('removing one that is %s is no error', async (_, answer) => {
  const { secrets: of, done } = secrets(answer);
  await of.remove({ ...PLACE, uid: 'uid-1' });
  expect(done[0]).toMatchObject({ ...PLACE, uid: 'uid-1' });
});

test("removing by name leaves a member's own Secret of the name, which the policy keeps", async () => {
  const { secrets: of, done } = secrets(refused(403, 'Forbidden', KEPT));
  await of.remove({ ...PLACE, uid: undefined });
  expect(done).toEqual([{ apiVersion: 'v1', kind: 'Secret', ...PLACE }]);
});

test('any other refusal is not swallowed', async () => {
  await expect(secrets(refused(403, 'Forbidden')).secrets.create(PLACE, LOGIN)).rejects.toThrow();
  await expect(secrets(refused(403, 'Forbidden')).secrets.remove({ ...PLACE, uid: 'u' })).rejects.toThrow();
  await expect(secrets(refused(403, 'Forbidden')).secrets.remove({ ...PLACE, uid: undefined })).rejects.toThrow();
  await expect(secrets(refused(403, 'Forbidden', KEPT)).secrets.remove({ ...PLACE, uid: 'u' })).rejects.toThrow();
});
