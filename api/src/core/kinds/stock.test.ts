import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { POOL_RULES, placingOf, SHARED_POOLS } from '@gantry/kube/placement.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { gpuSpecs, hostRoom, offerTo, type Room, roomFor } from './stock.ts';
import { kindObject } from './testing/memory-kinds.ts';

const nodes = ['a', 'b'].map((name) => ({ name, ready: true }));
const HOST = kindObject(gpuHost, 'big', { spec: { nodes: 2 }, status: { nodes } }) as unknown as GpuHost;
const gpu = { model: 'H100', count: 2 };
const instance = kindObject(gpuInstance, 'dev', { spec: { gpu }, status: { phase: 'running', node: 'a' } });
const train = (...phases: string[]) =>
  kindObject(job, 'dev', {
    spec: { gpu },
    status: { workers: phases.map((phase, index) => ({ index, phase, node: 'b' })) },
  });
const web = (...ended: (string | undefined)[]) =>
  kindObject(containerService, 'web', { spec: { gpu }, status: { pods: ended.map((endedAt) => ({ endedAt })) } });

const ROOMS: Record<string, [objects: KubeObject[], free: number, largest: number]> = {
  'nothing there': [[], 16, 8],
  'an instance that runs': [[instance], 14, 8],
  'workers that run or start': [[train('running', 'starting')], 12, 8],
  'workers that wait, or have ended: they hold no cards': [[train('waiting', 'succeeded', 'lost')], 16, 8],
  'workers on every node': [[instance, train('running', 'running', 'running')], 8, 6],
  'replicas, one of which has ended': [[web(undefined, '2026-11-01T00:00:00Z')], 14, 8],
  'a status that is none': [[{ ...train(), status: { workers: 7 } } as KubeObject], 16, 8],
};

describe('the cards that are free on a host of two nodes with eight each', () => {
  test.each(Object.entries(ROOMS))('%s', (_, [objects, free, largest]) => {
    expect(hostRoom(HOST, objects)).toEqual({ all: 16, free, largest });
  });

  test('an instance that asks anew is not counted, and a job of its name is', () => {
    expect(hostRoom(HOST, [instance, train('running')], 'dev').free).toBe(14);
  });
});

/** A node with eight cards, of which nobody has any. */
const room = (more: Partial<Room> = {}): Room => ({
  isReady: true,
  isCordoned: false,
  taints: [],
  host: undefined,
  organizations: new Set(),
  labels: {},
  model: 'H100',
  gpus: 8,
  cores: 80,
  memoryGi: 800,
  rootGi: 1000,
  pods: 110,
  gpuMemoryGi: 80,
  freeGpus: 8,
  freeCores: 80,
  freeMemoryGi: 800,
  freeRootGi: 1000,
  freePods: 110,
  ...more,
});
const NO_PRICE = () => ({ price: null, host_price: null });
const marketOf = (rooms: readonly Room[], organization: string | undefined, rules = POOL_RULES) =>
  gpuSpecs(rooms, offerTo(rules, organization), 'us-east', NO_PRICE);
const foes = room({ organizations: new Set(['foe']), freeGpus: 3 });
const open = { ...POOL_RULES, sharedPool: 'open' as const };
const taint = (key: string) => room({ taints: [{ key, value: 'x', effect: 'NoSchedule' }] });

type Offer = { nodes: number; free: number; free_nodes: number } | undefined;
const OFFERS: Record<string, [Room, organization: string | undefined, offer: Offer, rules?: typeof POOL_RULES]> = {
  'a node that nobody uses': [room(), 'acme', { nodes: 1, free: 8, free_nodes: 1 }],
  'a node of others, where each organisation has its own': [foes, 'acme', { nodes: 1, free: 0, free_nodes: 0 }],
  'the same to those others': [foes, 'foe', { nodes: 1, free: 3, free_nodes: 0 }],
  'the same to a visitor': [foes, undefined, { nodes: 1, free: 3, free_nodes: 0 }],
  'the same where they share nodes': [foes, 'acme', { nodes: 1, free: 3, free_nodes: 0 }, open],
  'a node of a host of their own: instances go there by its name': [room({ host: 'uid-box' }), 'acme', undefined],
  'a cordoned node': [room({ isCordoned: true }), 'acme', undefined],
  'a silent node': [room({ isReady: false }), 'acme', undefined],
  'a node with the usual taint of GPU nodes': [taint('nvidia.com/gpu'), 'acme', { nodes: 1, free: 8, free_nodes: 1 }],
  'a node with a strange taint': [taint('db'), 'acme', undefined],
  'a node that an organisation brought: nobody rents it': [
    room({ labels: { [LABEL.nodeOwner]: 'foe' } }),
    'acme',
    { nodes: 1, free: 8, free_nodes: 0 },
  ],
};

describe('what the market shows', () => {
  test.each(Object.entries(OFFERS))('%s', (_, [one, organization, offer, rules]) => {
    const [found] = marketOf([one], organization, rules);
    expect(found && { nodes: found.nodes, free: found.free, free_nodes: found.free_nodes }).toEqual(offer);
  });

  test('can start, where and only where an instance like it fits', () => {
    const some = (most: number) => fc.integer({ min: -1, max: most });
    const rooms = fc.array(
      fc.record({
        isReady: fc.boolean(),
        isCordoned: fc.boolean(),
        host: fc.constantFrom(undefined, undefined, 'uid-box'),
        organizations: fc.subarray(['acme', 'foe']).map((names) => new Set(names)),
        taints: fc.subarray(['nvidia.com/gpu', 'db']).map((keys) => keys.map((key) => ({ key, effect: 'NoSchedule' }))),
        freeGpus: some(8),
        freeCores: some(80),
        freeMemoryGi: some(800),
        freeRootGi: some(1000),
        freePods: some(3),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(rooms, fc.constantFrom(...SHARED_POOLS), (some, sharedPool) => {
        const rules = { ...POOL_RULES, sharedPool };
        const all = some.map((one) => room(one));
        for (const offer of marketOf(all, 'acme', rules))
          for (const { count, free } of offer.starts) {
            const wish = {
              gpu: { model: 'H100', count },
              cores: offer.card_cores * count,
              memoryGi: offer.card_memory_gi * count,
            };
            const { fits } = roomFor(wish, all, undefined, placingOf(wish, undefined, 'acme', rules));
            expect({ count, starts: free > 0 }).toEqual({ count, starts: fits });
          }
      }),
    );
  });
});
