// Which Pods hold the GPUs of which nodes. Pure.
import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { GpuNode, Holder } from './gpu-cards.ts';

const GPU = 'nvidia.com/gpu';
const ENDED = ['Succeeded', 'Failed'];

export function gpuNodesOf(nodes: readonly V1Node[], pods: readonly V1Pod[]): GpuNode[] {
  const holders = Map.groupBy(
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
        holders: (holders.get(name) ?? []).sort(byAge).flatMap(holderOf),
      },
    ];
  });
}

const byAge = (one: V1Pod, other: V1Pod): number =>
  ageOf(one) - ageOf(other) || `${one.metadata?.uid}`.localeCompare(`${other.metadata?.uid}`);
const ageOf = ({ metadata }: V1Pod): number => new Date(metadata?.creationTimestamp ?? 0).getTime();

/** The exporter names one container of a Pod. */
function holderOf({ metadata, spec }: V1Pod): Holder[] {
  const wanting = (spec?.containers ?? []).filter(({ resources }) => Number(resources?.limits?.[GPU] ?? 0) > 0);
  const [first] = wanting;
  if (!first) return [];
  const gpus = wanting.reduce((sum, { resources }) => sum + Number(resources?.limits?.[GPU]), 0);
  return [{ namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '', container: first.name, gpus }];
}
