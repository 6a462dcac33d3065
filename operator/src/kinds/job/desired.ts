// The child of one run: an indexed batch/v1 Job whose Pods are the workers.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Job, JobStatus } from '@gantry/contract/kinds/job.ts';
import {
  ANNOTATION,
  DISK_SUFFIX,
  FINALIZER,
  jobRunName,
  LABEL,
  TENANT_PRIORITY_CLASS,
  WORKERS_SERVICE,
} from '@gantry/contract/names.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import type { CreditGate } from '../../credit.ts';
import { queueLabels } from '../../kueue.ts';
import { ownedBy } from '../../resources.ts';
import type { LogSettings } from '../../runs.ts';
import {
  commandOf,
  organizationIn,
  placeOf,
  portsOf,
  pullSecrets,
  roomOf,
  startedFrom,
  variablesOf,
} from '../../tenant-pods.ts';
import type { JobSeen } from './reads.ts';
import { COMPLETION_INDEX } from './workers.ts';

/** The installation's settings for every job. */
export interface JobSettings extends LogSettings, PoolRules {
  creditGate: CreditGate;
  createTimeoutMs: number;
  /** Whether runs wait in Kueue's queue. */
  queue?: 'kueue' | 'none';
}

type Run = Pick<NonNullable<JobStatus['run']>, 'seq' | 'cause'>;

/** A silent node's Pods are given up after this, by Kubernetes. */
const SILENT_FOR_S = 60;
/** torchrun's own default. */
const MASTER_PORT = '29500';

export const runLabels = (owner: Job, seq: number) => ({
  [LABEL.kind]: owner.kind,
  [LABEL.name]: owner.metadata.name,
  [LABEL.run]: String(seq),
  [LABEL.organization]: organizationIn(owner),
});

/** By place: a disk's own name may be as long as a volume's already. */
const volumeAt = (index: number): string => `disk-${index}`;

export function desiredBatchJob(
  owner: Job,
  { seq }: Run,
  seen: Pick<JobSeen, 'host' | 'verified'>,
  settings: JobSettings,
) {
  const { spec, metadata } = owner;
  const { workers } = spec;
  const { host, verified } = seen;
  const isQueued = settings.queue === 'kueue' && spec.host === undefined;
  const { image, imagePullPolicy, isOurs } = startedFrom(spec.image, verified);
  const labels = runLabels(owner, seq);
  const place = placeOf(owner, host, settings, SILENT_FOR_S);
  const batch = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobRunName(metadata.name, seq),
      namespace: metadata.namespace ?? '',
      labels: { ...labels, ...(isQueued && queueLabels(owner)) },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      completionMode: 'Indexed',
      completions: workers,
      parallelism: workers,
      // Whether and when a run is repeated is decided here, by its cause.
      backoffLimit: 0,
      podReplacementPolicy: 'Failed',
      suspend: isQueued,
      ...(spec.maxRunMinutes !== undefined && { activeDeadlineSeconds: spec.maxRunMinutes * 60 }),
      template: {
        metadata: {
          labels: { ...labels, ...(workers > 1 && { [LABEL.peers]: 'true' }) },
          annotations: {
            ...(host && { [ANNOTATION.host]: `${metadata.namespace}/${host.metadata.name}` }),
            'kubectl.kubernetes.io/default-container': 'main',
          },
          finalizers: [FINALIZER.metered],
        },
        spec: {
          restartPolicy: 'Never',
          ...(workers > 1 && { subdomain: WORKERS_SERVICE }),
          priorityClassName: TENANT_PRIORITY_CLASS,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 30,
          securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
          ...place,
          affinity: {
            ...place.affinity,
            nodeAffinity: withoutNodes(place.affinity.nodeAffinity, owner.status?.excludedNodes),
          },
          ...pullSecrets(isOurs, verified),
          containers: [
            {
              name: 'main',
              image,
              imagePullPolicy,
              ...(spec.command && { command: commandOf(spec) }),
              // If it fails, the end of its log is in its status: the sentence about the failure quotes it.
              terminationMessagePolicy: 'FallbackToLogsOnError',
              env: environmentOf(owner, seq),
              resources: roomOf(spec),
              ports: portsOf(spec),
              volumeMounts: [
                { name: 'shm', mountPath: '/dev/shm' },
                ...(spec.mounts ?? []).map(({ mountPath, as }, index) => ({
                  name: volumeAt(index),
                  mountPath,
                  ...(as === 'ReadOnly' && { readOnly: true }),
                })),
              ],
            },
          ],
          volumes: [
            // PyTorch's loaders need more shared memory than the runtime's 64 MiB.
            {
              name: 'shm',
              emptyDir: { medium: 'Memory', sizeLimit: `${Math.max(1, Math.round(spec.memoryGi * 512))}Mi` },
            },
            ...(spec.mounts ?? []).map(({ from, as }, index) => ({
              name: volumeAt(index),
              persistentVolumeClaim: {
                claimName: `${from}${DISK_SUFFIX}`,
                ...(as === 'ReadOnly' && { readOnly: true }),
              },
            })),
          ],
        },
      },
    },
  };
  return batch satisfies KubeObject & { spec: object };
}

type Required = ReturnType<typeof placeOf>['affinity']['nodeAffinity'];

/** Nodes that failed under a run. A field selector names a node for sure, and takes one name. */
function withoutNodes(affinity: Required, excluded: readonly string[] = []) {
  if (excluded.length === 0) return affinity;
  const { nodeSelectorTerms } = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const matchFields = excluded.map((name) => ({ key: 'metadata.name', operator: 'NotIn', values: [name] }));
  return {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: nodeSelectorTerms.map((term) => ({ ...term, matchFields })),
    },
  };
}

/**
 * The variables that torchrun and programs with its convention read; a value that the tenant sets wins. JOB_COMPLETION_INDEX is Kubernetes'
 * own.
 */
function environmentOf({ metadata, spec }: Job, seq: number): object[] {
  const { workers, gpu, env = [], secretEnv = [] } = spec;
  const rank = { valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${COMPLETION_INDEX}']` } } };
  const master = workers > 1 ? `${jobRunName(metadata.name, seq)}-0.${WORKERS_SERVICE}` : '127.0.0.1';
  const ours: Readonly<Record<string, object>> = {
    RANK: rank,
    WORLD_SIZE: { value: String(workers) },
    NODE_RANK: rank,
    NNODES: { value: String(workers) },
    MASTER_ADDR: { value: master },
    MASTER_PORT: { value: MASTER_PORT },
    PET_NNODES: { value: String(workers) },
    PET_NODE_RANK: rank,
    ...(gpu && { PET_NPROC_PER_NODE: { value: String(gpu.count) } }),
    PET_MASTER_ADDR: { value: master },
    PET_MASTER_PORT: { value: MASTER_PORT },
  };
  const theirs = new Set([...env, ...secretEnv].map(({ name }) => name));
  return [
    ...Object.entries(ours).flatMap(([name, from]) => (theirs.has(name) ? [] : [{ name, ...from }])),
    ...variablesOf({ env, secretEnv }),
  ];
}
