// The way to an instance like one that was made before: the form, filled in.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';

type Like = Pick<InstanceView, 'image' | 'gpu' | 'cores' | 'memory_gi' | 'host'>;

export function againLink({ image, gpu, cores, memory_gi, host }: Like): string {
  const query = new URLSearchParams({ image, cores: `${cores}`, memory: `${memory_gi}` });
  if (gpu) {
    query.set('gpu', gpu.model);
    query.set('count', `${gpu.count}`);
  }
  if (host !== null) query.set('host', host);
  return `/develop/instance/create?${query}`;
}
