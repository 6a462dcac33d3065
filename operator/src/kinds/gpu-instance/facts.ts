// What is true of one instance right now, worked out once from what is seen; phases, bookkeeping and children all read it.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context, Plan } from '../../define-controller.ts';
import { isHostOver } from '../../host-nodes.ts';
import { instant } from '../../metering.ts';
import { type CreditFacts, creditFactsOf, isOutOfCredit } from './credit-facts.ts';
import type { InstanceSettings } from './desired.ts';
import { type HomeFacts, homeFactsOf } from './home/home-facts.ts';
import { busyDisk } from './mounts.ts';
import { busyHost } from './placement.ts';
import { type PodFacts, podFactsOf, type Run } from './pod-facts.ts';
import type { InstanceSeen } from './reads.ts';
import { missingIn, refusedCreates, refusedIn, stuckIn, type Trouble } from './trouble.ts';

export type Power = GpuInstance['spec']['power'];

export type Children = Pick<Plan, 'create' | 'patch' | 'remove'>;

/** One instance: what is asked of it, what is seen of it, and what follows for its Pods, its home and its credit. */
export interface Facts {
  owner: GpuInstance;
  status: GpuInstanceStatus;
  seen: InstanceSeen;
  now: Instant;
  settings: InstanceSettings;
  /** Or its namespace is. */
  deleting: boolean;
  /** What is effectively wanted: an organisation out of credit hibernates, a deleted instance is shut down. */
  power: Power;
  /** The run under way; absent before the first and after one that nothing follows. */
  run: Run | undefined;
  rebootWanted: boolean;
  /** An Image that is to be made of it waits for a save newer than the last. */
  exportWanted: boolean;
  pods: PodFacts;
  home: HomeFacts;
  credit: CreditFacts;
  trouble: Trouble | undefined;
  /** What others have to do or to leave first: waited for, and no fault. */
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
  // A namespace takes its Pods away first: that is no crash, and what it takes away comes back no more.
  const deleting = owner.metadata.deletionTimestamp !== undefined || seen.isNamespaceGoing;
  const credit = creditFactsOf(owner, settings.creditGate, now, refusals);
  const power = powerOf(owner, { deleting, credit, seen });
  const run = status.run?.endedAt === undefined ? status.run : undefined;
  const pods = podFactsOf({ owner, status, seen, now, deleting, run });
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
      refusedIn(refusedCreates(refusals, pods, home.claim)) ??
      stuckIn(pods.current, owner, settings),
    waitsFor: busyHost(owner.spec, seen.host) ?? busyDisk(owner, seen.disks),
    saveRefused: refusedIn(refusals.filter(({ kind }) => kind === 'Snapshot')),
  };
}

function powerOf(owner: GpuInstance, { deleting, credit, seen }: Pick<Facts, 'deleting' | 'credit' | 'seen'>): Power {
  const { power } = owner.spec;
  if (deleting) return 'ShutDown';
  // Whatever it was, and came to: only so does its home leave the node that the host gives back.
  if (isHostOver(seen.host)) return 'Hibernated';
  return power === 'Running' && isOutOfCredit(owner, credit) ? 'Hibernated' : power;
}

/** Where nobody could save it, ending the container would bring the Image nothing. */
function isExportWanted(pod: Pod | undefined, { root }: GpuInstanceStatus, { exports, agents }: InstanceSeen): boolean {
  if (!pod || !agents.includes(pod.spec?.nodeName ?? '')) return false;
  const savedAt = instant(root?.savedAt) ?? Number.NEGATIVE_INFINITY;
  return exports.some(({ metadata }) => (instant(metadata.creationTimestamp) ?? 0) > savedAt);
}
