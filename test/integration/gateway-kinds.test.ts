// The assumptions of the gateway's kinds about the API server: it confines a member to their namespace, and quotas, policies and schemas
// say what the gateway makes of them; and what happens to reads and writes while it is down (faults 5, 8).
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@gantry/contract/http/problem.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { takingOut } from '../../api/src/areas/gpu-faults/take-out-node.ts';
import { type Cluster, openCluster } from '../../api/src/core/kinds/open-cluster.ts';
import { POD } from '../../api/src/platform/kube/resources.ts';
import { type FaultProxy, startFaultProxy } from '../faults/fault-proxy.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';

const SYSTEM = 'gantry-system';
const GATEWAY = 'gantry-gateway';
const SECRET = 'ends-the-token';
const member = (account: string, id = 'acme') =>
  ({ account, namespace: `org-${id}`, role: 'member', language: 'en' }) as const;
const ANN = member('acc-ann');
/** A member in SQL whom the cluster has not heard of. */
const NEW = member('acc-new');
const unkeyed = { route: 'test', key: undefined };
const WISH = { displayName: 'mine', image: 'library/busybox:1.36' };

let server: ApiServer;
let proxy: FaultProxy;
/** It ends with this Secret. */
let bound: string;
let folder: string;
let kubeconfig: string;
let cluster: Cluster;
const stop = new AbortController();

const organization = (id: string, members: string[]) => {
  const namespace = `org-${id}`;
  const rbac = 'rbac.authorization.k8s.io';
  const bind = (name: string, kind: string, subjects: object[]) => ({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: rbac, kind, name },
    subjects,
  });
  const account = (name: string, where: string) => ({ kind: 'ServiceAccount', name, namespace: where });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { 'gantry.dev/organization': id } } },
    bind(
      'gantry-tenant-member',
      'ClusterRole',
      members.map((name) => account(name, namespace)),
    ),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { name: GATEWAY, namespace },
      rules: [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'], resourceNames: members }],
    },
    bind(GATEWAY, 'Role', [account(GATEWAY, SYSTEM)]),
  ];
};
/** Counted by a controller that does not run here: its status is written by hand. */
const quota = (limit: number) => {
  const hard = { 'count/gpuhosts.gantry.dev': `${limit}` };
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'objects', namespace: 'org-acme' },
    spec: { hard },
    status: { hard, used: { 'count/gpuhosts.gantry.dev': '0' } },
  };
};

async function write(token: string): Promise<void> {
  await writeFile(kubeconfig, proxy.kubeconfig({ token }), { mode: 0o600 });
}
const tokenOf = async (more: string[] = []): Promise<string> =>
  (await server.kubectl.must(['create', 'token', GATEWAY, '--namespace', SYSTEM, ...more])).trim();

beforeAll(async () => {
  server = await startApiServer();
  const objects = [...organization('acme', [ANN.account]), ...organization('other', ['acc-eve'])];
  const { status, ...bare } = quota(1);
  const items = [...objects, bare];
  await server.kubectl.must(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  await server.kubectl.must([
    'patch',
    'resourcequota',
    'objects',
    '--namespace',
    'org-acme',
    '--subresource',
    'status',
    '--type',
    'merge',
    '--patch',
    JSON.stringify({ status }),
  ]);
  proxy = await startFaultProxy({ upstream: { kubeconfig: await readFile(server.kubeconfig, 'utf8') } });
  folder = await mkdtemp(join(tmpdir(), 'gantry-kinds-'));
  kubeconfig = join(folder, 'kubeconfig');
  await server.kubectl.must(['create', 'secret', 'generic', SECRET, '--namespace', SYSTEM]);
  bound = await tokenOf(['--bound-object-kind', 'Secret', '--bound-object-name', SECRET]);
  await write(bound);
  const log = { info: () => {}, warn: () => {} };
  cluster = openCluster({ kubeconfig, region: { id: 'r', label: 'R' }, clock: systemClock, log });
  await cluster.start(stop.signal);
});
afterAll(async () => {
  stop.abort();
  await proxy?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});

async function refusal(write: Promise<unknown>): Promise<Problem> {
  const error = await write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`not refused, or by something else: ${error}`);
  return error;
}

