// Filling nodes, step by step: what is written, what is given up, and what begins again.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { type Filler, Filling } from './filling.ts';
import type { FillNode } from './fills.ts';

const GIB = 1024 ** 3;
const MINUTE = 60_000;
let now: number;
let object: ModelDeployment;
let nodes: FillNode[];
let filler: Filler;
let filling: Filling;
const node = (name: string, has = false): FillNode => ({ name, has, lists: 0, roomBytes: 100 * GIB });

function deployment(spec: object = {}, phase = 'active'): ModelDeployment {
  return {
    metadata: { name: 'chat', namespace: 'org-acme', uid: 'u' },
    spec: { power: 'Running', replicas: 2, ...spec },
    status: { phase, weights: { digest: 'd', sizeBytes: GIB } },
  } as unknown as ModelDeployment;
}
beforeEach(() => {
  now = 0;
  object = deployment();
  nodes = [node('a', true), node('b'), node('c')];
  filler = 'none';
  filling = new Filling({
    cluster: {
      async write(one, status) {
        const { weights } = status as { weights: { fills: string | null } };
        const { fills: _, ...kept } = one.status?.weights ?? {};
        const next = weights.fills === null ? kept : { ...kept, fills: weights.fills };
        object = { ...one, status: { ...one.status, weights: next } } as ModelDeployment;
      },
      nodeCaches: () => nodes,
      filler: () => filler,
    },
    clock: { now: () => now, monotonic: () => now, after: () => () => undefined },
  });
});
/** Where it is being copied to, so long after the step before. */
async function after(ms: number): Promise<string | undefined> {
  now += ms;
  await filling.step([object]);
  return object.status?.weights?.fills;
}

test('a node is filled until it says that it has the files', async () => {
  expect(await after(MINUTE)).toBe('b');
  filler = 'placed';
  expect(await after(MINUTE)).toBe('b');
  nodes = [node('a', true), node('b', true), node('c')];
  expect(await after(MINUTE)).toBeUndefined();
});

test.each<[string, Filler, number]>([
  ['ends without them', 'over', MINUTE],
  ['finds no place', 'unplaced', 3 * MINUTE],
  ['was not made', 'none', 3 * MINUTE],
  ['takes too long', 'placed', 12 * MINUTE],
])(
  'a Pod that %s is given up, and the next node comes; an hour later the first may be tried again',
  async (_, is, ms) => {
    expect(await after(MINUTE)).toBe('b');
    filler = is;
    expect(await after(ms)).toBe('c');
    filler = 'placed';
    nodes = [node('a', true), node('b'), node('c', true)];
    expect(await after(MINUTE)).toBeUndefined();
    object = deployment({ replicas: 3 });
    expect(await after(MINUTE)).toBeUndefined();
    expect(await after(61 * MINUTE)).toBe('b');
  },
);

test.each<[string, object, string, string | undefined]>([
  ['with one replica', { replicas: 1 }, 'active', undefined],
  ['that may have more', { replicas: 1, autoscaling: { min: 0, max: 2 } }, 'active', 'b'],
  ['that sleeps', { autoscaling: { min: 0, max: 2 } }, 'sleeping', 'b'],
  ['that is stopped', { power: 'Stopped' }, 'active', undefined],
  ['that does not serve yet', {}, 'deploying', undefined],
  ['that failed', {}, 'failed', undefined],
])('a deployment %s', async (_, spec, phase, expected) => {
  object = deployment(spec, phase);
  expect(await after(MINUTE)).toBe(expected);
});

test('a rollout on the way does not end it, and a stop does', async () => {
  await after(MINUTE);
  const rolling = { ...object, status: { ...object.status, phase: 'deploying' } } as ModelDeployment;
  object = rolling;
  expect(await after(MINUTE)).toBe('b');
  object = { ...rolling, spec: { ...rolling.spec, power: 'Stopped' } } as ModelDeployment;
  expect(await after(MINUTE)).toBeUndefined();
});
