import { expect, test } from '@jest/globals';
import { ApiError, NoAnswer } from './api-error.ts';
import { checkCluster, isUnreachable } from './check-cluster.ts';

const KINDS = [
  { kind: 'Image', plural: 'images' },
  { kind: 'Organization', plural: 'organizations' },
];
/** A cluster of this version that serves these of our kinds; undefined: not even the group. */
const clusterOf = (minor: string, served: string[] | undefined) => ({
  async raw<T>(path: string): Promise<T> {
    if (path === '/version') return { major: '1', minor, gitVersion: `v1.${minor}` } as T;
    if (served === undefined) throw new ApiError(404, { reason: 'NotFound' });
    return { resources: served.map((name) => ({ name })) } as T;
  },
});

test('a cluster that is new enough and knows our kinds will do', async () => {
  await checkCluster(clusterOf('33+', ['images', 'images/status', 'organizations']), KINDS);
});

test.each([
  ['32', ['images', 'organizations'], 'the API server is v1.32; Gantry needs Kubernetes 1.33 or newer'],
  ['34', ['images'], 'the cluster does not know Organization: apply the CRDs first'],
  ['34', undefined, 'the cluster does not know Image, Organization'],
])('1.%s with %j: %s', async (minor, served, sentence) => {
  await expect(checkCluster(clusterOf(minor, served), KINDS)).rejects.toThrow(sentence);
});

test.each([
  ['refused connection', new NoAnswer('connect ECONNREFUSED'), true],
  ['starting server', new ApiError(503, {}), true],
  ['missing kubeconfig', Object.assign(new Error('ENOENT'), { syscall: 'open' }), false],
  ['missing rights', new ApiError(403, {}), false],
])('is a %s waited for?', (_what, error, waits) => {
  expect(isUnreachable(error)).toBe(waits);
});
