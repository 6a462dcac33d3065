// Which Pods hold the GPUs of which nodes. Pure.
import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { GpuNode, Holder } from './gpu-cards.ts';

const GPU = 'nvidia.com/gpu';
const ENDED = ['Succeeded', 'Failed'];

export function gpuNodesOf(nodes: readonly V1Node[], pods: readonly V1Pod[]): GpuNode[] {
  const podsOn = Map.groupBy(
    pods.filter(({ spec, status }) => spec?.nodeName && !ENDED.includes(status?.phase ?? '')),
    ({ spec }) => spec?.nodeName ?? '',
  );
  return nodes.flatMap(({ metadata, status }) => {
    const count = Number(status?.allocatable?.[GPU] ?? 0);
    const { name = '', labels = {} } = metadata ?? {};
    if (count === 0) return [];
    return [
      {
        name,
        count,
        product: labels['nvidia.com/gpu.product'] ?? '',
        memoryMi: Number(labels['nvidia.com/gpu.memory'] ?? 0),
        holders: (podsOn.get(name) ?? []).sort(byAge).flatMap(holdersOf),
      },
    ];
  });
}

const byAge = (one: V1Pod, other: V1Pod): number =>
  ageOf(one) - ageOf(other) || `${one.metadata?.uid}`.localeCompare(`${other.metadata?.uid}`);
const ageOf = ({ metadata }: V1Pod): number => new Date(metadata?.creationTimestamp ?? 0).getTime();

/** The exporter names the container that a card was given to. */
const holdersOf = ({ metadata, spec }: V1Pod): Holder[] =>
  (spec?.containers ?? []).flatMap(({ name: container, resources }) => {
    const gpus = Number(resources?.limits?.[GPU] ?? 0);
    const { namespace = '', name: pod = '' } = metadata ?? {};
    return gpus > 0 ? [{ namespace, pod, container, gpus }] : [];
  });