describe('a member writes as themselves', () => {
  test('and is the creator, by the policy and by what the cache shows at once', async () => {
    const made = await cluster.kinds.create(gpuInstance, ANN, WISH, unkeyed);
    const { name } = made.metadata;
    expect(cluster.cache.get(gpuInstance, 'org-acme', name)).toMatchObject({ spec: { creator: 'acc-ann' } });
    expect(await cluster.cache.waitFor(gpuInstance, Number(made.metadata.resourceVersion), stop.signal)).toBe(true);
  });

  test('one key makes one object', async () => {
    const key = { route: 'createInstance', key: 'k-1' };
    const [a, b] = await Promise.all([
      cluster.kinds.create(gpuInstance, ANN, WISH, key),
      cluster.kinds.create(gpuInstance, ANN, WISH, key),
    ]);
    expect(a?.metadata.uid).toBe(b?.metadata.uid);
  });

  test('in another organisation the API server itself refuses, also where the gateway would have asked', async () => {
    const client = cluster.client.as('system:serviceaccount:org-acme:acc-ann');
    const resource = {
      group: 'gantry.dev',
      version: 'v1alpha1',
      plural: 'gpuinstances',
      kind: 'GpuInstance',
      namespaced: true,
    };
    const object = {
      apiVersion: 'gantry.dev/v1alpha1',
      kind: 'GpuInstance',
      metadata: { name: 'ins-theirs', namespace: 'org-other' },
      spec: { ...WISH, creator: 'acc-ann' },
    };
    await expect(client.create(resource, object)).rejects.toMatchObject({ code: 403 });
    // The gateway cannot impersonate anybody but members either.
    await expect(cluster.client.as('system:admin').get(resource, 'org-acme', 'x')).rejects.toMatchObject({ code: 403 });
    expect(await refusal(cluster.kinds.create(gpuInstance, member('acc-ann', 'other'), WISH, unkeyed))).toMatchObject({
      problem: 'organization_not_ready',
    });
  });

  test('whose membership, or whose organisation, the cluster has not heard of yet is asked to wait', async () => {
    for (const who of [NEW, member('acc-ann', 'nowhere')])
      expect(await refusal(cluster.kinds.create(gpuInstance, who, WISH, unkeyed))).toMatchObject({
        problem: 'organization_not_ready',
        retryAfterSeconds: expect.any(Number),
      });
  });
});

describe("the API server's refusals come with their field, numbers or sentence", () => {
  test('a rule of the schema', async () => {
    const bad = { ...WISH, env: [{ name: '1BAD', value: '' }] };
    expect(await refusal(cluster.kinds.create(gpuInstance, ANN, bad, unkeyed))).toMatchObject({
      problem: 'invalid_field',
      field: 'env.0.name',
      args: { rule: expect.stringMatching(/^name must be a variable name/) },
    });
  });

  test('a field that the schema does not have', async () => {
    expect(await refusal(cluster.kinds.create(gpuInstance, ANN, { ...WISH, colour: 'red' }, unkeyed))).toMatchObject({
      problem: 'invalid_field',
    });
  });

  test('a quota', async () => {
    const host = { displayName: 'h', gpu: { model: 'H100', count: 8 } };
    await cluster.kinds.create(gpuHost, ANN, host, unkeyed);
    expect(await refusal(cluster.kinds.create(gpuHost, ANN, host, unkeyed))).toMatchObject({
      problem: 'quota_exceeded',
      args: { resource: 'Host', requested: '1', used: '1', limit: '1' },
    });
  });

  test('a policy', async () => {
    const stolen = { ...WISH, image: 'registry.gantry.internal/org-other/theirs:1' };
    const refused = await refusal(cluster.kinds.create(gpuInstance, ANN, stolen, unkeyed));
    expect(refused).toMatchObject({ problem: 'policy_refused', field: 'image' });
    expect(refused.message).toContain('you can use only org-acme/… and official/…');
  });

  test('a disk that shrinks; and one that goes, confirmed', async () => {
    const disk = await cluster.kinds.create(dataDisk, ANN, { displayName: 'd', sizeGi: 4 }, unkeyed);
    const id = disk.metadata.name;
    expect(await refusal(cluster.kinds.change(dataDisk, ANN, id, { sizeGi: 2 }))).toMatchObject({
      field: 'sizeGi',
      args: { rule: expect.stringMatching(/^sizeGi can only grow/) },
    });
    await cluster.kinds.remove(dataDisk, ANN, id, { confirm: id });
    expect(cluster.cache.get(dataDisk, 'org-acme', id)).toBeUndefined();
  });
});

