// The child of one run: an indexed batch/v1 Job whose Pods are the workers.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type Task, type TaskStatus, workersOf } from '@gantry/contract/fields/task.ts';
import {
  ANNOTATION,
  FINALIZER,
  LABEL,
  TENANT_PRIORITY_CLASS,
  taskRunName,
  WORKERS_SERVICE,
} from '@gantry/contract/names.ts';
import { queueLabels } from '../kueue.ts';
import { ownedBy } from '../resources.ts';
import { organizationIn, placeOf } from '../tenant-pods.ts';
import type { Ran, RunSettings } from './ran.ts';
import type { TaskSeen } from './reads.ts';
import { COMPLETION_INDEX } from './workers.ts';

type Run = Pick<NonNullable<TaskStatus['run']>, 'seq' | 'cause'>;

/** A silent node's Pods are given up after this, by Kubernetes. */
const SILENT_FOR_S = 60;
/** torchrun's own default. */
const MASTER_PORT = '29500';

export const runLabels = (owner: Task, seq: number) => ({
  [LABEL.kind]: owner.kind,
  [LABEL.name]: owner.metadata.name,
  [LABEL.run]: String(seq),
  [LABEL.organization]: organizationIn(owner),
});

export function desiredBatchJob(
  ran: Ran,
  owner: Task,
  { seq }: Run,
  seen: Pick<TaskSeen, 'host' | 'verified'>,
  settings: RunSettings,
) {
  const { spec, metadata } = owner;
  const workers = workersOf(spec);
  const { host } = seen;
  const isQueued = settings.queue === 'kueue' && spec.host === undefined;
  const labels = runLabels(owner, seq);
  const place = placeOf(owner, host, settings, SILENT_FOR_S);
  const batch = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: taskRunName(owner, seq),
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
          ...ran.dress(owner, { seq }, seen, settings),
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

/** The variables that torchrun and programs with its convention read. JOB_COMPLETION_INDEX is Kubernetes' own. */
export function gangVariables(owner: Task, seq: number): Readonly<Record<string, object>> {
  const { spec } = owner;
  const workers = workersOf(spec);
  const rank = { valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${COMPLETION_INDEX}']` } } };
  const master = workers > 1 ? `${taskRunName(owner, seq)}-0.${WORKERS_SERVICE}` : '127.0.0.1';
  return {
    RANK: rank,
    WORLD_SIZE: { value: String(workers) },
    NODE_RANK: rank,
    NNODES: { value: String(workers) },
    MASTER_ADDR: { value: master },
    MASTER_PORT: { value: MASTER_PORT },
    PET_NNODES: { value: String(workers) },
    PET_NODE_RANK: rank,
    ...(spec.gpu && { PET_NPROC_PER_NODE: { value: String(spec.gpu.count) } }),
    PET_MASTER_ADDR: { value: master },
    PET_MASTER_PORT: { value: MASTER_PORT },
  };
}

/** PyTorch's loaders need more shared memory than the runtime's 64 MiB. */
export const sharedMemory = ({ memoryGi }: Pick<Task['spec'], 'memoryGi'>) => ({
  name: 'shm',
  emptyDir: { medium: 'Memory', sizeLimit: `${Math.max(1, Math.round(memoryGi * 512))}Mi` },
});
