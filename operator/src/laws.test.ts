// The laws of every plan, over all controllers, through histories that nobody thought of: wishes, faults, crashes and time in
// any order. A failing history is printed with its seed.
import {
  API_VERSION,
  type CommonStatus,
  type Condition,
  type KindFacts,
  type KubeObject,
} from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { VISIBLE_DEVICES } from '@gantry/contract/gpu-access.ts';
import type { KINDS } from '@gantry/contract/kinds.ts';
import { AGENT_KIND, agentLease, GPU_RESOURCE, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { ofEachKind } from '../../test/support/file-of-kind.ts';
import { hostileSpec, madeOdd, oddity } from '../../test/support/hostile-values.ts';
import { fc } from '../../test/support/seeded-fast-check.ts';
import { isSoak } from '../../test/support/soak.ts';
import { type Config, readConfig } from './config.ts';
import { CONTROLLERS } from './controllers.ts';
import type { AnyController, Plan, Reads } from './define-controller.ts';
import { COMMON } from './runtime/status-patch.ts';
import { containersAre, look, NODE, preempt, SimulatedCluster, type Thing } from './testing/simulated-cluster.ts';

const START = Date.parse('2026-11-21T10:00:00Z');
/** Rounds of planning without any news after which a plan has to be content. */
const PATIENCE = 40;
// Any file is long enough for a key.
const { settings } = readConfig(['--platform-key-file=package.json', '--trainer-image=a/trainer:1'], {}) as Config;

/** Specs that the API server lets pass; each kind brings its own. */
const SPECS = await ofEachKind(CONTROLLERS, async (file) => {
  const { specs }: { specs: fc.Arbitrary<object> } = await import(`./kinds/${file}/testing/specs.ts`);
  return specs;
});

/** An event between two plans. `of` picks an object; an effect that does not suit it does nothing. */
type Effect = (cluster: SimulatedCluster, of: Thing, owner: Thing) => void;
const ofPods =
  (effect: (cluster: SimulatedCluster, pod: Thing) => void): Effect =>
  (cluster, of) =>
    of.kind === 'Pod' && effect(cluster, of);
const ofSnapshots =
  (effect: (cluster: SimulatedCluster, save: Thing) => void): Effect =>
  (cluster, of) =>
    of.kind === 'Snapshot' && of.status?.phase !== 'ready' && of.status?.phase !== 'failed' && effect(cluster, of);
const waits = (reason: string) =>
  ofPods((cluster, pod) => containersAre(cluster, pod, { waiting: { reason, message: `it is ${reason}` } }, 'Pending'));
const ends = (exitCode: number, reason: string) =>
  ofPods((cluster, pod) => {
    const finishedAt = new Date(cluster.now).toISOString();
    containersAre(cluster, pod, { terminated: { exitCode, reason, finishedAt } }, 'Failed');
  });
const credit =
  (status: 'True' | 'False', reason: string): Effect =>
  (cluster, _, owner) => {
    const lastTransitionTime = new Date(cluster.now).toISOString();
    const observedGeneration = owner.metadata.generation ?? 1;
    const condition = { type: 'CreditReserved', status, reason, message: '', lastTransitionTime, observedGeneration };
    cluster.say(owner, { conditions: [condition], credit: { until: new Date(cluster.now + 3_600_000).toISOString() } });
  };
const inCredit =
  (status: 'True' | 'False', reason: string): Effect =>
  (cluster, _, owner) => {
    const lastTransitionTime = new Date(cluster.now).toISOString();
    const condition = { type: 'InCredit', status, reason, message: '', lastTransitionTime };
    if (owner.kind === 'Organization') cluster.say(owner, { conditions: [condition] });
  };
const WEIGHTS = { model: 'mdl-1', version: '1.0', name: 'a', digest: 'd', files: 1, sizeBytes: 1, entry: 'a.gguf' };
const FILLS = { ...WEIGHTS, fills: NODE };
/** By the kinds whose workers the gateway fills. */
const LISTED: Readonly<Record<string, object>> = {
  DataProcess: { dataset: 'dst-in', version: 1, digest: 'd', bytes: 1024 },
  FineTune: {
    ...{ model: 'mdl-base', version: 'v1', digest: 'd', bytes: 1024, baseBytes: 512 },
    datasets: [{ dataset: 'dst-in', version: 1 }],
  },
  Evaluation: { work: 'w', digest: 'd', bytes: 1024, subjects: [{ model: 'mdl-1', version: 'v1' }], datasets: [] },
};
const SETUP = { engine: 'llama.cpp', cores: 1, memoryGi: 1, tensorParallel: 1, memoryFraction: 0.9 };
/** The gateway's answer to how a model is served. */
const setup =
  ({
    status,
    reason,
    args = {},
    also,
  }: {
    status: 'True' | 'False';
    reason: string;
    args?: Record<string, string>;
    also?: { weights: object; setup: object };
  }): Effect =>
  (cluster, _, owner) => {
    if (owner.kind !== 'ModelDeployment') return;
    const lastTransitionTime = new Date(cluster.now).toISOString();
    const generation = owner.metadata.generation ?? 1;
    const condition = { type: 'SetupChosen', status, reason, message: '', args, lastTransitionTime };
    cluster.say(owner, {
      conditions: [{ ...condition, observedGeneration: generation }],
      ...(also && { ...also, setup: { ...also.setup, generation, at: lastTransitionTime } }),
    });
  };
const EFFECTS: Record<string, Effect> = {
  'the cluster does what it would': (cluster, of) => cluster.act(of),
  'the image cannot be pulled': waits('ImagePullBackOff'),
  'the container cannot be made': waits('CreateContainerConfigError'),
  'the container ends well': ends(0, 'Completed'),
  'the container is out of memory': ends(137, 'OOMKilled'),
  'the root file system is full': ofPods((cluster, pod) => {
    if (!pod.spec?.nodeName) return;
    const message = 'Container main exceeded its local ephemeral storage limit "20Gi". ';
    cluster.change(pod, { status: { phase: 'Failed', reason: 'Evicted', message } });
  }),
  'somebody deletes it': (cluster, of, owner) => {
    if (of.metadata.uid !== owner.metadata.uid) cluster.remove(of);
  },
  'somebody changes it': (cluster, of, owner) => {
    if (of.metadata.uid !== owner.metadata.uid && of.kind !== 'Pod')
      cluster.change(of, { spec: { hard: { pods: '9' } }, rules: [] });
  },
  'the scheduler finds no room': ofPods((cluster, pod) => {
    const lastTransitionTime = new Date(cluster.now).toISOString();
    if (pod.spec?.nodeName) return;
    cluster.change(pod, { status: { conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime }] } });
  }),
  'a card of the node is broken': (cluster) => reportXid(cluster, 'True'),
  'the card is mended': (cluster) => reportXid(cluster, 'False'),
  'the node is silent': (cluster) => setReady(cluster, 'Unknown'),
  'the node is back': (cluster) => setReady(cluster, 'True'),
  'a hand clears the node': (cluster) => {
    const node = cluster.find(`Node /${NODE}`);
    const isClear = node?.metadata.labels?.[LABEL.nodeHost] === undefined && node?.spec?.taints === undefined;
    if (node && !isClear)
      cluster.change(node, { metadata: { labels: { [LABEL.nodeHost]: null } }, spec: { taints: null } });
  },
  'billing reserves credit': credit('True', 'Reserved'),
  'billing has none': credit('False', 'OutOfCredit'),
  'billing finds a cap reached': credit('False', 'SpendCapReached'),
  'billing finds no price': credit('False', 'NoPrice'),
  'the organisation has no credit': inCredit('False', 'OutOfCredit'),
  'the organisation has paid': inCredit('True', 'InCredit'),
  'the save does not get through': ofSnapshots((cluster, save) => {
    const detail = `try at ${cluster.now}`;
    cluster.change(save, {
      status: { phase: 'processing', reason: 'Retrying', message: detail, reasonArgs: { detail } },
    });
  }),
  'the container is gone before it was saved': ofSnapshots((cluster, save) =>
    cluster.change(save, { status: { phase: 'failed', reason: 'ContainerGone', message: 'gone' } }),
  ),
  'the agent gives a sign': (cluster) => agentSigns(cluster),
  'the agent is taken off its node': (cluster) => {
    const lease = cluster.find(`Lease ${PLATFORM_NAMESPACE}/${agentLease(NODE)}`);
    if (lease) cluster.drop(lease);
  },
  'the gateway chooses a setup': setup({
    status: 'True',
    reason: 'Chosen',
    also: { weights: WEIGHTS, setup: SETUP },
  }),
  'the gateway spreads it over nodes': setup({
    status: 'True',
    reason: 'Chosen',
    also: { weights: WEIGHTS, setup: { ...SETUP, engine: 'vllm', gpu: { model: 'H100', count: 1 }, nodes: 2 } },
  }),
  'the gateway wants a node filled': setup({
    status: 'True',
    reason: 'Chosen',
    also: { weights: FILLS, setup: SETUP },
  }),
  'the gateway finds no such model': setup({ status: 'False', reason: 'ModelNotFound', args: { id: 'mdl-1' } }),
  'the gateway lists the inputs': (cluster, _, owner) => {
    const { seq: run } = (owner.status?.run ?? {}) as { seq?: number };
    const inputs = LISTED[owner.kind];
    if (inputs && run !== undefined) cluster.say(owner, { inputs: { ...inputs, run } });
  },
  'the gateway finds no such dataset': (cluster, _, owner) => {
    if (!LISTED[owner.kind]) return;
    const observedGeneration = owner.metadata.generation ?? 1;
    const lastTransitionTime = new Date(cluster.now).toISOString();
    const condition = {
      type: 'InputsListed',
      status: 'False' as const,
      reason: 'InputsGone',
      message: '',
      lastTransitionTime,
    };
    cluster.say(owner, {
      conditions: [{ ...condition, observedGeneration, args: { dataset: 'dst-in', what: 'dst-in' } }],
    });
  },
  'the queue takes its place back': (cluster, of) => of.kind === 'Job' && preempt(cluster, of),
  'garbage is collected': (cluster) => cluster.sweep(),
};

