// The number of unused cards of a host. A host that is not active has none, whatever it will have.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import type { useHostWords } from './use-host-words.ts';

type Facts = Pick<HostView, 'status' | 'gpu_free' | 'gpu_count' | 'node_count'>;

export function freeCards(host: Facts, t: ReturnType<typeof useHostWords>): string {
  const { status, gpu_free: free, gpu_count: count, node_count: nodes } = host;
  return status === 'active'
    ? t('columns.freeOf', { free, count, nodes })
    : t('columns.freeOfInactive', { count, nodes });
}
