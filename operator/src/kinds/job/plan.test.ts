import type { JobStatus } from '@gantry/contract/kinds/job.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import type { Plan } from '../../define-controller.ts';
import { desiredBatchJob, runLabels } from '../../running/desired.ts';
import { jobController } from './plan.ts';
import { ran } from './ran.ts';
import { at, batch, context, job, node, queued, room, seen, settings, worker } from './testing/fixtures.ts';

interface Law {
  owner?: Parameters<typeof job>[0];
  sees?: Parameters<typeof seen>[0];
  seconds?: number;
  with?: Parameters<typeof context>[1];
  phase?: string;
  reason?: string;
  says?: string;
  creates?: string[];
  removes?: string[];
  patches?: object[];
  run?: object;
  status?: object;
  intervals?: object[];
  /** Whether the last interval goes on. */
  isBilled?: boolean;
  condition?: object;
  finalizer?: string;
  again?: number;
  isDetail?: boolean;
}

const names = (list: readonly { name?: string; metadata?: { name: string } }[] | undefined) =>
  (list ?? []).map((entry) => entry.metadata?.name ?? entry.name);

const placed = (second: number) => ({ type: 'PodScheduled', status: 'True', lastTransitionTime: at(second) });
const unplaced = worker('unplaced', {
  index: 1,
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: at(2) }],
});
const stuck = worker('placed', { waiting: { reason: 'ImagePullBackOff', message: 'not found' } });
const missing = {
  exitCode: 128,
  reason: 'StartError',
  startedAt: undefined,
  message:
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "nosuch": executable file not found in $PATH: unknown',
};
const compute = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' } };

function judge(law: Law): Plan<JobStatus> {
  const plan = jobController.plan(job(law.owner), seen(law.sees), context(law.seconds ?? 70, law.with));
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.reason) expect(plan.status?.reason).toBe(law.reason);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.creates) expect(names(plan.create)).toEqual(law.creates);
  if (law.removes) expect(names(plan.remove)).toEqual(law.removes);
  if (law.patches) expect((plan.patch ?? []).map(({ body }) => body)).toEqual(law.patches);
  if (law.run) expect(plan.status?.run).toEqual(law.run);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  if (law.intervals) expect(plan.status?.intervals ?? []).toMatchObject(law.intervals);
  if (law.isBilled !== undefined) expect(plan.status?.intervals?.at(-1)?.to === undefined).toBe(law.isBilled);
  if (law.condition) expect(plan.status?.conditions).toContainEqual(expect.objectContaining(law.condition));
  if (law.finalizer) expect(plan.finalizer).toBe(law.finalizer);
  if (law.again !== undefined) expect(plan.againInMs).toBe(law.again);
  if (law.isDetail !== undefined) expect(plan.isDetail).toBe(law.isDetail);
  return plan;
}
const laws = (table: Record<string, Law>) => test.each(Object.entries(table))('%s', (_, law) => void judge(law));

const first = { seq: 1, cause: 'first', runCount: 0 } as const;
const admitted = { ...first, queuedAt: at(1), admittedAt: at(1) };
const running = { ...admitted, startedAt: at(6) };
const up = (index: number, more: object = {}) => ({
  index,
  pod: `train-1-${index}-abcde`,
  podUID: `uid-pod-1-${index}`,
  node: 'node-a',
  startedAt: at(6),
  phase: 'running' as const,
  ...more,
});
const open = {
  seq: 1,
  subjectUID: 'uid-batch-1',
  run: 1,
  parts: '0-1',
  from: at(6),
  uses: [{ resource: 'cpu', quantity: 4 }],
};
const both = [worker('ready'), worker('ready', { index: 1 })];
/** The first worker's Pod after a suspension. */
const again = { ...worker('ready', { readyAt: 62 }) };
again.metadata = { ...again.metadata, uid: 'uid-again' };
const placedAgain = { ...worker('placed'), metadata: again.metadata };
/** Set aside, and ended as a busy kubelet says it first: the Pod, before its container. */
const failing = worker('ready', { tracked: false, deleting: true });
failing.status = {
  ...failing.status,
  phase: 'Failed',
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(60) }],
} as NonNullable<typeof failing.status>;
/** Without credit, before its batch Job had made a Pod that anybody saw. */
const endedUnseen: JobStatus = {
  run: { ...admitted, exit: 'Stopped', endedAt: at(4) },
  runs: [{ seq: 1, cause: 'first', queuedAt: at(1), endedAt: at(4), exit: 'Stopped' }],
};
const runs: JobStatus = { run: running, workers: [up(0), up(1)], intervals: [open] };

