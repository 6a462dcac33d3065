// The objects that the gateway follows on the cluster: each of our kinds in full, and of the built-in ones the fields from which stock and
// quota are counted.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { isGpuCondition } from '@gantry/contract/gpu-conditions.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Placed } from '@gantry/contract/kinds/host-of.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { TASK_KINDS } from '@gantry/contract/kinds/tasks.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { askingOf } from '@gantry/kube/asks.ts';
import type { Node, Pod, Wire } from '@gantry/kube/core-objects.ts';
import { coreResource, type Resource, resourceOf } from '@gantry/kube/resource.ts';
import type { V1ResourceQuota } from '@kubernetes/client-node';

export type ResourceQuota = KubeObject & Pick<Wire<V1ResourceQuota>, 'spec' | 'status'>;

/** It keeps other organisations' Pods off its node, where a node serves one at a time. */
export const isApart = ({ spec }: Pod): boolean =>
  (spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some(({ labelSelector }) =>
    labelSelector?.matchExpressions?.some(({ key }) => key === LABEL.organization),
  );
const APART = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchExpressions: [{ key: LABEL.organization, operator: 'Exists' }] },
      },
    ],
  },
};

/** The fields of Pods that are counted, and those that staff look for: their requests, their place and their address. */
export const POD: Resource = {
  ...coreResource('pods', 'Pod'),
  keep(object) {
    const { apiVersion, kind, metadata, spec, status } = object as Pod;
    const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = metadata;
    const kept = {
      apiVersion,
      kind,
      metadata: {
        ...{ name, namespace, uid, resourceVersion },
        ...(labels && { labels }),
        ...(deletionTimestamp && { deletionTimestamp }),
      },
      spec: {
        ...(spec?.nodeName && { nodeName: spec.nodeName }),
        ...(isApart(object as Pod) && { affinity: APART }),
        containers: (spec?.containers ?? []).map((one) => ({ name: one.name, resources: one.resources })),
        ...(spec && askingOf(spec)),
      },
      status: { phase: status?.phase, ...(status?.podIP && { podIP: status.podIP }) },
    };
    return kept as KubeObject;
  },
  indexes: { node: (object) => [(object as Pod).spec?.nodeName ?? []].flat() },
};

/** Without heartbeats: what is there, whose it is, and what is wrong with it. */
export const NODE: Resource = {
  ...coreResource('nodes', 'Node', false),
  keep(object) {
    const { apiVersion, kind, metadata, spec, status } = object as Node;
    const { name, uid, resourceVersion, labels, annotations, creationTimestamp } = metadata;
    const said = [ANNOTATION.cordoned, ANNOTATION.gpuFaults].flatMap((key) => {
      const value = annotations?.[key];
      return value === undefined ? [] : [[key, value]];
    });
    const cards = status?.capacity?.[GPU_RESOURCE];
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP');
    const kept = {
      apiVersion,
      kind,
      metadata: {
        name,
        uid,
        resourceVersion,
        labels: labels ?? {},
        ...(creationTimestamp && { creationTimestamp }),
        ...(said.length > 0 && { annotations: Object.fromEntries(said) }),
      },
      spec: { ...(spec?.taints && { taints: spec.taints }), ...(spec?.unschedulable && { unschedulable: true }) },
      status: {
        allocatable: status?.allocatable,
        ...(cards !== undefined && { capacity: { [GPU_RESOURCE]: cards } }),
        ...(address && { addresses: [address] }),
        ...(status?.nodeInfo && {
          nodeInfo: {
            osImage: status.nodeInfo.osImage,
            kubeletVersion: status.nodeInfo.kubeletVersion,
            bootID: status.nodeInfo.bootID,
          },
        }),
        conditions: (status?.conditions ?? [])
          .filter((one) => one.type === 'Ready' || isGpuCondition(one))
          .map(({ type, status: value, ...one }) => ({
            type,
            status: value,
            ...(one.lastTransitionTime && { lastTransitionTime: one.lastTransitionTime }),
            // A kubelet that is ready says so in ever other words.
            ...((type !== 'Ready' || value !== 'True') && { reason: one.reason, message: one.message }),
          })),
      },
    };
    return kept as KubeObject;
  },
  indexes: { host: ({ metadata }) => [metadata.labels?.[LABEL.nodeHost] ?? []].flat() },
};

export const QUOTA: Resource = coreResource('resourcequotas', 'ResourceQuota');

/** By the host that it is meant to run on, as `<namespace>/<name>`. */
const onHost: NonNullable<Resource['indexes']> = {
  host: ({ metadata, ...object }) =>
    [(object as Partial<GpuInstance>).spec?.host ?? []].flat().map((host) => `${metadata.namespace}/${host}`),
};
/** By the tag of the hosts that it may run on, where it names none, as `<namespace>/<tag>`. */
const onHostTag: NonNullable<Resource['indexes']> = {
  hostTag({ metadata, ...object }) {
    const { host, hostTag } = (object as { spec?: Placed }).spec ?? {};
    return host === undefined && hostTag !== undefined ? [`${metadata.namespace}/${hostTag}`] : [];
  },
};
const indexesOf: Partial<Record<string, NonNullable<Resource['indexes']>>> = {
  [gpuInstance.kind]: onHost,
  ...Object.fromEntries(TASK_KINDS.map((kind) => [kind, onHost])),
  [containerService.kind]: onHost,
  [modelDeployment.kind]: { ...onHost, ...onHostTag },
};

const byKind = new Map<string, Resource>(
  (Object.values(KINDS) as readonly KindFacts[]).map((facts) => {
    const indexes = indexesOf[facts.kind];
    return [facts.kind, { ...resourceOf(facts), ...(indexes && { indexes }) }];
  }),
);

/** A kind of ours as it is followed. One object per kind: caches are found by it. */
export function followed({ kind }: Pick<KindFacts, 'kind'>): Resource {
  const resource = byKind.get(kind);
  if (!resource) throw new Error(`${kind} is not followed: it is not in KINDS`);
  return resource;
}

export const FOLLOWED: readonly Resource[] = [...byKind.values(), POD, NODE, QUOTA];
