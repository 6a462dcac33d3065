// status.health (decisions section 2, rows 12 and 22 to 24): what makes a Ready instance abnormal, and what makes it failed.
import { cardFaultsText, podKey } from '@gantry/contract/gpu-conditions.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { NODE } from '../../resources.ts';
import { gpuInstanceController } from './plan.ts';
import { at, context, gpuInstance, node, pod, seen } from './testing/fixtures.ts';

const GIB = 1024 ** 3;
const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
};
const planned = (
  status: GpuInstanceStatus,
  sees: Parameters<typeof seen>[0] = {},
  { atSecond = 70, spec }: { atSecond?: number; spec?: object } = {},
) =>
  gpuInstanceController.plan(
    gpuInstance({ status, ...(spec && { spec }) }),
    seen({ pods: [pod('ready')], ...sees }),
    context(atSecond),
  );
const room = (status: GpuInstanceStatus | undefined) =>
  status?.conditions?.find(({ type }) => type === 'DisksHaveRoom');

const home = (availableGi: number, totalGi = 20) => ({
  totalBytes: totalGi * GIB,
  usedBytes: (totalGi - availableGi) * GIB,
  availableBytes: availableGi * GIB,
});
const measured = (usage: object, podUID = 'uid-pod-1'): GpuInstanceStatus => ({
  ...ran,
  usage: { podUID, at: at(40), node: 'node-a', ...usage },
});
const limited = (limit: string): Pod => {
  const made = pod('ready');
  const [main] = made.spec?.containers ?? [];
  if (main) main.resources = { limits: { 'ephemeral-storage': limit } };
  return made;
};

describe('a full disk', () => {
  test.each<[string, GpuInstanceStatus, Parameters<typeof seen>[0], string]>([
    [
      'the home',
      measured({ home: home(0) }),
      {},
      'The home disk at /root is full (20 GiB). Delete files, or raise spec.homeDisk.sizeGi.',
    ],
    [
      'a home with less than a fiftieth left',
      measured({ home: home(0.39) }),
      {},
      'The home disk at /root is full (20 GiB). Delete files, or raise spec.homeDisk.sizeGi.',
    ],
    [
      'a root file system near its limit',
      measured({ home: home(10), rootBytes: 18.5 * GIB }),
      { pods: [limited('20Gi')] },
      'Files outside the disks take up 18.5 of 20 GiB. At the limit, the container is terminated. Delete files, or move them to /root or a data disk.',
    ],
    [
      'a data disk',
      ran,
      { disks: [{ metadata: { name: 'sets' }, status: { usage: { ...home(0, 5), at: at(40) } } } as DataDisk] },
      'The disk sets is full (5 GiB). Delete files, or enlarge the disk.',
    ],
  ])('%s makes it abnormal, and a condition says which', (_, status, sees, message) => {
    const said = planned(status, sees).status;
    expect(said).toMatchObject({ phase: 'running', health: 'abnormal' });
    expect(room(said)).toMatchObject({ status: 'False', message });
  });

  test.each<[string, GpuInstanceStatus, Parameters<typeof seen>[0]]>([
    ['room enough', measured({ home: home(1), rootBytes: 17 * GIB }), { pods: [limited('20Gi')] }],
    ['a root file system of a Pod without a limit', measured({ rootBytes: 900 * GIB }), {}],
    ['what was measured in an earlier run', measured({ home: home(0) }, 'uid-pod-0'), {}],
    ['nothing measured', ran, {}],
    ['a volume of no size', measured({ home: home(0, 0) }), {}],
  ])('%s is normal', (_, status, sees) => {
    const said = planned(status, sees).status;
    expect(said?.health).toBe('normal');
    expect(room(said)).toBeUndefined();
  });

  test('an instance stays abnormal for ten minutes after there is room again', () => {
    const full = planned(measured({ home: home(0) })).status as GpuInstanceStatus;
    const emptied = { ...full, usage: { ...measured({ home: home(9) }).usage } } as GpuInstanceStatus;
    const after = planned(emptied, {}, { atSecond: 100 });
    expect(after.status?.health).toBe('abnormal');
    expect(room(after.status)).toMatchObject({ status: 'True', lastTransitionTime: at(100) });
    expect(after.againInMs).toBe(600_000);
    const nextStatus = { ...(after.status as GpuInstanceStatus), usage: emptied.usage } as GpuInstanceStatus;
    const later = planned(nextStatus, {}, { atSecond: 701 }).status;
    expect(later?.health).toBe('normal');
    expect(room(later)).toBeUndefined();
  });

  test('an instance that does not run says nothing of its disks', () => {
    const status = { ...measured({ home: home(0) }), run: { ...ran.run, endedAt: at(60) } } as GpuInstanceStatus;
    const said = planned(status, { pods: [] }, { spec: { power: 'Stopped' } }).status;
    expect(said?.health).toBe('notReady');
    expect(room(said)).toBeUndefined();
  });
});

