// Hosts in the cache: their indexes, and their order.

import { isCreditReason } from '@gantry/contract/billing/credit.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';

export const HOST: Resource = {
  ...resourceOf(gpuHost),
  indexes: {
    uid: (object) => [identityOf(object)],
    node: (object) => ((object as GpuHost).status?.nodes ?? []).map(({ name }) => name),
    hostDisk: ({ metadata, ...host }) =>
      (host as GpuHost).spec.disks?.map(({ name }) => `${metadata.namespace}/${name}`) ?? [],
    waiting: (object) => (mayWait(object as GpuHost) ? [sizeOf((object as GpuHost).spec.gpu)] : []),
  },
};

/** Nodes of one model and so many cards are alike. */
export const sizeOf = ({ model, count }: GpuHost['spec']['gpu']): string => `${count} × ${model}`;

/** As far as its last status tells; how many it holds, the Leases say. */
export function mayWait({ metadata, spec, status }: GpuHost): boolean {
  const unpaid = status?.phase === 'pending' && isCreditReason(status.reason ?? '');
  const over = status?.returnedAt !== undefined || status?.phase === 'expired' || status?.phase === 'draining';
  return metadata.deletionTimestamp === undefined && !unpaid && !over && (status?.nodes ?? []).length < spec.nodes;
}

const age = ({ metadata }: GpuHost): string => `${metadata.creationTimestamp} ${metadata.uid}`;
export const byAge = (a: GpuHost, b: GpuHost): number => (age(a) < age(b) ? -1 : 1);
