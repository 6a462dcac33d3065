// Room for several of one size, the nearest size that fits, and sizes for images.
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { POOL_RULES, placingOf } from '@gantry/kube/placement.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Writer } from './kind-writes.ts';
import type { Room } from './stock.ts';
import { kindObject, type MemoryKinds, memoryKinds } from './testing/memory-kinds.ts';
import { fittingOn, placeAmong, roomForMany } from './workload-fit.ts';

const room = (model: string | undefined, gpus: number, freeGpus: number, over: Partial<Room> = {}): Room => ({
  labels: {},
  host: undefined,
  model,
  gpus,
  cores: 64,
  memoryGi: 512,
  freeGpus,
  freeCores: 64,
  freeMemoryGi: 512,
  gpuMemoryGi: 80,
  rootGi: 1024,
  freeRootGi: 1024,
  pods: 110,
  freePods: 110,
  isReady: true,
  isCordoned: false,
  taints: [],
  organizations: new Set(),
  ...over,
});
/** Eight and four of 16 H100 are free, and both T4. */
const ROOMS = [room('H100', 8, 8), room('H100', 8, 4), room('T4', 2, 2)];
const size = (count: number, model = 'H100') => ({ gpu: { model, count }, cores: 4, memoryGi: 16 });
const many = (copies: number, count: number, together = true, model = 'H100') => ({
  ...size(count, model),
  copies,
  together,
});

describe('whether it fits', () => {
  test.each<
    [
      string,
      [...Parameters<typeof roomForMany>] extends [infer W, infer R, infer Q, unknown] ? [W, R, Q, string?] : never,
      object,
    ]
  >([
    [
      'three workers of four cards do',
      [many(3, 4), ROOMS, undefined],
      { fits: true, reason: null, nearest: null, copies: { wanted: 3, fitting: 3 } },
    ],
    [
      'two of eight do not now: on one node only four are free',
      [many(2, 8), ROOMS, undefined],
      {
        fits: false,
        blocked_by: 'free',
        reason: 'NotEnoughForAll',
        copies: { fitting: 1 },
        nearest: { model: 'H100', count: 4, copies: 2 },
      },
    ],
    [
      'three of eight never do: two nodes have so many',
      [many(3, 8), ROOMS, undefined],
      { fits: false, blocked_by: 'node', reason: 'NotFitting' },
    ],
    [
      'nine cards on one node never do',
      [many(1, 9), ROOMS, undefined],
      { fits: false, blocked_by: 'node', reason: 'TooManyGpus' },
    ],
    [
      'of a model that no node has none do',
      [many(1, 1, true, 'B200'), ROOMS, undefined],
      { fits: false, blocked_by: 'model', nearest: { model: 'H100', count: 1, copies: 1 } },
    ],
    [
      'what the quota does not allow does not, with its numbers',
      [many(2, 4), ROOMS, { limit: 8, used: 2 }],
      {
        fits: false,
        blocked_by: 'quota',
        reason: 'QuotaExceeded',
        quota_left: 6,
        nearest: { model: 'H100', count: 3, copies: 2 },
      },
    ],
    [
      'some replicas do, and the answer says how many',
      [many(5, 4, false), ROOMS, undefined],
      {
        fits: false,
        blocked_by: 'free',
        reason: 'RoomForSome',
        copies: { wanted: 5, fitting: 3 },
        nearest: { model: 'H100', count: 4, copies: 3 },
      },
    ],
    [
      'where less than half is left, another model is nearer',
      [many(1, 2, true, 'T4'), [room('T4', 2, 0), room('H100', 8, 8)], undefined],
      { fits: false, nearest: { model: 'H100', count: 2, copies: 1 } },
    ],
    [
      'nothing is nearest where nothing is free',
      [many(1, 1), [room('H100', 8, 0)], undefined],
      { fits: false, nearest: null },
    ],
    [
      'without cards, cores count',
      [
        { cores: 40, memoryGi: 1, copies: 4, together: true },
        [room(undefined, 0, 0), room(undefined, 0, 0, { freeCores: 10 })],
        undefined,
      ],
      { fits: false, reason: 'NotFitting', nearest: { model: null, count: 0, copies: 1 } },
    ],
    [
      'nodes of a host are not the pool’s',
      [many(1, 1), [room('H100', 8, 8, { host: 'uid' })], undefined],
      { fits: false, blocked_by: 'model' },
    ],
    [
      "one does not where the node's own disk is full, and says so",
      [many(1, 1), [room('H100', 8, 8, { freeRootGi: 3 })], undefined],
      { fits: false, reason: 'WaitingForRootRoom' },
    ],
    [
      'one does not where every place for a Pod is taken, and says so',
      [many(1, 1), [room('H100', 8, 8, { freePods: 0 })], undefined],
      { fits: false, reason: 'WaitingForPlaces' },
    ],
    ['nor the pool’s a host’s', [many(1, 1), [room('H100', 8, 8, { host: 'uid' })], undefined, 'uid'], { fits: true }],
  ])('%s', (_, [wish, rooms, quota, host], found) => {
    expect(roomForMany(wish, rooms, quota, placingOf(wish, host, 'acme', POOL_RULES))).toMatchObject(found);
  });

  test('each of the same size is on one node', () => {
    expect(fittingOn(size(3), ROOMS, (one) => one)).toBe(3);
  });
});

