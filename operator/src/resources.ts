// The cluster's own kinds that more than one controller follows, thinned to what plans read.
// One object per kind: the runtime opens one watch for each identity it meets here.
import { API_VERSION, type KubeObject, type OwnerReference } from '@gantry/contract/define-kind.ts';
import { isGpuCondition } from '@gantry/contract/gpu-conditions.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { ANNOTATION, FINALIZER, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { askingOf } from '@gantry/kube/asks.ts';
import { isTerminal, type Node, type Pod, type Wire } from '@gantry/kube/core-objects.ts';
import { type CacheReader, coreResource, type Key, type Resource, resourceOf } from '@gantry/kube/resource.ts';
import type { V1PersistentVolume, V1PersistentVolumeClaim, V1ResourceQuota } from '@kubernetes/client-node';

export type Claim = KubeObject & Pick<Wire<V1PersistentVolumeClaim>, 'spec' | 'status'>;
export type Volume = KubeObject & Pick<Wire<V1PersistentVolume>, 'spec' | 'status'>;
export type Quota = KubeObject & Pick<Wire<V1ResourceQuota>, 'spec' | 'status'>;
export type Lease = KubeObject & { spec?: { renewTime?: string; holderIdentity?: string } };

const owners = (object: KubeObject): readonly string[] =>
  (object.metadata.ownerReferences ?? []).filter((owner) => owner.controller).map((owner) => owner.uid);

/** A Deployment's Pods belong to its ReplicaSets: only their template can say for which object of ours they are. */
const madeFor = ({ metadata }: KubeObject): readonly string[] => {
  const uid = metadata.annotations?.[ANNOTATION.owner];
  return uid === undefined ? [] : [uid];
};

const isOwnedByUs = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ apiVersion }) => apiVersion === API_VERSION) ?? false;

/** Among a Pod's volumes plans only need claims: whose disks it holds. */
const claimsIn = ({ spec }: Pod) =>
  (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim }) =>
    persistentVolumeClaim ? [{ name, persistentVolumeClaim: { claimName: persistentVolumeClaim.claimName } }] : [],
  );

/**
 * The status of a Pod, with how its containers ended. Where a Pod has init containers, the kubelet has one that it lost sight of
 * wait to be started, and notes its end as its last state; in a Pod that is over nothing starts any more.
 */
function withEnds(pod: Pod, status: NonNullable<Pod['status']>): NonNullable<Pod['status']> {
  if (!isTerminal(pod) || !status.containerStatuses?.some(({ state }) => state?.waiting)) return status;
  const containerStatuses = status.containerStatuses.map((one) => {
    const ended = one.state?.waiting && one.lastState?.terminated;
    return ended ? { ...one, state: { terminated: ended } } : one;
  });
  return { ...status, containerStatuses };
}

/** Foreign Pods only take up space on nodes; ours are stored except for fields that no plan reads. */
export const POD: Resource = {
  ...coreResource('pods', 'Pod'),
  keep(object) {
    const { apiVersion, kind, metadata, spec, status } = object as Pod;
    // By owner and finalizer too: a label taken off by hand must not make a running Pod disappear, nor one that a batch Job owns.
    const ours = metadata.labels?.[LABEL.kind] !== undefined || isOwnedByUs(object) || isMetered(object as Pod);
    const containers =
      spec?.containers?.map(({ name, resources, startupProbe }) => ({
        name,
        ...(resources && { resources }),
        // Whether process 1 of an instance serves SSH.
        ...(ours && startupProbe && { startupProbe }),
      })) ?? [];
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata as Required<typeof metadata>;
    const volumes = claimsIn(object as Pod);
    const place = {
      ...(volumes.length > 0 && { volumes }),
      ...(spec?.nodeName && { nodeName: spec.nodeName }),
      ...(spec?.nodeSelector && { nodeSelector: spec.nodeSelector }),
      ...(spec && askingOf(spec)),
    };
    const kept: Pod = ours
      ? {
          apiVersion,
          kind,
          metadata,
          spec: {
            ...place,
            containers,
            // An unscheduled Pod's requirements on a node; nobody needs them afterwards.
            ...(!spec?.nodeName && spec?.tolerations && { tolerations: spec.tolerations }),
            ...(!spec?.nodeName && spec?.affinity && { affinity: spec.affinity }),
            ...(spec?.activeDeadlineSeconds !== undefined && { activeDeadlineSeconds: spec.activeDeadlineSeconds }),
          },
          ...(status && { status: withEnds(object as Pod, status) }),
        }
      : {
          apiVersion,
          kind,
          metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
          spec: { ...place, containers },
          status: status?.phase ? { phase: status.phase } : {},
        };
    return kept;
  },
  indexes: {
    owner: (object) => [...owners(object), ...madeFor(object)],
    node: (object) => ((object as Pod).spec?.nodeName ? [(object as Pod).spec?.nodeName as string] : []),
    claim: (object) =>
      claimsIn(object as Pod).map(
        ({ persistentVolumeClaim }) => `${object.metadata.namespace}/${persistentVolumeClaim.claimName}`,
      ),
  },
};

