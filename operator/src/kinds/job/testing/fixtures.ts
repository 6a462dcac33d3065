// Builders for tests of this kind: a job, its batch Job, its workers at any point of their lives, their nodes.
import { cardFaultsText } from '@gantry/contract/gpu-conditions.ts';
import type { Job, JobStatus } from '@gantry/contract/kinds/job.ts';
import { ANNOTATION, FINALIZER } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import type { Progress } from '../../../pod-progress.ts';
import type { Room } from '../../../pool.ts';
import { runLabels } from '../../../running/desired.ts';
import type { RunSettings } from '../../../running/ran.ts';
import type { BatchJob } from '../../../running/reads.ts';
import { COMPLETION_INDEX } from '../../../running/workers.ts';
import type { JobSeen } from '../reads.ts';

export const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after START as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: RunSettings = {
  creditGate: 'off',
  sharedPool: 'open',
  createTimeoutMs: 15 * 60_000,
  logRuns: 20,
  logDays: 14,
  simulatedNodes: false,
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  queue: 'none',
  agentImage: 'registry.gantry.internal/official/agent:1',
};
export const queued: RunSettings = { ...settings, queue: 'kueue' };

export const context = (seconds: number, more: Partial<Context<RunSettings>> = {}): Context<RunSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface JobFixture {
  name?: string;
  spec?: Partial<Job['spec']>;
  status?: JobStatus;
  deleting?: boolean;
}

export function job({ name = 'train', spec, status, deleting }: JobFixture = {}): Job {
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Job',
    metadata: {
      name,
      namespace: 'org-acme',
      uid: `uid-${name}`,
      generation: 1,
      resourceVersion: '7',
      creationTimestamp: at(0),
      finalizers: [FINALIZER.operator],
      ...(deleting && { deletionTimestamp: at(100) }),
    },
    spec: {
      power: 'Running',
      runCount: 0,
      image: 'pytorch/pytorch:2.4.0',
      workers: 2,
      gpu: { model: 'H100', count: 1 },
      cores: 2,
      memoryGi: 4,
      priority: 'Normal',
      retries: 0,
      ...spec,
    },
    ...(status && { status }),
  };
}

interface BatchFixture {
  seq?: number;
  suspend?: boolean;
  completions?: number;
  status?: BatchJob['status'];
}

export const batch = ({ seq = 1, suspend = false, completions = 2, status }: BatchFixture = {}): BatchJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `train-${seq}`,
      namespace: 'org-acme',
      uid: `uid-batch-${seq}`,
      creationTimestamp: at(1),
      labels: runLabels(job(), seq),
      ownerReferences: [
        { apiVersion: 'gantry.dev/v1alpha1', kind: 'Job', name: 'train', uid: 'uid-train', controller: true },
      ],
    },
    spec: { completions, parallelism: completions, suspend },
    status: { startTime: at(1), ...status },
  }) as unknown as BatchJob;

const MAIN: Record<Progress, object> = {
  none: {},
  unplaced: {},
  placed: { waiting: { reason: 'ContainerCreating' } },
  started: { running: { startedAt: at(5) } },
  ready: { running: { startedAt: at(5) } },
  finished: { terminated: { exitCode: 0, startedAt: at(5), finishedAt: at(60), reason: 'Completed' } },
};
const PHASES: Partial<Record<Progress, string>> = { started: 'Running', ready: 'Running' };

interface WorkerFixture {
  seq?: number;
  index?: number;
  node?: string;
  /** Set if it has ended. */
  exitCode?: number;
  reason?: string;
  message?: string;
  finishedAt?: number;
  /** Set if it has ended; undefined: its program never started. */
  startedAt?: number | undefined;
  readyAt?: number;
  deleting?: boolean;
  deadline?: number;
  tracked?: boolean;
  conditions?: object[];
  waiting?: object;
}

