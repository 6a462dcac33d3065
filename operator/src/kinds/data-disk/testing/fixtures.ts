// Builders for tests of this kind: a disk, its claim and volume, and those that name or hold it.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { DataDisk, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import type { Claim, Volume } from '../../../resources.ts';
import { type DiskSettings, desiredClaim, desiredFileServer } from '../desired.ts';
import type { DiskSeen } from '../reads.ts';

const START: Instant = Date.parse('2026-11-21T10:00:00Z');
/** A moment, in seconds after the start, as the API server writes it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: DiskSettings = {
  creditGate: 'off',
  agentImage: 'registry.gantry.internal/official/agent:1',
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  keyed: (text) => `keyed:${text}`,
};

export const context = (seconds: number, more: Partial<Context<DiskSettings>> = {}): Context<DiskSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface DiskFixture {
  spec?: Partial<DataDisk['spec']>;
  status?: DataDiskStatus;
  metadata?: Partial<DataDisk['metadata']>;
}

export const disk = ({ spec, status, metadata }: DiskFixture = {}): DataDisk => ({
  apiVersion: API_VERSION,
  kind: 'DataDisk',
  metadata: {
    name: 'data',
    namespace: 'org-acme',
    uid: 'uid-data',
    generation: 1,
    finalizers: [FINALIZER.operator],
    ...metadata,
  },
  spec: { sizeGi: 10, access: 'Single', ...spec },
  ...(status && { status }),
});

interface ClaimFixture {
  sizeGi?: number;
  askedGi?: number;
  status?: NonNullable<Claim['status']>;
  metadata?: Partial<Claim['metadata']>;
  spec?: NonNullable<Claim['spec']>;
}

/** As the plan made it; Bound to `pv-1` with its size. */
export function claim({ sizeGi = 10, askedGi = sizeGi, status, metadata, spec }: ClaimFixture = {}): Claim {
  const made = desiredClaim(disk({ spec: { sizeGi: askedGi } }));
  return {
    ...made,
    metadata: { ...made.metadata, uid: 'uid-claim', ...metadata },
    spec: { ...made.spec, volumeName: 'pv-1', ...spec },
    status: { phase: 'Bound', capacity: { storage: `${sizeGi}Gi` }, ...status },
  };
}

/** Made, and waiting for the first mount. */
export const waiting = (annotations: Record<string, string> = {}): Claim => {
  const made = desiredClaim(disk());
  return { ...made, metadata: { ...made.metadata, uid: 'uid-claim', annotations }, status: { phase: 'Pending' } };
};

/** Bound at 5 s; on node-a alone unless it says otherwise. */
export const volume = (more: Volume['status'] = {}, hosts: readonly string[][] = [['node-a']]): Volume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    ...(hosts.length > 0 && {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: hosts.map((values) => ({
            matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [...values] }],
          })),
        },
      },
    }),
  },
  status: { phase: 'Bound', lastPhaseTransitionTime: at(5), ...more },
});

/** A Pod that carries the disk's claim, of this instance if it has a name. */
export const user = (instance?: string, name = `${instance ?? 'somebody'}-1`): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'org-acme',
    uid: `uid-${name}`,
    ...(instance && {
      ownerReferences: [
        { apiVersion: API_VERSION, kind: 'GpuInstance', name: instance, uid: `uid-${instance}`, controller: true },
      ],
    }),
  },
  spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-disk' } }] },
});

/** The file server's Pod; Ready for 30 s if it is. */
export const fileServer = (
  ready: boolean,
  metadata: Partial<Pod['metadata']> = {},
  status: Pod['status'] = {},
): Pod => {
  const made = desiredFileServer(disk(), settings);
  return {
    ...made,
    metadata: { ...made.metadata, uid: 'uid-files', ...metadata },
    status: {
      phase: 'Running',
      podIP: '10.1.0.7',
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: at(30) }],
      ...status,
    },
  };
};

/** An instance that names the disk. Made at so many seconds. */
export const instance = (name: string, spec: Partial<GpuInstance['spec']> = {}, made = 0): GpuInstance =>
  ({
    apiVersion: API_VERSION,
    kind: 'GpuInstance',
    metadata: { name, namespace: 'org-acme', uid: `uid-${name}`, creationTimestamp: at(made) },
    spec: { power: 'Running', disks: [{ name: 'data', mountPath: '/data' }], ...spec },
  }) as GpuInstance;

export const jobNaming = (name: string, { spec, status }: Partial<Pick<Job, 'spec' | 'status'>> = {}, made = 0): Job =>
  ({
    apiVersion: API_VERSION,
    kind: 'Job',
    metadata: { name, namespace: 'org-acme', uid: `uid-${name}`, creationTimestamp: at(made) },
    spec: { power: 'Running', mounts: [{ from: 'data', as: 'ReadWrite', mountPath: '/data' }], ...spec },
    status: status ?? { run: { seq: 1, cause: 'first' } },
  }) as Job;

export const workerOf = (job: string): Pod => {
  const pod = user(undefined, `${job}-1-0-abcde`);
  return { ...pod, metadata: { ...pod.metadata, labels: { [LABEL.kind]: 'Job', [LABEL.name]: job } } };
};

export const host = (name: string, made = 0): GpuHost =>
  ({
    apiVersion: API_VERSION,
    kind: 'GpuHost',
    metadata: { name, namespace: 'org-acme', uid: `uid-${name}`, creationTimestamp: at(made) },
    spec: { disks: [{ name: 'data', mountPath: '/data' }] },
  }) as GpuHost;

/** The observed state: by default nothing of the disk, in a cluster whose class waits for the first mount. */
export const seen = (more: Partial<DiskSeen> = {}): DiskSeen => ({
  claim: undefined,
  volume: undefined,
  tie: undefined,
  pods: [],
  instances: [],
  hosts: [],
  jobs: [],
  storageClass: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  ...more,
});

export const bound = (more: Partial<DiskSeen> = {}): DiskSeen =>
  seen({ claim: claim(), volume: volume(), tie: 'node-a', ...more });