describe('a fatal XID', () => {
  const reports = (condition: object): Node => {
    const made = node();
    const conditions = [...(made.status?.conditions ?? []), condition];
    return NODE.keep?.({ ...made, status: { ...made.status, conditions } } as Node) as Node;
  };
  const sentinel = (since: number, status = 'True') =>
    reports({ type: 'SysLogsXIDError', status, message: 'GPU 3: XID 79', lastTransitionTime: at(since) });

  test.each([
    ['NVSentinel', sentinel(50), 'GPU 3: XID 79'],
    [
      'the EKS agent',
      reports({
        type: 'AcceleratedHardwareReady',
        status: 'False',
        reason: 'NvidiaXID79Error',
        lastTransitionTime: at(50),
      }),
      'NvidiaXID79Error',
    ],
    [
      'a rule of one’s own',
      reports({ type: 'GpuFatalXid', status: 'True', reason: 'Xid', lastTransitionTime: at(50) }),
      'Xid',
    ],
  ])('reported by %s while it was Ready: failed', (_, reported, detail) => {
    const { status } = planned(ran, { node: reported });
    expect(status).toMatchObject({
      phase: 'failed',
      reason: 'GpuFault',
      health: 'abnormal',
      message: `Node node-a reports a fatal GPU error: ${detail}. A hard reboot starts the instance again, on another node if this one accepts no new instances.`,
    });
  });

  const marked = (holder: string): Node => {
    const card = { uuid: 'GPU-a', gpu: '3', xids: [79], since: at(50), boot: '', holders: [holder] };
    const made = node();
    const annotations = { [ANNOTATION.gpuFaults]: cardFaultsText([card]) ?? '' };
    return NODE.keep?.({ ...made, metadata: { ...made.metadata, annotations } } as Node) as Node;
  };

  test('of its own card alone, where the exporter names who has it', () => {
    const healthWith = (holder: string) => planned(ran, { node: marked(holder) }).status;
    expect(healthWith(podKey(pod('ready')))).toMatchObject({ phase: 'failed', reason: 'GpuFault' });
    expect(healthWith('org-acme/another-1')).toMatchObject({ phase: 'running', health: 'normal' });
  });

  test('a running instance is left running', () => {
    const { create, patch, remove } = planned(ran, { node: sentinel(50) });
    expect([create, patch?.length, remove]).toEqual([[], 0, []]);
  });

  test('from before this run: it runs, and is abnormal', () => {
    expect(planned(ran, { node: sentinel(3) }).status).toMatchObject({ phase: 'running', health: 'abnormal' });
  });

  test.each([
    ['mended', sentinel(50, 'False'), {}],
    [
      'another fault of the hardware',
      reports({ type: 'AcceleratedHardwareReady', status: 'False', reason: 'DCGMError', lastTransitionTime: at(50) }),
      {},
    ],
    ['on the node of one without a GPU', sentinel(50), { gpu: undefined }],
  ])('%s: it is normal', (_, reported, spec) => {
    const pods = [pod('ready', { spec: spec as object })];
    expect(planned(ran, { node: reported, pods }, { spec }).status).toMatchObject({
      phase: 'running',
      health: 'normal',
    });
  });

  test('Ready stays the first condition of a Node, whatever order they come in', () => {
    const made = node();
    const conditions = [{ type: 'GpuFatalXid', status: 'False' }, ...(made.status?.conditions ?? [])];
    const kept = NODE.keep?.({ ...made, status: { ...made.status, conditions } } as Node) as Node;
    expect(kept.status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'GpuFatalXid']);
  });

  test('a heartbeat wakes nobody; a fault does', () => {
    const { wakes } = gpuInstanceController.reads.node;
    const asked: string[] = [];
    const by = (_: unknown, index: string) => {
      asked.push(index);
      return [];
    };
    const caches = { by } as never;
    wakes?.({ before: node(), after: node() }, caches);
    expect(asked).toEqual([]);
    wakes?.({ before: node(), after: sentinel(50) }, caches);
    expect(asked).toEqual(['node']);
  });
});