/** Placed at 2 s, started at 5 s, Ready at 6 s, finished at 60 s. */
export function worker(progress: Progress, given: WorkerFixture = {}): Pod {
  const { seq = 1, index = 0, node = 'node-a', exitCode = 0, finishedAt = 60, readyAt = 6, tracked = true } = given;
  const {
    reason = exitCode === 0 ? 'Completed' : 'Error',
    message,
    deleting,
    deadline,
    conditions = [],
    waiting,
  } = given;
  const ended = {
    terminated: {
      exitCode,
      startedAt: 'startedAt' in given ? '1970-01-01T00:00:00Z' : at(5),
      finishedAt: at(finishedAt),
      reason,
      ...(message && { message }),
    },
  };
  const state = progress === 'finished' ? ended : waiting ? { waiting } : MAIN[progress];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `train-${seq}-${index}-abcde`,
      namespace: 'org-acme',
      uid: `uid-pod-${seq}-${index}`,
      resourceVersion: '9',
      creationTimestamp: at(1),
      labels: runLabels(job(), seq),
      annotations: { [COMPLETION_INDEX]: String(index) },
      finalizers: [FINALIZER.metered, ...(tracked ? ['batch.kubernetes.io/job-tracking'] : [])],
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name: `train-${seq}`, uid: `uid-batch-${seq}`, controller: true },
      ],
      ...(deleting && { deletionTimestamp: at(50) }),
    },
    spec: {
      containers: [
        { name: 'main', resources: { requests: { 'nvidia.com/gpu': '1', cpu: '2000m', memory: '4096Mi' } } },
      ],
      nodeSelector: { 'nvidia.com/gpu.product': 'H100' },
      ...(progress !== 'unplaced' && { nodeName: node }),
      ...(deadline !== undefined && { activeDeadlineSeconds: deadline }),
    },
    status: {
      phase: progress === 'finished' ? (exitCode === 0 ? 'Succeeded' : 'Failed') : (PHASES[progress] ?? 'Pending'),
      podIP: '10.0.0.1',
      ...(progress !== 'unplaced' && { startTime: at(2) }),
      conditions: [
        { type: 'Ready', status: progress === 'ready' ? 'True' : 'False', lastTransitionTime: at(readyAt) },
        ...conditions,
      ],
      containerStatuses: [{ name: 'main', state }],
    },
  } as unknown as Pod;
}

interface NodeFixture {
  ready?: 'True' | 'Unknown';
  since?: number;
  outOfService?: boolean;
  failed?: { holders: readonly string[]; at: number };
}

/** A card whose XID is fatal, and which Pods had it when. */
const failedCard = ({ holders, at: second }: NonNullable<NodeFixture['failed']>) => ({
  [ANNOTATION.gpuFaults]:
    cardFaultsText([{ uuid: 'GPU-a', gpu: '3', xids: [79], since: at(second), boot: '', holders: [...holders] }]) ?? '',
});

export const node = (name = 'node-a', { ready = 'True', since = 0, outOfService, failed }: NodeFixture = {}): Node =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, ...(failed && { annotations: failedCard(failed) }) },
    spec: { ...(outOfService && { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] }) },
    status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: at(since) }] },
  }) as unknown as Node;

export const room = (free: Partial<Room> = {}): Room => ({
  name: 'node-a',
  isReady: true,
  isCordoned: false,
  host: undefined,
  taints: [],
  organizations: new Set(),
  model: 'H100',
  gpus: 8,
  freeGpus: 8,
  freeCores: 64,
  freeMemoryGi: 512,
  freeRootGi: 1024,
  freePods: 110,
  ...free,
});

export const seen = (more: Partial<JobSeen> = {}): JobSeen => ({
  namespace: { isGoing: false },
  batchJobs: [],
  pods: [],
  nodes: [node()],
  heartbeats: {},
  snapshots: [],
  agents: [],
  host: undefined,
  disks: [],
  verified: undefined,
  children: [],
  place: undefined,
  room: [room()],
  quota: undefined,
  durations: undefined,
  ...more,
});
