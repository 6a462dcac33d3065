// One life of an instance, step by step: what it is billed for at every moment.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION, FINALIZER } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import type { Volume } from '../../resources.ts';
import { gpuInstanceController } from './plan.ts';
import {
  agent,
  at,
  context,
  gpuInstance,
  home,
  lease,
  node,
  pod,
  root,
  save,
  savedHome,
  seen,
} from './testing/fixtures.ts';

const GI = 2 ** 30;
const volume: Volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  status: { phase: 'Bound', lastPhaseTransitionTime: at(3) },
};
const DISK = { resource: 'disk', quantity: 20 };
const CPU = [
  { resource: 'cpu', quantity: 2 },
  { resource: 'memory', quantity: 4 },
];
const HELD = [{ resource: 'gpu', model: 'H100', quantity: 4 }, ...CPU];
const SAVED = { resource: 'snapshot', quantity: 1.5 };
const bigRoot = { ...root(), totalBytes: 1.5 * GI };

/** `from-to subject: uses`, in seconds since the start. */
const seconds = (time: string): number => (Date.parse(time) - Date.parse(at(0))) / 1000;
const text = ({ from, to, subjectUID, uses }: Interval): string =>
  `${seconds(from)}–${to === undefined ? '' : seconds(to)} ${subjectUID === 'uid-dev' ? 'kept' : subjectUID}: ${uses
    .map(({ resource, quantity }) => `${quantity} ${resource}`)
    .join(', ')}`;

interface Moment {
  owner?: Parameters<typeof gpuInstance>[0];
  sees?: Parameters<typeof seen>[0];
  at: number;
}
const plan = ({ owner, sees, at: second }: Moment) =>
  gpuInstanceController.plan(gpuInstance(owner), seen({ volume, ...sees }), context(second));
const line = (moment: Moment) => (plan(moment).status?.intervals ?? []).map(text);

const first = { rebootCount: 0, run: { seq: 1, cause: 'first' as const } };
const kept = (seq: number, from: number, to?: number, uses: Interval['uses'] = [DISK]): Interval => ({
  seq,
  subjectUID: 'uid-dev',
  from: at(from),
  ...(to !== undefined && { to: at(to) }),
  uses,
});
const ran = (seq: number, from: number, to?: number, uses: Interval['uses'] = [...HELD, DISK]): Interval => ({
  ...kept(seq, from, to, uses),
  subjectUID: 'uid-pod-1',
});
const running: GpuInstanceStatus = {
  ...first,
  phase: 'running',
  everReady: true,
  run: { ...first.run, readyAt: at(6) },
  intervals: [kept(1, 3, 6), ran(2, 6)],
};
const resting: GpuInstanceStatus = {
  ...running,
  phase: 'stopped',
  settledPower: 'Stopped',
  run: { ...first.run, readyAt: at(6), endedAt: at(60) },
  intervals: [kept(1, 3, 6), ran(2, 6, 60), kept(3, 60)],
};
const RUN = '6–60 uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk';

describe('the first run', () => {
  test('while it begins nothing is written down for the disk alone', () => {
    const moment = { owner: { status: first }, sees: { pods: [pod('placed')] }, at: 5 };
    expect(line(moment)).toEqual([]);
    expect(plan(moment).againInMs).toBe(58_000);
  });
  test('but it is, when the run does not get on', () => {
    expect(line({ owner: { status: first }, sees: { pods: [pod('placed')] }, at: 63 })).toEqual(['3– kept: 20 disk']);
  });
  test('with the first Ready it is written down since its volume was bound', () => {
    expect(line({ owner: { status: first }, sees: { pods: [pod('ready')] }, at: 7 })).toEqual([
      '3–6 kept: 20 disk',
      '6– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk',
    ]);
  });
  test('that came and went unseen leaves the disk', () => {
    const main = { terminated: { exitCode: 0, startedAt: at(5), finishedAt: at(60) } };
    expect(line({ owner: { status: first }, sees: { pods: [pod('finished', { main })] }, at: 90 })).toEqual([
      '3–5 kept: 20 disk',
      '5–60 uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk',
      '60– kept: 20 disk',
    ]);
  });
  test('on a host of the organisation, what it holds is paid for with the host', () => {
    const made = pod('ready');
    const annotations = { ...made.metadata.annotations, [ANNOTATION.host]: 'org-acme/big' };
    const onHost = { ...made, metadata: { ...made.metadata, annotations } };
    expect(line({ owner: { status: first }, sees: { pods: [onHost] }, at: 7 })[1]).toBe(
      '6– uid-pod-1: 4 hosted-gpu, 2 hosted-cpu, 4 hosted-memory, 20 disk',
    );
  });
});

