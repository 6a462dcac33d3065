import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { NODE, POD } from '../../resources.ts';
import { stockFor } from './stock.ts';
import { at, gpuInstance } from './testing/fixtures.ts';

const node = (name: string, gpus: number, model = 'H100'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [LABEL.gpuModel]: model } },
  status: {
    allocatable: { cpu: '64', memory: '512Gi', pods: '110', [GPU_RESOURCE]: `${gpus}` },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
});

const pod = (name: string, gpus: number, nodeName?: string, phase = 'Running', second = 0): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, creationTimestamp: at(second) },
  spec: {
    containers: [
      { name: 'main', resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { [GPU_RESOURCE]: `${gpus}` } } },
    ],
    nodeSelector: { [LABEL.gpuModel]: 'H100' },
    ...(nodeName && { nodeName }),
  },
  status: { phase },
});

/** Caches that move on by `see`, as real ones do with every change. */
function cachesOf(nodes: Node[], pods: Pod[]) {
  let version = 0;
  const objects = new Map<Resource, (Node | Pod)[]>([
    [NODE, nodes],
    [POD, pods],
  ]);
  const reader: CacheReader = {
    get: () => undefined,
    by: () => [],
    sum: () => 0,
    list: (resource) => objects.get(resource) ?? [],
    version: () => version,
  };
  return {
    reader,
    see(next: Pod[]) {
      objects.set(POD, next);
      version++;
    },
  };
}

const waiting = pod('mine', 4, undefined, 'Pending', 10);
const stock = (nodes: Node[], pods: Pod[]) =>
  stockFor(gpuInstance(), waiting, cachesOf(nodes, [...pods, waiting]).reader);

describe('free stock', () => {
  test('a node is open by its condition Ready, wherever in the list that stands', () => {
    const [sick, well] = [node('sick', 4), node('well', 2)];
    const fault = (status: string) => ({ type: 'GpuFault', status });
    sick.status = { ...sick.status, conditions: [fault('True'), { type: 'Ready', status: 'False' }] };
    well.status = { ...well.status, conditions: [fault('False'), { type: 'Ready', status: 'True' }] };
    expect(stock([sick, well], [])).toMatchObject({ free: 2, nodes: 1 });
  });
  test('running and ending Pods take their cards, ended ones do not', () => {
    const pods = [pod('a', 3, 'one'), pod('b', 2, 'one', 'Pending'), pod('c', 3, 'one', 'Failed')];
    expect(stock([node('one', 8)], pods)).toMatchObject({ free: 3, nodes: 1, fits: false, most: 8 });
  });
  test('only nodes of the model count, and one of them must have all cards', () => {
    const nodes = [node('one', 2), node('two', 2), node('other', 8, 'L40S')];
    expect(stock(nodes, [])).toMatchObject({ free: 4, nodes: 2, fits: false, models: ['H100', 'L40S'] });
  });
  test('older Pods for the same model are ahead, younger ones are not', () => {
    const pods = [pod('older', 1, undefined, 'Pending', 9), pod('younger', 1, undefined, 'Pending', 11)];
    expect(stock([node('one', 8)], pods)).toMatchObject({ ahead: 1, fits: true, freeCores: 64, freeMemoryGi: 512 });
  });
  test('each of those made in the same second has a turn of its own', () => {
    const pods = ['also', 'none'].map((name) => pod(name, 1, undefined, 'Pending', 10));
    expect(stock([node('one', 8)], pods)).toMatchObject({ ahead: 1 });
  });
  test('each of the Pods made in the same second has a place of its own', () => {
    const pods = [pod('a', 1, undefined, 'Pending', 10), pod('z', 1, undefined, 'Pending', 10)];
    expect(stock([node('one', 8)], pods).ahead).toBe(1);
  });
});