describe('A run', () => {
  laws({
    'is recorded before its batch Job is made': { phase: 'preparing', run: first, creates: ['train-1'] },
    'is made once it is recorded': { owner: { status: { run: first } }, creates: ['train-1'] },
    'is not made twice': {
      owner: { status: { run: first } },
      sees: { batchJobs: [batch()] },
      creates: [],
      phase: 'starting',
      run: admitted,
    },
    'is not made while anything of another run may still run': {
      owner: { status: { run: { ...first, seq: 2 } } },
      sees: { pods: both },
      creates: [],
      removes: ['train-1-0-abcde', 'train-1-1-abcde'],
    },
    'is not made while the batch Job of another run is there': {
      owner: { status: { run: { ...first, seq: 2 } } },
      sees: { batchJobs: [batch()] },
      creates: [],
      removes: ['train-1'],
    },
    'is made although a node that is out of service still names an old worker': {
      owner: { status: { run: { ...first, seq: 2 } } },
      sees: { pods: [worker('ready')], nodes: [node('node-a', { outOfService: true })] },
      creates: ['train-2'],
    },
    'waits for its back-off': {
      owner: { status: { run: { ...first, notBefore: at(100) } } },
      creates: [],
      again: 30_000,
    },
    'runs once all workers are Ready': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: both },
      phase: 'running',
      run: running,
      intervals: [{ parts: '0-1', run: 1, subjectUID: 'uid-batch-1', from: at(6) }],
    },
    'is starting, and bills nothing while a part of the gang is Ready and the rest is not': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('ready'), worker('placed', { index: 1 })] },
      phase: 'starting',
      says: '1 of 2 workers ready.',
      intervals: [],
      isDetail: false,
    },
    'tells only a detail once it is known to be starting': {
      owner: { status: { phase: 'starting', run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('ready'), worker('placed', { index: 1 })] },
      phase: 'starting',
      isDetail: true,
    },
    'shows the worker that has no node yet': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('placed'), worker('unplaced', { index: 1 })] },
      phase: 'starting',
      status: {
        workers: [
          { index: 0, node: 'node-a', phase: 'starting' },
          { index: 1, phase: 'waiting' },
        ],
      },
    },
    'shows its workers before they have Pods': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()] },
      status: {
        workers: [
          { index: 0, phase: 'waiting' },
          { index: 1, phase: 'waiting' },
        ],
      },
    },
    'says that an image cannot be pulled': {
      owner: { status: { run: admitted } },
      sees: {
        batchJobs: [batch()],
        pods: [worker('placed', { waiting: { reason: 'ImagePullBackOff', message: 'not found' } })],
      },
      says: 'The image pytorch/pytorch:2.4.0 cannot be pulled: not found',
    },
    'succeeds when every worker has ended with 0': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: [worker('finished'), worker('finished', { index: 1, finishedAt: 61 })] },
      phase: 'succeeded',
      status: { run: { exit: 'exit code 0', endedAt: at(61) }, runs: [{ seq: 1, exit: 'exit code 0' }] },
      intervals: [{ to: at(60) }, { parts: '1', from: at(60), to: at(61) }],
      removes: ['train-1-0-abcde', 'train-1-1-abcde', 'train-1'],
    },
    'that all started and ended unseen is billed all the same': {
      owner: { status: { run: first } },
      sees: { batchJobs: [batch()], pods: [worker('finished'), worker('finished', { index: 1 })] },
      phase: 'succeeded',
      intervals: [{ parts: '0-1', from: at(5), to: at(60) }],
    },
    'is ended when a worker fails: the others are stopped in place': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [worker('finished', { exitCode: 3, message: 'boom' }), worker('ready', { index: 1 })],
      },
      status: { run: { exit: 'exit code 3', worker: 0, exitCode: 3, lastLines: 'boom' } },
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
      creates: [],
    },
    'that takes too long fails without another try': {
      owner: { spec: { retries: 5, maxRunMinutes: 1 }, status: runs },
      sees: {
        batchJobs: [
          batch({ status: { conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] } as never }),
        ],
        pods: [
          worker('finished', { exitCode: 143, deadline: 1 }),
          worker('finished', { index: 1, exitCode: 143, deadline: 1 }),
        ],
      },
      phase: 'failed',
      says: 'The run took longer than 1 minute and was ended. Raise spec.maxRunMinutes if it needs more.',
    },
    'that takes too long is ended although Kubernetes has not said so yet': {
      owner: { spec: { maxRunMinutes: 1 }, status: runs },
      sees: { batchJobs: [{ ...batch(), spec: { ...batch().spec, activeDeadlineSeconds: 60 } as never }], pods: both },
      status: { run: { exit: 'TookTooLong' } },
    },
    'of which only a part has found a place is ended half a minute later, and that costs no try': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('ready', { conditions: [placed(2)] }), unplaced] },
      seconds: 32,
      status: { run: { exit: 'NotAllPlaced' }, workers: [{ index: 0 }] },
      intervals: [],
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
      removes: ['train-1-1-abcde'],
    },
    'of which only a part has found a place waits for half a minute': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('ready', { conditions: [placed(2)] }), unplaced] },
      seconds: 31,
      run: admitted,
      intervals: [],
      again: 1_000,
    },
    'is billed from the moment in which all are ready': {
      owner: { status: { run: admitted, workers: [up(0)] } },
      sees: { batchJobs: [batch()], pods: [worker('ready'), worker('ready', { index: 1, readyAt: 46 })] },
      intervals: [{ from: at(46), parts: '0-1' }],
    },
    'whose program is missing says which, and that costs a try': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [worker('finished', missing), worker('finished', { index: 1, exitCode: 143, deadline: 1 })],
      },
      phase: 'failed',
      says: 'Worker 0 failed: the program could not be started: exec: "nosuch": executable file not found in $PATH.',
    },
    'whose image cannot be pulled notes since when': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [stuck] },
      run: { ...admitted, stuckSince: at(70) },
      again: 5 * 60_000,
    },
    'whose image cannot be pulled for five minutes is over': {
      owner: { status: { run: { ...admitted, stuckSince: at(70) } } },
      sees: { batchJobs: [batch()], pods: [stuck] },
      seconds: 370,
      status: { run: { exit: 'ImageNotFound', lastLines: 'not found' } },
      removes: ['train-1-0-abcde'],
    },
    'whose image could not be pulled has failed, and says so': {
      owner: { status: { run: { ...admitted, exit: 'ImageNotFound', lastLines: 'not found' } } },
      seconds: 371,
      phase: 'failed',
      says: 'The image pytorch/pytorch:2.4.0 cannot be pulled: not found',
      creates: [],
    },
    'that did not start in time has failed where no try is left': {
      owner: { status: { run: { ...admitted, exit: 'NotAllStarted' } } },
      seconds: 1000,
      phase: 'failed',
      says: 'Only 0 of 2 workers started within 15 minutes, and no retry is left.',
      creates: [],
    },
    'whose workers do not all start in time is ended': {
      owner: { status: { run: admitted } },
      sees: { batchJobs: [batch()], pods: [worker('ready'), worker('placed', { index: 1 })] },
      seconds: 15 * 60 + 1,
      status: { run: { exit: 'NotAllStarted' } },
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
      removes: ['train-1-1-abcde'],
    },
    'whose batch Job somebody deleted begins again, and that costs no try': {
      owner: { status: { run: { ...admitted } } },
      status: { run: { seq: 2, cause: 'retry', nodeFailures: 1, before: { exit: 'Deleted' } } },
    },
  });
});

