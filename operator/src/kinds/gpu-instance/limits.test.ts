// A Pod's limits on its node: those of a new run, and what follows when the node enforces one.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { gpuInstanceController } from './plan.ts';
import { agent, at, context, gpuInstance, pod, save, seen } from './testing/fixtures.ts';

const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
  intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(6), uses: [{ resource: 'disk', quantity: 20 }] }],
};
const planned = (
  status: GpuInstanceStatus,
  sees: Parameters<typeof seen>[0] = {},
  spec: Parameters<typeof gpuInstance>[0] = {},
) => gpuInstanceController.plan(gpuInstance({ status, ...spec }), seen(sees), context(70));

test('a new run asks for room for its root file system, by its size', () => {
  const { create = [] } = planned({ rebootCount: 0, run: { seq: 1, cause: 'first' } });
  const [made] = create as Pod[];
  expect(made?.spec?.containers[0]?.resources).toEqual({
    requests: { cpu: '2000m', memory: '4096Mi', 'nvidia.com/gpu': '4', 'ephemeral-storage': '4096Mi' },
    limits: { cpu: '2000m', memory: '4096Mi', 'nvidia.com/gpu': '4', 'ephemeral-storage': '20Gi' },
  });
});

test('an instance that runs without the limit goes on: it gets one with its next run', () => {
  const running = pod('ready');
  // As Pods carry it that were made before there was such a limit.
  running.metadata.annotations = { ...running.metadata.annotations, [ANNOTATION.hash]: '39ebd3832a179889' };
  const { create, patch, remove, status } = planned(ran, { pods: [running] });
  expect({ create, patch, remove }).toEqual({ create: [], patch: [], remove: [] });
  expect(status?.phase).toBe('running');
});

const evicted = (message: string): Pod => {
  const ended = { terminated: { exitCode: 137, startedAt: at(5), finishedAt: at(60), reason: 'Error' } };
  const made = pod('finished', {
    main: ended,
    reason: 'Evicted',
    conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }],
  });
  return { ...made, status: { ...made.status, message } };
};

test.each([
  'Container main exceeded its local ephemeral storage limit "20Gi". ',
  'Pod ephemeral local storage usage exceeds the total limit of containers 20Gi. ',
])('a full root file system is the program’s own doing: %s', (message) => {
  const { status } = planned(ran, { pods: [evicted(message)] });
  expect(status).toMatchObject({
    phase: 'failed',
    reason: 'RootFull',
    message: `The container wrote more than 20 GiB outside its disks, and its node ended it; the next start is at ${at(70)}. Keep large files at /root or on a data disk.`,
    run: { seq: 2, cause: 'crash', lastExit: 'RootFull', exits: 1, notBefore: at(70) },
  });
});

test('an instance that filled its root file system is saved before its Pod goes', () => {
  const message = 'Container main exceeded its local ephemeral storage limit "20Gi". ';
  const first = planned(ran, { ...agent(), pods: [evicted(message)] });
  expect(first.create).toMatchObject([{ kind: 'Snapshot', metadata: { name: 'dev-1' } }]);
  expect(first.remove).toEqual([]);
  const then = planned(first.status ?? {}, { ...agent(), pods: [evicted(message)], snapshots: [save('ready')] });
  expect(then.status?.root).toMatchObject({ seq: 1 });
  expect(then.remove).toMatchObject([{ name: 'dev-1' }]);
});

test('a node that runs out of disk is no fault of the program, and says so', () => {
  const message = 'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 900Mi. ';
  const { status } = planned(ran, { pods: [evicted(message)] });
  expect(status).toMatchObject({ phase: 'failed', reason: 'Evicted', run: { lastExit: 'Evicted', exits: 0 } });
});
