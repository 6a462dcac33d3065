import { API_VERSION, GROUP, type KindFacts, type KubeObject, VERSION } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { ResourceNames } from '@gantry/kube/client.ts';
import { type Resource, targetOf } from '@gantry/kube/resource.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { type Context, defineController, type Plan } from '../define-controller.ts';
import { POD as OWNED_POD } from '../resources.ts';
import { Reconciler } from './reconcile.ts';
import { FIELD_MANAGER } from './status-patch.ts';
import { WriteLimit } from './write-limit.ts';

interface Widget extends KubeObject {
  status?: Record<string, unknown>;
}
const WIDGET: Resource = { group: GROUP, version: VERSION, plural: 'widgets', kind: 'Widget', namespaced: true };
const POD: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

const pod = (owner: KubeObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${owner.metadata.name}-1`,
    namespace: 'x',
    ownerReferences: [
      {
        apiVersion: API_VERSION,
        kind: 'Widget',
        name: owner.metadata.name,
        uid: owner.metadata.uid ?? '',
        controller: true,
      },
    ],
  },
});
const target = ({ apiVersion, kind, metadata: { name, namespace = '', uid = '' } }: KubeObject) => ({
  apiVersion,
  kind,
  name,
  namespace,
  uid,
});

/** A widget with one Pod: made after its status says so, removed with it. */
function wellBehaved(owner: Widget, pods: readonly KubeObject[], { refusals }: Context<unknown>): Plan<object> {
  if (owner.metadata.deletionTimestamp)
    return { remove: pods.map(target), finalizer: pods.length > 0 ? 'keep' : 'drop' };
  const phase = refusals.length > 0 ? 'failed' : pods.length > 0 ? 'running' : 'starting';
  return {
    finalizer: 'keep',
    status: { phase, ...(refusals[0] && { reason: refusals[0].reason }) },
    create: pods.length > 0 ? [] : [pod(owner)],
  };
}

async function setUp(
  plan: typeof wellBehaved = wellBehaved,
  { leads = (): boolean => true, widget = {} as object, pods: followed = POD, hasStale = false, labels = {} } = {},
) {
  const cluster = new MemoryCluster([WIDGET, followed], { fieldManager: FIELD_MANAGER });
  cluster.put({ apiVersion: API_VERSION, kind: 'Widget', metadata: { name: 'a', namespace: 'x', ...widget } });
  const clock = new SteppedClock();
  const caches = new Caches([WIDGET, followed], {
    client: cluster,
    clock,
    report: { failed() {}, stumbled() {}, corrected() {} },
  });
  const events: string[] = [];
  let plans = 0;
  const controller = defineController({
    facts: { kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as KindFacts,
    writes: { fields: ['count'] as never[] },
    ...(hasStale && { stale: (_owner: Widget, pods: readonly KubeObject[]) => (pods.length > 0 ? [] : ['count']) }),
    reads: {
      pods: {
        of: followed,
        find: (_owner: Widget, reader: { list(of: Resource): readonly KubeObject[] }) => reader.list(followed),
      },
    },
    plan(owner: Widget, { pods }, context: Context<unknown>): Plan<Record<string, unknown>> {
      plans++;
      return plan(owner, pods, context) as Plan<Record<string, unknown>>;
    },
  });
  const lastResort = {
    overdue: undefined as 'ended' | undefined,
    failing: false,
    planned: () => {
      lastResort.failing = false;
    },
    planFailed: async () => {
      lastResort.failing = true;
      return lastResort.overdue;
    },
  };
  const stop = new AbortController();
  await caches.start(stop.signal);
  const reconciler = new Reconciler({
    controller,
    resource: WIDGET,
    caches,
    client: cluster,
    names: new ResourceNames(cluster, [WIDGET, followed]),
    events: {
      record: (before, after) => events.push(`${phaseOf(before)}>${phaseOf(after)}`),
      warn: (_object, reason) => events.push(reason),
    },
    limit: new WriteLimit(),
    lastResort,
    clock,
    settings: {},
    labels,
    mayWrite: leads,
  });
  return {
    cluster,
    clock,
    caches,
    events,
    lastResort,
    plans: () => plans,
    reconcile: () => reconciler.reconcile('x/a'),
    /** The writes since the last call. */
    writes: () => cluster.writes.splice(0),
    /** Without its history of states, which has separate tests. */
    widget: (): Widget => {
      const { status, ...widget } = cluster.find('Widget', 'a') as Widget;
      const { history: _, ...rest } = status ?? {};
      return { ...widget, ...(status && { status: rest }) };
    },
    history: () => (cluster.find('Widget', 'a') as Widget).status?.history,
  };
}
const phaseOf = (object: KubeObject) => (object as Widget).status?.phase;

test('an object gets the labels of the platform with its finalizer, and again where somebody took them off', async () => {
  const { reconcile, cluster, writes } = await setUp(wellBehaved, { labels: { 'gantry.dev/region': 'here' } });
  const worn = () => cluster.find('Widget', 'a')?.metadata.labels;
  await reconcile();
  expect(worn()).toEqual({ 'gantry.dev/region': 'here' });
  const { metadata, ...rest } = cluster.find('Widget', 'a') as KubeObject;
  cluster.put({ ...rest, metadata: { ...metadata, labels: {} } });
  await turns();
  writes();
  await reconcile();
  expect(worn()).toEqual({ 'gantry.dev/region': 'here' });
  expect(writes()).toHaveLength(1);
});

test('from nothing to settled in one reconcile, each step seen by the next without waiting for a watch', async () => {
  const { reconcile, writes, widget, events } = await setUp();
  await reconcile();
  expect(writes()).toEqual(['patch Widget a', 'patch Widget a status', 'create Pod a-1', 'patch Widget a status']);
  expect(widget().metadata.finalizers).toEqual([FINALIZER.operator]);
  expect(widget().status).toEqual({ phase: 'running' });
  expect(events).toEqual(['undefined>starting', 'starting>running']);
});

describe('a status that only tells details', () => {
  const counting = () => {
    const seen = { count: 0, makes: false };
    const plan: typeof wellBehaved = (owner, pods) => ({
      status: { phase: 'running', count: seen.count },
      isDetail: (owner as Widget).status?.phase === 'running',
      create: seen.makes && pods.length === 0 ? [pod(owner)] : [],
    });
    return { seen, plan };
  };

  test('is written a second after the last write, and then as it is by then', async () => {
    const { seen, plan } = counting();
    const { reconcile, clock, writes, widget } = await setUp(plan);
    await reconcile();
    expect(writes()).toEqual(['patch Widget a status']);
    seen.count = 1;
    await clock.step(400);
    expect(await reconcile()).toBe(600);
    seen.count = 2;
    expect(writes()).toEqual([]);
    await clock.step(600);
    expect(await reconcile()).toBeUndefined();
    expect(writes()).toEqual(['patch Widget a status']);
    expect(widget().status).toEqual({ phase: 'running', count: 2 });
  });

  test('is written at once where something else is to be done', async () => {
    const { seen, plan } = counting();
    const { reconcile, writes } = await setUp(plan);
    await reconcile();
    writes();
    Object.assign(seen, { count: 1, makes: true });
    await reconcile();
    expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1']);
  });

  test('waits for nothing where nothing differs', async () => {
    const { plan } = counting();
    const { reconcile } = await setUp(plan);
    await reconcile();
    expect(await reconcile()).toBeUndefined();
  });
});

test('planning again after that writes nothing', async () => {
  const { reconcile, writes } = await setUp();
  await reconcile();
  writes();
  await reconcile();
  await turns();
  await reconcile();
  expect(writes()).toEqual([]);
});

test('deletion removes the child, then the finalizer, then is done', async () => {
  const { cluster, reconcile, writes, caches, widget } = await setUp();
  await reconcile();
  writes();
  cluster.put({ ...widget(), metadata: { ...widget().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
  await turns();
  await reconcile();
  expect(writes()).toEqual(['delete Pod a-1', 'patch Widget a']);
  expect(cluster.find('Widget', 'a')).toBeUndefined();
  expect(caches.get(WIDGET, 'x', 'a')).toBeUndefined();
});

describe('a Pod that is seen only after its owner has gone', () => {
  const late = (over: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a-late',
      namespace: 'x',
      labels: { [LABEL.kind]: 'Widget', [LABEL.name]: 'a' },
      finalizers: [FINALIZER.metered, 'others.example/own'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
      ...over,
    },
  });
  const ownerless = async (of: KubeObject) => {
    const all = await setUp(wellBehaved, { pods: OWNED_POD });
    const { apiVersion, kind, metadata } = all.widget();
    const { name, namespace = '', uid = '' } = metadata;
    await all.cluster.delete(WIDGET, { apiVersion, kind, name, namespace, uid });
    all.cluster.put(of);
    await turns();
    all.writes();
    return all;
  };

  test('is let go of once it is being deleted, and another one’s finalizer stays', async () => {
    const { cluster, reconcile } = await ownerless(late());
    await reconcile();
    expect(cluster.find('Pod', 'a-late')?.metadata.finalizers).toEqual(['others.example/own']);
  });

  test.each(
    Object.entries({
      'is not being deleted': { deletionTimestamp: undefined },
      'is another object’s': { labels: { [LABEL.kind]: 'Widget', [LABEL.name]: 'b' } },
      'is another kind’s': { labels: { [LABEL.kind]: 'Gadget', [LABEL.name]: 'a' } },
    }),
  )('stays as it is if it %s', async (_name, over) => {
    const { reconcile, writes } = await ownerless(late(over));
    await reconcile();
    expect(writes()).toEqual([]);
  });

  test('stays as it is while the API server still has its owner', async () => {
    const { cluster, caches, reconcile, writes, widget } = await setUp(wellBehaved, { pods: OWNED_POD });
    cluster.put(late());
    await turns();
    caches.forget(widget(), undefined);
    writes();
    await reconcile();
    expect(writes()).toEqual([]);
  });
});

test('a paused object is left alone', async () => {
  const { reconcile, plans, writes } = await setUp(wellBehaved, {
    widget: { annotations: { [ANNOTATION.paused]: '' } },
  });
  expect(await reconcile()).toBeUndefined();
  expect([plans(), writes()]).toEqual([0, []]);
});

/** Learned only by looking again: no watch has reported it. */
const moveOn = (cluster: MemoryCluster, widget: Widget) =>
  cluster.put({ ...widget, metadata: { ...widget.metadata, labels: { moved: 'on' } } });

test('a decision over a stale look is not written: the object is looked at again, and decided anew', async () => {
  const { cluster, reconcile, widget, events } = await setUp(({ metadata }) => ({
    status: { phase: metadata.labels?.moved ?? 'still' },
  }));
  moveOn(cluster, widget());
  await reconcile();
  expect(events).toEqual(['undefined>on']);
  expect(widget()).toMatchObject({ status: { phase: 'on' }, metadata: { labels: { moved: 'on' } } });
});

test('a create without a status write in the last second is fenced by a patch that changes nothing', async () => {
  const { reconcile, writes, cluster, widget } = await setUp((owner, pods) => ({
    create: pods.length > 0 ? [] : [pod(owner)],
  }));
  const version = widget().metadata.resourceVersion;
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1']);
  expect(widget().metadata.resourceVersion).toBe(version);
  expect(cluster.find('Pod', 'a-1')).toBeDefined();
});

test('a create right after a round that wrote the status needs no fence of its own', async () => {
  const { reconcile, writes } = await setUp((owner, pods) =>
    owner.status?.phase === undefined
      ? { status: { phase: 'preparing' } }
      : { create: pods.length > 0 ? [] : [pod(owner)] },
  );
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1']);
});

test('a create is fenced if the owner is not as the round before confirmed it', async () => {
  const { reconcile, writes, cluster, caches, widget } = await setUp((owner, pods) => {
    if (owner.status?.phase === undefined) return { status: { phase: 'preparing' } };
    if (!owner.metadata.labels?.moved) {
      // While this round writes, the watch reports a stranger's change.
      caches.observe(moveOn(cluster, widget()), undefined);
      return { patch: pods.map((one) => ({ ...targetOf(one), body: { metadata: { labels: { touched: 'on' } } } })) };
    }
    const next = { ...pod(owner), metadata: { ...pod(owner).metadata, name: 'a-2' } };
    return { create: pods.length > 1 ? [] : [next] };
  });
  cluster.put(pod(widget()));
  await turns();
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'patch Pod a-1', 'patch Widget a status', 'create Pod a-2']);
});

test('a stale look creates nothing', async () => {
  const { reconcile, cluster, widget } = await setUp((owner) => ({
    create: owner.metadata.labels?.moved ? [] : [pod(owner)],
  }));
  moveOn(cluster, widget());
  await reconcile();
  expect(cluster.find('Pod', 'a-1')).toBeUndefined();
});

test('a refused create becomes a status by one more plan, and is not sent twice', async () => {
  const { reconcile, cluster, writes, widget, plans } = await setUp();
  cluster.refuse = (write) =>
    write.startsWith('create')
      ? { error: new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' }) }
      : undefined;
  await expect(reconcile()).rejects.toThrow('Pod a-1: Forbidden: exceeded quota');
  expect(writes()).toEqual(['patch Widget a', 'patch Widget a status', 'create Pod a-1', 'patch Widget a status']);
  expect(widget().status).toEqual({ phase: 'failed', reason: 'Forbidden' });
  expect(plans()).toBe(2);
});

test('while it is refused again and again the status does not flap; when it is taken it follows', async () => {
  const { reconcile, cluster, clock, writes, widget, events } = await setUp();
  const error = new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' });
  cluster.refuse = (write) => (write.startsWith('create') ? { error } : undefined);
  await expect(reconcile()).rejects.toThrow();
  writes();
  events.length = 0;
  await clock.step(2000);
  await expect(reconcile()).rejects.toThrow();
  expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1']);
  cluster.refuse = () => undefined;
  await clock.step(2000);
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1', 'patch Widget a status']);
  expect(widget().status).toEqual({ phase: 'running' });
  expect(events).toEqual(['failed>running']);
});

test('a refusal is forgotten once the write is no longer wanted', async () => {
  let wanted = true;
  const { reconcile, cluster, widget } = await setUp((owner, pods, context) => ({
    ...wellBehaved(owner, pods, context),
    ...(!wanted && { create: [] }),
  }));
  cluster.refuse = (write) =>
    write.startsWith('create') ? { error: new ApiError(422, { reason: 'Invalid' }) } : undefined;
  await expect(reconcile()).rejects.toThrow();
  wanted = false;
  await reconcile();
  expect(widget().status).toEqual({ phase: 'starting' });
});

test('an object of that name with our owner is taken as made; a stranger’s is a refusal', async () => {
  const ours = await setUp();
  ours.cluster.put(pod(ours.widget()));
  await ours.reconcile();
  expect(phaseOf(ours.widget())).toBe('running');

  const strange = await setUp();
  strange.cluster.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a-1', namespace: 'x' } });
  const read = strange.caches.list.bind(strange.caches);
  strange.caches.list = (of, namespace) => (of === POD ? [] : read(of, namespace));
  await expect(strange.reconcile()).rejects.toThrow('AlreadyExists');
  expect(strange.widget().status).toEqual({ phase: 'failed', reason: 'AlreadyExists' });
});

test('ours without the label by which it is followed is labelled again, instead of being made for ever', async () => {
  const labelled = (owner: KubeObject): KubeObject => ({
    ...pod(owner),
    metadata: { ...pod(owner).metadata, labels: { 'gantry.dev/kind': 'Widget' } },
  });
  const { cluster, reconcile, writes } = await setUp(
    (owner, pods) => ({ create: pods.length > 0 ? [] : [labelled(owner)] }),
    { pods: { ...POD, labelSelector: 'gantry.dev/kind' } },
  );
  await reconcile();
  const { labels, ...bare } = cluster.find('Pod', 'a-1')?.metadata ?? { name: '' };
  writes();
  cluster.put({ apiVersion: 'v1', kind: 'Pod', metadata: bare });
  await turns();
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'create Pod a-1', 'apply Pod a-1']);
  expect(cluster.find('Pod', 'a-1')?.metadata).toMatchObject({ uid: bare.uid, labels });
});

test.each([
  ['the answer was lost', new Error('socket hang up')],
  ['the server timed out', new ApiError(504, {})],
])('%s after the create was carried out: it is looked up, not made again', async (_what, error) => {
  const { reconcile, cluster, writes, widget } = await setUp();
  cluster.refuse = (write) => (write.startsWith('create') ? { error, after: true } : undefined);
  await reconcile();
  expect(writes().filter((write) => write.startsWith('create'))).toHaveLength(1);
  expect(phaseOf(widget())).toBe('running');
});

test('the answer was lost and nothing was made: the reconcile fails, the next one creates', async () => {
  const { reconcile, cluster, clock } = await setUp();
  cluster.refuse = (write) => (write.startsWith('create') ? { error: new Error('socket hang up') } : undefined);
  await expect(reconcile()).rejects.toThrow('socket hang up');
  cluster.refuse = () => undefined;
  await clock.step(2000);
  await reconcile();
  expect(cluster.find('Pod', 'a-1')).toBeDefined();
});

test('nothing is written while leadership is not sure', async () => {
  let leads = false;
  const { reconcile, writes } = await setUp(wellBehaved, { leads: () => leads });
  await expect(reconcile()).rejects.toThrow('another operator may lead');
  expect(writes()).toEqual([]);
  leads = true;
  await reconcile();
  expect(writes()).toHaveLength(4);
});

test('a plan that never rests is stopped and named', async () => {
  let count = 0;
  const { reconcile, writes } = await setUp(() => ({ status: { phase: 'x', count: ++count } }));
  await expect(reconcile()).rejects.toThrow('the plan of x/a does not converge');
  expect(writes()).toHaveLength(10);
});

test('a plan that fails is told on the object, once; nothing of it is carried out, and when it works again that goes', async () => {
  let fails = false;
  const { reconcile, widget, writes, events, lastResort } = await setUp((...setUp) => {
    if (fails) throw new RangeError('Invalid time value');
    return wellBehaved(...setUp);
  });
  await reconcile();
  const before = widget().status;
  writes();
  fails = true;
  events.length = 0;
  for (let time = 0; time < 2; time++) await expect(reconcile()).rejects.toThrow('the plan failed: Invalid time value');
  expect([writes(), events, lastResort.failing]).toEqual([['patch Widget a status'], ['PlanFailed'], true]);
  expect(widget().status).toMatchObject({
    ...before,
    conditions: [{ type: 'Reconciled', status: 'False', reason: 'PlanFailed' }],
  });
  fails = false;
  await reconcile();
  expect([widget().status, lastResort.failing]).toEqual([before, false]);
});

test('where the plan fails, what held only while the Pod ran goes with it', async () => {
  let fails = false;
  const { cluster, reconcile, widget, writes, events } = await setUp(
    (owner, pods, context) => {
      if (fails) throw new Error('no');
      const plan = wellBehaved(owner, pods, context);
      return { ...plan, status: { ...plan.status, count: 1 } };
    },
    { pods: OWNED_POD, hasStale: true },
  );
  await reconcile();
  fails = true;
  await expect(reconcile()).rejects.toThrow('the plan failed: no');
  expect(widget().status).toMatchObject({ count: 1 });
  await cluster.delete(OWNED_POD, target(cluster.find('Pod', 'a-1') as KubeObject));
  await turns();
  writes();
  events.length = 0;
  for (let time = 0; time < 2; time++) await expect(reconcile()).rejects.toThrow('the plan failed: no');
  expect(widget().status).not.toHaveProperty('count');
  expect([writes(), events]).toEqual([['patch Widget a status'], []]);
});

test('where the plan fails and what runs had to be ended, the object says so', async () => {
  const { reconcile, widget, lastResort } = await setUp(() => {
    throw new Error('no');
  });
  lastResort.overdue = 'ended';
  await expect(reconcile()).rejects.toThrow('the plan failed: no');
  expect(widget().status?.conditions).toEqual([expect.objectContaining({ reason: 'PlanFailedEnded' })]);
});

test('a status that the API server cannot take is a plan that fails', async () => {
  const { reconcile, cluster, writes, events, lastResort } = await setUp();
  const error = new ApiError(422, { reason: 'Invalid', message: 'status.run.seq: must be an integer' });
  cluster.refuse = (write) => (write.endsWith('status') && events.length === 0 ? { error } : undefined);
  await expect(reconcile()).rejects.toThrow('status.run.seq');
  expect(lastResort.failing).toBe(true);
  expect(writes()).not.toContain('create Pod a-1');
});

test('a look that came too early to plan leaves open whether the plan still fails; one that planned does not', async () => {
  let count = 0;
  const { reconcile, clock, lastResort } = await setUp(() => ({ status: { phase: 'x', count: ++count } }));
  const tries = async (times: number) => {
    for (let time = 0; time < times; time++) await expect(reconcile()).rejects.toThrow();
  };
  await tries(13);
  lastResort.failing = true;
  await tries(1);
  expect(lastResort.failing).toBe(true);
  await clock.step(10_000);
  await expect(reconcile()).rejects.toThrow('it is written too often');
  expect(lastResort.failing).toBe(false);
});

test('an object that is written without end is slowed down, and both that and the end of it are reported', async () => {
  let count = 0;
  let rests = false;
  const { reconcile, writes, widget, clock, events } = await setUp(() => ({
    status: { phase: 'x', count: rests ? count : ++count },
  }));
  const errors: string[] = [];
  const tries = async (times: number) => {
    for (let time = 0; time < times; time++)
      await reconcile().then(
        () => errors.push('settled'),
        ({ name }: Error) => errors.push(name),
      );
  };
  await tries(20);
  // Twelve times ten rounds, one write more, and then none in the same moment.
  expect(writes()).toHaveLength(121);
  expect(errors.slice(11, 14)).toEqual(['NotConverging', 'Slowed', 'Slowed']);
  await clock.step(10_000);
  await tries(5);
  expect(writes()).toHaveLength(1);
  expect(widget().status).toMatchObject({
    conditions: [{ type: 'Reconciled', status: 'False', reason: 'TooManyWrites' }],
  });
  expect(events.filter((event) => event === 'TooManyWrites')).toHaveLength(1);
  rests = true;
  await clock.step(60_000);
  await tries(1);
  await clock.step(70_000);
  await tries(1);
  expect(widget().status).toEqual({ phase: 'x', count });
});

test('whoever edits an object without end does not keep it from being planned', async () => {
  const { reconcile, cluster, widget } = await setUp();
  let edits = 0;
  // As a tenant with several clients: each write of ours meets a newer version, five times over.
  cluster.refuse = () => {
    if (edits < 5) {
      edits++;
      cluster.put({ ...widget(), metadata: { ...widget().metadata, labels: { edit: `${edits}` } } });
    }
    return undefined;
  };
  await reconcile();
  expect(edits).toBe(5);
  expect(widget().status).toEqual({ phase: 'running' });
  expect(widget().metadata.labels).toEqual({ edit: '5' });
});

test('a conflict about another object is left to the queue: to look at the owner again tells nothing', async () => {
  const { reconcile, cluster, widget, plans } = await setUp((_owner, pods) => ({ remove: pods.map(target) }));
  cluster.put(pod(widget()));
  await turns();
  cluster.refuse = () => ({ error: new ApiError(409, { reason: 'Conflict', message: 'not the one meant' }) });
  await expect(reconcile()).rejects.toThrow('not the one meant');
  expect(plans()).toBe(1);
});

test('an object that is edited beyond all measure is tried again later', async () => {
  const { reconcile, cluster, widget } = await setUp();
  cluster.refuse = () => {
    const { metadata } = widget();
    cluster.put({ ...widget(), metadata: { ...metadata, labels: { edit: `${metadata.resourceVersion}` } } });
    return undefined;
  };
  await expect(reconcile()).rejects.toThrow('modified');
});

test('a field that the plan leaves out is taken away, what others wrote stays', async () => {
  let reason: string | undefined = 'First';
  const { reconcile, cluster, widget, writes } = await setUp(() => ({
    status: { phase: 'x', ...(reason && { reason }) },
  }));
  await reconcile();
  cluster.put({ ...widget(), status: { ...widget().status, credit: { until: 'then' } } } as KubeObject);
  await turns();
  writes();
  await reconcile();
  expect(writes()).toEqual([]);
  reason = undefined;
  await reconcile();
  expect(widget().status).toEqual({ phase: 'x', credit: { until: 'then' } });
});

test('each state is put before those that were, with why and since when', async () => {
  let state: Record<string, unknown> = { phase: 'x', reason: 'First' };
  const { reconcile, clock, history } = await setUp(() => ({ status: state }));
  await reconcile();
  const first = { phase: 'x', reason: 'First', since: rfc3339(clock.now()) };
  state = { ...state, reasonArgs: { free: '2' } };
  await clock.step(60_000);
  await reconcile();
  // The same state with other numbers is not a new state.
  expect(history()).toEqual([first]);
  state = { ...state, reason: 'Second' };
  await reconcile();
  const second = { phase: 'x', reason: 'Second', reasonArgs: { free: '2' }, since: rfc3339(clock.now()) };
  state = { phase: 'y' };
  await reconcile();
  expect(history()).toEqual([{ phase: 'y', since: second.since }, second, first]);
});

test('a field is taken away before anything is created, also right after the finalizer was put back', async () => {
  let reason: string | undefined = 'First';
  const { reconcile, cluster, widget, writes } = await setUp((owner, pods) => ({
    finalizer: 'keep',
    status: { phase: 'x', ...(reason && { reason }) },
    create: reason || pods.length > 0 ? [] : [pod(owner)],
  }));
  await reconcile();
  cluster.put({ ...widget(), metadata: { ...widget().metadata, finalizers: [] } });
  await turns();
  writes();
  reason = undefined;
  await reconcile();
  expect(writes()).toEqual(['patch Widget a', 'patch Widget a status', 'create Pod a-1']);
});

test('a removed child that lingers is not removed again and again', async () => {
  const { cluster, reconcile, widget, writes } = await setUp((_owner, pods) => ({ remove: pods.map(target) }));
  const child = pod(widget());
  cluster.put({ ...child, metadata: { ...child.metadata, finalizers: ['someone/else'] } });
  await turns();
  await reconcile();
  expect(writes()).toEqual(['delete Pod a-1', 'delete Pod a-1']);
});

const secret = (content = 'a'): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'mine', namespace: 'x' },
  data: { content },
});
const SECRET: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

test('an unreadable object is made once, made anew when it is wanted otherwise, and put right now and then', async () => {
  let content = 'a';
  const { reconcile, writes, cluster, clock } = await setUp(() => ({ unseen: [secret(content)] }), { pods: SECRET });
  await reconcile();
  await reconcile();
  expect(writes()).toEqual(['patch Widget a status', 'apply Secret mine']);
  content = 'b';
  await reconcile();
  expect(writes()).toContain('apply Secret mine');
  expect(cluster.find('Secret', 'mine')).toMatchObject({ data: { content: 'b' } });
  await clock.step(31 * 60_000);
  await reconcile();
  expect(writes()).toContain('apply Secret mine');
});

test('an object that was not wanted for a while is made again', async () => {
  let wanted = [secret()];
  const { reconcile, writes } = await setUp(() => ({ unseen: wanted }), { pods: SECRET });
  await reconcile();
  wanted = [];
  await reconcile();
  writes();
  wanted = [secret()];
  await reconcile();
  expect(writes()).toContain('apply Secret mine');
});

test('when it is refused the plan is told, and it is tried again', async () => {
  const { reconcile, writes, cluster, widget } = await setUp(
    (_owner, _pods, { refusals }) => ({ unseen: [secret()], status: { phase: refusals.length > 0 ? 'failed' : 'ok' } }),
    { pods: SECRET },
  );
  const no = new ApiError(403, { reason: 'Forbidden', message: 'no' });
  cluster.refuse = (write) => (write === 'apply Secret mine' ? { error: no } : undefined);
  await expect(reconcile()).rejects.toThrow('Secret mine: Forbidden: no');
  expect(widget().status).toEqual({ phase: 'failed' });
  cluster.refuse = () => undefined;
  writes();
  await reconcile();
  expect(writes()).toContain('apply Secret mine');
  await reconcile();
  expect(widget().status).toEqual({ phase: 'ok' });
});

const user = { ...secret(), metadata: { name: 'user', namespace: 'x', labels: { 'gantry.dev/name': 'a' } } };

test('it comes before whatever may need it, and where it is refused nothing is created', async () => {
  const { reconcile, writes, cluster } = await setUp(
    (_owner, seen) => ({
      create: seen.some(({ metadata }) => metadata.name === 'user') ? [] : [user],
      unseen: [secret()],
    }),
    { pods: SECRET },
  );
  const no = new ApiError(403, { reason: 'Forbidden', message: 'no' });
  cluster.refuse = (write) => (write === 'apply Secret mine' ? { error: no } : undefined);
  await expect(reconcile()).rejects.toThrow('Secret mine: Forbidden: no');
  expect(cluster.find('Secret', 'user')).toBeUndefined();
  cluster.refuse = () => undefined;
  writes();
  await reconcile();
  expect(writes().filter((write) => !write.endsWith('status'))).toEqual(['apply Secret mine', 'create Secret user']);
});

test('an apply without uid could create, so it is a fault of the plan', async () => {
  const { reconcile } = await setUp((owner) => ({ apply: [pod(owner)] }));
  await expect(reconcile()).rejects.toThrow('apply of Pod a-1 has no uid');
});
