// The assumptions of the operator's runtime and of the client about the API server, and which of several operators leads.

import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { isAbsent, isConflict, isTaken } from '@gantry/kube/api-error.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { FIELD_MANAGER, statusPatch } from '../../operator/src/runtime/status-patch.ts';
import type { OperatorProcess } from '../faults/operator-process.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';
import { startOperator } from '../support/operator.ts';

const MINUTE = 60_000;
const ORGANIZATION = resourceOf(organization);
const CONFIG_MAP: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

let server: ApiServer;
let credentials: Credentials;
let client: KubeClient;
beforeAll(async () => {
  server = await startApiServer();
  credentials = new Credentials(() => {
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    return config;
  }, systemClock);
  client = new KubeClient(credentials, { fieldManager: FIELD_MANAGER });
});
afterAll(async () => {
  credentials?.close();
  await server?.stop();
});

type Made = KubeObject & { metadata: { uid: string; resourceVersion: string }; status?: Record<string, unknown> };

async function make(name: string): Promise<Made> {
  const wanted = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name }, spec: {} };
  return (await client.create(ORGANIZATION, wanted)) as Made;
}

const status = ({ metadata }: Made, fields: object): KubeObject & { status: object } => {
  const { name, uid, resourceVersion } = metadata;
  return { apiVersion: API_VERSION, kind: 'Organization', metadata: { name, uid, resourceVersion }, status: fields };
};
const fence = ({ metadata: { name, uid, resourceVersion } }: Made) => ({
  apiVersion: API_VERSION,
  kind: 'Organization',
  name,
  uid,
  resourceVersion,
  body: {},
});

const unfenced = ({ metadata: { name, uid } }: Made) => ({
  apiVersion: API_VERSION,
  kind: 'Organization',
  name,
  uid,
  body: {},
});

test('a status apply with a stale version is refused, also where it would change nothing', async () => {
  const seen = await make('stale-status');
  const written = (await client.apply(ORGANIZATION, status(seen, { phase: 'ready' }), 'status')) as Made;
  const again = (await client.apply(ORGANIZATION, status(written, { phase: 'ready' }), 'status')) as Made;
  expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
  const stale = client.apply(ORGANIZATION, status(seen, { phase: 'ready' }), 'status');
  expect(isConflict(await stale.catch((error: unknown) => error))).toBe(true);
});

test('the fence changes nothing, and is refused when the look is stale', async () => {
  const seen = await make('fence');
  const fenced = (await client.mergePatch(ORGANIZATION, fence(seen), 'status')) as Made;
  expect(fenced.metadata.resourceVersion).toBe(seen.metadata.resourceVersion);
  await client.apply(ORGANIZATION, status(seen, { phase: 'ready' }), 'status');
  const stale = client.mergePatch(ORGANIZATION, fence(seen), 'status');
  expect(isConflict(await stale.catch((error: unknown) => error))).toBe(true);
});

test('fields that we leave out of our status go, whoever owns them by now, and fields that others wrote stay', async () => {
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'Said',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const seen = await make('owners');
  const writes = { fields: ['namespace'], conditions: ['NetworkIsolated'] };
  const write = async (object: Made, wanted: object) => {
    const patch = statusPatch(object, wanted, writes);
    return (
      patch &&
      ((await client.mergePatch(ORGANIZATION, { ...fence(object), body: { status: patch } }, 'status')) as Made)
    );
  };
  const ours = { phase: 'ready', namespace: 'org-owners', conditions: [condition('NetworkIsolated')] };
  await write(seen, ours);
  const others = { status: { conditions: [condition('InCredit')] } };
  const manager = ['--subresource=status', '--server-side', '--field-manager=billing', '-f', '-'];
  await server.kubectl.must(['apply', ...manager], { ...status(seen, {}), metadata: { name: 'owners' }, ...others });
  await client.mergePatch(ORGANIZATION, { ...unfenced(seen), body: { metadata: { managedFields: [{}] } } });

  const now = (await client.get(ORGANIZATION, undefined, 'owners')) as Made;
  expect(now.metadata).not.toHaveProperty('managedFields');
  expect(await write(now, ours)).toBeUndefined();
  const left = await write(now, { phase: 'ready' });
  expect(left?.status).toEqual({ phase: 'ready', conditions: [condition('InCredit')] });
  expect(await write(now, { ...ours, phase: 'stale' }).catch(isConflict)).toBe(true);
});

