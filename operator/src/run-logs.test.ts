// The logs of the programs of a run: when a Pod waits for one, for how long, and where it is recorded.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { type EndedPod, GIVE_UP_MS, HOLD_MS, type LogRecord, planLogs, withPartLogs } from './run-logs.ts';

const END = Date.parse('2026-11-25T10:00:00Z');
const owner: KubeObject = {
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'Job',
  metadata: { name: 'train', namespace: 'org-acme', uid: 'uid-train' },
};
const podOf = (part: number, uid = `uid-${part}`): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `train-2-${part}-abcde`, namespace: 'org-acme', uid },
  spec: { nodeName: 'node-a', containers: [] },
});
const ended = (part = 0, more: Partial<EndedPod> = {}): EndedPod => ({
  ...{ pod: podOf(part), run: 2, part, endedAt: END, hasLog: true },
  ...more,
});
const [desired] = planLogs({
  ...{ owner, ended: [ended()], snapshots: [], agents: ['node-a'], isRecorded: () => false, now: END },
}).create;
const save = (phase?: string, more: { uid?: string; seen?: number } = {}): Snapshot => {
  const made = desired as Snapshot;
  return {
    ...made,
    metadata: { ...made.metadata, uid: 'uid-save', creationTimestamp: new Date(more.seen ?? END).toISOString() },
    spec: { ...made.spec, podUID: more.uid ?? made.spec.podUID ?? '' },
    ...(phase !== undefined && {
      status: { phase, ...(phase === 'ready' && { log: { bytes: 12, isCut: true } }) },
    }),
  };
};

interface Case {
  ended?: readonly EndedPod[];
  snapshots?: readonly Snapshot[];
  agents?: readonly string[];
  recorded?: boolean;
  afterMs?: number;
  /** How many Snapshots are created and removed, the UIDs of Pods that wait, and when the plan comes again. */
  plans: [number, number, string[], number?];
}

test.each<[string, Case]>([
  ['a log is asked for when its program ended, and its Pod waits', { plans: [1, 0, ['uid-0'], HOLD_MS] }],
  ['each program has its own', { ended: [ended(0), ended(1)], plans: [2, 0, ['uid-0', 'uid-1'], HOLD_MS] }],
  [
    'a log that was asked for is not asked for again',
    { snapshots: [save('processing')], plans: [0, 0, ['uid-0'], HOLD_MS] },
  ],
  ['a saved log is recorded before its Pod goes', { snapshots: [save('ready')], plans: [0, 0, ['uid-0'], HOLD_MS] }],
  ['a recorded log needs neither Pod nor Snapshot', { snapshots: [save('ready')], recorded: true, plans: [0, 1, []] }],
  ['a recorded log is not asked for again', { recorded: true, plans: [0, 0, []] }],
  [
    'a saved log is recorded, though its agent is gone since',
    { snapshots: [save('ready')], agents: [], plans: [0, 0, ['uid-0'], HOLD_MS] },
  ],
  ['without an agent on its node nothing waits', { agents: ['node-b'], plans: [0, 0, []] }],
  ['what never ran wrote nothing', { ended: [ended(0, { hasLog: false })], plans: [0, 0, []] }],
  ['what cannot be saved holds nobody up, and is not tried again', { snapshots: [save('failed')], plans: [0, 0, []] }],
  ['a failed Snapshot is cleared away after its Pod', { ended: [], snapshots: [save('failed')], plans: [0, 1, []] }],
  ['a Pod waits some minutes at most', { afterMs: HOLD_MS, snapshots: [save('processing')], plans: [0, 0, []] }],
  ['nothing is begun for a Pod that waits no longer', { afterMs: HOLD_MS, plans: [0, 0, []] }],
  ['the plan comes back when a Pod waits no longer', { afterMs: HOLD_MS - 1000, plans: [1, 0, ['uid-0'], 1000] }],
  ['the agent goes on without the Pod', { ended: [], snapshots: [save('processing')], plans: [0, 0, []] }],
  [
    'the agent is not waited for longer than an hour',
    { ended: [], snapshots: [save('processing')], afterMs: GIVE_UP_MS, plans: [0, 1, []] },
  ],
  [
    'a saved log that no run records any more is cleared away',
    { ended: [], snapshots: [save('ready')], afterMs: GIVE_UP_MS, plans: [0, 1, []] },
  ],
  [
    'the Snapshot of another Pod of that name is no save of this one',
    { snapshots: [save('failed', { uid: 'other' })], plans: [0, 1, ['uid-0'], HOLD_MS] },
  ],
])('%s', (_what, { recorded = false, afterMs = 0, plans, ...given }) => {
  const inputs = { owner, ended: [ended()], snapshots: [], agents: ['node-a'], ...given };
  const plan = planLogs({ ...inputs, isRecorded: () => recorded, now: END + afterMs });
  expect([plan.create.length, plan.remove.length, [...plan.held], plan.againInMs]).toEqual([
    ...plans.slice(0, 3),
    plans[3],
  ]);
});

test('a Snapshot names the very container, and a place that no other kind has', () => {
  expect(desired).toMatchObject({
    metadata: { name: 'train-2-0-abcde', labels: { 'gantry.dev/run': '2', 'gantry.dev/part': '0' } },
    spec: {
      ...{ instance: 'train', of: 'Log', node: 'node-a', podName: 'train-2-0-abcde', podUID: 'uid-0' },
      target: 'registry.gantry.internal/org-acme/train.job.log:2-0',
    },
  });
});

const log = { image: 'registry.gantry.internal/org-acme/train.job.log:2-0', bytes: 12, isCut: true };
const PARTS: readonly { index: number; log?: LogRecord }[] = [{ index: 0 }, { index: 1 }];
const DAY_MS = 24 * 3_600_000;
test.each<[string, { seq?: number; at?: number; phase?: string; days?: number }, (object | undefined)[]]>([
  ['a log that was saved is recorded with its program', {}, [log, undefined]],
  ['a log is not recorded before it is saved', { phase: 'processing' }, [undefined, undefined]],
  ['a log is not recorded with another run', { seq: 3 }, [undefined, undefined]],
  ['a log is not kept longer than so many days', { days: 14 }, [undefined, undefined]],
  ['a log is not kept longer than so many runs', { at: 20 }, [undefined, undefined]],
])('%s', (_what, { seq = 2, at = 0, phase = 'ready', days = 0 }, logs) => {
  const settings = { logRuns: 20, logDays: 14 };
  const run = { seq, at, endedAt: new Date(END).toISOString() };
  const now = END + days * DAY_MS;
  const found = withPartLogs(PARTS, run, [save(phase)], settings, now);
  expect(found.map((part) => part.log)).toEqual(logs);
  const kept = withPartLogs([{ index: 0, log }], run, [], settings, now);
  expect(kept.map((part) => part.log)).toEqual([days >= 14 || at >= 20 ? undefined : log]);
});