describe('while it runs', () => {
  test('nothing new is written down', () => {
    expect(line({ owner: { status: running }, sees: { pods: [pod('ready')] }, at: 50 })).toEqual([
      '3–6 kept: 20 disk',
      '6– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk',
    ]);
  });
  test('a larger disk counts from when it is there', () => {
    expect(
      line({ owner: { status: running }, sees: { pods: [pod('ready')], claims: [home(false, 40)] }, at: 50 }),
    ).toEqual([
      '3–6 kept: 20 disk',
      '6–50 uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk',
      '50– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 40 disk',
    ]);
  });
  test('a lost node ends what it holds with the last heartbeat, and the disk goes on', () => {
    const sees = { pods: [pod('ready')], node: node('Unknown', 40), lease: lease(35) };
    expect(line({ owner: { status: running }, sees, at: 80 }).slice(1)).toEqual([
      '6–35 uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk',
      '35– kept: 20 disk',
    ]);
  });
  test('known again, it goes on from then', () => {
    const status = { ...running, intervals: [kept(1, 3, 6), ran(2, 6, 35), kept(3, 35)] };
    expect(
      line({ owner: { status }, sees: { pods: [pod('ready')], node: node('True', 90) }, at: 95 }).slice(2),
    ).toEqual(['35–90 kept: 20 disk', '90– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk']);
  });
});