/** Organisations' own. */
export const NAMESPACE: Resource = {
  ...coreResource('namespaces', 'Namespace', false),
  labelSelector: LABEL.organization,
};

type NodeInfo = NonNullable<NonNullable<Node['status']>['nodeInfo']>;

/** The hosts a node is, or was, set aside for: by its label, or by the value of a taint. */
function markedFor(object: KubeObject): readonly string[] {
  const { metadata, spec } = object as Node;
  const label = metadata.labels?.[LABEL.nodeHost];
  return [...(label === undefined ? [] : [label]), ...(spec?.taints ?? []).flatMap(({ value }) => value ?? [])];
}

/** Without heartbeats: a node counts by its labels, taints, capacity, readiness and the reported state of its GPUs. */
export const NODE: Resource = {
  ...coreResource('nodes', 'Node', false),
  indexes: { host: markedFor, hostname: (object) => [hostnameOf(object as Node)] },
  keep(object) {
    const { apiVersion, kind, metadata, spec, status } = object as Node;
    const { name, uid, resourceVersion, labels, annotations, creationTimestamp } = metadata as Required<
      typeof metadata
    >;
    const faults = annotations?.[ANNOTATION.gpuFaults];
    const kept: Node = {
      apiVersion,
      kind,
      metadata: {
        ...{ name, uid, resourceVersion, creationTimestamp, labels: labels ?? {} },
        ...(faults !== undefined && { annotations: { [ANNOTATION.gpuFaults]: faults } }),
      },
      spec: { ...(spec?.taints && { taints: spec.taints }), ...(spec?.unschedulable && { unschedulable: true }) },
      status: {
        ...(status?.allocatable && { allocatable: status.allocatable }),
        ...(status?.images && { images: status.images }),
        ...(status?.addresses && { addresses: status.addresses }),
        ...(status?.nodeInfo?.osImage && { nodeInfo: { osImage: status.nodeInfo.osImage } as NodeInfo }),
        conditions: [
          ...(status?.conditions ?? [])
            .filter(({ type }) => type === 'Ready')
            .map(({ type, status: value, lastTransitionTime }) => ({
              type,
              status: value,
              ...(lastTransitionTime && { lastTransitionTime }),
            })),
          ...(status?.conditions ?? [])
            .filter(isGpuCondition)
            .map(({ type, status: value, reason, message, lastTransitionTime }) => ({
              type,
              status: value,
              ...(reason && { reason }),
              ...(message && { message }),
              ...(lastTransitionTime && { lastTransitionTime }),
            })),
        ],
      },
    };
    return kept;
  },
};

/** A kubelet's heartbeat: the last moment at which a lost node was known to run its Pods. */
export const NODE_LEASE: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  namespace: 'kube-node-lease',
  keep(object) {
    const { apiVersion, kind, metadata, spec } = object as Lease;
    const { name, namespace, uid, resourceVersion } = metadata as Required<typeof metadata>;
    const kept: Lease = {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion },
      ...(spec?.renewTime && { spec: { renewTime: spec.renewTime } }),
    };
    return kept;
  },
};

/** Agents' heartbeats and hosts' claims of nodes. The label excludes others, such as the leader's election. */
export const PLATFORM_LEASE: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  namespace: PLATFORM_NAMESPACE,
  labelSelector: LABEL.kind,
  indexes: {
    host: ({ metadata }) =>
      metadata.labels?.[LABEL.hostUid] === undefined ? [] : [metadata.labels[LABEL.hostUid] as string],
  },
};

