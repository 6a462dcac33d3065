import { API_VERSION, GROUP, type KindFacts, type KubeObject, VERSION } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, FINALIZER } from '@gantry/contract/names.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { type Resource, targetOf } from '@gantry/kube/resource.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { type AnyController, defineController, type Overdue } from '../define-controller.ts';
import { NODE, POD } from '../resources.ts';
import { LastResort } from './last-resort.ts';
import { FIELD_MANAGER } from './status-patch.ts';

const WIDGET: Resource = { group: GROUP, version: VERSION, plural: 'widgets', kind: 'Widget', namespaced: true };
const MINUTE = 60_000;

const widget = { apiVersion: API_VERSION, kind: 'Widget', metadata: { name: 'a', namespace: 'x', uid: 'uid-a' } };
const node = (ready: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-a', uid: 'uid-node' },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const pod = (metadata: object = {}, state: object = { running: {} }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a-1',
    namespace: 'x',
    uid: 'uid-pod',
    finalizers: [FINALIZER.metered],
    ownerReferences: [{ apiVersion: API_VERSION, kind: 'Widget', name: 'a', uid: 'uid-a', controller: true }],
    ...metadata,
  },
  spec: { nodeName: 'node-a', containers: [] },
  status: { phase: 'Running', containerStatuses: [{ name: 'main', state }] },
});

/** Nothing here ever plans. */
async function setUp(
  why: Overdue | undefined | ((failingMs: number) => Overdue | undefined),
  {
    objects = [widget, node('True'), pod()],
    leads = true,
    halts,
  }: { objects?: readonly KubeObject[]; leads?: boolean; halts?: AnyController['halts'] } = {},
) {
  const cluster = new MemoryCluster([WIDGET, POD, NODE], { fieldManager: FIELD_MANAGER });
  for (const object of objects) cluster.put(object);
  const clock = new SteppedClock();
  const caches = new Caches([WIDGET, POD, NODE], {
    client: cluster,
    clock,
    report: { failed() {}, corrected() {}, stumbled() {} },
  });
  await caches.start(new AbortController().signal);
  const controller = defineController({
    facts: { kind: 'Widget' } as KindFacts,
    reads: {},
    plan: () => {
      throw new Error('nobody asked for a plan');
    },
    overdue: (_owner: KubeObject, { failingMs }) => (typeof why === 'function' ? why(failingMs) : why),
    ...(halts && { halts }),
  });
  const ended: Overdue[] = [];
  const lastResort = new LastResort({
    controller,
    resource: WIDGET,
    caches,
    client: cluster,
    clock,
    settings: {},
    mayWrite: () => leads,
    ended: (_owner, _pod, reason) => ended.push(reason),
    failed: (_owner, error) => {
      throw error;
    },
  });
  const deadline = () =>
    (cluster.find('Pod', 'a-1') as { spec?: { activeDeadlineSeconds?: number } } | undefined)?.spec
      ?.activeDeadlineSeconds;
  const lookAgainAfter = async (ms: number) => {
    await lastResort.look();
    await clock.step(ms);
    await turns();
    await lastResort.look();
  };
  return { cluster, clock, lastResort, ended, deadline, lookAgainAfter };
}

test('an overdue instance is ended in place after a minute, once, without any plan', async () => {
  const { lookAgainAfter, deadline, ended, cluster } = await setUp('ended');
  await lookAgainAfter(MINUTE - 1);
  expect(deadline()).toBeUndefined();
  await lookAgainAfter(1);
  expect(deadline()).toBe(1);
  await lookAgainAfter(MINUTE);
  expect([ended, cluster.writes]).toEqual([['ended'], ['patch Pod a-1']]);
});

