// Usage in words: "1 × NVIDIA Tesla T4, 2 cores, 4 GiB memory".
import { gpuName } from '@gantry/contract/gpu-name.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useWorkloadWords } from './use-workload-words.ts';

type Use = InstanceView['history'][number]['uses'][number];

const NAMED = ['cpu', 'memory', 'disk', 'snapshot', 'host'] as const;

/** Usage included in a host has the same names; a use with a model is named by it. */
const nameOf = (resource: string) =>
  NAMED.find((name) => resource === name || resource === `hosted-${name}`) ?? ('gpu' as const);

export function useUsageText(): (use: Use) => string {
  const t = useWorkloadWords();
  return ({ resource, model, quantity }) =>
    t(`cost.uses.${nameOf(resource)}`, { smart_count: quantity, model: gpuName(model ?? resource) });
}
