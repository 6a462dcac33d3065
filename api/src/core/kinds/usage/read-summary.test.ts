// A kubelet's answer, as it is and as a hostile node may send it.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readSummary } from './read-summary.ts';

const POD = {
  podRef: { name: 'dev-1', namespace: 'org-acme', uid: 'uid-1' },
  cpu: { time: '2026-11-24T02:00:00Z', usageNanoCores: 250_000_000, usageCoreNanoSeconds: 12_000_000_000 },
  memory: { time: '2026-11-24T02:00:00Z', workingSetBytes: 4096, rssBytes: 1 },
  volume: [
    { name: 'home', pvcRef: { name: 'dev-home', namespace: 'org-acme' }, usedBytes: 10, capacityBytes: 100 },
    { name: 'keys', usedBytes: 1, capacityBytes: 2 },
  ],
  containers: [
    { name: 'main', rootfs: { usedBytes: 4 } },
    { name: 'beside', rootfs: { usedBytes: 3 } },
  ],
  // With logs, which are not the containers'.
  'ephemeral-storage': { usedBytes: 900 },
};
const NODE = {
  nodeName: 'node-a',
  cpu: { usageNanoCores: 2_000_000_000 },
  memory: { workingSetBytes: 8192 },
  fs: { usedBytes: 30, capacityBytes: 300 },
};
const read = (answer: unknown) => readSummary(JSON.stringify(answer), (uid) => uid === 'uid-1');

test('cores, memory and disks of a node and of the Pods that are asked for', () => {
  const other = { ...POD, podRef: { ...POD.podRef, uid: 'uid-2' } };
  expect(read({ node: NODE, pods: [other, POD] })).toEqual({
    node: { cores: 2, memoryBytes: 8192, rootBytes: 30, rootCapacityBytes: 300 },
    pods: new Map([
      [
        'uid-1',
        {
          cores: 0.25,
          memoryBytes: 4096,
          rootBytes: 7,
          volumes: new Map([['dev-home', { usedBytes: 10, capacityBytes: 100 }]]),
        },
      ],
    ]),
  });
});

test('a Pod that is just beginning has nothing yet', () => {
  const { pods } = read({ node: NODE, pods: [{ podRef: POD.podRef }] });
  expect(pods.get('uid-1')).toEqual({ volumes: new Map() });
});

test('what a kubelet has not measured yet, of which it says 0, is no value', () => {
  const begun = { ...POD, cpu: { usageNanoCores: 0 }, memory: { workingSetBytes: 0 } };
  const { cores, memoryBytes } = read({ pods: [begun] }).pods.get('uid-1') ?? {};
  expect([cores, memoryBytes]).toEqual([undefined, undefined]);
  const idle = { ...POD, cpu: { usageNanoCores: 0 } };
  expect(read({ pods: [idle] }).pods.get('uid-1')?.cores).toBe(0);
});

test('of containers that do not all say what they have written it is not known', () => {
  const containers = [{ rootfs: { usedBytes: 4 } }, {}];
  expect(read({ pods: [{ ...POD, containers }] }).pods.get('uid-1')?.rootBytes).toBeUndefined();
});

test.each([
  ['a text', '1'],
  ['below zero', -1],
  ['beyond what a number holds', 2 ** 60],
  ['nothing', null],
  ['a list', [1]],
])('an amount that is %s is absent', (_, amount) => {
  const { node } = read({ node: { memory: { workingSetBytes: amount }, cpu: { usageNanoCores: amount } } });
  expect(node).toEqual({});
});

test('what is no JSON is refused', () => {
  expect(() => readSummary('<html>', () => true)).toThrow(SyntaxError);
});

test('whatever JSON it is, all that is read is amounts of Pods that are asked for', () => {
  const amount = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constant(null), fc.object());
  const usage = { cpu: fc.record({ usageNanoCores: amount }), memory: fc.record({ workingSetBytes: amount }) };
  const uid = fc.oneof(fc.constantFrom('uid-1', '__proto__', 'constructor'), fc.jsonValue());
  const name = fc.oneof(fc.string(), fc.constant('__proto__'), fc.jsonValue());
  const volume = fc.record({ pvcRef: fc.record({ name }), usedBytes: amount, capacityBytes: amount });
  const pod = fc.record(
    {
      podRef: fc.record({ uid }),
      ...usage,
      volume: fc.oneof(fc.array(fc.oneof(volume, fc.jsonValue())), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const summary = fc.record(
    {
      node: fc.oneof(fc.record(usage), fc.jsonValue()),
      pods: fc.oneof(fc.array(fc.oneof(pod, fc.jsonValue())), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(summary, fc.jsonValue()), (answer) => {
      const { node, pods } = read(answer);
      const volumes = [...pods.values()].flatMap((one) => [...one.volumes.values()]);
      const amounts = [node, ...pods.values(), ...volumes].flatMap((one) =>
        Object.entries(one).flatMap(([name, value]) => (name === 'volumes' ? [] : [value as unknown])),
      );
      for (const value of amounts)
        expect(value === undefined || (Number.isFinite(value) && Number(value) >= 0)).toBe(true);
      expect([...pods.keys()].filter((key) => key !== 'uid-1')).toEqual([]);
      expect([...pods.values()].every((one) => one.volumes.size <= 64)).toBe(true);
    }),
  );
});
