// The kubelets asked, how often, the part of the answer that is believed, and the part that is shown. The kubelets are played.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { SeriesName } from '@gantry/contract/kind-api.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../platform/http/caller.ts';
import { POINTS, STEP_MS } from './hour.ts';
import { ObjectUsage, type ObjectUsageParts } from './usage.ts';

const GI = 2 ** 30;
const ann = { organization: { namespace: 'org-acme' } } as Caller;
const eve = { organization: { namespace: 'org-foe' } } as Caller;
const NO_LIMITS = { cpu: null, memory: null, root: null };

const instance = (name: string, spec: object = {}, namespace = 'org-acme'): KubeObject =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name, namespace, uid: `uid-${namespace}-${name}` },
    spec,
    status: { run: { seq: 1 } },
  }) as KubeObject;
const host = (...nodes: string[]): KubeObject =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuHost',
    metadata: { name: 'big', namespace: 'org-acme', uid: 'uid-host' },
    spec: {},
    status: { nodes: nodes.map((name) => ({ name })) },
  }) as KubeObject;
const pod = (node: string, uid: string) => ({
  uid,
  node,
  limits: { cpu: 2, memory: 4 * GI, root: 20 * GI },
});
const used = (uid: string, cores: number, more: object = {}) => ({
  podRef: { uid },
  cpu: { usageNanoCores: cores * 1e9 },
  memory: { workingSetBytes: GI },
  containers: [{ rootfs: { usedBytes: GI / 2 } }],
  ...more,
});

let clock: SteppedClock;
let objects: KubeObject[];
let pods: Map<string, ReturnType<typeof pod>>;
/** By node: the uid of the host that has it. */
let hosts: Map<string, string>;
/** By node: what its kubelet says, or why it does not. */
let answers: Map<string, object | Error | (() => Promise<string>)>;
let asked: string[];
let notes: string[];
let parts: ObjectUsageParts;
let usage: ObjectUsage;

beforeEach(() => {
  clock = new SteppedClock();
  objects = [instance('dev')];
  pods = new Map([['org-acme/dev-1', pod('node-a', 'pod-1')]]);
  hosts = new Map();
  answers = new Map([['node-a', { pods: [used('pod-1', 0.5)] }]]);
  asked = [];
  notes = [];
  parts = {
    kinds: [gpuInstance, gpuHost],
    list: ({ kind }) => objects.filter((object) => object.kind === kind),
    find: ({ kind }, namespace, name) =>
      objects.find(
        ({ kind: of, metadata }) => of === kind && metadata.namespace === namespace && metadata.name === name,
      ),
    podAt: (namespace, name) => pods.get(`${namespace}/${name}`),
    nodeAt: (name) => ({ host: hosts.get(name), limits: { ...NO_LIMITS, cpu: 64 } }),
    ownBytesOf: (namespace, disk) => (namespace === 'org-acme' && disk === 'data' ? 5 : 0),
    async ask(node) {
      asked.push(node);
      const answer = answers.get(node) ?? new Error('connection refused');
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer() : JSON.stringify(answer);
    },
    clock,
    log: { warn: (facts) => notes.push(JSON.stringify(facts)), info: (facts) => notes.push(JSON.stringify(facts)) },
    chance: () => 1,
  };
  usage = new ObjectUsage(parts);
});
afterEach(() => usage.stop());

const begin = async () => {
  await clock.step(STEP_MS);
  usage.start();
  await clock.step(0);
};
const later = (steps: number) => clock.step(steps * STEP_MS);
const read = (id = 'dev', facts: typeof gpuInstance | typeof gpuHost = gpuInstance, part?: string) =>
  usage.read(ann, facts, id, part);
const series = (name: SeriesName, view = read()) => view.series.find((one) => one.name === name);

