// The host an instance should run on: present and open, waited for, or a mistake.
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { quoted, said, saidByStatus } from '@gantry/contract/said.ts';
import type { Trouble } from './trouble.ts';

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
  const why = host.status?.message ? saidByStatus(gpuHost.kind, host.status) : said(DETAILS.hostPrepared);
  return { reason: 'HostNotReady', args: { host: name, ...quoted('detail', why) } };
}