describe('The log of a worker', () => {
  const save = (part: number, phase = 'ready') =>
    ({
      apiVersion: 'gantry.dev/v1alpha1',
      kind: 'Snapshot',
      metadata: {
        name: `train-1-${part}-abcde`,
        namespace: 'org-acme',
        uid: `uid-save-${part}`,
        creationTimestamp: at(61),
        labels: { [LABEL.run]: '1', [LABEL.part]: String(part) },
      },
      spec: { of: 'Log', podUID: `uid-pod-1-${part}`, target: `registry/train:1-${part}` },
      status: { phase, log: { bytes: 12, isCut: false } },
    }) as unknown as Snapshot;
  const log = { image: 'registry/train:1-1', bytes: 12, isCut: false };
  const pods = [worker('ready'), worker('finished', { index: 1 })];
  const done = { phase: 'succeeded', endedAt: at(60), exit: 'exit code 0', exitCode: 0 } as const;
  const sees = { pods, batchJobs: [batch()], agents: ['node-a'] };

  laws({
    'is asked for when the worker ends, though its run goes on': {
      owner: { status: { run: running, workers: [up(0), up(1)] } },
      sees,
      creates: ['train-1-1-abcde'],
    },
    'is recorded while the run goes on': {
      owner: { status: { run: running, workers: [up(0), up(1)] } },
      sees: { ...sees, snapshots: [save(1)] },
      status: { workers: [{ index: 0 }, { index: 1, log }] },
      removes: ['train-1-1-abcde'],
    },
    'stays recorded when its Snapshot is gone': {
      owner: { status: { run: running, workers: [up(0), up(1, { ...done, log })] } },
      sees,
      creates: [],
      status: { workers: [{ index: 0 }, { index: 1, log }] },
    },
    'is recorded of the last run once that has ended': {
      owner: {
        status: {
          run: { ...running, exit: 'exit code 0', exitCode: 0, endedAt: at(60) },
          workers: [up(0, done), up(1, done)],
          runs: [
            { seq: 1, cause: 'first', endedAt: at(60), exit: 'exit code 0', workers: [{ index: 0 }, { index: 1 }] },
          ],
        },
      },
      sees: { snapshots: [save(1)] },
      status: {
        workers: [{ index: 0 }, { index: 1, log }],
        runs: [{ seq: 1, workers: [{ index: 0 }, { index: 1, log }] }],
      },
    },
  });
});