test.each([
  ['nobody knows it where nothing waits', [], 'Normal', null],
  ['it is behind those of its priority', ['High', 'Normal', 'Low'], 'Normal', 3],
  ['it is before those of a lower one', ['Normal', 'Low'], 'High', 1],
] as const)('the place in the queue: %s', (_, waiting, priority, place) => {
  const jobs = waiting.map((one, at) => kindObject(job, `j-${at}`, { spec: { priority: one } }) as never);
  expect(placeAmong(jobs, priority)).toBe(place);
});

describe('a size for an image', () => {
  const WRITER: Writer = { namespace: 'org-acme', role: 'member', language: 'en', account: 'ann' };
  const node = (name: string, model: string, cards: number, memoryMi: number) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { [LABEL.gpuModel]: model, [LABEL.gpuMemory]: `${memoryMi}` } },
    status: {
      allocatable: { [GPU_RESOURCE]: `${cards}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  const NODES = [node('a', 'H100', 8, 81920), node('b', 'T4', 2, 16384)];
  let kinds: MemoryKinds | undefined;
  afterEach(() => kinds?.stop());

  test.each<[string, object[], object]>([
    [
      'is what served it before, whatever else is known',
      [
        kindObject(containerService, 'old', {
          spec: { image: 'llm:1', gpu: { model: 'T4', count: 1 }, cores: 8 },
          status: { phase: 'active' },
        }),
        kindObject(image, 'img', { spec: { source: 'llm:1', llm: true } }),
      ],
      {
        basis: 'history',
        gpu: { model: 'T4', count: 1 },
        cores: 8,
        reason: expect.stringContaining('old runs this image'),
      },
    ],
    [
      'is not what failed with it',
      [
        kindObject(containerService, 'old', {
          spec: { image: 'llm:1', gpu: { model: 'T4', count: 2 } },
          status: { phase: 'failed' },
        }),
      ],
      { basis: 'stock', gpu: { model: 'H100', count: 1 } },
    ],
    [
      'is not what another organisation runs it with',
      [
        kindObject(containerService, 'old', {
          namespace: 'org-other',
          spec: { image: 'llm:1', gpu: { model: 'T4', count: 2 } },
          status: { phase: 'active' },
        }),
      ],
      { basis: 'stock', gpu: { model: 'H100', count: 1 } },
    ],
    [
      'is what the image asks for, with the smallest card that does',
      [
        kindObject(image, 'img', {
          spec: { source: 'llm:1', llm: true },
          status: { needs: { gpus: 2, gpuMemoryGi: 10, memoryGi: 99 } },
        }),
      ],
      {
        basis: 'label',
        gpu: { model: 'T4', count: 2 },
        memory_gi: 99,
        reason: expect.stringContaining('requires GPUs'),
      },
    ],
    [
      'is no card for an image that needs none',
      [kindObject(image, 'img', { spec: { source: 'llm:1' }, status: { needs: { gpus: 0, cores: 3 } } })],
      { basis: 'label', gpu: null, cores: 3, memory_gi: 4 },
    ],
    [
      'is no claim that an image asks for cards where it names cores alone',
      [kindObject(image, 'img', { spec: { source: 'llm:1' }, status: { needs: { cores: 3 } } })],
      { basis: 'stock', gpu: { model: 'H100', count: 1 } },
    ],
    [
      'is what is free where no card is as large as the image asks for',
      [kindObject(image, 'img', { spec: { source: 'llm:1' }, status: { needs: { gpus: 1, gpuMemoryGi: 1000 } } })],
      { basis: 'stock', gpu: { model: 'H100', count: 1 } },
    ],
    [
      'is as many cards as a language model fills',
      [kindObject(image, 'img', { spec: { source: 'llm:1', llm: true }, status: { sizeBytes: 100 * 1024 ** 3 } })],
      { basis: 'label', gpu: { model: 'H100', count: 2 }, reason: expect.stringContaining('100 GiB') },
    ],
    [
      'is one card of what is freest where nothing is known',
      [],
      { basis: 'stock', gpu: { model: 'H100', count: 1 }, reason: expect.stringContaining('8') },
    ],
  ])('%s', async (_, objects, found) => {
    kinds = await memoryKinds([...NODES, ...objects] as never);
    expect(kinds.store.recommend(WRITER, 'llm:1')).toMatchObject(found);
  });

  test('is none without cards', async () => {
    kinds = await memoryKinds([]);
    expect(kinds.store.recommend(WRITER, 'llm:1')).toMatchObject({ gpu: null, basis: 'stock' });
  });
});