describe('billing', () => {
  const REFUSED = { status: 'False', reason: 'OutOfCredit', message: 'No money.' } as const;
  const GPU_INSTANCES = resourceOf(gpuInstance);
  const seen = (name: string) => {
    const billed = cluster.billed.get({ kind: gpuInstance.kind, namespace: 'org-acme', name });
    if (!billed) throw new Error(`${name} is not in the cache`);
    return billed;
  };
  const live = (name: string) => cluster.client.get(GPU_INSTANCES, 'org-acme', name);

  test('writes its answers to an object that a tenant keeps editing, each at once and over nobody else', async () => {
    const { metadata } = await cluster.kinds.create(gpuInstance, ANN, WISH, unkeyed);
    const { name } = metadata;
    const before = seen(name);
    for (const displayName of ['first', 'second']) await cluster.kinds.change(gpuInstance, ANN, name, { displayName });
    await server.kubectl.must([
      ...['patch', 'gpuinstance', name, '--namespace', 'org-acme', '--subresource', 'status', '--type', 'merge'],
      ...['--patch', JSON.stringify({ status: { phase: 'preparing' } })],
    ]);
    const until = Date.parse('2026-01-01T00:00:00Z');
    await cluster.billed.addFinalizer(before);
    expect(await cluster.billed.writeCredit(before, { condition: { ...REFUSED, status: 'True' }, until })).toBe(true);
    expect(await cluster.billed.writePosted(before, 3)).toBe(true);
    expect(await cluster.billed.writeCredit(before, { condition: REFUSED })).toBe(true);
    // The decision used an old cache: an existing value is not written again.
    expect(await cluster.billed.writeCredit(before, { condition: REFUSED })).toBe(false);
    expect(await live(name)).toMatchObject({
      metadata: { finalizers: ['gantry.dev/billing'], generation: 3 },
      spec: { displayName: 'second' },
      status: {
        phase: 'preparing',
        credit: { postedSeq: 3 },
        conditions: [{ type: 'CreditReserved', ...REFUSED, observedGeneration: 1 }],
      },
    });
    expect((await live(name)) as { status?: { credit?: object } }).not.toHaveProperty('status.credit.until');
    await cluster.billed.dropFinalizer(seen(name));
    expect((await live(name)).metadata.finalizers ?? []).toEqual([]);
  });

  test('writes nothing to another object of the same name', async () => {
    const { metadata } = await cluster.kinds.create(gpuInstance, ANN, WISH, unkeyed);
    const { name } = metadata;
    const before = seen(name);
    const { uid: _uid, resourceVersion: _version, ...own } = (await live(name)).metadata;
    await server.kubectl.must(['annotate', 'gpuinstance', name, '--namespace', 'org-acme', `gantry.dev/force=${name}`]);
    await server.kubectl.must(['delete', 'gpuinstance', name, '--namespace', 'org-acme']);
    const again = { ...before.object, metadata: { name: own.name, namespace: 'org-acme' } };
    await server.kubectl.must(['apply', '-f', '-'], again);
    await expect(cluster.billed.writeCredit(before, { condition: REFUSED })).rejects.toMatchObject({ code: 422 });
    await expect(cluster.billed.addFinalizer(before)).rejects.toMatchObject({ code: 422 });
    expect(await live(name)).not.toHaveProperty('status.conditions');
  });
});

