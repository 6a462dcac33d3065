// What the queue (Kueue) says of a run, for the plan of jobs.
import type { Job } from '@gantry/contract/kinds/job.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';

export interface Place {
  state: 'pending' | 'admitted' | 'evicted';
  position?: number;
  aheadGpus?: number;
  aheadJobs?: number;
  admittedAt?: string;
  message?: string;
  isInadmissible?: boolean;
  neverFits?: boolean;
}

const owners = ({ metadata }: { metadata: { ownerReferences?: { uid: string; controller?: boolean }[] } }) =>
  (metadata.ownerReferences ?? []).filter(({ controller }) => controller).map(({ uid }) => uid);

export const WORKLOAD: Resource = {
  group: 'kueue.x-k8s.io',
  version: 'v1beta1',
  plural: 'workloads',
  kind: 'Workload',
  namespaced: true,
  indexes: { owner: owners },
};

export const placeOf = (_batchJobUid: string, _caches: CacheReader): Place | undefined => undefined;
export const queueLabels = (_owner: Job): Record<string, string> => ({});
