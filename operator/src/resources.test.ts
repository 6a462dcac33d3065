import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { everStarted, podExit } from './pod-progress.ts';
import { POD } from './resources.ts';

const lost = { exitCode: 137, reason: 'ContainerStatusUnknown' };
const kept = (status: object): Pod =>
  POD.keep?.({
    ...{ apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'main' }] } },
    metadata: { name: 'dev-1', namespace: 'org-acme', uid: 'u', labels: { [LABEL.kind]: 'GpuInstance' } },
    status,
  } as never) as Pod;
const main = (state: object, lastState: object = {}) => ({ containerStatuses: [{ name: 'main', state, lastState }] });

test('an evicted Pod whose container the kubelet lost sight of has run: what it changed is saved', () => {
  // As a kubelet reports an eviction that removed the containers before it looked at them.
  const evicted = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' };
  const pod = kept({ ...evicted, ...main({ waiting: { reason: 'PodInitializing' } }, { terminated: lost }) });
  expect(pod.status?.containerStatuses?.[0]?.state).toEqual({ terminated: lost });
  expect([everStarted(pod), podExit(pod)]).toEqual([true, 'Evicted']);
});

test.each([
  ['never started', { phase: 'Failed', ...main({ waiting: { reason: 'PodInitializing' } }) }],
  ['may start again', { phase: 'Running', ...main({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: lost }) }],
  ['ended', { phase: 'Failed', ...main({ terminated: { exitCode: 1 } }, { terminated: lost }) }],
])('a container that %s is kept as it is', (_, status) => {
  expect(kept(status).status).toEqual(status);
});
