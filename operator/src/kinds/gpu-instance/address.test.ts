// The address at which the SSH door finds an instance: the Pod's own, for as long as its container runs and no longer.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { gpuInstanceController } from './plan.ts';
import { at, context, gpuInstance, node, pod, seen } from './testing/fixtures.ts';

const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
  podIP: '10.64.1.9',
};
const addressed = (one: Pod, podIP = '10.64.1.9'): Pod => ({ ...one, status: { ...one.status, podIP } });
const addressIn = (pods: Pod[], sees: Parameters<typeof seen>[0] = {}, more: Parameters<typeof gpuInstance>[0] = {}) =>
  gpuInstanceController.plan(gpuInstance({ status: ran, ...more }), seen({ pods, ...sees }), context(70)).status?.podIP;

test('the address is that of the Pod whose container runs', () => {
  expect(addressIn([addressed(pod('started'))])).toBe('10.64.1.9');
  expect(addressIn([addressed(pod('ready'), '10.64.1.10')])).toBe('10.64.1.10');
});

test('a Pod whose container does not run yet has none', () => {
  expect(addressIn([addressed(pod('placed'))])).toBeUndefined();
});

test('the address goes with the container, whoever gets it next', () => {
  expect(addressIn([addressed(pod('finished'))])).toBeUndefined();
  expect(addressIn([])).toBeUndefined();
  expect(addressIn([addressed(pod('finished'))], {}, { spec: { power: 'Stopped' } })).toBeUndefined();
});

test('a Pod that failed has given its address back, though its node still calls the container running', () => {
  const failed = addressed(pod('started'));
  expect(addressIn([{ ...failed, status: { ...failed.status, phase: 'Failed' } }])).toBeUndefined();
});

test('the Pod of an older run gives no address', () => {
  const status = { ...ran, run: { seq: 2, cause: 'crash' as const } };
  expect(addressIn([addressed(pod('ready', { seq: 1 }))], {}, { status })).toBeUndefined();
});

test('a node that does not answer may still carry what runs', () => {
  expect(addressIn([addressed(pod('ready'))], { node: node('Unknown') })).toBe('10.64.1.9');
});

test('where the plan fails the address goes with the container as well', () => {
  const owner = gpuInstance({ status: ran });
  const staleIn = (pods: Pod[]) => gpuInstanceController.stale?.(owner, pods);
  expect(staleIn([addressed(pod('ready'))])).toEqual([]);
  for (const pods of [[], [addressed(pod('finished'))], [addressed(pod('ready'), '10.64.1.10')]])
    expect(staleIn(pods)).toEqual(['podIP']);
});
