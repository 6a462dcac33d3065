// The objects that the plan of a served object reads, and the objects that a change concerns.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type GpuFault, gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { hostOf } from '@gantry/contract/kinds/host-of.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import { GROUPS_GROUP, GROUPS_VERSION, groupSetName, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Node, Pod, Wire } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Patch, Resource } from '@gantry/kube/resource.ts';
import { coreResource, resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { V1Deployment, V1Service } from '@kubernetes/client-node';
import type { Read, Seen } from '../define-controller.ts';
import { instant } from '../metering.ts';
import { readiness } from '../pod-progress.ts';
import { mostCardsIn } from '../pool.ts';
import {
  computeQuotaIn,
  controllerOf,
  isOwnedBy,
  type Lease,
  movedLimits,
  NAMESPACE,
  NODE,
  NODE_LEASE,
  POD,
  QUOTA,
  type Quota,
} from '../resources.ts';
import { childName } from './desired.ts';
import type { PodTemplate, Served } from './served.ts';
import { type Stock, stockFor } from './stock.ts';

export type Deployment = KubeObject & Pick<Wire<V1Deployment>, 'spec' | 'status'>;
/** LeaderWorkerSet's own, as far as it is written and read here. */
export type GroupSet = KubeObject & {
  spec?: {
    replicas?: number;
    leaderWorkerTemplate: {
      size?: number;
      restartPolicy?: string;
      leaderTemplate?: PodTemplate;
      workerTemplate: PodTemplate;
    };
    rolloutStrategy?: {
      type: string;
      rollingUpdateConfiguration?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
  };
};
export type KubeService = KubeObject & Pick<Wire<V1Service>, 'spec'>;

/** Selects the Pods of every served kind: one cache for all. */
const ofServed = LABEL.kind;

const DEPLOYMENT: Resource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  labelSelector: ofServed,
};
const GROUP_SET: Resource = {
  group: GROUPS_GROUP,
  version: GROUPS_VERSION,
  plural: 'leaderworkersets',
  kind: 'LeaderWorkerSet',
  namespaced: true,
  labelSelector: ofServed,
};
const KUBE_SERVICE: Resource = { ...coreResource('services', 'Service'), labelSelector: ofServed };

const placeOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;
const isTerminating = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;
const keyOf = ({ metadata }: KubeObject): Key => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

export interface NodeSeen {
  /** Kubernetes' word: True, False, Unknown; or absent. */
  ready: string;
  /** For how long it has been so. */
  since: number | undefined;
  /** Fatal errors of its GPUs, where there are any. */
  faults?: readonly GpuFault[];
}

const IMAGE: Resource = { ...resourceOf(image), indexes: { source: (object) => [(object as Image).spec.source] } };
const isVerified = ({ status }: Image): boolean => status?.phase === 'ready' || status?.phase === 'failed';

const HOST = resourceOf(gpuHost);
const waitsForRoom = ({ status, spec }: Pod): boolean =>
  !spec?.nodeName &&
  (status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False') ?? false);

/** The facts of a node that matter to its replicas. */
const concerns = (node: Node): string => `${readiness(node)} ${JSON.stringify(gpuFaultsOf(node))}`;

/** An object that is served, as far as it is read here. */
type ServedObject = KubeObject &
  Pick<ContainerService, 'status'> & {
    spec: Pick<ContainerService['spec'], 'host'> & { hostTag?: string | undefined };
  };

/** The reads of one kind, and what stops its Deployments when its plan does not. */
export function readsOf<Owner extends ServedObject>(served: Pick<Served, 'facts' | 'asService'>) {
  const { kind } = served.facts;
  const SERVICE: Resource = {
    ...resourceOf(served.facts),
    indexes: {
      image: (object) => [served.asService(object).spec.image],
      host: ({ metadata: { namespace = '' }, ...object }) =>
        [(object as unknown as Owner).spec.host ?? []].flat().map((name) => placeOf({ namespace, name })),
      hostTag: ({ metadata: { namespace = '' }, ...object }) =>
        [(object as unknown as Owner).spec.hostTag ?? []].flat().map((name) => placeOf({ namespace, name })),
    },
  };

  /** Its namespace is being deleted, Pods first: nothing can be created there any more. */
  const isNamespaceGoing: Read<Owner, boolean> = {
    of: NAMESPACE,
    also: [SERVICE],
    find: ({ metadata: { namespace = '' } }, caches) => isTerminating(caches.get(NAMESPACE, undefined, namespace)),
    wakes: ({ before, after }, caches) =>
      isTerminating(before) === isTerminating(after)
        ? []
        : caches.list(SERVICE, (after ?? before)?.metadata.name).map(keyOf),
  };

  /** Its own alone: another's of that name stays untouched. */
  const childOf = <Child extends KubeObject>(of: Resource, nameOf = childName): Read<Owner, Child | undefined> => ({
    of,
    find(owner, caches) {
      const found = caches.get(of, owner.metadata.namespace, nameOf(owner)) as Child | undefined;
      return found && isOwnedBy(found, owner) ? found : undefined;
    },
    wakes: ({ before, after }) => controllerOf(after ?? before, kind),
  });

  const deployment = childOf<Deployment>(DEPLOYMENT);
  /** Finds nothing in a cluster without LeaderWorkerSet. */
  const groups = childOf<GroupSet>(GROUP_SET, ({ metadata }) => groupSetName(metadata.name));

  /** Without replicas they make no others of those that end. */
  const halts = (owner: Owner, caches: CacheReader): readonly { of: Resource; patch: Patch }[] =>
    [deployment, groups].flatMap(({ of, find }) => {
      const found = find(owner, caches);
      return found && found.spec?.replicas !== 0
        ? [{ of, patch: { ...targetOf(found), body: { spec: { replicas: 0 } } } }]
        : [];
    });

  const podsOf = (service: Owner, caches: CacheReader): readonly Pod[] =>
    (caches.by(POD, 'owner', identityOf(service)) as readonly Pod[]).filter(
      // A Pod that only fetches files for future replicas is not a replica.
      ({ metadata }) =>
        metadata.namespace === service.metadata.namespace && metadata.labels?.[LABEL.fills] === undefined,
    );

  /** A Pod's labels are the platform's: they say whose it is, whatever becomes of its ReplicaSet. */
  function serviceOf({ metadata: { namespace, labels } }: KubeObject): Key[] {
    const name = labels?.[LABEL.kind] === kind ? labels[LABEL.name] : undefined;
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  }

  const pods: Read<Owner, readonly Pod[]> = {
    of: POD,
    find: podsOf,
    // A hand may have taken the labels off.
    wakes: ({ before, after }) => {
      const now = after ? serviceOf(after) : [];
      return now.length === 0 && before ? serviceOf(before) : now;
    },
  };

  /** The nodes of its Pods, and of those that it last had. */
  const nodesOf = (owner: Owner, caches: CacheReader): readonly string[] => [
    ...new Set([
      ...podsOf(owner, caches).flatMap(({ spec }) => spec?.nodeName ?? []),
      ...(owner.status?.pods ?? []).flatMap(({ node }) => node ?? []),
    ]),
  ];

  const nodes: Read<Owner, Readonly<Record<string, NodeSeen>>> = {
    of: NODE,
    also: [POD],
    find: (owner, caches) =>
      Object.fromEntries(
        nodesOf(owner, caches).map((name) => {
          const node = caches.get(NODE, undefined, name) as Node | undefined;
          const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
          const faults = gpuFaultsOf(node);
          const since = instant(ready?.lastTransitionTime);
          return [name, { ready: readiness(node), since, ...(faults.length > 0 && { faults }) }];
        }),
      ),
    wakes({ before, after }, caches): readonly Key[] {
      if (before && after && concerns(before as Node) === concerns(after as Node)) return [];
      return caches.by(POD, 'node', (after ?? before)?.metadata.name ?? '').flatMap(serviceOf);
    },
  };

  /** When the kubelets there last gave a sign of life. */
  const leases: Read<Owner, Readonly<Record<string, string>>> = {
    of: NODE_LEASE,
    also: [POD],
    find: (owner, caches) =>
      Object.fromEntries(
        nodesOf(owner, caches).flatMap((name) => {
          const renewed = (caches.get(NODE_LEASE, NODE_LEASE.namespace, name) as Lease | undefined)?.spec?.renewTime;
          return renewed === undefined ? [] : [[name, renewed]];
        }),
      ),
  };

  /** Images with this source: the organisation's own before the official one. */
  const images: Read<Owner, { ready: Image | undefined; verifying: Image | undefined }> = {
    of: IMAGE,
    also: [SERVICE],
    find(owner, caches) {
      const same = caches.by(IMAGE, 'source', served.asService(owner).spec.image) as readonly Image[];
      const isOwn = ({ metadata }: Image) => metadata.namespace === owner.metadata.namespace;
      const ready = same.filter(({ status }) => status?.phase === 'ready');
      return {
        ready: ready.find(isOwn) ?? ready.find(({ metadata }) => metadata.namespace === PLATFORM_NAMESPACE),
        verifying: same.find((one) => isOwn(one) && one.spec.pullSecret !== undefined && !isVerified(one)),
      };
    },
    wakes: ({ before, after }, caches) =>
      caches.by(SERVICE, 'image', ((after ?? before) as Image).spec.source).map(keyOf),
  };

  const host: Read<Owner, GpuHost | undefined> = {
    of: HOST,
    also: [SERVICE],
    find: ({ metadata: { namespace }, spec }, caches) =>
      hostOf(spec, {
        get: (name) => caches.get(HOST, namespace, name) as GpuHost | undefined,
        all: () => caches.list(HOST, namespace) as readonly GpuHost[],
      }),
    wakes: ({ before, after }, caches) =>
      [
        ...caches.by(SERVICE, 'host', placeOf(keyOf((after ?? before) as KubeObject))),
        // Also those of a tag that it has no longer.
        ...[before, after].flatMap((one) =>
          ((one as GpuHost | undefined)?.spec.tags ?? []).flatMap((name) =>
            caches.by(SERVICE, 'hostTag', placeOf({ namespace: one?.metadata.namespace ?? '', name })),
          ),
        ),
      ].map(keyOf),
  };

  /** Counted only for a Pod that the scheduler could not place: a sum over all Nodes and Pods. */
  const stock: Read<Owner, Stock | undefined> = {
    of: NODE,
    also: [POD],
    find(owner, caches) {
      const waiting = podsOf(owner, caches).find(waitsForRoom);
      return waiting && stockFor(served.asService(owner), waiting, caches);
    },
  };

  /** The most cards that a node of the pool has, by model. */
  const cards: Read<Owner, ReadonlyMap<string, number> | undefined> = {
    of: NODE,
    find: (owner, caches) => (served.asService(owner).spec.gpu ? mostCardsIn(caches) : undefined),
  };

  const quota: Read<Owner, Quota | undefined> = {
    of: QUOTA,
    also: [SERVICE],
    find: ({ metadata: { namespace } }, caches) => computeQuotaIn(namespace, caches),
    wakes(change, caches) {
      const namespace = movedLimits(change);
      return namespace === undefined ? [] : caches.list(SERVICE, namespace).map(keyOf);
    },
  };

  const reads = {
    isNamespaceGoing,
    deployment,
    groups,
    service: childOf<KubeService>(KUBE_SERVICE),
    pods,
    nodes,
    leases,
    images,
    host,
    stock,
    cards,
    quota,
  };
  return { reads, halts };
}
export type ServiceSeen = Seen<ReturnType<typeof readsOf>['reads']>;