function setReady(cluster: SimulatedCluster, status: string): void {
  const node = cluster.find(`Node /${NODE}`);
  const lastTransitionTime = new Date(cluster.now).toISOString();
  const known = (node?.status?.conditions as Condition[] | undefined)?.[0]?.status;
  if (node && known !== status)
    cluster.change(node, { status: { conditions: [{ type: 'Ready', status, lastTransitionTime }] } });
}

function reportXid(cluster: SimulatedCluster, status: string): void {
  const node = cluster.find(`Node /${NODE}`);
  const [ready] = (node?.status?.conditions as Condition[] | undefined) ?? [];
  const lastTransitionTime = new Date(cluster.now).toISOString();
  const xid = { type: 'SysLogsXIDError', status, message: 'XID 79', lastTransitionTime };
  const known = (node?.status?.conditions as Condition[] | undefined)?.find(({ type }) => type === xid.type)?.status;
  if (node && ready && known !== status) cluster.change(node, { status: { conditions: [ready, xid] } });
}

function agentSigns(cluster: SimulatedCluster): void {
  const name = agentLease(NODE);
  const spec = { renewTime: new Date(cluster.now).toISOString() };
  const metadata = { name, namespace: PLATFORM_NAMESPACE, labels: { [LABEL.kind]: AGENT_KIND } };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  const known = cluster.find(`Lease ${PLATFORM_NAMESPACE}/${name}`);
  if (known) cluster.change(known, { spec });
  else cluster.create(lease);
}