describe('Power', () => {
  laws({
    'Stopped stops the workers in place': {
      owner: { spec: { power: 'Stopped' }, status: runs },
      sees: { batchJobs: [batch()], pods: both },
      phase: 'stopping',
      patches: [{ spec: { activeDeadlineSeconds: 1 } }, { spec: { activeDeadlineSeconds: 1 } }],
      creates: [],
    },
    'Stopped is also the end of a worker that Kubernetes deletes as the first one stops': {
      owner: { spec: { power: 'Stopped' }, status: { run: { ...running, exit: 'Stopped' }, workers: [up(0), up(1)] } },
      sees: {
        batchJobs: [batch()],
        pods: [
          worker('finished', { exitCode: 137, reason: 'Error', deadline: 1 }),
          worker('finished', { index: 1, exitCode: 137, reason: 'Error', deleting: true }),
        ],
      },
      status: {
        workers: [
          { phase: 'stopped', exit: 'Stopped' },
          { phase: 'stopped', exit: 'Stopped' },
        ],
      },
    },
    'Stopped is also the end of a worker whose Pod is gone by then': {
      owner: { spec: { power: 'Stopped' }, status: { run: { ...running, exit: 'Stopped' }, workers: [up(0), up(1)] } },
      sees: { batchJobs: [batch()], pods: [worker('finished', { exitCode: 137, reason: 'Error', deadline: 1 })] },
      status: { workers: [{ exit: 'Stopped' }, { phase: 'stopped', exit: 'Stopped' }] },
    },
    'a Pod that somebody deletes is said to be deleted, and not those that Kubernetes deletes with it': {
      owner: { status: { run: running, workers: [up(0), up(1)] } },
      sees: {
        batchJobs: [batch()],
        pods: [0, 1].map((index) =>
          worker('finished', { index, finishedAt: 61 - index, exitCode: 137, reason: 'Error', deleting: true }),
        ),
      },
      status: { runs: [{ seq: 1, exit: 'Deleted', workers: [{ exit: 'Stopped' }, { exit: 'Deleted' }] }] },
    },
    'Stopped takes a job out of the queue': {
      owner: { spec: { power: 'Stopped' }, status: { run: { ...first, queuedAt: at(1) } } },
      sees: { batchJobs: [batch({ suspend: true })] },
      with: { settings: queued },
      phase: 'stopped',
      removes: ['train-1'],
    },
    'Suspended rests as suspended': {
      owner: { spec: { power: 'Suspended' }, status: { run: { ...running, exit: 'Stopped', endedAt: at(60) } } },
      phase: 'suspended',
      creates: [],
    },
    'Running again begins another run': {
      owner: { status: { run: { ...running, exit: 'Stopped', endedAt: at(60) } } },
      run: { seq: 2, cause: 'resume', runCount: 0 },
      creates: ['train-2'],
    },
    'a raised runCount runs an ended job once more': {
      owner: { spec: { runCount: 1 }, status: { run: { ...running, exit: 'exit code 0', endedAt: at(60) } } },
      run: { seq: 2, cause: 'again', runCount: 1 },
    },
    'an ended job stays ended': {
      owner: { status: { run: { ...running, exit: 'exit code 0', endedAt: at(60) } } },
      phase: 'succeeded',
      creates: [],
      condition: { type: 'Complete', status: 'True' },
    },
    'a deleted job stops its workers first': {
      owner: { deleting: true, status: runs },
      sees: { batchJobs: [batch()], pods: both },
      phase: 'releasing',
      patches: [{ spec: { activeDeadlineSeconds: 1 } }, { spec: { activeDeadlineSeconds: 1 } }],
      finalizer: 'keep',
    },
    'a deleted job goes once nothing is left': { owner: { deleting: true }, finalizer: 'drop' },
  });
});

