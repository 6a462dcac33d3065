import { describe, expect, test } from '@jest/globals';
import { cardsOf, type GpuNode, HELP, holdersOf, labelsOf, measure } from './gpu-cards.ts';
import { GpuExposition } from './gpu-exposition.ts';
import { gpuNodesOf } from './gpu-nodes.ts';

const holder = (pod: string, gpus: number) => ({ namespace: 'org-a', pod, container: 'main', gpus });
const node = (...holders: GpuNode['holders']): GpuNode => ({
  name: 'sim-h100-0',
  product: 'NVIDIA-H100-80GB-HBM3',
  memoryMi: 81_559,
  count: 4,
  holders,
});
const podsOf = (cards: ReturnType<typeof cardsOf>) => cards.map((card) => card.holder?.pod);

describe('cards', () => {
  test('those who came first have the first ones, and more than there are is nobody’s', () => {
    expect(podsOf(cardsOf([node(holder('a', 1), holder('b', 2))], new Map()))).toEqual(['a', 'b', 'b', undefined]);
    expect(podsOf(cardsOf([node(holder('a', 3), holder('b', 2))], new Map()))).toEqual(['a', 'a', 'a', 'b']);
  });

  test('a Pod keeps its cards when another goes', () => {
    const before = holdersOf(cardsOf([node(holder('a', 1), holder('b', 2))], new Map()));
    expect(podsOf(cardsOf([node(holder('b', 2), holder('c', 2))], before))).toEqual(['c', 'b', 'b', 'c']);
  });

  test('that are divided are as many instances, each with its own holder', () => {
    const divided = { ...node(holder('a', 1), holder('b', 2)), product: 'NVIDIA-A100-SXM4-40GB-MIG-3g.20gb' };
    const cards = cardsOf([divided], new Map());
    expect(podsOf(cards)).toEqual(['a', 'b', 'b', undefined]);
    expect(podsOf(cardsOf([{ ...divided, holders: [holder('b', 2)] }], holdersOf(cards)))).toEqual([
      ...[undefined, 'b', 'b', undefined],
    ]);
    expect(cards.map(labelsOf).map(({ gpu, GPU_I_ID, GPU_I_PROFILE }) => [gpu, GPU_I_ID, GPU_I_PROFILE])).toEqual([
      ['0', '1', '3g.20gb'],
      ['0', '2', '3g.20gb'],
      ['1', '1', '3g.20gb'],
      ['1', '2', '3g.20gb'],
    ]);
    expect(new Set(cards.map(({ uuid }) => uuid)).size).toBe(2);
    const [first] = cards;
    const { gauges } = measure(first as (typeof cards)[number], {}, 0);
    expect(gauges).not.toHaveProperty('DCGM_FI_DEV_GPU_UTIL');
    expect(gauges.DCGM_FI_PROF_GR_ENGINE_ACTIVE).toBeGreaterThan(0);
  });

  test('each has the same name at every start, and no two have the same', () => {
    const uuids = cardsOf([node()], new Map()).map(({ uuid }) => uuid);
    expect(cardsOf([node()], new Map()).map(({ uuid }) => uuid)).toEqual(uuids);
    expect(new Set(uuids).size).toBe(4);
    expect(uuids[0]).toMatch(/^GPU-[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  });
});

const [held, free] = cardsOf([node(holder('a', 1))], new Map());
if (!held || !free) throw new Error('there are four');

describe('a card', () => {
  const rows: Record<string, [measured: () => unknown, wanted: unknown]> = {
    'that somebody holds is busy': [() => measure(held, {}, 0).gauges.DCGM_FI_DEV_GPU_UTIL, 80],
    'that nobody holds is idle': [() => measure(free, {}, 0).gauges.DCGM_FI_DEV_GPU_UTIL, 0],
    'that nobody holds uses no memory': [() => measure(free, {}, 0).gauges.DCGM_FI_DEV_FB_USED, 0],
    'that is made idle holds some memory': [
      () =>
        [measure(held, { idle: true }, 0).gauges].map((g) => [
          g.DCGM_FI_DEV_GPU_UTIL,
          Number(g.DCGM_FI_DEV_FB_USED) > 0,
        ]),
      [[0, true]],
    ],
    'that is made hot is': [() => measure(held, { hot: true }, 0).gauges.DCGM_FI_DEV_GPU_TEMP, 93],
    // As NVML said of one on 2026-11-27, idle.
    'an H100 that nobody holds': [
      () => measure(free, {}, 0).gauges,
      expect.objectContaining({
        ...{ DCGM_FI_DEV_SM_CLOCK: 345, DCGM_FI_DEV_MEM_CLOCK: 2_619, DCGM_FI_DEV_POWER_USAGE: 70 },
        ...{ DCGM_FI_DEV_GPU_TEMP: 32, DCGM_FI_DEV_MEMORY_TEMP: 39 },
        ...{ DCGM_FI_DEV_FB_USED: 0, DCGM_FI_DEV_FB_FREE: 81_079 },
      }),
    ],
    'that is sound has no error': [() => measure(held, {}, 0).gauges.DCGM_FI_DEV_XID_ERRORS, 0],
    'with an error names it': [() => measure(held, { xid: 79 }, 0).gauges.DCGM_FI_DEV_XID_ERRORS, 79],
    'with memory errors counts them': [() => measure(held, { ecc: 2 }, 0).counts.DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, 2],
    'without NVLink says nothing of it': [
      () => 'DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL' in measure({ ...held, product: 'Tesla-T4' }, {}, 0).rates,
      false,
    ],
  };
  test.each(Object.entries(rows))('%s', (_name, [measured, wanted]) => {
    expect(measured()).toEqual(wanted);
  });

  test('says what each metric means in NVIDIA’s words', () => {
    const { gauges, rates, counts } = measure(held, {}, 0);
    expect(Object.keys({ ...gauges, ...rates, ...counts }).sort()).toEqual(Object.keys(HELP).sort());
  });

  test('names its Pod only while somebody holds it', () => {
    expect(labelsOf(held)).toMatchObject({
      namespace: 'org-a',
      pod: 'a',
      container: 'main',
      gpu: '0',
      Hostname: 'sim-h100-0',
    });
    expect(labelsOf(free)).not.toHaveProperty('pod');
  });
});

test('the exporter’s text: counters go on from one look to the next, and an error has its code', async () => {
  const exposition = new GpuExposition();
  const nodes = [node(holder('a', 1))];
  await exposition.text(nodes, {}, 0);
  const text = await exposition.text(nodes, { [held.uuid]: { xid: 79 } }, 10_000);
  expect(text).toContain('# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).');
  expect(text).toContain('# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter');
  const energy = text
    .split('\n')
    .find((line) => line.startsWith('DCGM_FI_DEV_TOTAL_ENERGY') && line.includes('pod="a"'));
  expect(Number(energy?.split(' ').at(-1))).toBeGreaterThan(1_000_000);
  expect(text).toMatch(/DCGM_FI_DEV_XID_ERRORS\{.*err_code="79".*\} 79/);
});

test('Pods hold the GPUs of the node that they are bound to, until they end', () => {
  const pod = (name: string, phase: string, gpus: string, nodeName = 'n0') => ({
    metadata: { name, namespace: 'org-a', uid: name },
    spec: { nodeName, containers: [{ name: 'main', resources: { limits: { 'nvidia.com/gpu': gpus } } }] },
    status: { phase },
  });
  const nodes = [
    {
      metadata: { name: 'n0', labels: { 'nvidia.com/gpu.product': 'Tesla-T4', 'nvidia.com/gpu.memory': '15360' } },
      status: { allocatable: { 'nvidia.com/gpu': '8' } },
    },
    { metadata: { name: 'without' }, status: { allocatable: {} } },
  ];
  const both = pod('a', 'Running', '1');
  both.spec.containers.push({ name: 'side', resources: { limits: { 'nvidia.com/gpu': '1' } } });
  const pods = [both, pod('b', 'Succeeded', '1'), pod('c', 'Pending', '1'), pod('d', 'Running', '0')];
  expect(gpuNodesOf(nodes, pods)).toEqual([
    {
      name: 'n0',
      count: 8,
      product: 'Tesla-T4',
      memoryMi: 15_360,
      holders: [holder('a', 1), { ...holder('a', 1), container: 'side' }, holder('c', 1)],
    },
  ]);
});