type Step =
  | { does: 'effect'; effect: string; on: number }
  | { does: 'wish'; spec: object }
  | { does: 'wait'; seconds: number }
  | { does: 'plan'; writes: number };
const stepOf = (spec: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant('effect'),
        effect: fc.constantFrom(...Object.keys(EFFECTS)),
        on: fc.nat(9),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('wish'), spec }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('wait'), seconds: fc.constantFrom(1, 11, 65, 200, 700, 1000) }),
    },
    // A killed operator leaves a plan half done.
    { weight: 4, arbitrary: fc.record({ does: fc.constant('plan'), writes: fc.constantFrom(1, 2, 100) }) },
  ) as fc.Arbitrary<Step>;

const ALLOCATABLE = { 'nvidia.com/gpu': '8', cpu: '64', memory: '512Gi', pods: '110', 'ephemeral-storage': '1Ti' };

/**
 * In odd milliseconds whatever costs waits for credit, and in the second half of four there is a queue: steps are whole seconds, so
 * that a history has one sort alone.
 */
function newCluster({ facts }: AnyController, spec: object, isGated = false, isQueued = false): SimulatedCluster {
  const cluster = new SimulatedCluster(START + (isGated ? 1 : 0) + (isQueued ? 2 : 0));
  const namespace = facts.scope === 'Namespaced' ? 'org-acme' : undefined;
  const metadata = { name: 'acme', ...(namespace && { namespace }) };
  for (const [kind, name] of [
    ['Namespace', 'org-other'],
    ['Namespace', PLATFORM_NAMESPACE],
    ['Node', NODE],
  ] as const) {
    cluster.create({ apiVersion: 'v1', kind, metadata: { name, labels: { 'nvidia.com/gpu.product': 'H100' } } });
  }
  cluster.change(cluster.find(`Node /${NODE}`) as Thing, { status: { allocatable: ALLOCATABLE } });
  setReady(cluster, 'True');
  agentSigns(cluster);
  if (namespace) {
    const labels = { [LABEL.organization]: 'acme' };
    cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  }
  cluster.create({ apiVersion: API_VERSION, kind: facts.kind, metadata } as KubeObject);
  cluster.wish(ownerIn(cluster, facts) as Thing, spec);
  return cluster;
}

