// The disks of the spec: when all can be mounted, what the Pod mounts, and whether that is still desired.
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstance, GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION, DISK_SUFFIX } from '@gantry/contract/names.ts';
import { diskTrouble } from '../../prerequisites.ts';
import type { Facts } from './facts.ts';
import { hasSsh, servesSsh } from './login.ts';
import type { Trouble } from './trouble.ts';

/** From the Pod's annotation: mounts are read from what the Pod has, because a change waits for the next run. */
export const mountsOf = ({ disks = [] }: GpuInstanceSpec): string =>
  disks.map(({ name, mountPath }) => `${name}=${mountPath}`).join(',');

const claimOf = (disk: string): string => `${disk}${DISK_SUFFIX}`;
/** By place: a disk's own name may be as long as a volume's already. */
const volumeAt = (index: number): string => `disk-${index}`;

export const diskVolumes = ({ disks = [] }: GpuInstanceSpec) =>
  disks.map(({ name }, index) => ({ name: volumeAt(index), persistentVolumeClaim: { claimName: claimOf(name) } }));
export const diskMounts = ({ disks = [] }: GpuInstanceSpec) =>
  disks.map(({ mountPath }, index) => ({ name: volumeAt(index), mountPath }));

/** A disk that is not there is a mistake in the spec. */
export function missingDisk(spec: GpuInstanceSpec, disks: readonly DataDisk[]): Trouble | undefined {
  const missing = spec.disks?.find(({ name }) => !disks.some(({ metadata }) => metadata.name === name));
  return missing && { reason: 'DiskNotFound', args: { disk: missing.name } };
}

/** An existing disk that cannot be mounted now is waited for. */
export function busyDisk({ kind, metadata, spec }: GpuInstance, disks: readonly DataDisk[]): Trouble | undefined {
  const holder = { kind, name: metadata.name, host: spec.host };
  return disks.map((disk) => diskTrouble(holder, disk)).find((trouble) => trouble !== undefined);
}

/** The running Pod has other disks than are desired now, or another SSH server. */
export function restartNeeded(f: Facts): Trouble | undefined {
  const { owner } = f;
  const { current: pod, progress } = f.pods;
  if (!pod || progress === 'finished') return undefined;
  const isMounted = (pod.metadata.annotations?.[ANNOTATION.mounts] ?? '') === mountsOf(owner.spec);
  const fields = [
    ...(isMounted ? [] : ['spec.disks']),
    // Other ports are the program's own: nothing of the Pod depends on them.
    ...(hasSsh(f) === servesSsh(owner.spec) ? [] : ['spec.ports']),
  ];
  return fields.length > 0 ? { reason: 'RestartNeeded', args: { fields: fields.join(', ') } } : undefined;
}