/** The nodes from which a volume can be used, its size, and since when it is bound. */
export const VOLUME: Resource = {
  ...coreResource('persistentvolumes', 'PersistentVolume', false),
  keep(object) {
    const { apiVersion, kind, metadata, spec, status } = object as Volume;
    const { name, uid, resourceVersion } = metadata as Required<typeof metadata>;
    const kept: Volume = {
      apiVersion,
      kind,
      metadata: { name, uid, resourceVersion },
      spec: {
        ...(spec?.nodeAffinity && { nodeAffinity: spec.nodeAffinity }),
        ...(spec?.capacity && { capacity: spec.capacity }),
        ...(spec?.claimRef && {
          claimRef: { namespace: spec.claimRef.namespace ?? '', name: spec.claimRef.name ?? '' },
        }),
      },
      status: {
        ...(status?.phase && { phase: status.phase }),
        ...(status?.lastPhaseTransitionTime && { lastPhaseTransitionTime: status.lastPhaseTransitionTime }),
      },
    };
    return kept;
  },
  indexes: {
    namespace: (object) => [(object as Volume).spec?.claimRef?.namespace ?? ''],
    hostname: (object) => hostnamesOf(object as Volume),
  },
};

/** Saves, by the instance or the image that asked for them. */
export const SNAPSHOT: Resource = { ...resourceOf(snapshot), indexes: { owner: owners } };

export const CLAIM: Resource = {
  ...coreResource('persistentvolumeclaims', 'PersistentVolumeClaim'),
  indexes: { owner: owners },
};

export type StorageClass = KubeObject & { volumeBindingMode?: string };
/** Whether a class is there, and when it makes its volumes, is all that plans ask. */
export const STORAGE_CLASS: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
  keep(object) {
    const { apiVersion, kind, metadata, volumeBindingMode } = object as StorageClass;
    const { name, uid, resourceVersion } = metadata as Required<typeof metadata>;
    const kept: StorageClass = {
      apiVersion,
      kind,
      metadata: { name, uid, resourceVersion },
      ...(volumeBindingMode && { volumeBindingMode }),
    };
    return kept;
  },
};

/** The owner of a child, if it is of this kind. */
export function controllerOf(child: KubeObject | undefined, kind: string): Key[] {
  const { namespace, ownerReferences } = child?.metadata ?? {};
  return (ownerReferences ?? [])
    .filter((owner) => owner.controller && owner.kind === kind)
    .map(({ name }) => ({ ...(namespace !== undefined && { namespace }), name }));
}

/** The reference that makes a child its owner's: it wakes the owner, and goes with it. */
export const ownedBy = ({ apiVersion, kind, metadata }: KubeObject): OwnerReference[] => [
  { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
];

export const isOwnedBy = (child: KubeObject, owner: KubeObject): boolean =>
  child.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid) ?? false;

/** It goes no sooner than its end is stamped and what its container changed is saved. */
export const isMetered = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(FINALIZER.metered) ?? false;

const HOSTNAME = 'kubernetes.io/hostname';
export const hostnameOf = ({ metadata }: Node): string => metadata.labels?.[HOSTNAME] ?? metadata.name;

/** The only nodes that can use a volume, by their hostnames; empty where any can. */
export const hostnamesOf = ({ spec }: Volume): string[] =>
  (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }) =>
    (matchExpressions ?? [])
      .filter(({ key, operator }) => key === HOSTNAME && operator === 'In')
      .flatMap(({ values }) => values ?? []),
  );

/**
 * The only node on which a volume can be used; undefined if there are several, or none is named. Volumes name hostnames, which
 * may differ from a node's name. For a deleted node only its hostname is known.
 */
export function tiedTo(volume: Volume | undefined, caches: CacheReader): string | undefined {
  const terms = volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const hostnames = terms.map(({ matchExpressions = [] }) => {
    const values = matchExpressions.find(({ key, operator }) => key === HOSTNAME && operator === 'In')?.values ?? [];
    return values.length === 1 ? values[0] : undefined;
  });
  const [hostname] = hostnames;
  if (hostname === undefined || hostnames.some((one) => one !== hostname)) return undefined;
  return caches.by(NODE, 'hostname', hostname)[0]?.metadata.name ?? hostname;
}

export const QUOTA: Resource = coreResource('resourcequotas', 'ResourceQuota');
/** The quota of an organisation for all of its tenants' Pods together. */
export const COMPUTE_QUOTA = 'compute';

export const computeQuotaIn = (namespace: string | undefined, caches: CacheReader): Quota | undefined =>
  caches.get(QUOTA, namespace, COMPUTE_QUOTA) as Quota | undefined;

/** The organisation whose limits a change of a quota moves; undefined where it moves none. */
export function movedLimits({ before, after }: { before?: KubeObject; after?: KubeObject }): string | undefined {
  const { name, namespace } = (after ?? before)?.metadata ?? {};
  const hard = (of: KubeObject | undefined) => JSON.stringify((of as Quota | undefined)?.spec?.hard);
  return name === COMPUTE_QUOTA && hard(before) !== hard(after) ? namespace : undefined;
}