describe('at rest', () => {
  const stopped = { spec: { power: 'Stopped' as const } };
  test('its end is exact, and the disk goes on from it', () => {
    expect(
      line({ owner: { ...stopped, status: running }, sees: { pods: [pod('finished')] }, at: 70 }).slice(1),
    ).toEqual([RUN, '60– kept: 20 disk']);
  });
  describe('given up by the kubelet, which has not said yet how its container ended', () => {
    const givenUp = pod('finished', { deadline: 1, main: { running: { startedAt: at(5) } } });
    const since = (status: GpuInstanceStatus, second: number): GpuInstanceStatus => ({
      ...status,
      run: { ...first.run, readyAt: at(6), givenUpAt: at(second) },
    });
    const asSeen = (
      second: number,
      status: GpuInstanceStatus = since(running, 62),
      more: Parameters<typeof seen>[0] = {},
    ): Moment => ({ owner: { ...stopped, status }, sees: { pods: [givenUp], ...more }, at: second });
    test('it is waited for, from when that was seen', () => {
      expect(line(asSeen(62, running)).slice(1)).toEqual(['6– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk']);
      expect(plan(asSeen(62, running))).toMatchObject({
        status: { phase: 'stopping', run: { givenUpAt: at(62) } },
        againInMs: 120_000,
      });
      expect(plan(asSeen(100))).toMatchObject({ status: { run: { givenUpAt: at(62) } }, againInMs: 82_000 });
    });
    test('also where nothing had answered for hours, and where it is being released', () => {
      const hours = { ...running, run: { ...first.run, readyAt: at(6) } };
      expect(line(asSeen(7200, hours)).at(-1)).toBe('6– uid-pod-1: 4 gpu, 2 cpu, 4 memory, 20 disk');
      const moment = { ...asSeen(100), owner: { ...asSeen(100).owner, deleting: true } };
      expect(plan(moment)).toMatchObject({ status: { phase: 'releasing' }, againInMs: 82_000 });
    });
    test('but not for ever', () => {
      expect(line(asSeen(182)).slice(1)).toEqual([RUN.replace('60', '62'), '62– kept: 20 disk']);
      expect(plan(asSeen(182)).status?.run).toMatchObject({ endedAt: at(62) });
    });
    test('nor on a node that says nothing any more', () => {
      const sees = { node: node('Unknown', 61), lease: lease(55) };
      expect(line(asSeen(64, since(running, 62), sees)).slice(1)).toEqual([
        RUN.replace('60', '55'),
        '55– kept: 20 disk',
      ]);
    });
  });
  test('a save counts from when it is recorded', () => {
    const sees = {
      pods: [pod('finished')],
      snapshots: [save('ready', { status: { totalBytes: 1.5 * GI } })],
      ...agent(),
    };
    expect(line({ owner: { ...stopped, status: resting }, sees, at: 75 }).slice(2)).toEqual([
      '60–75 kept: 20 disk',
      '75– kept: 20 disk, 1.5 snapshot',
    ]);
  });
  test('a save of a few bytes is no use', () => {
    expect(line({ owner: { ...stopped, status: { ...resting, root: root() } }, at: 75 }).at(-1)).toBe(
      '60– kept: 20 disk',
    );
  });
  test('hibernated, with its home in the registry, only that costs', () => {
    const owner = {
      spec: { power: 'Hibernated' as const },
      status: { ...resting, root: bigRoot, home: { ...savedHome, sizeBytes: 0.5 * GI }, settledPower: 'Hibernated' },
    };
    expect(line({ owner, sees: { claims: [], volume: undefined }, at: 80 }).at(-1)).toBe('80– kept: 2 snapshot');
  });
  test('the next run goes on from the rest', () => {
    const status = {
      ...resting,
      root: bigRoot,
      settledPower: 'Stopped',
      run: { seq: 2, cause: 'resume' as const },
      intervals: [kept(1, 3, 6), ran(2, 6, 60), kept(3, 60, undefined, [DISK, SAVED])],
    };
    const again = pod('ready', { seq: 2, main: { running: { startedAt: at(199) } } });
    again.status?.conditions?.forEach((one) => {
      if (one.type === 'Ready') one.lastTransitionTime = at(200);
    });
    expect(line({ owner: { status }, sees: { pods: [again] }, at: 201 }).slice(2)).toEqual([
      '60–200 kept: 20 disk, 1.5 snapshot',
      '200– uid-pod-2: 4 gpu, 2 cpu, 4 memory, 20 disk, 1.5 snapshot',
    ]);
  });
});

describe('released', () => {
  const finalizers = [FINALIZER.operator, FINALIZER.billing];
  const held = (status: GpuInstanceStatus) => {
    const owner = gpuInstance({ deleting: true, status });
    return { ...owner, metadata: { ...owner.metadata, finalizers } };
  };
  const release = (status: GpuInstanceStatus, sees: Parameters<typeof seen>[0]) =>
    gpuInstanceController.plan(held(status), seen(sees), context(110));

  test('its disk counts until it is gone', () => {
    const { status, finalizer } = release(resting, { claims: [home(true)], volume });
    expect(status?.intervals?.map(text).at(-1)).toBe('60– kept: 20 disk');
    expect([status?.phase, finalizer]).toEqual(['releasing', 'keep']);
  });
  test('with nothing left the last interval ends, and the platform lets go while billing still holds it', () => {
    const { status, finalizer } = release(resting, { claims: [] });
    expect(status?.intervals?.map(text).at(-1)).toBe('60–110 kept: 20 disk');
    expect([status?.phase, finalizer]).toEqual(['released', 'drop']);
  });
  test('from then on nothing more is written', () => {
    const done = { ...resting, intervals: [kept(1, 3, 6), ran(2, 6, 60), kept(3, 60, 110)] };
    expect(release({ ...done, phase: 'released' }, { claims: [] }).status?.intervals).toEqual(done.intervals);
  });
});