const failedOnce = [worker('finished', { exitCode: 1 }), worker('finished', { index: 1, exitCode: 143, deadline: 1 })];
/** The program of worker 0 failed, and worker 1 still runs on another node, as far as anybody knows. */
const torn = {
  batchJobs: [batch()],
  pods: [worker('finished', { exitCode: 1 }), worker('ready', { index: 1, node: 'node-b' })],
  nodes: [node(), node('node-b')],
};
const failedAt = (second: number): ReturnType<typeof batch>['status'] =>
  ({
    conditions: [
      { type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded', lastTransitionTime: at(second) },
    ],
  }) as ReturnType<typeof batch>['status'];
const failedUnder = (holder: string, second: number) => node('node-a', { failed: { holders: [holder], at: second } });
const silent = (since: number) => [node('node-a', { ready: 'Unknown', since })];
describe('After a failure', () => {
  laws({
    'a job without tries is failed, and says which worker and why': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: failedOnce },
      phase: 'failed',
      says: 'Worker 0 failed: exit code 1.',
    },
    'a try is used, after 10 s': {
      owner: { spec: { retries: 2 }, status: runs },
      sees: { batchJobs: [batch()], pods: failedOnce },
      seconds: 61,
      phase: 'preparing',
      run: {
        seq: 2,
        cause: 'retry',
        runCount: 0,
        notBefore: at(70),
        failures: 1,
        before: { worker: 0, node: 'node-a', exit: 'exit code 1', exitCode: 1 },
      },
      says: `Worker 0 failed: exit code 1. The job starts again at ${at(70)} (try 2 of 3).`,
    },
    'memory is named': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [
          worker('finished', { exitCode: 137, reason: 'OOMKilled' }),
          worker('finished', { index: 1, exitCode: 1, finishedAt: 65 }),
        ],
      },
      says: 'Worker 0 used more than its 4 GiB of memory and was killed. Raise spec.memoryGi, or make the program use less.',
    },
    'a node that is silent for less than a minute is waited for, and its workers pause at its last sign': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: silent(40), heartbeats: { 'node-a': at(30) } },
      phase: 'lost_contact',
      says: 'Node node-a does not answer. Worker 0 is not billed meanwhile.',
      intervals: [{ to: at(30) }],
      patches: [],
    },
    'a node that is silent for longer ends the run, and nothing follows yet': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: silent(40) },
      seconds: 101,
      phase: 'lost_contact',
      status: { run: { exit: 'NodeGone', node: 'node-a' } },
      creates: [],
    },
    'a node that is out of service costs no try, is kept off, and the job starts again': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: both,
        nodes: [node('node-a', { outOfService: true })],
        heartbeats: { 'node-a': at(30) },
      },
      status: {
        excludedNodes: ['node-a'],
        run: { seq: 2, cause: 'node', nodeFailures: 1, before: { node: 'node-a', exit: 'NodeGone' } },
        runs: [{ exit: 'NodeGone' }],
      },
      creates: [],
    },
    'a silent node is given up after five minutes where nothing writes to a disk': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: silent(40) },
      seconds: 341,
      status: { excludedNodes: ['node-a'], run: { seq: 2, cause: 'node' } },
    },
    'a silent node whose worker may write to a disk is waited for': {
      owner: {
        spec: { mounts: [{ from: 'data', as: 'ReadWrite', mountPath: '/data' }] },
        status: { ...runs, run: { ...running, exit: 'NodeGone', node: 'node-a' } },
      },
      sees: { batchJobs: [batch()], pods: both, nodes: silent(40) },
      seconds: 3600,
      phase: 'lost_contact',
      creates: [],
    },
    'an eviction by the node costs no try': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [
          worker('finished', {
            exitCode: 137,
            conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }],
          }),
          worker('finished', { index: 1, exitCode: 1, finishedAt: 62 }),
        ],
      },
      status: { run: { seq: 2, cause: 'node' }, excludedNodes: ['node-a'] },
    },
    'a worker that makes room for the platform ends the run, and blames no node': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [
          worker('ready', {
            conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
          }),
          worker('ready', { index: 1 }),
        ],
      },
      status: { run: { exit: 'Displaced' } },
    },
    'a card that fails under a worker ends the run, and its node is left out of the next': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: [failedUnder('org-acme/train-1-0-abcde', 40)] },
      status: { run: { exit: 'GpuFault', worker: 0 } },
    },
    'a card of somebody else’s that fails there ends nothing': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: [failedUnder('org-b/dev-1', 40)] },
      phase: 'running',
      run: running,
    },
    'a card that failed before the run ends nothing': {
      owner: { status: runs },
      sees: { batchJobs: [batch()], pods: both, nodes: [failedUnder('org-acme/train-1-0-abcde', 1)] },
      phase: 'running',
      run: running,
    },
    'a taint that ends a worker on a silent node is the fault of the node': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [
          worker('finished', {
            exitCode: 137,
            conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }],
          }),
          worker('finished', { index: 1, exitCode: 143, deleting: true }),
        ],
        nodes: silent(40),
      },
      status: { run: { seq: 2, cause: 'node' }, excludedNodes: ['node-a'] },
    },
    'a program that fails is not blamed before the nodes of its peers were heard of again': {
      owner: { status: runs },
      sees: { ...torn, heartbeats: { 'node-a': at(65), 'node-b': at(55) } },
      status: { run: { seq: 1 } },
      run: running,
      again: 5000,
    },
    'a program that fails while its peers live costs a try': {
      owner: { status: runs },
      sees: { ...torn, heartbeats: { 'node-a': at(65), 'node-b': at(61) } },
      status: { run: { exit: 'exit code 1', worker: 0 } },
    },
    'a program that fails because the node of a peer did costs no try': {
      owner: { status: runs },
      sees: {
        ...torn,
        nodes: [node(), node('node-b', { ready: 'Unknown', since: 100 })],
        heartbeats: { 'node-a': at(160), 'node-b': at(55) },
      },
      seconds: 161,
      status: { run: { exit: 'NodeGone', worker: 1, node: 'node-b' } },
    },
    'a peer whose node says nothing for ever is not waited for': {
      owner: { status: runs },
      sees: { ...torn, heartbeats: { 'node-a': at(211), 'node-b': at(55) } },
      seconds: 211,
      status: { run: { exit: 'exit code 1', worker: 0 } },
    },
    'a batch Job that is seen to have failed before its worker is waited for': {
      owner: { status: runs },
      sees: { batchJobs: [batch({ status: failedAt(65) })], pods: both },
      status: { run: { seq: 1 } },
      run: running,
      again: 5000,
    },
    'a batch Job that failed for no reason that a worker shows ends the run': {
      owner: { status: runs },
      sees: { batchJobs: [batch({ status: failedAt(60) })], pods: both },
      status: { run: { exit: 'Deleted' } },
    },
    'a worker whose labels a hand took off goes on, and gets them back': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch()],
        pods: [
          { ...both[0], metadata: { ...both[0]?.metadata, labels: {} } } as (typeof both)[0],
          both[1] as (typeof both)[0],
        ],
      },
      phase: 'running',
      run: running,
      removes: [],
      patches: [{ metadata: { labels: runLabels(job(), 1) } }],
    },
    'the fifth node in a row is the last': {
      owner: { status: { ...runs, run: { ...running, nodeFailures: 4, exit: 'NodeGone', node: 'node-a' } } },
      sees: { batchJobs: [batch()], pods: both, nodes: [node('node-a', { outOfService: true })] },
      phase: 'failed',
      says: 'The job was started on 5 nodes, and each of them failed. Contact the provider.',
    },
  });
});

test('a worker that is drained off a sound node costs no try, and its node is not kept off', () => {
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }];
  const { status } = judge({
    owner: { status: runs },
    sees: {
      batchJobs: [batch()],
      pods: [
        worker('finished', { exitCode: 143, deleting: true, conditions }),
        worker('finished', { index: 1, exitCode: 143, finishedAt: 62, deleting: true }),
      ],
    },
    status: { run: { seq: 2, cause: 'retry', before: { exit: 'Displaced' } } },
    says: 'Worker 0 was removed from its node. The job starts again; this does not use up a retry.',
  });
  expect(status).not.toHaveProperty('excludedNodes');
});