describe('which nodes count', () => {
  const tainted = (name: string): Node => ({
    ...node(name, 8),
    spec: { taints: [{ key: 'fake', effect: 'NoSchedule' }] },
  });
  const mine = (spec: object): Pod => ({
    ...waiting,
    metadata: { ...waiting.metadata, labels: { [LABEL.organization]: 'acme' } },
    spec: { ...waiting.spec, ...spec } as NonNullable<Pod['spec']>,
  });
  const held = (by: string): Pod => {
    const other = pod('other', 1, 'one');
    return { ...other, metadata: { ...other.metadata, labels: { [LABEL.organization]: by } } };
  };
  const free = (asking: Pod, nodes: Node[], pods: Pod[] = []) =>
    stockFor(gpuInstance(), asking, cachesOf(nodes, [...pods, asking]).reader).free;

  test('none with a taint that the Pod does not tolerate', () => {
    expect(free(mine({}), [tainted('one')])).toBe(0);
    expect(free(mine({ tolerations: [{ key: 'fake', operator: 'Exists' }] }), [tainted('one')])).toBe(8);
  });
  test('closed nodes still have their model, and say why they are closed', () => {
    const cordoned = { ...node('one', 8), spec: { unschedulable: true } };
    const of = (one: Node) => stockFor(gpuInstance(), mine({}), cachesOf([one], [mine({})]).reader);
    expect(of(cordoned)).toMatchObject({ models: ['H100'], most: 8, free: 0, fits: false });
    expect(of(cordoned).closed?.message).toBe('they are cordoned, so nothing new starts on them');
    expect(of(tainted('one')).closed?.message).toBe('their taints do not allow it (fake)');
    expect(of(node('one', 1)).closed).toBeUndefined();
  });
  test("in an exclusive pool, none with another organisation's instances", () => {
    const exclusive = mine({ affinity: { podAntiAffinity: {} } });
    expect(free(exclusive, [node('one', 8)], [held('other')])).toBe(0);
    expect(free(exclusive, [node('one', 8)], [held('acme')])).toBe(7);
    expect(free(mine({}), [node('one', 8)], [held('other')])).toBe(7);
  });
  test('cores and memory must be free on the same node', () => {
    const small = (name: string, cpu: string, memory: string): Node => {
      const made = node(name, 8);
      return { ...made, status: { ...made.status, allocatable: { ...made.status?.allocatable, cpu, memory } } };
    };
    const nodes = [small('one', '10', '1Gi'), small('two', '4', '64Gi')];
    expect(stock(nodes, [])).toMatchObject({ freeCores: 4, freeMemoryGi: 64 });
  });
});

describe('room for root file systems', () => {
  const disk = (name: string, size: string): Node => {
    const made = node(name, 8);
    const allocatable = { ...made.status?.allocatable, 'ephemeral-storage': size };
    return { ...made, status: { ...made.status, allocatable } };
  };
  test('is what Pods leave of the node’s own disk', () => {
    const other = pod('a', 1, 'one');
    const [main] = other.spec?.containers ?? [];
    if (main?.resources?.requests) main.resources.requests['ephemeral-storage'] = '30Gi';
    expect(stock([disk('one', '100Gi')], [other])).toMatchObject({ freeRootGi: 70 });
  });
  test('counts on a node that has cores and memory, too', () => {
    const full = disk('full', '1Gi');
    expect(stock([full, disk('wide', '50Gi')], [])).toMatchObject({ freeRootGi: 50 });
    expect(stock([full], [])).toMatchObject({ freeRootGi: 1, fits: true });
  });
});

test('a Pod that ended gives its cards back at the next look', () => {
  const caches = cachesOf([node('one', 8)], [pod('a', 6, 'one'), waiting]);
  expect(stockFor(gpuInstance(), waiting, caches.reader).free).toBe(2);
  caches.see([pod('a', 6, 'one', 'Failed'), waiting]);
  expect(stockFor(gpuInstance(), waiting, caches.reader).free).toBe(8);
});
