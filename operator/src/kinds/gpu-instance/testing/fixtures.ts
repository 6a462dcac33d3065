// Builders for tests of this kind: an instance, its Pod at any point of its life, a node, a home.

import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { ANNOTATION, FINALIZER, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import type { Progress } from '../../../pod-progress.ts';
import type { Claim, Lease } from '../../../resources.ts';
import { homeLabels, type InstanceSettings, podLabels, runHash } from '../desired.ts';
import { sshProbe } from '../login.ts';
import type { InstanceSeen } from '../reads.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after START as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: InstanceSettings = {
  creditGate: 'off',
  sharedPool: 'open',
  agentImage: 'registry.gantry.internal/official/agent:1',
  createTimeoutMs: 15 * 60_000,
  logRuns: 20,
  logDays: 14,
  simulatedNodes: false,
  sshDoor: '',
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  keyed: (text) => `keyed ${text}`,
};

export const context = (seconds: number, more: Partial<Context<InstanceSettings>> = {}): Context<InstanceSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface InstanceFixture {
  spec?: Partial<GpuInstance['spec']>;
  status?: GpuInstanceStatus;
  deleting?: boolean;
  generation?: number;
}

export function gpuInstance({ spec, status, deleting, generation = 1 }: InstanceFixture = {}): GpuInstance {
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: {
      name: 'dev',
      namespace: 'org-acme',
      uid: 'uid-dev',
      generation,
      resourceVersion: '7',
      creationTimestamp: at(0),
      finalizers: [FINALIZER.operator],
      ...(deleting && { deletionTimestamp: at(100) }),
    },
    spec: {
      power: 'Running',
      rebootCount: 0,
      image: 'pytorch/pytorch:2.4.0',
      gpu: { model: 'H100', count: 4 },
      cores: 2,
      memoryGi: 4,
      homeDisk: { sizeGi: 20 },
      ...spec,
    },
    ...(status && { status }),
  };
}

const MAIN: Record<Progress, object> = {
  none: {},
  unplaced: {},
  placed: { waiting: { reason: 'PodInitializing' } },
  started: { running: { startedAt: at(5) } },
  ready: { running: { startedAt: at(5) } },
  finished: { terminated: { exitCode: 1, finishedAt: at(60), reason: 'Error' } },
};

interface PodFixture {
  seq?: number;
  spec?: Partial<GpuInstance['spec']>;
  deleting?: boolean;
  deadline?: number;
  main?: object;
  reason?: string;
  conditions?: { type: string; status: string; reason?: string; lastTransitionTime?: string }[];
}

/** The Pod of run `seq`, as far as `progress`; placed at 2 s, started at 5 s, Ready at 6 s, finished at 60 s. */
export function pod(
  progress: Progress,
  { seq = 1, spec, deleting, deadline, main, reason, conditions }: PodFixture = {},
): Pod {
  const scheduled = progress !== 'unplaced';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `dev-${seq}`,
      namespace: 'org-acme',
      uid: `uid-pod-${seq}`,
      resourceVersion: '9',
      creationTimestamp: at(1),
      labels: podLabels(gpuInstance(), seq),
      annotations: { [ANNOTATION.hash]: runHash(gpuInstance(spec ? { spec } : {}).spec), [ANNOTATION.sshKeys]: '' },
      finalizers: [FINALIZER.metered],
      ownerReferences: [
        { apiVersion: 'gantry.dev/v1alpha1', kind: 'GpuInstance', name: 'dev', uid: 'uid-dev', controller: true },
      ],
      ...(deleting && { deletionTimestamp: at(50) }),
    },
    spec: {
      containers: [
        {
          name: 'main',
          resources: { requests: { 'nvidia.com/gpu': '4', cpu: '2000m', memory: '4096Mi' } },
          ...sshProbe(gpuInstance(spec ? { spec } : {}).spec),
        },
      ],
      nodeSelector: { [LABEL.gpuModel]: 'H100' },
      ...(scheduled && { nodeName: 'node-a' }),
      ...(deadline !== undefined && { activeDeadlineSeconds: deadline }),
    },
    status: {
      phase:
        progress === 'finished' ? 'Failed' : progress === 'started' || progress === 'ready' ? 'Running' : 'Pending',
      ...(reason && { reason }),
      conditions: [
        { type: 'PodScheduled', status: scheduled ? 'True' : 'False', lastTransitionTime: at(2) },
        { type: 'Ready', status: progress === 'ready' ? 'True' : 'False', lastTransitionTime: at(6) },
        ...(conditions ?? []),
      ],
      ...(scheduled && {
        containerStatuses: [
          {
            name: 'main',
            image: '',
            imageID: '',
            ready: progress === 'ready',
            restartCount: 0,
            state: main ?? MAIN[progress],
          },
        ],
      }),
    },
  };
}

