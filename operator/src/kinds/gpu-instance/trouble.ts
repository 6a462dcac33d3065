// Reasons that keep an instance from being created or running: what the cluster lacks, what it refused, where the kubelet is stuck.
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import type { GpuInstance, GpuInstanceReason } from '@gantry/contract/kinds/gpu-instance.ts';
import { quotaSaid } from '@gantry/contract/kinds/quota-said.ts';
import { type Args, quoted, said } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { stuckOn } from '../../pod-progress.ts';
import { missingHost } from '../../prerequisites.ts';
import type { Claim } from '../../resources.ts';
import { creditQuota, wasUsed } from './credit-facts.ts';
import { AGENT, type InstanceSettings } from './desired.ts';
import { missingDisk } from './mounts.ts';
import { type PodFacts, restoreIn } from './pod-facts.ts';
import type { InstanceSeen } from './reads.ts';

/** Something that keeps the instance from being made or run, in words. */
export interface Trouble {
  reason: GpuInstanceReason;
  args: Args;
}

/** Objects that the spec names and the cluster does not have. */
export function missingIn(
  owner: GpuInstance,
  home: Claim | undefined,
  { progress }: PodFacts,
  { images, storageClass, host, disks }: InstanceSeen,
): Trouble | undefined {
  const { spec } = owner;
  const { everReady, run, home: saved } = owner.status ?? {};
  // A running instance continues without: it has its node and the disks that it was created with.
  const runs = progress === 'started' || progress === 'ready';
  const missing = runs ? undefined : (missingHost(spec, host) ?? missingDisk(spec, disks));
  if (missing) return missing;
  // A home with work is never silently recreated empty: a hard reboot says that this is intended.
  const accepted = run?.cause === 'hardReboot' && run.readyAt === undefined;
  if (wasUsed(owner) && !home && !accepted && !saved) return { reason: 'HomeLost', args: {} };
  const { storageClassName } = spec.homeDisk;
  if (storageClassName !== undefined && !storageClass && !home)
    return { reason: 'StorageClassNotFound', args: { name: storageClassName } };
  // A private image is pulled with its Image's secret: a Pod made before would be refused by the registry, and stay so.
  if (images.verifying && !images.ready && !everReady)
    return { reason: 'ImageBeingVerified', args: { image: spec.image } };
  if (home?.status?.phase === 'Lost') return { reason: 'DiskFailed', args: quoted('detail', said(DETAILS.volumeGone)) };
  return undefined;
}

/** Refusals of missing objects: a refused change of an existing object keeps nobody from running. */
export const refusedCreates = (
  refusals: readonly Refusal[],
  { current }: PodFacts,
  home: Claim | undefined,
): readonly Refusal[] =>
  refusals.filter(
    (one) =>
      one.kind !== 'Snapshot' &&
      // A Pod, and the Secret that it takes its notebook's token from.
      (one.kind === 'Pod' || one.kind === 'Secret' ? !current && creditQuota(one) === undefined : !home),
  );

/** The rest of a longer text says no more, and a status has its limits. */
export const MOST_DETAIL = 1000;

export function refusedIn([refusal]: readonly Refusal[]): Trouble | undefined {
  if (!refusal) return undefined;
  if (refusal.reason === 'AlreadyExists') return { reason: 'NameTaken', args: { name: refusal.name } };
  const quota = quotaSaid(refusal.message);
  return quota
    ? { reason: 'QuotaExceeded', args: quoted('detail', quota) }
    : { reason: 'Refused', args: { detail: refusal.message.slice(0, MOST_DETAIL) } };
}

/** The kubelet's reason why the container does not start. */
export function stuckIn(pod: Pod | undefined, owner: GpuInstance, settings: InstanceSettings): Trouble | undefined {
  const agent = pod?.status?.initContainerStatuses?.find(({ name }) => name === AGENT)?.state?.waiting;
  if (stuckOn(agent)) return { reason: 'NoAgent', args: { image: settings.agentImage } };
  const restore = restoreIn(pod)?.waiting;
  if (stuckOn(restore))
    return { reason: 'HomeNotRestored', args: { detail: brief(restore?.message ?? restore?.reason ?? '') } };
  const main = pod?.status?.containerStatuses?.[0]?.state?.waiting;
  const reason = stuckOn(main);
  return reason
    ? {
        reason,
        args: { image: owner.spec.image, detail: besides(owner.spec.image, main?.message ?? main?.reason ?? '') },
      }
    : undefined;
}

/** A message about an image, without its name: the sentence already contains it. */
function besides(image: string, message: string): string {
  const detail = brief(message);
  const [first, rest] = detail.split(': ');
  return rest !== undefined && first?.endsWith(image) ? rest : detail;
}

/** The last part of a chain of wrapped errors is the one that says something. */
const brief = (message: string): string => message.split(': ').slice(-2).join(': ').slice(0, 200);
