import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { applyFiles, isSlowAnswer, untilAnswered } from './slow-server.ts';

test.each([
  'Error from server (Timeout): error when creating "kueue-crds/a.yaml": Timeout: request did not complete within requested timeout - context deadline exceeded',
  'Error from server (ServerTimeout): the server cannot complete the requested operation at this time, try again later',
  'the server was unable to return a response in the time allotted, but may still be processing the request',
  'Error from server: etcdserver: request timed out',
  'Unable to connect to the server: net/http: TLS handshake timeout',
  'PATCH /api/v1/nodes/a: 504 {"kind":"Status","status":"Failure","reason":"Timeout","code":504}',
  'PATCH /api/v1/nodes/a: no answer in 30 s',
])('a slow server says: %s', (said) => {
  expect(isSlowAnswer(said)).toBe(true);
});

test.each([
  'Error from server (Forbidden): namespaces is forbidden',
  'Error from server (Invalid): CustomResourceDefinition "a" is invalid: spec.timeout: Invalid value',
  'error: timed out waiting for the condition on customresourcedefinitions/a',
  'Unable to connect to the server: dial tcp 10.0.0.1:6443: connect: connection refused',
])('no slow server says: %s', (said) => {
  expect(isSlowAnswer(said)).toBe(false);
});

test('a slow server is asked until the limit, and then its answer is thrown', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    throw new Error('Error from server (Timeout): not yet');
  };
  await expect(untilAnswered(ask, { limitMs: 0, againInMs: 1 })).rejects.toThrow('not yet');
  expect(asked).toBe(1);
});

const KUBECTL = `#!/bin/sh
echo "$*" >> "$KUBECONFIG"
case "$(wc -l < "$KUBECONFIG")" in
  1) echo 'Error from server (Timeout): error when creating "a.yaml": Timeout: request did not complete' >&2; exit 1 ;;
  2) [ -z "$REFUSED" ] || { echo 'Error from server (Forbidden): no' >&2; exit 1; } ;;
esac
`;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-slow-'));
  await writeFile(join(folder, 'kubectl'), KUBECTL);
  await chmod(join(folder, 'kubectl'), 0o755);
  process.env.KUBE_BIN_DIR = folder;
});
afterAll(async () => {
  delete process.env.KUBE_BIN_DIR;
  delete process.env.REFUSED;
  await rm(folder, { recursive: true });
});

test('an apply that the server had no time for is repeated', async () => {
  const kubeconfig = join(folder, 'asked');
  await applyFiles({ kubeconfig }, 'a.yaml');
  const asked = (await readFile(kubeconfig, 'utf8')).trimEnd().split('\n');
  expect(asked).toEqual(Array(2).fill('apply --server-side --force-conflicts -f a.yaml'));
});

test('an apply that the server refuses is not repeated', async () => {
  process.env.REFUSED = '1';
  const kubeconfig = join(folder, 'refused');
  await expect(applyFiles({ kubeconfig }, 'a.yaml')).rejects.toThrow('(Forbidden)');
  expect((await readFile(kubeconfig, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
});
