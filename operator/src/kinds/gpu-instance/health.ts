// How a Ready instance is (decisions section 2, rows 22 to 24), and which of its disks is full.

import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { type GpuFault, gpuFaultOf } from '@gantry/contract/gpu-conditions.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant } from '../../metering.ts';
import type { Facts } from './facts.ts';
import type { Trouble } from './trouble.ts';

/** A restart, or a disk that was full, within this time makes a Ready instance abnormal. */
const QUIET_MS = 10 * 60_000;
/** Full from this part on. A root file system has its warning earlier: at its limit the container is ended. */
const FULL = { disk: 0.98, root: 0.9 };
const ROOM = 'DisksHaveRoom';

const gi = (bytes: number): string => String(Math.round((bytes / GI) * 10) / 10);

/** The first that is full; undefined where none is, or nobody has measured any in this run. */
function fullDisk({ pods: { current: pod }, status, seen }: Facts): Trouble | undefined {
  const { usage } = status;
  // A measurement of an earlier run says nothing about this one.
  const isOfRun = usage !== undefined && usage.podUID === pod?.metadata.uid;
  return (isOfRun ? (fullHome(usage) ?? fullRoot(usage, pod)) : undefined) ?? fullDataDisk(seen.disks);
}

type Usage = NonNullable<GpuInstanceStatus['usage']>;

const isFull = ({ totalBytes, availableBytes }: { totalBytes: number; availableBytes: number }): boolean =>
  totalBytes > 0 && availableBytes <= totalBytes * (1 - FULL.disk);

const fullHome = ({ home }: Usage): Trouble | undefined =>
  home && isFull(home) ? { reason: 'HomeFull', args: { total: gi(home.totalBytes) } } : undefined;

function fullRoot({ rootBytes = 0 }: Usage, pod: Pod | undefined): Trouble | undefined {
  // The limit that the Pod was made with: one without runs on from before there were any.
  const limit = quantity(pod?.spec?.containers[0]?.resources?.limits?.['ephemeral-storage']);
  if (limit === 0 || rootBytes < limit * FULL.root) return undefined;
  return { reason: 'RootNearlyFull', args: { used: gi(rootBytes), limit: gi(limit) } };
}

function fullDataDisk(disks: readonly DataDisk[]): Trouble | undefined {
  const full = disks.find(({ status }) => status?.usage && isFull(status.usage));
  if (!full) return undefined;
  return { reason: 'DataDiskFull', args: { disk: full.metadata.name, total: gi(full.status?.usage?.totalBytes ?? 0) } };
}

/** Since when no disk is full any more; undefined where none was lately. */
const roomySince = ({ status }: Facts): Instant | undefined =>
  instant(status.conditions?.find(({ type, status: is }) => type === ROOM && is === 'True')?.lastTransitionTime);

const wasFull = ({ status }: Facts): boolean =>
  status.conditions?.some(({ type, status: is }) => type === ROOM && is === 'False') ?? false;

/** Told while a disk is full, and for as long afterwards as it makes the instance abnormal. */
export function roomOf(f: Facts): readonly ['DisksHaveRoom', 'True' | 'False', Trouble | undefined] {
  const full = f.pods.progress === 'ready' ? fullDisk(f) : undefined;
  if (full) return [ROOM, 'False', full];
  const isLately = wasFull(f) || (roomySince(f) ?? Number.NEGATIVE_INFINITY) + QUIET_MS > f.now;
  return [ROOM, 'True', isLately && f.pods.progress === 'ready' ? { reason: 'DisksHaveRoom', args: {} } : undefined];
}

/** A fatal XID of the GPU of an instance, or on its node where nobody says of which card. `isOfRun`: it came while this run was Ready. */
export function gpuFault({
  owner,
  pods: { progress, current },
  run,
  seen,
}: Facts): (GpuFault & { isOfRun: boolean }) | undefined {
  if (!owner.spec.gpu || (progress !== 'ready' && progress !== 'started')) return undefined;
  const fault = gpuFaultOf(seen.node, current);
  return fault && { ...fault, isOfRun: fault.since >= (instant(run?.readyAt) ?? Number.POSITIVE_INFINITY) };
}

export function healthOf(f: Facts): NonNullable<GpuInstanceStatus['health']> {
  // A lost node's Pod says Ready until Kubernetes corrects it.
  if (f.pods.progress !== 'ready' || f.pods.isLost) return 'notReady';
  const { run, now } = f;
  const restarted = run?.cause === 'crash' && now - (instant(run.readyAt) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
  return restarted || gpuFault(f) !== undefined || roomOf(f)[2] !== undefined ? 'abnormal' : 'normal';
}

/** When time alone makes it normal again. */
export const quietFrom = (f: Facts): readonly (Instant | undefined)[] => {
  const roomy = roomySince(f) ?? (wasFull(f) && !fullDisk(f) ? f.now : undefined);
  return [
    f.run?.cause === 'crash' ? (instant(f.run.readyAt) ?? Number.NEGATIVE_INFINITY) + QUIET_MS : undefined,
    roomy === undefined ? undefined : roomy + QUIET_MS,
  ];
};
