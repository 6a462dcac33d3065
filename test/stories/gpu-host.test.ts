// A whole real node for one organisation: taken, used, renewed, expired, emptied, wiped and given back. Months are not waited
// for: an administrator sets the day back on which the host began.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { AGENT_KIND, ANNOTATION, agentLease, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Lease } from '../../operator/src/resources.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { Following } from './following.ts';
import type { Instance } from './instance.ts';
import { setStage, type Tenant } from './stage.ts';

const stage = setStage();
const HOSTS = `/apis/${API_VERSION}/gpuhosts`;
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${PLATFORM_NAMESPACE}/leases`;
const PATIENCE_MS = 60_000;
const DAY_MS = 86_400_000;
const CARDS = { model: 'Tesla-T4', count: 1 };

let acme: Tenant;
let hosts: Following<GpuHost>;
let leases: Following<Lease>;
let dev: Instance;
let ann: Kubectl;

beforeAll(async () => {
  [hosts, leases] = await Promise.all([
    Following.start<GpuHost>(stage().cluster, HOSTS),
    Following.start<Lease>(stage().cluster, LEASES),
  ]);
  acme = await stage().organization('landlord', { members: [{ account: 'ann', role: 'member' }] });
  ann = await acme.kubectlAs('ann');
});
afterAll(() => {
  hosts?.stop();
  leases?.stop();
});

const path = (name = 'big') => `/apis/${API_VERSION}/namespaces/${acme.namespace}/gpuhosts/${name}`;
const now = (name = 'big') => hosts.latest(acme.namespace, name);
const becomes = (
  what: string,
  is: (host: GpuHost) => boolean,
  name = 'big',
  limitMs = PATIENCE_MS,
): Promise<GpuHost> => {
  const story = () => `${name} is ${what}; ${now(name)?.status?.phase}: ${now(name)?.status?.message}`;
  const look = () => {
    const host = now(name);
    const isKnown = host?.status?.observedGeneration === host?.metadata.generation;
    return host && isKnown && is(host) ? host : undefined;
  };
  return hosts.until(story, look, limitMs);
};
const inPhase = (phase: string) => becomes(phase, ({ status }) => status?.phase === phase);
const conditionOf = (host: GpuHost, type: string) => host.status?.conditions?.find((one) => one.type === type);
const nodeOf = async (name: string): Promise<Node> =>
  JSON.parse((await mustCallApi(stage().cluster, { path: `/api/v1/nodes/${name}` })).body);
const patch = (body: object, at = path()) =>
  mustCallApi(stage().cluster, { method: 'PATCH', path: at, contentType: 'application/merge-patch+json', body });

/** As if it had begun that long ago: the operator then does what it would have done. */
const beganAgo = (ms: number) =>
  patch({ status: { startedAt: new Date(Date.now() - ms).toISOString().replace(/\.\d+/, '') } }, `${path()}/status`);

let node = '';
test('a member rents a node: it is labelled and tainted for that host alone', async () => {
  await ann.must(['apply', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: 'GpuHost',
    metadata: { name: 'big', namespace: acme.namespace },
    spec: { creator: 'ann', displayName: 'big_one', gpu: { model: CARDS.model, count: 8 }, tags: ['training'] },
  });
  const host = await inPhase('active');
  const [held] = host.status?.nodes ?? [];
  node = held?.name ?? '';
  expect(stage().cluster.nodes.map(({ name }) => name)).toContain(node);
  expect(held).toMatchObject({ ready: true, gpus: 8, lanAddress: expect.any(String), os: expect.any(String) });
  expect(host.status?.intervals).toMatchObject([
    { seq: 1, uses: [{ resource: 'host', model: CARDS.model, quantity: 1 }] },
  ]);

  const { metadata, spec } = await nodeOf(node);
  expect(metadata.labels?.[LABEL.nodeHost]).toBe(host.metadata.uid);
  expect(spec?.taints).toContainEqual(
    expect.objectContaining({ key: 'gantry.dev/host', value: host.metadata.uid, effect: 'NoSchedule' }),
  );
});

test('its instances run there, and it stays while one does', async () => {
  dev = await acme.instance('dev', { host: 'big', gpu: CARDS });
  await dev.reaches('running');
  expect(dev.pod().spec?.nodeName).toBe(node);

  const { code, stderr } = await ann.run(['delete', 'gpuhost', 'big', '-n', acme.namespace]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(
    'Instance dev is on this host: shut it down, or change its spec.host, before you release the host',
  );
});

test('tags and months change at once', async () => {
  await patch({ spec: { tags: ['training', 'night'], months: 2 } });
  const { status } = await becomes('renewed', ({ spec }) => spec.months === 2);
  const months = Date.parse(`${status?.expiresAt}`) - Date.parse(`${status?.startedAt}`);
  expect(months / DAY_MS).toBeGreaterThan(58);
  expect(months / DAY_MS).toBeLessThan(63);
});

test('at the end of its months it takes nothing new, what runs goes on, and a renewal opens it again', async () => {
  await beganAgo(63 * DAY_MS);
  const expired = await inPhase('expired');
  expect(conditionOf(expired, 'AcceptsInstances')).toMatchObject({ status: 'False', reason: 'Expired' });
  expect(conditionOf(expired, 'GraceOver')).toMatchObject({ status: 'False', reason: 'InGrace' });
  expect(dev.now.status?.phase).toBe('running');

  await patch({ spec: { months: 3 } });
  expect(conditionOf(await inPhase('active'), 'AcceptsInstances')).toMatchObject({ status: 'True' });
});

test('after the grace its instances hibernate, and the node returns to everybody, wiped and bare', async () => {
  await beganAgo(100 * DAY_MS);
  await inPhase('draining');
  await dev.becomes('hibernated', ({ status }) => status.phase === 'shutDown', 2 * PATIENCE_MS);

  const returned = await becomes('returned', ({ status }) => status?.returnedAt !== undefined, 'big', 2 * PATIENCE_MS);
  expect(returned.status).toMatchObject({ phase: 'expired', reason: 'Returned' });
  expect(returned.status?.intervals?.at(-1)?.to).toEqual(expect.any(String));
  const { metadata, spec } = await nodeOf(node);
  expect(metadata.labels).not.toHaveProperty([LABEL.nodeHost]);
  expect(spec?.taints ?? []).toEqual([]);

  const claims = leases.states(PLATFORM_NAMESPACE, node);
  expect(claims.at(-1)?.isLast).toBe(true);
  const agent = leases.states(PLATFORM_NAMESPACE, agentLease(node)).at(-1)?.object;
  if (agent?.metadata.labels?.[LABEL.kind] === AGENT_KIND) {
    // The agent was asked, and answered before anybody else could have the node.
    const { annotations } = claims.at(-1)?.object.metadata ?? {};
    expect(annotations).toMatchObject({ [ANNOTATION.wipe]: acme.namespace, [ANNOTATION.wiped]: expect.any(String) });
  } else {
    expect(conditionOf(returned, 'Wiped')).toMatchObject({ status: 'Unknown', reason: 'NoAgentOnNode' });
  }
});

test('a returned host is not renewed', async () => {
  const { code, stderr } = await stage().kubectl.run([
    'patch',
    'gpuhost',
    'big',
    '-n',
    acme.namespace,
    '--type=merge',
    '-p',
    '{"spec":{"months":99}}',
  ]);
  expect(code).not.toBe(0);
  expect(stderr).toContain('spec.months: the host expired and its nodes were returned; rent another');
});