/** The first of its kind: a schedule makes others. A batch Job's kind has the same word as a Job's. */
const ownerIn = (cluster: SimulatedCluster, { kind }: KindFacts) =>
  cluster.objects.find((one) => one.kind === kind && one.apiVersion === API_VERSION && one.metadata.name === 'acme');

/** Plans once, and checks what holds for every single plan. */
function planned(
  controller: AnyController,
  owner: Thing,
  cluster: SimulatedCluster,
  refusals: readonly unknown[] = [],
): Plan<object> {
  const context = {
    now: cluster.now,
    settings: {
      ...settings,
      creditGate: cluster.now % 2 ? 'required' : 'off',
      queue: cluster.now % 4 >= 2 ? 'kueue' : 'none',
    },
    refusals,
  };
  // Everything it is given is frozen: a change of it would throw.
  const plan = controller.plan(
    owner as never,
    look(controller, owner, cluster, context.settings) as never,
    context as never,
  );
  const again = controller.plan(
    owner as never,
    look(controller, owner, cluster, context.settings) as never,
    context as never,
  );
  expect(again).toEqual(plan);
  expect(plan.againInMs ?? 1).toBeGreaterThan(0);
  expectInLine(owner, plan);
  expectDeclared(controller, plan);
  expectClosed(plan);
  return plan;
}

/** No container may be given, by its image's environment, cards that it has not asked for. */
function expectClosed({ create = [], apply = [], patch = [] }: Plan<object>): void {
  const open = containersIn([create, apply, patch])
    .filter(({ resources }) => resources?.limits?.[GPU_RESOURCE] === undefined)
    .filter(({ env = [] }) => env.filter(({ name }) => name === VISIBLE_DEVICES).at(-1)?.value !== 'void');
  expect(open).toEqual([]);
}

interface Container {
  env?: { name: string; value?: string }[];
  resources?: { limits?: Record<string, string> };
}

/** Wherever they stand. */
function containersIn(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /containers$/i.test(key) && Array.isArray(inner) ? (inner as Container[]) : containersIn(inner),
  );
}

