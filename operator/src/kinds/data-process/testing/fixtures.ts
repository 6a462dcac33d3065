// Builders for tests of this kind: a task, what the gateway answers for it, and its worker.
import { API_VERSION, type Condition } from '@gantry/contract/define-kind.ts';
import type { DataProcess, DataProcessStatus } from '@gantry/contract/kinds/data-process.ts';
import { INPUTS_LISTED } from '@gantry/contract/kinds/data-task.ts';
import { FINALIZER, taskRunName } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { runLabels } from '../../../running/desired.ts';
import type { BatchJob, TaskSeen } from '../../../running/reads.ts';
import { COMPLETION_INDEX } from '../../../running/workers.ts';
import type { ProcessSettings } from '../dress.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after the start, as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: ProcessSettings = {
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
  dataServerImage: 'registry.gantry.internal/official/data-worker:1',
};

export const context = (seconds: number) => ({ now: START + seconds * 1000, settings, refusals: [] });

export const dataProcess = (status: DataProcessStatus = {}, spec: Partial<DataProcess['spec']> = {}): DataProcess => ({
  apiVersion: API_VERSION,
  kind: 'DataProcess',
  metadata: {
    name: 'base',
    namespace: 'org-acme',
    uid: 'uid-base',
    generation: 2,
    resourceVersion: '7',
    creationTimestamp: at(0),
    finalizers: [FINALIZER.operator],
  },
  spec: {
    power: 'Running',
    runCount: 0,
    type: 'KnowledgeBase',
    input: { dataset: 'dst-in' },
    output: { name: 'base' },
    model: 'acme/embed',
    chunks: { maxTokens: 512 },
    maxRejectedPercent: 10,
    maxTokens: 1000,
    cores: 1,
    memoryGi: 2,
    priority: 'Normal',
    retries: 1,
    ...spec,
  },
  status,
});

/** The run under way. */
export const run = (more: object = {}) => ({ seq: 1, cause: 'first' as const, runCount: 0, ...more });
export const admitted = (more: object = {}) => run({ queuedAt: at(1), admittedAt: at(1), ...more });

/** 10 MB of files, listed for a run. */
export const inputs = (seq = 1) => ({
  run: seq,
  dataset: 'dst-in',
  version: 3,
  digest: 'd'.repeat(64),
  bytes: 10_000_000,
});

export const answer = (reason: string, args: Record<string, string> = {}, generation = 2): Condition => ({
  type: INPUTS_LISTED,
  status: 'False',
  observedGeneration: generation,
  lastTransitionTime: at(1),
  reason,
  message: '',
  args,
});

export const batch = (seq = 1): BatchJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: taskRunName(dataProcess(), seq),
      namespace: 'org-acme',
      uid: `uid-batch-${seq}`,
      creationTimestamp: at(1),
      labels: runLabels(dataProcess(), seq),
      ownerReferences: [
        { apiVersion: API_VERSION, kind: 'DataProcess', name: 'base', uid: 'uid-base', controller: true },
      ],
    },
    spec: { completions: 1, parallelism: 1, suspend: false },
    status: { startTime: at(1) },
  }) as unknown as BatchJob;

/** Placed at 2 s; where it started, at 5 s; where it ended, at 60 s. */
export function worker(state: 'receiving' | 'running' | { exitCode: number; message?: string }): Pod {
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
      name: 'base-1-data-0-bcdfg',
      namespace: 'org-acme',
      uid: 'uid-pod',
      resourceVersion: '9',
      creationTimestamp: at(1),
      labels: runLabels(dataProcess(), 1),
      annotations: { [COMPLETION_INDEX]: '0' },
      finalizers: [FINALIZER.metered, 'batch.kubernetes.io/job-tracking'],
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name: 'base-1-data', uid: 'uid-batch-1', controller: true },
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