test('an instance has what its Pod uses, against the limits of the Pod', async () => {
  const dev = instance('dev', { gpu: { model: 'H100', count: 1 }, disks: [{ name: 'data', mountPath: '/data' }] });
  objects = [
    { ...dev, status: { ...(dev as { status?: object }).status, usage: { home: { ownBytes: 3 } } } } as KubeObject,
  ];
  const volume = [
    { pvcRef: { name: 'dev-home' }, usedBytes: 10, capacityBytes: 100 },
    { pvcRef: { name: 'data-disk' }, usedBytes: 20, capacityBytes: 200 },
  ];
  answers.set('node-a', { pods: [used('pod-1', 0.5, { volume })] });
  await begin();
  const view = read();
  expect(view).toMatchObject({ parts: ['main'], part: 'main', step_seconds: 15, end_time: '2026-01-01T00:00:15.000Z' });
  expect(view.series.map(({ points, ...one }) => ({ ...one, last: points.at(-1) }))).toEqual([
    { name: 'cpu', disk: null, unit: 'cores', limit: 2, now: 0.5, last: 0.5 },
    { name: 'memory', disk: null, unit: 'bytes', limit: 4 * GI, now: GI, last: GI },
    { name: 'root', disk: null, unit: 'bytes', limit: 20 * GI, now: GI / 2, last: GI / 2 },
    // Without what a file system keeps for itself, as on the pages of instances and disks.
    { name: 'home', disk: null, unit: 'bytes', limit: 100, now: 7, last: 7 },
    { name: 'disk', disk: 'data', unit: 'bytes', limit: 200, now: 15, last: 15 },
    // Nobody measures GPUs yet.
    { name: 'gpu', disk: null, unit: 'percent', limit: 100, now: null, last: undefined },
  ]);
});

test('each node is asked once a step, however many instances it has and however many look', async () => {
  objects = [instance('dev'), instance('other'), instance('far'), instance('idle')];
  pods.set('org-acme/other-1', pod('node-a', 'pod-2')).set('org-acme/far-1', pod('node-b', 'pod-3'));
  answers.set('node-b', { pods: [] });
  await begin();
  for (let viewer = 0; viewer < 20; viewer++) read();
  expect(asked).toEqual(['node-a', 'node-b']);
  await later(2);
  expect(asked).toEqual(['node-a', 'node-b', 'node-a', 'node-b', 'node-a', 'node-b']);
});

test('a timer that fires before its time costs no step', async () => {
  // As Node's do, which know whole milliseconds only.
  const real = clock;
  parts = {
    ...parts,
    clock: {
      now: () => real.now(),
      monotonic: () => real.monotonic() + 0.3,
      after: (ms, run) => real.after(Math.max(1, Math.floor(ms)), run),
    },
  };
  usage = new ObjectUsage(parts);
  await begin();
  await later(3);
  expect(asked).toHaveLength(4);
  expect(series('cpu')?.points.slice(-5)).toEqual([null, 0.5, 0.5, 0.5, 0.5]);
});

test('the hour goes on over runs, with a gap where there was no Pod', async () => {
  await begin();
  pods.delete('org-acme/dev-1');
  await later(1);
  (objects[0] as unknown as { status: object }).status = { run: { seq: 2 } };
  pods.set('org-acme/dev-2', pod('node-b', 'pod-2'));
  answers.set('node-b', { pods: [used('pod-2', 1.5)] });
  await later(1);
  expect(series('cpu')?.points.slice(-4)).toEqual([null, 0.5, null, 1.5]);
});

test('a node is believed about itself and about Pods that the API server gave it', async () => {
  objects = [instance('dev'), instance('victim', {}, 'org-foe')];
  pods.set('org-foe/victim-1', pod('node-b', 'pod-victim'));
  answers.set('node-a', { pods: [used('pod-1', 0.5), used('pod-victim', 64)] });
  await begin();
  expect(usage.read(eve, gpuInstance, 'victim').series.map(({ now }) => now)).toEqual([null, null, null, null]);
  expect(series('cpu')?.now).toBe(0.5);
});

test('a Pod of the same name from before is another one', async () => {
  answers.set('node-a', { pods: [used('pod-0', 0.5)] });
  await begin();
  expect(series('cpu')).toMatchObject({ now: null, points: [] });
});