describe('What is missing', () => {
  const waiting = { owner: { status: { run: first } }, creates: [] };
  laws({
    'room for all workers is awaited, in numbers': {
      ...waiting,
      sees: { room: [room({ freeGpus: 1 })] },
      phase: 'queued',
      says: 'Needs room for 2 workers at once; there is room for 1.',
    },
    'one worker waits for cards': {
      ...waiting,
      owner: { spec: { workers: 1, gpu: { model: 'H100', count: 4 } }, status: { run: first } },
      sees: { room: [room({ freeGpus: 1 })] },
      says: 'Needs 4 × H100; 1 are free.',
    },
    'an unknown model is named with those that there are': {
      ...waiting,
      sees: { room: [room({ model: 'A100' })] },
      says: 'No node has the GPU model H100. The cluster has: A100.',
    },
    'excluded nodes have no room': {
      ...waiting,
      owner: { status: { run: first, excludedNodes: ['node-a'] } },
      reason: 'NodesClosed',
      says: 'Suitable nodes exist, but none of them accepts it now: they are excluded after failures.',
    },
    'the quota must allow all workers': {
      ...waiting,
      sees: {
        quota: {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'compute' },
          spec: { hard: { 'requests.cpu': '5' } },
          status: { used: { 'requests.cpu': '2' } },
        },
      },
      reason: 'QuotaExceeded',
    },
    'an organisation without credit starts nothing': {
      ...waiting,
      sees: { namespace: { isGoing: false, outOfCredit: 'nothing is left' } },
      says: 'The organisation is out of credit: nothing is left',
    },
    'credit comes first': {
      ...waiting,
      with: { settings: { ...settings, creditGate: 'required' } },
      reason: 'WaitingForCredit',
    },
    'a disk that is not there is a mistake': {
      ...waiting,
      owner: { spec: { mounts: [{ from: 'data', as: 'ReadWrite', mountPath: '/data' }] }, status: { run: first } },
      reason: 'DiskNotFound',
    },
    'a host that is not there is a mistake': {
      ...waiting,
      owner: { spec: { host: 'box' }, status: { run: first } },
      reason: 'HostNotFound',
    },
    'a taken name is said, and tried again': {
      owner: { status: { run: first } },
      with: { refusals: [{ kind: 'Job', name: 'train-1', reason: 'AlreadyExists', message: '' }] },
      reason: 'NameTaken',
      creates: ['train-1'],
    },
    'the missing queue is a condition': { condition: { type: 'Queued', status: 'False', reason: 'NoQueue' } },
  });
});

