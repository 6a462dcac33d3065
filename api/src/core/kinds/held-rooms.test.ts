// Nodes without the cards that are kept: laws for any nodes and any holds, and which node a kept card stands on.
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HeldCards, withoutHeld } from './held-rooms.ts';
import type { Room } from './stock.ts';

const OPEN = { ...POOL_RULES, sharedPool: 'open' } as const;
const room = (model: string, gpus: number, freeGpus: number, organizations: string[] = []): Room => ({
  ...{ isReady: true, isCordoned: false, taints: [], host: undefined, labels: {}, gpuMemoryGi: 80 },
  ...{ model, gpus, cores: 8 * gpus, memoryGi: 80 * gpus, rootGi: 1000, pods: 110 },
  ...{ freeGpus, freeCores: 8 * freeGpus, freeMemoryGi: 80 * freeGpus, freeRootGi: 1000, freePods: 110 },
  organizations: new Set(organizations),
});
const held = (id: string, gpus: number, organization?: string, model = 'H100'): HeldCards => ({
  ...{ id, region: 'us-east', model, gpus, organization, instance: undefined },
});
const freeOf = (rooms: readonly Room[]) => rooms.map(({ freeGpus }) => freeGpus);

const models = fc.constantFrom('H100', 'T4');
const organizations = fc.constantFrom('acme', 'other');
const rooms = fc.array(
  fc
    .tuple(models, fc.integer({ min: 1, max: 8 }), fc.nat(8), fc.array(organizations, { maxLength: 2 }))
    .map(([model, gpus, free, own]) => room(model, gpus, Math.min(gpus, free), own)),
  { maxLength: 6 },
);
const holds = fc.array(
  fc
    .tuple(fc.uuid(), fc.integer({ min: 1, max: 16 }), fc.option(organizations, { nil: undefined }), models)
    .map(([id, gpus, organization, model]) => held(id, gpus, organization, model)),
  { maxLength: 12 },
);

test.each([OPEN, POOL_RULES])(
  'for any nodes and holds no more is free than before, nor less than none: %j',
  (rules) => {
    fc.assert(
      fc.property(rooms, holds, (some, kept) => {
        const before = JSON.stringify(freeOf(some));
        const left = withoutHeld(some, kept, rules);
        expect(left).toHaveLength(some.length);
        for (const [at, { freeGpus, freeCores, freeMemoryGi }] of left.entries()) {
          expect(freeGpus).toBeLessThanOrEqual(some[at]?.freeGpus ?? 0);
          expect(Math.min(freeGpus, freeCores, freeMemoryGi)).toBeGreaterThanOrEqual(0);
        }
        const gone = (all: readonly Room[]) => freeOf(all).reduce((sum, one) => sum + one, 0);
        expect(gone(some) - gone(left)).toBeLessThanOrEqual(kept.reduce((sum, { gpus }) => sum + gpus, 0));
        expect(JSON.stringify(freeOf(some))).toBe(before);
      }),
      { numRuns: 60 },
    );
  },
);

test('a kept card stands on the fullest node that has it, so that large ones stay whole', () => {
  const nodes = [room('H100', 8, 8), room('H100', 8, 3), room('T4', 8, 1)];
  expect(freeOf(withoutHeld(nodes, [held('a', 1), held('b', 2)], OPEN))).toEqual([8, 0, 1]);
  expect(freeOf(withoutHeld(nodes, [held('a', 8)], OPEN))).toEqual([0, 3, 1]);
});

test('where a node serves one organisation alone, a kept card makes it the keeper’s', () => {
  const nodes = [room('H100', 8, 8), room('H100', 8, 7, ['acme'])];
  const kept = [held('visitor', 1), held('own', 1, 'acme')];
  const left = withoutHeld(nodes, kept, POOL_RULES);
  expect(freeOf(left)).toEqual([7, 6]);
  // The node of one visitor has nothing for another.
  expect(freeOf(withoutHeld(left, [held('second', 1)], POOL_RULES))).toEqual([7, 6]);
});