/** A field that a plan writes without declaring it would never be removed. */
function expectDeclared({ writes = {} }: AnyController, plan: Plan<object>): void {
  const { conditions = [], ...fields } = (plan.status ?? {}) as CommonStatus;
  expect([...COMMON, ...(writes.fields ?? [])]).toEqual(expect.arrayContaining(Object.keys(fields)));
  expect(writes.conditions ?? []).toEqual(expect.arrayContaining(conditions.map(({ type }) => type)));
}

/** Usage is recorded in one sequence: closed intervals stay unchanged, and nothing overlaps or is missing. */
function expectInLine({ status }: Thing, plan: Plan<object>): void {
  const known = (status?.intervals ?? []) as Interval[];
  const { intervals } = (plan.status ?? {}) as { intervals?: Interval[] };
  if (!intervals) return;
  for (const [index, { seq, from, to = from }] of intervals.entries()) {
    const [before, same] = [intervals[index - 1], known.find((one) => one.seq === seq)];
    if (before) expect([before.seq + 1, Date.parse(before.to ?? '') <= Date.parse(from)]).toEqual([seq, true]);
    expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.parse(from));
    if (same?.to !== undefined) expect(intervals[index]).toEqual(same);
    else if (same) expect(intervals[index]).toMatchObject({ from: same.from, uses: same.uses });
  }
}

/** As the runtime does: planned again after every write, until nothing is wanted. */
function settle(controller: AnyController, cluster: SimulatedCluster): void {
  let refusals: readonly unknown[] = [];
  for (let round = 0; round < PATIENCE; round++) {
    const owner = ownerIn(cluster, controller.facts);
    if (!owner) return;
    const plan = planned(controller, owner, cluster, refusals);
    const done = cluster.carryOut(owner, plan);
    // A write that is refused again, after the plan was told, is retried later.
    if (!done.wrote && (done.refusals.length === 0 || refusals.length > 0)) return;
    refusals = done.refusals;
  }
  throw new Error(`${controller.facts.kind}: still writing after ${PATIENCE} plans with no news`);
}

function live(controller: AnyController, cluster: SimulatedCluster, steps: readonly Step[]): void {
  for (const step of steps) {
    const owner = ownerIn(cluster, controller.facts);
    if (!owner) return;
    if (step.does === 'wait') cluster.now += step.seconds * 1000;
    if (step.does === 'wish') cluster.wish(owner, step.spec);
    if (step.does === 'plan') cluster.carryOut(owner, planned(controller, owner, cluster), step.writes);
    if (step.does === 'effect') {
      const others = cluster.objects.filter(({ kind }) => kind !== 'Node');
      const effect = () => EFFECTS[step.effect]?.(cluster, others[step.on % others.length] ?? owner, owner);
      expectWoken(controller, cluster, owner, effect);
    }
  }
}

/** Whatever changes what an owner sees of a kind has to wake it, or it would hear of it ten minutes later. */
function expectWoken({ reads }: AnyController, cluster: SimulatedCluster, owner: Thing, effect: () => void): void {
  const listening = Object.entries(reads as Reads).filter(([, { wakes }]) => wakes);
  const seen = () => listening.map(([, read]) => JSON.stringify(read.find(owner, cluster, settings)) ?? '');
  const [before, objects] = [seen(), new Map(cluster.objects.map((object) => [object.metadata.uid, object]))];
  effect();
  const after = new Map(cluster.objects.map((object) => [object.metadata.uid, object]));
  const changes = [...objects.keys(), ...after.keys()].flatMap((uid) => {
    const [old, now] = [objects.get(uid), after.get(uid)];
    return old === now ? [] : [{ ...(old && { before: old }), ...(now && { after: now }) }];
  });
  const { name, namespace } = owner.metadata;
  for (const [index, text] of seen().entries()) {
    const [readName = '', read] = listening[index] ?? [];
    const ofKind = changes.filter((change) => (change.after ?? change.before)?.kind === read?.of.kind);
    if (text === before[index] || ofKind.length < changes.length) continue;
    const woken = ofKind.flatMap((change) => [...(read?.wakes?.(change, cluster, settings) ?? [])]);
    expect({ readName, woken }).toEqual({
      readName,
      woken: expect.arrayContaining([{ name, ...(namespace && { namespace }) }]),
    });
  }
}

