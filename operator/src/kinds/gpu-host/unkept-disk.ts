// Whether the disks of the spec are reserved for this host. The disk decides who has it, because it sees all who want it.
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Trouble } from './facts.ts';

/** The first disk that is not reserved; mistakes in the spec come before temporary obstacles. */
export function unkeptDisk(owner: GpuHost, seen: readonly DataDisk[]): Trouble | undefined {
  const troubles = (owner.spec.disks ?? []).flatMap(({ name }) => whyNot(owner, name, seen) ?? []);
  return ORDER.flatMap((reason) => troubles.filter((one) => one.reason === reason))[0];
}
const ORDER: readonly Trouble['reason'][] = ['DiskNotFound', 'DiskInUse', 'DiskNotReady'];

function whyNot({ metadata }: GpuHost, disk: string, seen: readonly DataDisk[]): Trouble | undefined {
  const found = seen.find((one) => one.metadata.name === disk);
  if (!found) return { reason: 'DiskNotFound', args: { disk } };
  const mountedBy = found.status?.mountedBy ?? [];
  if (mountedBy.some(({ kind, name }) => kind === gpuHost.kind && name === metadata.name)) return undefined;
  const [other] = found.spec.access === 'Many' ? [] : mountedBy;
  return other
    ? { reason: 'DiskInUse', args: { disk, by: `${other.kind} ${other.name}` } }
    : { reason: 'DiskNotReady', args: { disk } };
}
