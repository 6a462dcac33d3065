// The nodes of a host, as a Pod asks for them or keeps off them.
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { LABEL } from '@gantry/contract/names.ts';

/** A host that is released, or whose paid time and grace period are over, returns its nodes: instances there hibernate. */
export const isHostOver = (host: GpuHost | undefined): boolean =>
  host?.metadata.deletionTimestamp !== undefined ||
  host?.status?.phase === 'draining' ||
  (host?.status?.phase === 'expired' && host.status.returnedAt !== undefined);

/** Labels of this prefix no kubelet can set: without it a node could claim to be any organisation's. */
export const whoseNode = (host: GpuHost | undefined) =>
  host
    ? { key: LABEL.nodeHost, operator: 'In', values: [identityOf(host)] }
    : { key: LABEL.nodeHost, operator: 'DoesNotExist' };

export const onNodesOf = (host: GpuHost | undefined) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [whoseNode(host)] }],
    },
  },
});
