// The facts about one instance right now, derived once from what is observed; phases, bookkeeping and children all read them.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context, Plan } from '../../define-controller.ts';
import { isHostOver } from '../../host-nodes.ts';
import { instant } from '../../metering.ts';
import { busyHost, cardsLacking, quotaLacking } from '../../prerequisites.ts';
import { type CreditFacts, creditFactsOf, isOutOfCredit } from './credit-facts.ts';
import type { InstanceSettings } from './desired.ts';
import { type HomeFacts, homeFactsOf } from './home/home-facts.ts';
import { busyDisk } from './mounts.ts';
import { type PodFacts, podFactsOf, type Run } from './pod-facts.ts';
import type { InstanceSeen } from './reads.ts';
import { missingIn, refusedCreates, refusedIn, stuckIn, type Trouble } from './trouble.ts';

export type Power = GpuInstance['spec']['power'];

export type Children = Pick<Plan, 'create' | 'patch' | 'remove'>;

/** One instance: its spec, what is observed, and what follows for its Pods, its home and its credit. */
export interface Facts {
  owner: GpuInstance;
  status: GpuInstanceStatus;
  seen: InstanceSeen;
  now: Instant;
  settings: InstanceSettings;
  /** Or its namespace is. */
  deleting: boolean;
  /** The effective power: an organisation out of credit hibernates, a deleted instance is shut down. */
  power: Power;
  /** The run under way; absent before the first and after one that nothing follows. */
  run: Run | undefined;
  rebootWanted: boolean;
  /** An Image to be made of it waits for a save newer than the last. */
  exportWanted: boolean;
  pods: PodFacts;
  home: HomeFacts;
  credit: CreditFacts;
  trouble: Trouble | undefined;
  /**
   * A fault that waiting does not solve: its quota is too small, or no node of the pool has such cards. Nothing is made, and no credit is
   * held.
   */
  hopeless: Trouble | undefined;
  /** Something that others have to do or release first: waited for, and not a fault. */
  waitsFor: Trouble | undefined;
  /** Why a save could not even be asked for. */
  saveRefused: Trouble | undefined;
}

export function factsOf(
  owner: GpuInstance,
  seen: InstanceSeen,
  { now, settings, refusals }: Context<InstanceSettings>,
): Facts {
  const status = owner.status ?? {};
  // A namespace deletes its Pods first: that is not a crash, and they do not come back.
  const deleting = owner.metadata.deletionTimestamp !== undefined || seen.isNamespaceGoing;
  const credit = creditFactsOf(owner, settings.creditGate, now, refusals);
  const power = powerOf(owner, { deleting, credit, seen });
  const run = status.run?.endedAt === undefined ? status.run : undefined;
  const pods = podFactsOf({ owner, status, seen, now, deleting, run });
  const overQuota = overQuotaFor(owner, seen, { power, pods });
  const home = homeFactsOf({ owner, status, seen, deleting, power, refusals });
  return {
    owner,
    status,
    seen,
    now,
    settings,
    deleting,
    power,
    run,
    rebootWanted: owner.spec.rebootCount !== (status.rebootCount ?? 0),
    exportWanted:
      (pods.progress === 'started' || pods.progress === 'ready') && isExportWanted(pods.current, status, seen),
    pods,
    home,
    credit,
    trouble:
      missingIn(owner, home.claim, pods, seen) ??
      overQuota ??
      refusedIn(refusedCreates(refusals, pods, home.claim)) ??
      stuckIn(pods.current, owner, settings),
    hopeless: overQuota ?? hopelessFor(owner, seen, { power, run, pods }),
    waitsFor: busyHost(owner.spec, seen.host) ?? busyDisk(owner, seen.disks),
    saveRefused: refusedIn(refusals.filter(({ kind }) => kind === 'Snapshot')),
  };
}

function powerOf(owner: GpuInstance, { deleting, credit, seen }: Pick<Facts, 'deleting' | 'credit' | 'seen'>): Power {
  const { power } = owner.spec;
  if (deleting) return 'ShutDown';
  // Whatever its state: only this moves its home off the node that the host returns.
  if (isHostOver(seen.host)) return 'Hibernated';
  return power === 'Running' && isOutOfCredit(owner, credit) ? 'Hibernated' : power;
}

/** A Pod that exists was let in. */
const overQuotaFor = (
  { spec }: GpuInstance,
  { quota }: InstanceSeen,
  { power, pods }: Pick<Facts, 'power' | 'pods'>,
): Trouble | undefined => (power === 'Running' && pods.progress === 'none' ? quotaLacking(spec, 1, quota) : undefined);

function hopelessFor(
  { spec: { gpu, host } }: GpuInstance,
  { cards }: InstanceSeen,
  { power, run, pods }: Pick<Facts, 'power' | 'run' | 'pods'>,
): Trouble | undefined {
  const isAwaited = run?.readyAt === undefined && ['none', 'unplaced'].includes(pods.progress);
  return gpu && cards && host === undefined && power === 'Running' && isAwaited ? cardsLacking(gpu, cards) : undefined;
}

/** If nobody could save it, ending the container would bring the Image nothing. */
function isExportWanted(pod: Pod | undefined, { root }: GpuInstanceStatus, { exports, agents }: InstanceSeen): boolean {
  if (!pod || !agents.includes(pod.spec?.nodeName ?? '')) return false;
  const savedAt = instant(root?.savedAt) ?? Number.NEGATIVE_INFINITY;
  return exports.some(({ metadata }) => (instant(metadata.creationTimestamp) ?? 0) > savedAt);
}