test('for another organisation there is no such object', async () => {
  await begin();
  expect(() => usage.read(eve, gpuInstance, 'dev')).toThrow(expect.objectContaining({ problem: 'not_found' }));
  expect(() => read('dev', gpuInstance, 'other')).toThrow(expect.objectContaining({ problem: 'not_found' }));
});

test('an object of the same name as a deleted one begins anew', async () => {
  await begin();
  const [old] = objects;
  objects = [{ ...old, metadata: { ...old?.metadata, uid: 'uid-new' } } as KubeObject];
  pods.clear();
  await later(1);
  expect(series('cpu')).toMatchObject({ now: null, points: [] });
});

test('a node that does not answer is asked less and less often, is reported once, and comes back', async () => {
  answers.set('node-a', new Error('no kubelet'));
  await begin();
  const after: number[] = [];
  for (let step = 1; step <= 80; step++) {
    const before = asked.length;
    await later(1);
    if (asked.length > before) after.push(step);
  }
  expect(after).toEqual([1, 3, 7, 15, 31, 51, 71]);
  expect(notes).toEqual([JSON.stringify({ node: 'node-a', why: 'no kubelet' })]);
  answers.set('node-a', { pods: [used('pod-1', 1)] });
  await later(11);
  expect(notes).toHaveLength(2);
  await later(1);
  expect(series('cpu')?.points.slice(-2)).toEqual([1, 1]);
});

test.each([
  ['no JSON', async () => '<html>'],
  ['no answer that is short enough', async () => Promise.reject(new Error('longer than 8388608 bytes'))],
])('a node that gives %s has no data', async (_, answer) => {
  answers.set('node-a', answer);
  await begin();
  expect(series('memory')).toMatchObject({ now: null, points: [], limit: 4 * GI });
  expect(notes).toHaveLength(1);
});

test('nodes that hang hold up no node that answers, and are not asked twice at once', async () => {
  objects = [instance('dev'), ...Array.from({ length: 30 }, (_, at) => instance(`stuck-${at}`))];
  await begin();
  for (let at = 0; at < 30; at++) {
    pods.set(`org-acme/stuck-${at}-1`, pod(`stuck-${at}`, `pod-stuck-${at}`));
    answers.set(`stuck-${at}`, () => new Promise(() => {}));
  }
  await later(4);
  expect(asked.filter((node) => node === 'node-a')).toHaveLength(5);
  expect(asked.filter((node) => node !== 'node-a')).toHaveLength(8);
  expect(series('cpu')?.now).toBe(0.5);
});

test('a host has each of its nodes, while the node is its own', async () => {
  objects = [host('node-a', 'node-b')];
  hosts.set('node-a', 'uid-host').set('node-b', 'uid-other');
  const node = {
    cpu: { usageNanoCores: 3e9 },
    memory: { workingSetBytes: GI },
    fs: { usedBytes: 1, capacityBytes: 9 },
  };
  answers.set('node-a', { node }).set('node-b', { node });
  await begin();
  expect(asked).toEqual(['node-a']);
  const view = read('big', gpuHost);
  expect(view).toMatchObject({ parts: ['node-a', 'node-b'], part: 'node-a' });
  expect(view.series.map(({ name, now, limit }) => [name, now, limit])).toEqual([
    ['cpu', 3, 64],
    ['memory', GI, null],
    ['root', 1, 9],
    ['gpu', null, 100],
  ]);
  expect(series('cpu', read('big', gpuHost, 'node-b'))?.now).toBeNull();
  objects = [host()];
  expect(read('big', gpuHost)).toMatchObject({ parts: [], part: null, series: [] });
});

test('what is older than an hour is forgotten', async () => {
  await begin();
  pods.clear();
  await later(POINTS - 2);
  expect(series('cpu')?.points).toHaveLength(POINTS);
  expect(series('cpu')?.now).toBeNull();
  await later(2);
  expect(series('cpu')?.points).toEqual([]);
});

test('nothing is asked after a stop', async () => {
  await begin();
  usage.stop();
  await later(5);
  expect(asked).toEqual(['node-a']);
});
