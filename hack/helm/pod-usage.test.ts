import { expect, test } from '@jest/globals';
import { type Sample, samplesOf, usageOf } from './pod-usage.ts';

const sample = (over: Partial<Sample>): Sample => ({
  ...{ pod: 'gateway-a', container: 'gateway', cpuNanoseconds: 0, memoryBytes: 0, atMs: 0 },
  ...over,
});
const SECOND = { atMs: 1_000 };
const MI = 1024 ** 2;

test('processor time is the mean between the first sample and the last, memory the most of all', () => {
  const samples = [
    sample({ cpuNanoseconds: 5e9, memoryBytes: 10 * MI }),
    sample({ cpuNanoseconds: 5.1e9, memoryBytes: 40 * MI, atMs: 500 }),
    sample({ cpuNanoseconds: 5.25e9, memoryBytes: 20 * MI, ...SECOND }),
  ];
  expect(usageOf(samples)).toEqual([{ container: 'gateway', pods: 1, cpuMillicores: 250, memoryMi: 40 }]);
});

test('of several Pods the busiest and the largest count', () => {
  const pods = { 'gateway-a': [0.1e9, 30 * MI], 'gateway-b': [0.2e9, 20 * MI] } as const;
  const samples = Object.entries(pods).flatMap(([pod, [cpuNanoseconds, memoryBytes]]) => [
    sample({ pod, memoryBytes }),
    sample({ pod, cpuNanoseconds, memoryBytes, ...SECOND }),
  ]);
  expect(usageOf(samples)).toEqual([{ container: 'gateway', pods: 2, cpuMillicores: 200, memoryMi: 30 }]);
});

test('one sample says nothing of processor time', () => {
  expect(usageOf([sample({ cpuNanoseconds: 1e9, memoryBytes: MI })])).toEqual([]);
});

test('of a summary those of the namespace count that have been measured', () => {
  const container = (name: string, usageCoreNanoSeconds?: number) => ({
    name,
    cpu: { time: '2026-11-26T12:00:01Z', ...(usageCoreNanoSeconds !== undefined && { usageCoreNanoSeconds }) },
    memory: { workingSetBytes: 7 },
  });
  const pods = [
    { podRef: { name: 'a', namespace: 'gantry-system' }, containers: [container('gateway', 5), container('new')] },
    { podRef: { name: 'b', namespace: 'org-acme' }, containers: [container('theirs', 5)] },
    { podRef: { name: 'c', namespace: 'gantry-system' } },
  ];
  expect(samplesOf({ pods }, 'gantry-system')).toEqual([
    { pod: 'a', container: 'gateway', cpuNanoseconds: 5, memoryBytes: 7, atMs: Date.parse('2026-11-26T12:00:01Z') },
  ]);
});
