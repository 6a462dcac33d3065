import { expect, test } from '@jest/globals';
import { type Asking, askingOf, asks, copiesIn, freeRoom } from './asks.ts';
import type { Node, Pod } from './core-objects.ts';

const needs = (cpu: string, more: object = {}) => ({ name: 'it', resources: { requests: { cpu } }, ...more });
const sidecar = { restartPolicy: 'Always' };

test.each<[string, object, number]>([
  ['its containers together', { containers: [needs('1'), needs('500m')] }, 1.5],
  ['a limit, where it has no request', { containers: [{ name: 'it', resources: { limits: { cpu: '2' } } }] }, 2],
  ['a step before them, where that asks for more', { initContainers: [needs('4')], containers: [needs('1')] }, 4],
  ['no step before them that asks for less', { initContainers: [needs('1')], containers: [needs('4')] }, 4],
  ['a sidecar beside them', { initContainers: [needs('1', sidecar)], containers: [needs('4')] }, 5],
  [
    'a step beside the sidecars that started before it',
    { initContainers: [needs('1', sidecar), needs('4'), needs('1', sidecar)], containers: [needs('1')] },
    5,
  ],
  ['what a sandbox takes', { containers: [needs('1')], overhead: { cpu: '250m' } }, 1.25],
  [
    'what the whole Pod may have, instead of its containers',
    { containers: [needs('1')], resources: { requests: { cpu: '3' } } },
    3,
  ],
  ['nothing for what is no amount', { containers: [needs('lots'), needs('-1'), null] }, 0],
])('a Pod asks for %s', (_, spec, cores) => {
  const asking = spec as unknown as Asking;
  expect(asks(asking).cores).toBe(cores);
  const kept = { containers: asking.containers ?? [], ...askingOf(asking as NonNullable<Pod['spec']>) };
  expect(asks(kept).cores).toBe(cores);
});

test('a node has room for as many as its scarcest part, its places for Pods too', () => {
  const allocatable = { cpu: '8', memory: '64Gi', 'ephemeral-storage': '100Gi', pods: '4', 'nvidia.com/gpu': '8' };
  const node = { status: { allocatable } } as unknown as Node;
  const pod = (phase: string) => ({ spec: { containers: [needs('2')] }, status: { phase } }) as unknown as Pod;
  const free = freeRoom(node, [pod('Running'), pod('Succeeded')]);
  expect(free).toEqual({ freeGpus: 8, freeCores: 6, freeMemoryGi: 64, freeRootGi: 100, freePods: 3 });
  const size = { gpus: 0, cores: 0.1, memoryGi: 1, rootGi: 1 };
  expect(copiesIn(free, size)).toBe(3);
  expect(copiesIn(free, { ...size, rootGi: 60 })).toBe(1);
  expect(copiesIn(free, { ...size, gpus: 5 })).toBe(1);
  expect(copiesIn(free, { ...size, cores: 7 })).toBe(0);
});
