// Builders for tests of kinds whose workers the gateway fills: what it answers for a task, and the task's batch Job and worker.
import { API_VERSION, type Condition } from '@gantry/contract/define-kind.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { INPUTS_LISTED } from '@gantry/contract/kinds/data-task.ts';
import { FINALIZER, taskRunName } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { runLabels } from '../desired.ts';
import type { BatchJob, TaskSeen } from '../reads.ts';
import type { TrainerSettings } from '../trainer.ts';
import { COMPLETION_INDEX } from '../workers.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after the start, as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: TrainerSettings = {
  creditGate: 'off',
  sharedPool: 'open',
  createTimeoutMs: 15 * 60_000,
  logRuns: 20,
  logDays: 14,
  simulatedNodes: false,
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  queue: 'kueue',
  agentImage: 'registry.gantry.internal/official/agent:1',
  trainerImage: 'registry.gantry.internal/official/trainer:1',
};

export const context = (seconds: number) => ({ now: START + seconds * 1000, settings, refusals: [] });

export const metadata = () => ({
  name: 'base',
  namespace: 'org-acme',
  uid: 'uid-base',
  generation: 2,
  resourceVersion: '7',
  creationTimestamp: at(0),
  finalizers: [FINALIZER.operator],
});

/** The run under way. */
export const run = (more: object = {}) => ({ seq: 1, cause: 'first' as const, runCount: 0, ...more });
export const admitted = (more: object = {}) => run({ queuedAt: at(1), admittedAt: at(1), ...more });

export const answer = (reason: string, args: Record<string, string> = {}, generation = 2): Condition => ({
  type: INPUTS_LISTED,
  status: 'False',
  observedGeneration: generation,
  lastTransitionTime: at(1),
  reason,
  message: '',
  args,
});

export const batch = (owner: Task, seq = 1, workers = 1): BatchJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: taskRunName(owner, seq),
      namespace: 'org-acme',
      uid: `uid-batch-${seq}`,
      creationTimestamp: at(1),
      labels: runLabels(owner, seq),
      ownerReferences: [
        {
          apiVersion: API_VERSION,
          kind: owner.kind,
          name: owner.metadata.name,
          uid: owner.metadata.uid,
          controller: true,
        },
      ],
    },
    spec: { completions: workers, parallelism: workers, suspend: false },
    status: { startTime: at(1) },
  }) as unknown as BatchJob;

/** Placed at 2 s; where it started, at 5 s; where it ended, at 60 s. */
export function worker(
  owner: Task,
  state: 'receiving' | 'running' | { exitCode: number; message?: string },
  index = 0,
): Pod {
  const isOver = typeof state === 'object';
  const isUp = state === 'running';
  const main =
    state === 'receiving'
      ? { waiting: { reason: 'PodInitializing' } }
      : isOver
        ? {
            terminated: {
              ...state,
              startedAt: at(5),
              finishedAt: at(60),
              reason: state.exitCode ? 'Error' : 'Completed',
            },
          }
        : { running: { startedAt: at(5) } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${taskRunName(owner, 1)}-${index}-bcdfg`,
      namespace: 'org-acme',
      uid: `uid-pod-${index}`,
      resourceVersion: '9',
      creationTimestamp: at(1),
      labels: runLabels(owner, 1),
      annotations: { [COMPLETION_INDEX]: `${index}` },
      finalizers: [FINALIZER.metered, 'batch.kubernetes.io/job-tracking'],
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name: taskRunName(owner, 1), uid: 'uid-batch-1', controller: true },
      ],
    },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '2Gi' } } }],
      nodeName: 'node-a',
    },
    status: {
      phase: isOver ? (state.exitCode === 0 ? 'Succeeded' : 'Failed') : isUp ? 'Running' : 'Pending',
      podIP: '10.0.0.1',
      startTime: at(2),
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: at(2) },
        { type: 'Ready', status: isUp ? 'True' : 'False', lastTransitionTime: at(6) },
      ],
      containerStatuses: [{ name: 'main', state: main }],
    },
  } as unknown as Pod;
}

export const seen = (more: Partial<TaskSeen> = {}): TaskSeen => ({
  namespace: { isGoing: false },
  batchJobs: [],
  pods: [],
  nodes: [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-a', uid: 'uid-node-a' },
      status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(0) }] },
    } as unknown as TaskSeen['nodes'][number],
  ],
  heartbeats: {},
  snapshots: [],
  agents: [],
  host: undefined,
  disks: [],
  verified: undefined,
  place: undefined,
  room: [],
  quota: undefined,
  durations: undefined,
  ...more,
});
