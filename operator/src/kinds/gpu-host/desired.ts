// The marks that reserve a node for a host: a Lease with its name, then a label and a taint on it. All three carry the host's uid.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { ANNOTATION, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { instant } from '../../metering.ts';
import type { Lease } from '../../resources.ts';

/** Other programs of a cluster have to tolerate the host's taint. */
export interface HostSettings extends Pick<PoolRules, 'hostTaintKey' | 'simulatedNodes' | 'gpuTaints'> {
  creditGate: 'required' | 'off';
}

/** No owner: a host is in a namespace and the Lease in another, where an owner would have it collected. Its labels say whose it is. */
export const desiredLease = (host: GpuHost, node: string): KubeObject & { spec: object } => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name: node,
    namespace: PLATFORM_NAMESPACE,
    labels: { [LABEL.kind]: gpuHost.kind, [LABEL.hostUid]: identityOf(host) },
    annotations: { [ANNOTATION.host]: `${host.metadata.namespace}/${host.metadata.name}` },
  },
  spec: { holderIdentity: identityOf(host) },
});

const EFFECT = 'NoSchedule';

export function isMarked({ metadata, spec }: Node, uid: string, key: string): boolean {
  const isTainted = spec?.taints?.some((taint) => taint.key === key && taint.value === uid && taint.effect === EFFECT);
  return metadata.labels?.[LABEL.nodeHost] === uid && isTainted === true;
}

/** Anything of this host's is on the node: its label, or a taint with its uid, by whatever key. */
export const isTouched = ({ metadata, spec }: Node, uid: string): boolean =>
  metadata.labels?.[LABEL.nodeHost] === uid || (spec?.taints ?? []).some(({ value }) => value === uid);

/** When the taint was set, in ms; Pods bound to the node before that show within moments. */
export function markedAt({ spec }: Node, uid: string): Instant {
  return instant(spec?.taints?.find(({ value }) => value === uid)?.timeAdded) ?? 0;
}

/**
 * Label and taint in one write. Taints are one list to the API server: a server-side apply of ours would take others' away, so the
 * whole list that was read is sent back, and counts only for the node that was read.
 */
export function marked(node: Node, uid: string, key: string, now: Instant): Patch {
  const ours = { key, value: uid, effect: EFFECT };
  const isOurs = (taint: { key: string; value?: string; effect: string }) =>
    taint.key === key && taint.value === uid && taint.effect === EFFECT;
  const taints = node.spec?.taints ?? [];
  const others = taints.filter((taint) => taint.value !== uid && taint.key !== key);
  const known = taints.find(isOurs);
  return nodePatch(node, {
    metadata: { labels: { [LABEL.nodeHost]: uid } },
    spec: { taints: [...others, known ?? { ...ours, timeAdded: rfc3339(now) }] },
  });
}

/** Removes this host's marks, and nothing else. */
export function unmarked(node: Node, uid: string): Patch {
  const taints = node.spec?.taints ?? [];
  const left = taints.filter(({ value }) => value !== uid);
  return nodePatch(node, {
    ...(node.metadata.labels?.[LABEL.nodeHost] === uid && { metadata: { labels: { [LABEL.nodeHost]: null } } }),
    ...(left.length < taints.length && { spec: { taints: left.length > 0 ? left : null } }),
  });
}

const nodePatch = (node: Node, body: Record<string, unknown>): Patch => ({
  ...targetOf(node),
  ...(node.metadata.resourceVersion !== undefined && { resourceVersion: node.metadata.resourceVersion }),
  body,
});

export const isWipeAsked = ({ metadata }: Lease): boolean =>
  metadata.annotations?.[ANNOTATION.wipe] !== undefined || metadata.annotations?.[ANNOTATION.wiped] !== undefined;

/** Takes question and answer back: the host goes on, or something of the organisation came to the node after all. */
export const wipeUnasked = (lease: Lease): Patch => ({
  ...targetOf(lease),
  body: { metadata: { annotations: { [ANNOTATION.wipe]: null, [ANNOTATION.wiped]: null } } },
});

/** Asks the node's agent to leave nothing of the organisation there; an answer to an older question is taken off. */
export const wipeAsked = (lease: Lease, namespace: string): Patch => ({
  ...targetOf(lease),
  body: { metadata: { annotations: { [ANNOTATION.wipe]: namespace, [ANNOTATION.wiped]: null } } },
});
