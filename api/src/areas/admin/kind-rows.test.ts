// Rows of objects that no schema of today has seen: by hand, or from an older version. A bad one breaks no list.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { KindRows } from './kind-rows.ts';

const bare = (name: string, more: object = {}): KubeObject =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name, namespace: 'org-acme' },
    ...more,
  }) as KubeObject;
const OBJECTS = [
  bare('empty'),
  bare('odd', {
    spec: { displayName: 7, power: 'Running' },
    status: { phase: 'unheard', node: {}, podIP: 3, nodes: 'x' },
  }),
  bare('null', { spec: { power: 'Running', env: null }, status: { nodes: [null], files: null } }),
];
const PRICES = { priceOf: () => null };
const placeOf = ({ metadata: { name } }: KubeObject) =>
  name === 'odd' ? { region: 'EU West Paris', isHere: false } : { region: 'US East Washington', isHere: true };
const rows = new KindRows({ list: () => OBJECTS, get: () => undefined, placeOf } as never, PRICES as never);
const page = (filter: object, sort: [string, 'ASC' | 'DESC'] = ['id', 'ASC']) =>
  rows.page(gpuInstance, { sort, range: [0, 9], filter } as never, 'en');

test('each has a row, in any order', () => {
  for (const field of ['id', 'display_name', 'phase', 'node', 'created_at']) {
    const { items, total } = page({}, [field, 'DESC']);
    expect([items.length, total]).toEqual([3, 3]);
  }
  expect(page({ q: 'odd' }).items).toMatchObject([
    { display_name: 'odd', phase: 'unheard', phase_label: 'unheard', region: 'EU West Paris' },
  ]);
});

test('the whole is counted, and one page of it rendered', () => {
  const { items, total } = rows.page(gpuInstance, { sort: ['id', 'ASC'], range: [1, 1], filter: {} }, 'en');
  expect([items.map(({ name }) => name), total]).toEqual([['null'], 3]);
});

test('what is looked for is text, not a pattern', () => {
  expect(page({ q: '.*' }).total).toBe(0);
  expect(page({ q: '   ' }).total).toBe(3);
});

test('a row has neither variables nor a command', () => {
  const spec = { power: 'Running', env: { TOKEN: 'x' }, command: ['serve', '--token=x'] };
  expect(rows.row(gpuInstance, bare('own', { spec }), 'en').spec).toEqual({ power: 'Running' });
});

test('the node of an object in another cluster is a name, and no link', () => {
  const on = (name: string) =>
    rows.row(gpuInstance, bare(name, { spec: { power: 'Running' }, status: { node: 'node-1' } }), 'en');
  expect(['near', 'odd'].map(on).map(({ node, nodes }) => [node, nodes])).toEqual([
    ['node-1', null],
    [null, 'node-1'],
  ]);
});

test('a job and a service are found by the nodes of their workers and replicas, each named once', () => {
  const on = (name: string, status: object) => bare(name, { spec: {}, status });
  const several = new KindRows(
    {
      list: () => [
        on('train', { workers: [{ node: 'node-2' }, { node: 'node-1' }, { node: 'node-2' }, { node: 7 }, null] }),
        on('web', { pods: [{ node: 'node-1' }] }),
        on('asleep', { pods: 'none' }),
      ],
      get: () => undefined,
      placeOf,
    } as never,
    PRICES as never,
  );
  const found = (filter: object) =>
    several
      .page(gpuInstance, { sort: ['node', 'ASC'], range: [0, 9], filter } as never, 'en')
      .items.map(({ name, nodes }) => [name, nodes]);
  expect(found({})).toEqual([
    ['asleep', null],
    ['web', 'node-1'],
    ['train', 'node-2, node-1'],
  ]);
  expect(found({ node: 'node-1' })).toEqual([
    ['web', 'node-1'],
    ['train', 'node-2, node-1'],
  ]);
  expect(found({ q: 'node-2' })).toEqual([['train', 'node-2, node-1']]);
});

test('a job that waits has its place, a service its replicas, and what is no number is left out', () => {
  const rowOf = (status: object) => rows.row(gpuInstance, bare('own', { spec: {}, status }), 'en');
  expect(rowOf({ queue: { position: 3 } }).queue_position).toBe(3);
  expect(rowOf({ replicas: { ready: 1, wanted: 2 } }).replicas).toBe('1/2');
  expect(rowOf({ queue: { position: 'x' }, replicas: 'many' })).toMatchObject({ queue_position: null, replicas: null });
});

test('a row has the GPUs and the price of what is asked for', () => {
  const price = { per: 'hour', amount: '4.00', list: '4.00', discount_percent: 0, currency: 'USD' };
  const priced = new KindRows(
    { list: () => [], get: () => undefined, placeOf } as never,
    { priceOf: () => price } as never,
  );
  const row = (gpu: unknown) => priced.row(gpuInstance, bare('own', { spec: { power: 'Running', gpu } }), 'en');
  expect(row({ model: 'NVIDIA-L4', count: 2 })).toMatchObject({
    ...{ gpu: '2 × NVIDIA-L4', price: '4.00', price_currency: 'USD', price_per: 'hour' },
  });
  expect(row({ model: 7 }).gpu).toBeNull();
});