/** Time passes in a healthy cluster. */
function recover(controller: AnyController, cluster: SimulatedCluster, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    setReady(cluster, 'True');
    settle(controller, cluster);
    for (const object of cluster.objects) cluster.act(object);
    cluster.sweep();
    cluster.now += 60_000;
  }
}

type Name = keyof typeof KINDS;
type Law = (name: Name, controller: AnyController, runs?: object) => void;
/** LAW_RUNS is for a longer look. Each day draws other histories. */
const RUNS = { numRuns: Number(process.env.LAW_RUNS ?? (isSoak ? 60 : 20)), includeErrorInReport: true };
const histories = (name: Name) =>
  fc.record({
    spec: SPECS[name],
    isGated: fc.boolean(),
    isQueued: fc.boolean(),
    steps: fc.array(stepOf(SPECS[name]), { maxLength: 40 }),
  });

const LAWS = {
  'whatever happens, it is woken, plans the same for the same, mutates nothing, and comes to rest': (
    name,
    controller,
    runs = RUNS,
  ) =>
    fc.assert(
      fc.property(histories(name), ({ spec, isGated, isQueued, steps }) => {
        const cluster = newCluster(controller, spec, isGated, isQueued);
        for (let from = 0; from <= steps.length; from += 8) {
          live(controller, cluster, steps.slice(from, from + 8));
          settle(controller, cluster);
        }
      }),
      runs,
    ),
  'in a healthy cluster it ends up doing nothing': (name, controller, runs = RUNS) =>
    fc.assert(
      fc.property(histories(name), ({ spec, isGated, isQueued, steps }) => {
        const cluster = newCluster(controller, spec, isGated, isQueued);
        live(controller, cluster, steps);
        recover(controller, cluster, 15);
        settle(controller, cluster);
        const owner = ownerIn(cluster, controller.facts);
        if (owner) expect(cluster.carryOut(owner, planned(controller, owner, cluster)).wrote).toBe(false);
      }),
      runs,
    ),
  'deleted, it goes and leaves nothing behind': (name, controller, runs = RUNS) =>
    fc.assert(
      fc.property(histories(name), ({ spec, isGated, isQueued, steps }) => {
        const cluster = newCluster(controller, spec, isGated, isQueued);
        const before = new Set(cluster.objects.map(({ metadata }) => metadata.uid));
        live(controller, cluster, steps);
        const owner = ownerIn(cluster, controller.facts);
        if (owner) cluster.remove(owner);
        recover(controller, cluster, 15);
        const isLeft = ({ kind, metadata }: Thing) =>
          (!before.has(metadata.uid) && metadata.labels?.[LABEL.kind] !== AGENT_KIND) || kind === controller.facts.kind;
        expect(cluster.objects.filter(isLeft)).toEqual([]);
        // Nodes belong to others: marks on them are removed.
        const node = cluster.find(`Node /${NODE}`) as Thing;
        expect(node.metadata.labels?.[LABEL.nodeHost]).toBeUndefined();
        expect(node.spec ?? {}).toEqual({});
      }),
      runs,
    ),
  'with its namespace it goes, and leaves nothing behind': (name, controller, runs = RUNS) =>
    fc.assert(
      fc.property(histories(name), ({ spec, isGated, isQueued, steps }) => {
        if (controller.facts.scope !== 'Namespaced') return;
        const cluster = newCluster(controller, spec, isGated, isQueued);
        live(controller, cluster, steps);
        const home = cluster.find('Namespace /org-acme');
        if (home) cluster.remove(home);
        recover(controller, cluster, 15);
        expect(cluster.objects.filter(({ metadata }) => metadata.namespace === 'org-acme')).toEqual([]);
        expect(cluster.find('Namespace /org-acme')).toBeUndefined();
      }),
      runs,
    ),
} satisfies Record<string, Law>;