describe('In the queue', () => {
  const waits = { run: { ...first, queuedAt: at(1) } };
  laws({
    'a run is made suspended': { owner: { status: { run: first } }, with: { settings: queued }, creates: ['train-1'] },
    'its place is shown': {
      owner: { status: waits },
      sees: {
        batchJobs: [batch({ suspend: true })],
        place: { state: 'pending', position: 3, aheadGpus: 4 },
        durations: { running: [{ since: Date.parse(at(0)), limitMs: 600_000 }], meanMs: undefined },
      },
      with: { settings: queued },
      phase: 'queued',
      reason: 'InQueueUntil',
      status: { queue: { position: 3, aheadGpus: 4, basis: 'limits', startsAt: at(1800) } },
    },
    'a run that is let in says that its workers start, before its batch Job is resumed': {
      owner: { status: { run: { ...first, queuedAt: at(1), preemptedAt: at(2) } } },
      sees: { batchJobs: [batch({ suspend: true })], place: { state: 'admitted', admittedAt: at(69) } },
      with: { settings: queued },
      phase: 'starting',
      reason: 'WorkersStarting',
      run: { ...first, queuedAt: at(1), preemptedAt: at(2), admittedAt: at(69) },
    },
    'nothing is written of a batch Job that the queue has just been asked for': {
      owner: { status: { run: first } },
      sees: { batchJobs: [batch({ suspend: true })] },
      with: { settings: queued },
      seconds: 5,
      phase: 'preparing',
      run: first,
      creates: [],
      again: 1_000,
    },
    'a queue that does not answer is told of after five seconds': {
      owner: { status: { run: first } },
      sees: { batchJobs: [batch({ suspend: true })] },
      with: { settings: queued },
      seconds: 6,
      phase: 'queued',
      reason: 'QueueSilent',
      run: { ...first, queuedAt: at(1) },
    },
    'a job that never fits says so, leaves the queue, and nothing is reserved for it': {
      owner: { status: waits, spec: { gpu: { model: 'H100', count: 8 } } },
      sees: { batchJobs: [batch({ suspend: true })], place: { state: 'pending', position: 1 } },
      with: { settings: queued },
      reason: 'NotFitting',
      removes: ['train-1'],
      condition: { type: 'CanStart', status: 'False', reason: 'NotFitting' },
    },
    'a job of a model that the pool does not have is not queued': {
      owner: { status: { run: first }, spec: { gpu: { model: 'B200', count: 1 } } },
      with: { settings: { ...queued, creditGate: 'required' } },
      phase: 'queued',
      reason: 'UnknownGpuModel',
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'UnknownGpuModel' },
    },
    'a cordoned node has its model all the same': {
      owner: { status: { run: first } },
      sees: { room: [room({ isReady: false })] },
      with: { settings: queued },
      creates: ['train-1'],
    },
    'a job beyond its quota is not queued': {
      owner: { status: { run: first } },
      sees: { quota: { ...compute, spec: { hard: { 'requests.cpu': '3' } } } },
      with: { settings: queued },
      reason: 'QuotaExceeded',
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'QuotaExceeded' },
    },
    'where nobody ahead asks for a GPU, the queue says itself what is missing': {
      owner: { status: waits },
      sees: {
        batchJobs: [batch({ suspend: true })],
        place: { state: 'pending', position: 1, aheadGpus: 0, isInadmissible: true, message: '500m more cpu needed' },
      },
      with: { settings: queued },
      says: 'Position 1 in the queue. The queue says: 500m more cpu needed',
      status: { queue: { because: '500m more cpu needed' } },
    },
    'a run of which not all found a place is queued again once there is room for all': {
      owner: { status: { run: { ...first, seq: 2, unplaced: 1, before: { exit: 'NotAllPlaced' } } } },
      sees: { room: [room({ freeCores: 3 })] },
      with: { settings: queued },
      says: 'Needs room for 2 workers at once; there is room for 1.',
      creates: [],
    },
    'what is preempted keeps its run, is not billed, and is queued again': {
      owner: { status: runs },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('finished', { exitCode: 143, tracked: false, deleting: true }),
          worker('finished', { index: 1, exitCode: 143, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      phase: 'queued',
      reason: 'Preempted',
      run: { ...first, queuedAt: at(1), preemptedAt: at(70) },
      intervals: [{ to: at(60) }],
      patches: [{ metadata: { finalizers: [] } }, { metadata: { finalizers: [] } }],
      creates: [],
    },
    'what ran and was taken aside between two looks is billed as its kubelet says': {
      owner: { status: { run: { ...first, queuedAt: at(1) } } },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('finished', { finishedAt: 7, exitCode: 143, tracked: false, deleting: true }),
          worker('finished', { index: 1, finishedAt: 8, exitCode: 143, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      intervals: [
        { run: 1, parts: '0-1', from: at(5), to: at(7) },
        { run: 1, parts: '1', from: at(7), to: at(8) },
      ],
    },
    'what was taken aside is held until its kubelet has reported its end, not its Pod’s alone': {
      owner: { status: { run: { ...first, queuedAt: at(1) } } },
      sees: { batchJobs: [batch({ suspend: true })], pods: [failing] },
      with: { settings: queued },
      patches: [],
      removes: [],
      intervals: [],
    },
    'a run is not over while such an end is awaited': {
      owner: { status: { run: { ...first, queuedAt: at(1), exit: 'Stopped' } } },
      sees: { batchJobs: [batch({ suspend: true })], pods: [failing] },
      with: { settings: queued },
      run: { ...first, queuedAt: at(1), exit: 'Stopped' },
    },
    'what was taken aside, and is billed, is not billed again': {
      owner: {
        status: {
          run: { ...first, queuedAt: at(1) },
          intervals: [{ seq: 1, subjectUID: 'uid-batch-1', run: 1, parts: '0', from: at(5), to: at(7), uses: [] }],
        },
      },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [worker('finished', { finishedAt: 7, exitCode: 143, tracked: false, deleting: true })],
      },
      with: { settings: queued },
      intervals: [{ seq: 1, to: at(7) }],
    },
    'what ran unseen beside one that was seen, and was taken aside, is billed from its own start': {
      owner: {
        status: { run: { ...admitted }, workers: [up(0)], intervals: [{ ...open, parts: '0', from: at(3) }] },
      },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('finished', { exitCode: 143, tracked: false, deleting: true }),
          worker('finished', { index: 1, finishedAt: 58, exitCode: 143, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      intervals: [
        { seq: 1, parts: '0', from: at(3), to: at(5) },
        { seq: 2, parts: '0-1', from: at(5), to: at(58) },
        { seq: 3, parts: '0', from: at(58), to: at(60) },
      ],
    },
    'those that still end are billed on, seen or not, until their ends are reported one by one': {
      owner: {
        status: { run: { ...admitted }, workers: [up(0)], intervals: [{ ...open, parts: '0', from: at(5) }] },
      },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('ready', { tracked: false, deleting: true }),
          worker('ready', { index: 1, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      intervals: [
        { seq: 1, parts: '0', from: at(5), to: at(6) },
        { seq: 2, parts: '0-1', from: at(6) },
      ],
      isBilled: true,
    },
    'one that the queue takes back ends when its Pod reports it, however late, and not when somebody looks': {
      owner: { status: { run: { ...first, queuedAt: at(1), preemptedAt: at(51) }, intervals: [open] } },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('finished', { exitCode: 143, tracked: false, deleting: true }),
          worker('ready', { index: 1, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      intervals: [
        { seq: 1, parts: '0-1', from: at(6), to: at(60) },
        { seq: 2, parts: '1', from: at(60) },
      ],
      isBilled: true,
    },
    'one that the queue takes back and lets in again is billed until its Pod reports its end, beside the next one': {
      owner: {
        status: {
          run: admitted,
          workers: [{ ...up(0), podUID: 'uid-again', phase: 'starting', startedAt: undefined }],
          intervals: [{ ...open, parts: '0' }],
        },
      },
      sees: {
        batchJobs: [batch()],
        pods: [worker('ready', { deleting: true }), placedAgain],
      },
      with: { settings: queued },
      intervals: [{ seq: 1, parts: '0', from: at(6) }],
      isBilled: true,
    },
    'one on a silent node that the queue takes back pauses at the last sign of life': {
      owner: { status: { run: { ...first, queuedAt: at(1) }, intervals: [open] } },
      sees: {
        nodes: silent(65),
        heartbeats: { 'node-a': at(62) },
        batchJobs: [batch({ suspend: true })],
        pods: [
          worker('ready', { tracked: false, deleting: true }),
          worker('ready', { index: 1, tracked: false, deleting: true }),
        ],
      },
      with: { settings: queued },
      intervals: [{ seq: 1, parts: '0-1', from: at(6), to: at(62) }],
    },
    'what ran unseen ends as the next Pod of its worker starts': {
      owner: { status: { run: { ...first, queuedAt: at(1) } } },
      sees: {
        batchJobs: [batch()],
        pods: [again, worker('finished', { finishedAt: 65, exitCode: 143, tracked: false, deleting: true })],
      },
      with: { settings: queued },
      intervals: [{ seq: 1, parts: '0', from: at(5) }],
    },
    'what is billed beside another is not billed again': {
      owner: {
        status: {
          run: { ...first, queuedAt: at(1) },
          intervals: [
            { ...open, parts: '0', from: at(3), to: at(5) },
            { ...open, seq: 2, parts: '0-1', from: at(5), to: at(7) },
          ],
        },
      },
      sees: {
        batchJobs: [batch({ suspend: true })],
        pods: [worker('finished', { index: 1, finishedAt: 8, exitCode: 143, tracked: false, deleting: true })],
      },
      with: { settings: queued },
      intervals: [
        { seq: 1, to: at(5) },
        { seq: 2, to: at(7) },
      ],
    },
    'what was over before the line goes on comes too late, and changes nothing of it': {
      owner: {
        status: {
          run: admitted,
          workers: [up(0, { podUID: 'uid-again' })],
          intervals: [{ ...open, parts: '0', from: at(62) }],
        },
      },
      sees: {
        batchJobs: [batch()],
        pods: [again, worker('finished', { index: 1, exitCode: 143, tracked: false, deleting: true })],
      },
      with: { settings: queued },
      intervals: [{ seq: 1, parts: '0', from: at(62) }],
    },
    'what a batch Job made while its run ended is billed, although no run has it': {
      owner: { status: endedUnseen, spec: { workers: 1 } },
      sees: { pods: [worker('finished', { finishedAt: 7, exitCode: 143, deleting: true })] },
      intervals: [{ seq: 1, run: 1, subjectUID: 'uid-batch-1', parts: '0', from: at(5), to: at(7) }],
      patches: [{ metadata: { finalizers: ['batch.kubernetes.io/job-tracking'] } }],
    },
    'what a run has is not billed again once the run is over': {
      owner: {
        status: {
          ...endedUnseen,
          runs: [{ seq: 1, cause: 'first', endedAt: at(7), exit: 'Stopped', workers: [{ index: 0 }] }],
        },
        spec: { workers: 1 },
      },
      sees: { pods: [worker('finished', { finishedAt: 7, exitCode: 143, deleting: true })] },
      intervals: [],
    },
    'of a gang, what ran unseen is held until all of it has ended, and billed together': {
      owner: { status: endedUnseen },
      sees: {
        pods: [
          worker('finished', { finishedAt: 7, exitCode: 143, deleting: true }),
          worker('ready', { index: 1, deleting: true }),
        ],
      },
      intervals: [],
      patches: [],
    },
    'of a gang, a part that ran unseen, and never was whole, is free': {
      owner: { status: endedUnseen },
      sees: { pods: [worker('finished', { finishedAt: 69, exitCode: 143, deleting: true })] },
      intervals: [],
    },
    'an old worker that a suspension ended is no failure of the admitted run': {
      owner: { status: { run: { ...first, queuedAt: at(1), preemptedAt: at(60) } } },
      sees: { batchJobs: [batch()], pods: [worker('finished', { exitCode: 143, tracked: false, deleting: true })] },
      with: { settings: queued },
      phase: 'starting',
    },
  });
});

test('a plan changes nothing of what it is given, and plans the same again', () => {
  const law: Law = { owner: { status: runs }, sees: { batchJobs: [batch()], pods: failedOnce } };
  expect(judge(law)).toEqual(judge(law));
});

test('the batch Job of a run', () => {
  const owner = job({
    spec: {
      command: ['python', 'train.py'],
      env: [{ name: 'MASTER_PORT', value: '1234' }],
      secretEnv: [{ name: 'TOKEN', secret: 'train-env', key: 'TOKEN' }],
      ports: [{ name: 'http', port: 8080 }],
      mounts: [{ from: 'data', as: 'ReadOnly', mountPath: '/data' }],
      maxRunMinutes: 60,
    },
    status: { excludedNodes: ['node-b'] },
  });
  expectGolden(new URL('golden/batch-job.yaml', import.meta.url), [
    desiredBatchJob(ran, owner, { seq: 1, cause: 'first' }, seen(), { ...queued, sharedPool: 'exclusive' }),
  ]);
});