describe('a node whose GPU has failed is emptied', () => {
  const NODE_A = 'node-a';
  const pod = (name: string, namespace: string, labels = {}) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } },
    spec: { nodeName: NODE_A, containers: [{ name: 'main', image: 'x' }] },
  });
  const ofRun = (kind: string, name: string) => ({ [LABEL.kind]: kind, [LABEL.name]: name, [LABEL.run]: '1' });
  const set = (what: string[], status: object) =>
    server.kubectl.must([
      ...['patch', ...what, '--subresource', 'status', '--type', 'merge'],
      ...['--patch', JSON.stringify({ status })],
    ]);
  const seenPods = () => cluster.cache.reader.by(POD, 'node', NODE_A) as readonly Pod[];
  const leaving = () =>
    seenPods().flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [metadata.name]));
  const audited: string[] = [];
  const takesOut = async (drain: 'cordon' | 'drain') => {
    const audit: Parameters<typeof takingOut>[0] = async ({ action, object, reason }) =>
      void audited.push(`${action} ${object}: ${reason}`);
    await takingOut(audit, cluster, drain)?.({ node: NODE_A, since: 0, detail: 'XID 79' });
  };
  const [CORDON, DRAIN] = ['gpuFaultCordon', 'gpuFaultDrain'].map(
    (did) => `${did} Node/node-a: fatal GPU error: XID 79`,
  );

  beforeAll(async () => {
    const budget = { minAvailable: 1, selector: { matchLabels: { [LABEL.name]: 'dev' } } };
    const items = [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE_A } },
      pod('door', SYSTEM),
      pod('disk-files', 'org-acme'),
      pod('dev-1', 'org-acme', ofRun('GpuInstance', 'dev')),
      pod('train-1-0-bcdfg', 'org-acme', ofRun('Job', 'train')),
      {
        ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: budget },
        metadata: { name: 'keep', namespace: 'org-acme' },
      },
    ];
    await server.kubectl.must(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
    const healthy = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 };
    await set(['pdb', 'keep', '--namespace', 'org-acme'], { ...healthy, disruptionsAllowed: 0 });
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await set(['pod', 'dev-1', '--namespace', 'org-acme'], ready);
    await eventually('all of its Pods are seen', () => seenPods().length === 4);
  });

  test('but for what a PodDisruptionBudget keeps, which is said', async () => {
    expect(await refusal(takesOut('drain'))).toMatchObject({
      problem: 'node_kept',
      args: { node: NODE_A, pods: 'org-acme/dev-1' },
    });
    await eventually('the worker is leaving', () => leaving().length > 0);
    expect([leaving(), audited]).toEqual([['train-1-0-bcdfg'], [CORDON]]);
  });

  test('of what tenants run alone, and once', async () => {
    await server.kubectl.must(['delete', 'pdb', 'keep', '--namespace', 'org-acme']);
    await takesOut('drain');
    await eventually('the instance is leaving', () => leaving().length > 1);
    for (const drain of ['drain', 'cordon'] as const) await takesOut(drain);
    expect([leaving().sort(), audited]).toEqual([
      ['dev-1', 'train-1-0-bcdfg'],
      [CORDON, DRAIN],
    ]);
  });
});

test('fault 5: while the API server is away reads say since when they are old, writes say when to come again', async () => {
  const made = await cluster.kinds.create(gpuInstance, ANN, WISH, unkeyed);
  const { name } = made.metadata;
  const key = { route: 'createInstance', key: 'during' };
  await proxy.down();
  const refused = await refusal(cluster.kinds.act(gpuInstance, ANN, name, { action: 'stop' }, unkeyed));
  expect(refused).toMatchObject({ problem: 'unavailable', retryAfterSeconds: expect.any(Number) });
  await refusal(cluster.kinds.create(gpuInstance, ANN, WISH, key));
  await eventually('reads are old', () => cluster.cache.staleSince(gpuInstance));
  expect(cluster.cache.get(gpuInstance, 'org-acme', name)).toBeDefined();
  await proxy.up();
  await eventually('reads are new again', () => cluster.cache.staleSince() === undefined);
  await cluster.kinds.act(gpuInstance, ANN, name, { action: 'stop' }, unkeyed);
  const { metadata } = await cluster.kinds.create(gpuInstance, ANN, WISH, key);
  expect((await cluster.kinds.create(gpuInstance, ANN, WISH, key)).metadata.uid).toBe(metadata.uid);
});

test('fault 8: a token that has ended is read anew, and nobody notices', async () => {
  await server.kubectl.must(['delete', 'secret', SECRET, '--namespace', SYSTEM]);
  const isKnown = () => fetch(`${proxy.url}/version/`, { headers: { authorization: `Bearer ${bound}` } });
  // It takes the API server some seconds to forget that it knew the token.
  await eventually('the token is refused', async () => (await isKnown()).status === 401);
  await write(await tokenOf());
  await cluster.kinds.create(gpuInstance, ANN, WISH, unkeyed);
});