/** Plans continue from any state: what they write is sound in any case. */
function expectSound({ facts }: AnyController, { status, againInMs = 1, ...writes }: Plan<object>): void {
  expect(facts.status.safeParse(status ?? {}).error?.issues).toBeUndefined();
  expect(againInMs).toBeGreaterThan(0);
  const marked = (_: string, value: unknown) => (Number.isNaN(value) ? 'NaN' : value);
  expect(JSON.stringify(writes, marked)).not.toMatch(/NaN|Infinity|undefined|Invalid Date/);
}

const hostile = (name: Name) =>
  fc.record({
    spec: SPECS[name],
    isGated: fc.boolean(),
    isQueued: fc.boolean(),
    steps: fc.array(stepOf(SPECS[name]), { maxLength: 20 }),
    wish: fc.option(hostileSpec(CONTROLLERS[name].facts), { nil: {} }),
    odd: fc.array(oddity, { maxLength: 6 }),
  });

type Hostile = ReturnType<typeof hostile> extends fc.Arbitrary<infer Value> ? Value : never;

/** After some history: odd values in the spec, and in the existing objects of `among`; in the owner itself only in its status. */
function oddCluster(controller: AnyController, history: Hostile, among: (object: Thing) => boolean): SimulatedCluster {
  const cluster = newCluster(controller, history.spec, history.isGated, history.isQueued);
  live(controller, cluster, history.steps);
  const owner = ownerIn(cluster, controller.facts);
  if (owner) cluster.put({ ...owner, spec: { ...owner.spec, ...history.wish } });
  for (const one of history.odd) {
    const objects = cluster.objects.filter(among);
    const object = objects[one.object % objects.length];
    if (object) cluster.put(madeOdd(object, one, object.kind === controller.facts.kind ? 'status' : undefined));
  }
  return cluster;
}

describe.each(Object.entries(CONTROLLERS) as [Name, AnyController][])(
  '%s, given what nobody means,',
  (name, controller) => {
    const isOwn = ({ kind }: Thing) => kind === controller.facts.kind;
    const plansFor = (among: (object: Thing) => boolean, expects: (plan: Plan<object>) => void) =>
      fc.assert(
        fc.property(hostile(name), (history) => {
          const cluster = oddCluster(controller, history, among);
          for (let round = 0; round < 3; round++) {
            const owner = ownerIn(cluster, controller.facts);
            if (!owner) return;
            const creditGate = history.isGated ? 'required' : 'off';
            const context = { now: cluster.now, settings: { ...settings, creditGate }, refusals: [] };
            const plan = controller.plan(
              owner as never,
              look(controller, owner, cluster, context.settings) as never,
              context as never,
            );
            expects(plan);
            cluster.carryOut(owner, plan);
          }
        }),
        { ...RUNS, numRuns: 3 * RUNS.numRuns },
      );

    test('plans all the same, and nothing that the API server would have to refuse', () =>
      plansFor(
        (object) => !isOwn(object),
        (plan) => expectSound(controller, plan),
      ));

    // Written by an older or a newer operator.
    test('plans all the same, whatever its own status says', () => plansFor(isOwn, () => {}));
  },
);

describe.each(Object.entries(CONTROLLERS) as [Name, AnyController][])('%s', (name, controller) => {
  test.each(Object.entries(LAWS))('%s', (_, law) => law(name, controller));
});

const QUOTA = { gpus: 1, cores: 1, memoryGi: 1, storageGi: 1, instances: 1, disks: 1, hosts: 1, jobs: 1, services: 1 };
test.each<[Name, spec: object, phase: string]>([
  ['organization', { quota: QUOTA }, 'ready'],
  ['image', { source: 'pytorch/pytorch:2.4.0' }, 'ready'],
  [
    'gpuInstance',
    { power: 'Running', rebootCount: 0, image: 'a/b:1', cores: 1, memoryGi: 1, homeDisk: { sizeGi: 1 } },
    'running',
  ],
  ['dataDisk', { sizeGi: 1, access: 'Single' }, 'active'],
  [
    'containerService',
    { power: 'Running', image: 'a/b:1', cores: 1, memoryGi: 1, replicas: 2, ports: [{ port: 80 }] },
    'active',
  ],
  ['job', { power: 'Running', image: 'a/b:1', workers: 2, cores: 1, memoryGi: 1 }, 'succeeded'],
  ['gpuHost', { source: 'rented', gpu: { model: 'H100', count: 8 }, nodes: 1, months: 1 }, 'active'],
])('the simulated cluster is good enough: %s %j ends up %s', (name, spec, phase) => {
  const controller: AnyController = CONTROLLERS[name];
  const cluster = newCluster(controller, spec);
  recover(controller, cluster, 15);
  expect(ownerIn(cluster, controller.facts)?.status).toMatchObject({ phase });
});