test('a patch, an apply and a delete of another uid are conflicts, and the object stays', async () => {
  const metadata = { name: 'mine', namespace: 'default' };
  const map: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  await client.create(CONFIG_MAP, map);
  const other = { apiVersion: 'v1', kind: 'ConfigMap', ...metadata, uid: 'another' };
  const answers = await Promise.allSettled([
    client.mergePatch(CONFIG_MAP, { ...other, body: { data: { a: 'b' } } }),
    client.apply(CONFIG_MAP, { ...map, metadata: { ...metadata, uid: 'another' } }),
    client.apply(CONFIG_MAP, { ...map, metadata: { ...metadata, name: 'nobody', uid: 'another' } }),
    client.delete(CONFIG_MAP, other),
  ]);
  expect(answers.map((answer) => answer.status === 'rejected' && isConflict(answer.reason))).toEqual(
    Array(4).fill(true),
  );
  expect(isTaken(await client.create(CONFIG_MAP, map).catch((error: unknown) => error))).toBe(true);
});

test('a write that is only tried is checked and answered, and stores nothing', async () => {
  const seen = await make('tried');
  const patch = { ...fence(seen), body: { spec: { displayName: 'Tried' } } };
  const answer = (await client.mergePatch(ORGANIZATION, patch, undefined, { dryRun: 'All' })) as Made;
  expect(answer).toMatchObject({ spec: { displayName: 'Tried' } });
  expect(await client.get(ORGANIZATION, undefined, 'tried')).toEqual(seen);
  const wanted = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name: 'untried' }, spec: {} };
  await client.create(ORGANIZATION, wanted, { dryRun: 'All' });
  const absent = await client.get(ORGANIZATION, undefined, 'untried').catch((error: unknown) => error);
  expect(isAbsent(absent)).toBe(true);
});

test('a field that nobody knows is refused where that is asked for, and dropped where not', async () => {
  const seen = await make('strict');
  const patch = { ...fence(seen), body: { spec: { nonsense: 1 } } };
  const message = expect.stringContaining('spec.nonsense');
  const strict = { fieldValidation: 'Strict' } as const;
  await expect(client.mergePatch(ORGANIZATION, patch, undefined, strict)).rejects.toMatchObject({ code: 422, message });
  const made = { ...status(seen, {}), metadata: { name: 'stricter' }, spec: { nonsense: 1 } };
  await expect(client.create(ORGANIZATION, made, strict)).rejects.toMatchObject({ code: 400, message });
  expect(await client.mergePatch(ORGANIZATION, patch)).not.toHaveProperty('spec.nonsense');
});

test('who speaks as a ServiceAccount has its rights and those of its groups, and no others', async () => {
  await client.create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'seen', namespace: 'default' },
  });
  const alice = client.as('system:serviceaccount:default:alice');
  const group = 'system:serviceaccounts:default';
  const user = 'User "system:serviceaccount:default:alice" cannot get';
  await expect(alice.get(CONFIG_MAP, 'default', 'seen')).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining(user),
  });
  for (const what of ['role seer --verb=get --resource=configmaps', `rolebinding seers --role=seer --group=${group}`]) {
    await server.kubectl.must(['create', ...what.split(' '), '--namespace', 'default']);
  }
  await eventually('the group may look', () => alice.get(CONFIG_MAP, 'default', 'seen'));
  await expect(alice.get(CONFIG_MAP, 'kube-system', 'seen')).rejects.toMatchObject({ code: 403 });
});

test('a watch that is resumed from its last version tells what happened in between', async () => {
  const { metadata } = await client.list(CONFIG_MAP, {});
  const made = await client.create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'between', namespace: 'default' },
  });
  const stop = new AbortController();
  const names: string[] = [];
  const watching = client.watch(
    CONFIG_MAP,
    { resourceVersion: metadata.resourceVersion },
    ({ object }) => {
      names.push(object.metadata.name);
      stop.abort();
    },
    { signal: stop.signal, limitMs: MINUTE },
  );
  await expect(watching).rejects.toThrow();
  expect(names).toEqual([made.metadata.name]);
});

// How soon is proved with a stepped clock, in leader.test.ts.
test('one of two operators leads; the other follows after a stop or a crash, and after a sleep', async () => {
  const leads = async () => {
    const lease = await server.kubectl.get<{ spec: { holderIdentity: string } }>(
      ...['lease', 'gantry-operator', '-n', 'gantry-system'],
    );
    return Number(lease?.spec.holderIdentity.split('_')[1] ?? 0);
  };
  const takenOver = (by: OperatorProcess) =>
    eventually('another leads', async () => (await leads()) === by.pid(), MINUTE);
  const first = await startOperator(server);
  await takenOver(first);
  const second = await startOperator(server);
  try {
    expect(await leads()).toBe(first.pid());
    second.freeze();
    expect(await first.terminate(MINUTE)).toBe(0);
    // Given up: it did not run out.
    expect(await leads()).toBe(0);
    second.thaw();
    await takenOver(second);

    await first.restart();
    second.kill();
    await takenOver(first);

    await second.restart();
    const frozen = first.pid();
    first.freeze();
    await takenOver(second);
    first.thaw();
    await eventually('the one that slept has ended', () => first.pid() !== frozen, MINUTE);
    expect(first.logs().some((line) => line.includes('another operator has taken the Lease'))).toBe(true);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}, 300_000);