describe('what would make others of its Pods', () => {
  /** The replicas of a Deployment that stands in for all such. */
  const halts: AnyController['halts'] = (_owner, caches) => {
    const found = caches.get(WIDGET, 'x', 'b') as (KubeObject & { spec?: { replicas?: number } }) | undefined;
    return found && found.spec?.replicas !== 0
      ? [{ of: WIDGET, patch: { ...targetOf(found), body: { spec: { replicas: 0 } } } }]
      : [];
  };
  const maker = { ...widget, metadata: { ...widget.metadata, name: 'b', uid: 'uid-b' }, spec: { replicas: 2 } };
  const second = pod({ name: 'a-2', uid: 'uid-pod-2' });
  test('is stopped first, once, where the object is to end', async () => {
    const objects = [widget, maker, node('True'), pod(), second];
    const { lookAgainAfter, cluster } = await setUp('ended', { objects, halts });
    await lookAgainAfter(MINUTE);
    expect(cluster.writes[0]).toBe('patch Widget b');
    expect(cluster.writes.filter((write) => write === 'patch Widget b')).toHaveLength(1);
    expect(cluster.writes).toEqual(expect.arrayContaining(['patch Pod a-1', 'patch Pod a-2']));
  });
  test('goes on where a single Pod ends because nobody bills it', async () => {
    const { lookAgainAfter, cluster } = await setUp('unbilled', {
      objects: [widget, maker, node('True'), pod()],
      halts,
    });
    await lookAgainAfter(MINUTE);
    expect(cluster.writes).toEqual(['patch Pod a-1']);
  });
});

test('nothing is left to do where a plan ends what is overdue within the minute', async () => {
  const { cluster, lookAgainAfter, ended } = await setUp('ended');
  await lookAgainAfter(MINUTE / 2);
  cluster.put({ ...pod(), spec: { ...pod().spec, activeDeadlineSeconds: 1 } } as KubeObject);
  await lookAgainAfter(MINUTE);
  expect(ended).toEqual([]);
});

test('an overdue instance is ended at once where its plan fails', async () => {
  const { lastResort, deadline } = await setUp('ended');
  expect(await lastResort.planFailed('x/a', widget)).toBe('ended');
  expect(deadline()).toBe(1);
  expect(lastResort.failing).toBe(1);
  lastResort.planned('x/a');
  expect(lastResort.failing).toBe(0);
});

test('a plan that fails ends nothing that may run', async () => {
  const { lastResort, lookAgainAfter, cluster } = await setUp(undefined);
  expect(await lastResort.planFailed('x/a', widget)).toBeUndefined();
  await lookAgainAfter(24 * 60 * MINUTE);
  expect(cluster.writes).toEqual([]);
});

test('for how long the plan has failed is known', async () => {
  const { clock, lastResort } = await setUp((failingMs) => (failingMs >= 15 * MINUTE ? 'unbilled' : undefined));
  expect(await lastResort.planFailed('x/a', widget)).toBeUndefined();
  await clock.step(15 * MINUTE);
  expect(await lastResort.planFailed('x/a', widget)).toBe('unbilled');
});

test.each<[what: string, objects: readonly KubeObject[]]>([
  ['on a node that is lost', [widget, node('Unknown'), pod()]],
  ['on a node that is gone', [widget, pod()]],
  ['that is being deleted', [widget, node('True'), pod({ deletionTimestamp: '2026-01-01T00:00:00Z' })]],
  ['whose container has ended', [widget, node('True'), pod({}, { terminated: {} })]],
  [
    'that is not metered: it holds a home while it is saved',
    [widget, node('True'), pod({ finalizers: ['some/other'] })],
  ],
  [
    'of an object that staff has paused',
    [{ ...widget, metadata: { ...widget.metadata, annotations: { [ANNOTATION.paused]: '' } } }, node('True'), pod()],
  ],
])('a Pod %s is left alone', async (_what, objects) => {
  const { lookAgainAfter, cluster } = await setUp('ended', { objects });
  await lookAgainAfter(2 * MINUTE);
  expect(cluster.writes).toEqual([]);
});

test('who does not lead ends nothing', async () => {
  const { lookAgainAfter, cluster } = await setUp('ended', { leads: false });
  await lookAgainAfter(2 * MINUTE);
  expect(cluster.writes).toEqual([]);
});