export const node = (ready: 'True' | 'False' | 'Unknown' = 'True', since = 0): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-a', uid: 'uid-node' },
  status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: at(since) }] },
});

export const lease = (renewedAt: number): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'node-a', namespace: 'kube-node-lease' },
  spec: { renewTime: at(renewedAt) },
});

export const home = (deleting = false, sizeGi = 20): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'dev-home',
    namespace: 'org-acme',
    uid: 'uid-home',
    labels: homeLabels(gpuInstance()),
    ...(deleting && { deletionTimestamp: at(90) }),
  },
  spec: { resources: { requests: { storage: `${sizeGi}Gi` } } },
  status: { phase: 'Bound' },
});

export const DIGEST = `sha256:${'a'.repeat(64)}`;
const TARGET = 'registry.gantry.internal/org-acme/dev';

/** The save of run `seq`, as far as `phase`; absent: nobody has taken it yet. */
export function save(
  phase?: 'processing' | 'success' | 'ready' | 'failed',
  {
    seq = 1,
    of = 'Root',
    uid = '',
    status = {},
  }: { seq?: number; of?: 'Root' | 'Home'; uid?: string; status?: object } = {},
): Snapshot {
  const isRoot = of === 'Root';
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Snapshot',
    metadata: {
      name: isRoot ? `dev-${seq}` : `dev-${seq}-home`,
      namespace: 'org-acme',
      uid: `uid-save-${of}-${seq}`,
      creationTimestamp: at(60),
      labels: { ...homeLabels(gpuInstance()), [LABEL.run]: String(seq) },
      ...(isRoot && { annotations: { [ANNOTATION.source]: 'pytorch/pytorch:2.4.0' } }),
    },
    spec: {
      instance: 'dev',
      of,
      node: 'node-a',
      podName: isRoot ? `dev-${seq}` : 'dev-keep',
      podUID: uid || (isRoot ? `uid-pod-${seq}` : 'uid-keep'),
      target: `${TARGET}.${isRoot ? 'root' : 'home'}:${seq}`,
    },
    ...(phase && {
      status: {
        phase,
        ...(phase === 'ready' && { digest: DIGEST, finishedAt: at(65), sizeBytes: 10, totalBytes: 10, layers: 1 }),
        ...status,
      },
    }),
  };
}
export const root = (seq = 1, of = 'pytorch/pytorch:2.4.0') => ({
  image: `${TARGET}.root:${seq}@${DIGEST}`,
  of,
  seq,
  savedAt: at(60),
  sizeBytes: 10,
  totalBytes: 10,
  layers: 1,
});
export const savedHome = { image: `${TARGET}.home:1@${DIGEST}`, seq: 1, savedAt: at(65), sizeBytes: 10 };

/** The Pod that holds the home while it is saved. */
export const keeper = (isRunning = true): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'dev-keep', namespace: 'org-acme', uid: 'uid-keep' },
  spec: { nodeName: 'node-a', containers: [{ name: 'main' }] },
  status: {
    phase: isRunning ? 'Running' : 'Pending',
    containerStatuses: [
      {
        name: 'main',
        image: '',
        imageID: '',
        ready: isRunning,
        restartCount: 0,
        state: isRunning ? { running: {} } : {},
      },
    ],
  },
});

/** A node with an agent, which gave its last sign at this second. */
export const agent = (signAt = 60) => ({ agents: ['node-a'], signsOfLife: { 'node-a': at(signAt) } });
export const tied = { tie: { node: 'node-a', hasAgent: true } };

/** An organisation's, of its Pods. */
export const quotaOf = ({ gpus, used = 0, memory = '64Gi' }: { gpus: number; used?: number; memory?: string }) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'compute', namespace: 'org-acme' },
  spec: { hard: { [`requests.${GPU_RESOURCE}`]: `${gpus}`, 'requests.memory': memory } },
  status: { used: { [`requests.${GPU_RESOURCE}`]: `${used}`, 'requests.memory': '0' } },
});

/** The observed state: by default a ready node and a home, and no Pod. */
export const seen = (more: Partial<InstanceSeen> = {}): InstanceSeen => ({
  isNamespaceGoing: false,
  pods: [],
  claims: [home()],
  node: node(),
  lease: undefined,
  snapshots: [],
  agents: [],
  signsOfLife: {},
  tie: undefined,
  volume: undefined,
  exports: [],
  disks: [],
  host: undefined,
  images: { ready: undefined, verifying: undefined },
  storageClass: undefined,
  stock: undefined,
  cards: undefined,
  quota: undefined,
  ...more,
});
