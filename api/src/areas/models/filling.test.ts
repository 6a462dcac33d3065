// Filling nodes, step by step: what is written, what is given up, and what begins again.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { type Filler, Filling } from './filling.ts';
import type { FillNode } from './fills.ts';

const GIB = 1024 ** 3;
const MINUTE = 60_000;
let now: number;
let object: ModelDeployment;
let others: ModelDeployment[];
let nodes: FillNode[];
let filler: Filler;
let filling: Filling;
let asked: string[];
let refused: string[];
let warned: object[];
const node = (name: string, has = false): FillNode => ({ name, has, lists: 0, roomBytes: 100 * GIB });

function deployment(spec: object = {}, phase = 'active', organization = 'acme'): ModelDeployment {
  return {
    metadata: { name: 'chat', namespace: `org-${organization}`, uid: `u-${organization}` },
    spec: { power: 'Running', replicas: 2, ...spec },
    status: { phase, weights: { digest: 'd', sizeBytes: GIB } },
  } as unknown as ModelDeployment;
}
beforeEach(() => {
  now = 0;
  object = deployment();
  others = [];
  nodes = [node('a', true), node('b'), node('c')];
  filler = 'none';
  asked = [];
  refused = [];
  warned = [];
  filling = new Filling({
    cluster: {
      async write(one, status) {
        if (refused.includes(one.metadata.namespace ?? '')) throw new Error('422');
        const { weights } = status as { weights: { fills: string | null } };
        const { fills: _, ...kept } = one.status?.weights ?? {};
        const next = weights.fills === null ? kept : { ...kept, fills: weights.fills };
        const written = { ...one, status: { ...one.status, weights: next } } as ModelDeployment;
        if (one.metadata.namespace === 'org-acme') object = written;
        others = others.map((other) => (other.metadata.uid === one.metadata.uid ? written : other));
      },
      nodeCaches: ({ metadata }) => {
        asked.push(metadata.namespace ?? '');
        return nodes;
      },
      filler: () => filler,
    },
    log: { warn: (facts) => warned.push(facts) },
    clock: { now: () => now, monotonic: () => now, after: () => () => undefined },
  });
});
/** The node to which it is being copied, so long after the step before. */
async function after(ms: number): Promise<string | undefined> {
  now += ms;
  await filling.step([object, ...others]);
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

test('what cannot be written keeps nothing behind it from being', async () => {
  others = [deployment({}, 'active', 'foe')];
  refused = ['org-acme'];
  expect(await after(MINUTE)).toBeUndefined();
  expect(others[0]?.status?.weights?.fills).toBe('c');
  expect(warned).toEqual([{ err: new Error('422'), deployment: 'org-acme/chat' }]);
});

test('other files have their time, and are tried where those before failed', async () => {
  nodes = [node('a', true), node('b')];
  const ofFiles = (digest: string) => {
    object = {
      ...object,
      status: { ...object.status, weights: { ...object.status?.weights, digest } },
    } as ModelDeployment;
  };
  await after(MINUTE);
  filler = 'placed';
  await after(9 * MINUTE);
  ofFiles('d2');
  expect(await after(2 * MINUTE)).toBe('b');
  filler = 'over';
  expect(await after(MINUTE)).toBeUndefined();
  filler = 'none';
  ofFiles('d3');
  expect(await after(MINUTE)).toBe('b');
});

test('nodes are asked for those alone that need one', async () => {
  object = deployment({ power: 'Stopped' });
  others = [deployment({}, 'deploying', 'foe'), deployment({}, 'active', 'pal')];
  await after(MINUTE);
  expect(asked).toEqual(['org-pal']);
});

test('the organisation that had one longest ago comes first', async () => {
  nodes = [node('a', true), node('b')];
  others = [deployment({}, 'active', 'foe')];
  const filled: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    // Whoever had it gets no further, for other files each time.
    const files = (one: ModelDeployment) =>
      ({ ...one, status: { ...one.status, weights: { digest: `d${turn}`, sizeBytes: GIB } } }) as ModelDeployment;
    [object, ...others] = [object, ...others].map(files) as [ModelDeployment, ...ModelDeployment[]];
    await after(MINUTE);
    filled.push(
      ...[object, ...others].filter((one) => one.status?.weights?.fills).map((one) => one.metadata.namespace ?? ''),
    );
  }
  expect(filled).toEqual(['org-acme', 'org-foe', 'org-acme', 'org-foe']);
});
