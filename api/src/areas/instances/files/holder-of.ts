// Which instance has a disk, so that its files are served from within.
import { canDo } from '@gantry/contract/define-kind.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { podOf } from '../terminals/terminals.ts';
import type { Holder } from './disk-files.ts';

/** The instance that runs with the disk; one that gets it at its next start does not have it. */
export function holderOf(
  { metadata: { namespace = '' }, status }: DataDisk,
  find: (namespace: string, id: string) => GpuInstance | undefined,
): Holder | undefined {
  for (const { kind, name, mountPath, atNextStart } of status?.mountedBy ?? []) {
    if (kind !== 'GpuInstance' || atNextStart || mountPath === undefined) continue;
    const instance = find(namespace, name);
    if (instance && canDo(gpuInstance, 'login', instance)) return { at: podOf(instance), root: mountPath };
  }
  return undefined;
}
