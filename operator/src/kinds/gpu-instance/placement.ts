// Where an instance may run: on a host of its organisation, or in the shared pool.
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Trouble } from './facts.ts';

/** A host that is released, or whose paid time is over beyond its grace, gives its nodes back: what is there hibernates. */
export const isHostOver = (host: GpuHost | undefined): boolean =>
  host?.metadata.deletionTimestamp !== undefined ||
  host?.status?.phase === 'draining' ||
  (host?.status?.phase === 'expired' && host.status.returnedAt !== undefined);

/** A host that is not there, or that takes nothing new any more. */
export function missingHost({ host: name }: GpuInstanceSpec, host: GpuHost | undefined): Trouble | undefined {
  if (name === undefined) return undefined;
  if (!host || host.metadata.deletionTimestamp) return { reason: 'HostNotFound', args: { host: name } };
  const { phase } = host.status ?? {};
  return phase === 'expired' || phase === 'draining' ? { reason: 'HostExpired', args: { host: name } } : undefined;
}

/** One that is not active yet, or not any more for a while, is waited for. */
export function busyHost({ host: name }: GpuInstanceSpec, host: GpuHost | undefined): Trouble | undefined {
  if (name === undefined || !host || host.status?.phase === 'active') return undefined;
  return { reason: 'HostNotReady', args: { host: name, detail: host.status?.message ?? 'it is being prepared' } };
}

/** Labels of this prefix no kubelet can set: without it a node could claim to be any organisation's. */
export const onNodesOf = (host: GpuHost | undefined) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        {
          matchExpressions: [
            host
              ? { key: LABEL.nodeHost, operator: 'In', values: [host.metadata.uid ?? ''] }
              : { key: LABEL.nodeHost, operator: 'DoesNotExist' },
          ],
        },
      ],
    },
  },
});

export const toleratesHost = (host: GpuHost | undefined, key: string) =>
  host ? [{ key, operator: 'Equal', value: host.metadata.uid ?? '', effect: 'NoSchedule' }] : [];