/** So many that a broken plan does not pass by luck; the first history that shows it is enough. */
const UNTIL_NOTICED = { ...RUNS, numRuns: 2000, endOnFailure: true };
const [SAME, REST, GONE, HOMELESS] = Object.values(LAWS) as [Law, Law, Law, Law];
let calls = 0;
/** Plans that break a law, and the law that has to notice. */
const BROKEN: Record<string, [law: Law, breaks: (plan: Plan<object>, owner: Thing) => Plan<object>]> = {
  'answers another way each time': [SAME, (plan) => ({ ...plan, status: { ...plan.status, seen: ++calls } })],
  'changes what it was given': [
    SAME,
    (plan, owner) => {
      owner.metadata.labels = {};
      return plan;
    },
  ],
  'bills a moment twice': [
    REST,
    (plan) => {
      const { intervals = [] } = (plan.status ?? {}) as { intervals?: Interval[] };
      const once = [...new Map(intervals.map((one) => [one.from, one])).values()];
      return { ...plan, status: { ...plan.status, intervals: once.flatMap((one) => [one, one]) } };
    },
  ],
  'always finds something to write': [
    REST,
    (plan, { status }) => ({ ...plan, status: { ...plan.status, count: Number(status?.count ?? 0) + 1 } }),
  ],
  'never lets its object go': [GONE, ({ finalizer: _, ...plan }) => ({ ...plan, finalizer: 'keep' })],
  'never lets go of what it holds': [GONE, ({ patch: _, ...plan }) => plan],
  // A namespace takes its Pods first, and its objects once those are gone.
  'holds its Pods until it is deleted itself': [
    HOMELESS,
    ({ patch = [], ...plan }, { metadata }) => (metadata.deletionTimestamp ? { ...plan, patch } : plan),
  ],
};
describe('the laws notice a plan that', () => {
  test.each(Object.entries(BROKEN))('%s', (_, [law, breaks]) => {
    const { gpuInstance } = CONTROLLERS;
    if (!gpuInstance) throw new Error('no controller of GpuInstance');
    const plan: AnyController['plan'] = (owner, seen, context) => breaks(gpuInstance.plan(owner, seen, context), owner);
    expect(() => law('gpuInstance', { ...gpuInstance, plan }, UNTIL_NOTICED)).toThrow();
  });
});

// One history instead of a search: chance finds a Pod that shows anything new too rarely.
test('the laws notice a controller that is deaf to its Pods', () => {
  const controller: AnyController = CONTROLLERS.gpuInstance;
  const pods = { ...controller.reads.pods, wakes: () => [] };
  const spec = { power: 'Running', rebootCount: 0, image: 'pytorch/pytorch:2.4.0', cores: 4, memoryGi: 16 };
  const cluster = newCluster(controller, { ...spec, homeDisk: { sizeGi: 1 } });
  const podIn = () => cluster.objects.find(({ kind }) => kind === 'Pod');
  for (let round = 0; round < 5 && !podIn(); round++) recover(controller, cluster, 1);
  settle(controller, cluster);
  const pod = podIn();
  const owner = ownerIn(cluster, controller.facts);
  if (!(pod && owner)) throw new Error('there is no Pod yet');
  const ends = () => cluster.remove(pod);
  expect(() => expectWoken({ ...controller, reads: { ...controller.reads, pods } }, cluster, owner, ends)).toThrow(
    'pods',
  );
});
