// What is true of one instance right now, worked out once from what is seen; phases, bookkeeping and children all read it.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import type { GpuInstance, GpuInstanceReason, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION, CREDIT_QUOTA } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import type { Context, Plan } from '../../define-controller.ts';
import { isHostOver } from '../../host-nodes.ts';
import { type Credit, creditOf, instant, tooManyUnposted } from '../../metering.ts';
import type { Claim } from '../../resources.ts';
import { homeName, type InstanceSettings, keeperName, podName, runHash } from './desired.ts';
import { busyDisk, missingDisk } from './mounts.ts';
import { busyHost, missingHost } from './placement.ts';
import { type InstanceSeen, readiness } from './reads.ts';
import { isUnsaved, wentWithNode } from './saving.ts';

export type Power = GpuInstance['spec']['power'];
export type Run = NonNullable<GpuInstanceStatus['run']>;

/** How far the current run's Pod has come. `finished`: its container will never run again. */
export type Progress = 'none' | 'unplaced' | 'placed' | 'started' | 'ready' | 'finished';

/** Ends that the platform caused: no fault of the tenant's program, so the next run starts at once. */
export const PLATFORM_EXITS: readonly string[] = ['Evicted', 'NodeGone', 'Deleted', 'Lost'];

/** Something that keeps the instance from being made or run, in words. */
export interface Trouble {
  reason: GpuInstanceReason;
  args: Record<string, string>;
}

export type Children = Pick<Plan, 'create' | 'patch' | 'remove'>;

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
  pod: Pod | undefined;
  /** Pods of runs that are over and stamped: to be let go. */
  spent: readonly Pod[];
  /** Those of them that are held, since what their container changed is not saved yet. */
  unsaved: readonly Pod[];
  /** Holds the home's volume while it is saved. */
  keeper: Pod | undefined;
  /** An Image that is to be made of it waits for a save newer than the last. */
  exportWanted: boolean;
  progress: Progress;
  /** Until when the kubelet may still tell how the container ended; absent where nothing more is awaited. */
  endDueBy: Instant | undefined;
  /** When the main container ended, as the kubelet says. */
  finishedAt: Instant | undefined;
  /** Why it ended, if it did: OOMKilled, RootFull, "exit code 1", what the node says, or one of PLATFORM_EXITS. */
  exit: string;
  lost: boolean;
  home: Claim | undefined;
  rebootWanted: boolean;
  /** The Pod was built from another spec than is wanted now. */
  edited: boolean;
  /** What billing says. */
  credit: Credit;
  /** Why the cluster lets no Pod of an organisation without credit in. */
  creditRefused: string | undefined;
  trouble: Trouble | undefined;
  /** What others have to do or to leave first: waited for, and no fault. */
  waitsFor: Trouble | undefined;
  /** Why the home could not be made larger; what runs goes on. */
  growthRefused: string | undefined;
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
  const credit = creditOf(owner, settings.creditGate, now);
  const power = powerOf(owner, { deleting, credit, host: seen.host });
  const run = status.run?.endedAt === undefined ? status.run : undefined;
  const pod = run && seen.pods.find(({ metadata }) => metadata.name === podName(owner, run.seq));
  const keeper = seen.pods.find(({ metadata }) => metadata.name === keeperName(owner));
  const spent = seen.pods.filter((candidate) => candidate !== pod && candidate !== keeper);
  const wantedHash = runHash(owner.spec);
  const home = seen.claims.find(({ metadata }) => metadata.name === homeName(owner));
  const main = pod?.status?.containerStatuses?.[0];
  const endDueBy = run && endDue(run, pod, seen, now);
  const progress = endDueBy === undefined ? progressOf(pod) : 'started';
  const lost = pod?.spec?.nodeName !== undefined && progress !== 'finished' && readiness(seen.node) !== 'True';
  return {
    owner,
    status,
    seen,
    now,
    settings,
    deleting,
    power,
    run,
    pod,
    spent,
    unsaved: spent.filter((one) => isUnsaved(one, { deleting, seen, status })),
    keeper,
    exportWanted: (progress === 'started' || progress === 'ready') && isExportWanted(pod, status, seen),
    progress,
    endDueBy,
    finishedAt: instant(main?.state?.terminated?.finishedAt),
    exit: exitOf(pod),
    lost,
    home,
    rebootWanted: owner.spec.rebootCount !== (status.rebootCount ?? 0),
    edited: (pod?.metadata.annotations?.[ANNOTATION.hash] ?? wantedHash) !== wantedHash,
    credit,
    creditRefused: refusals.map(creditQuota).find((detail) => detail !== undefined),
    waitsFor: busyHost(owner.spec, seen.host) ?? busyDisk(owner, seen.disks),
    trouble:
      missingIn(owner, home, progress, seen) ?? refusedIn(made(refusals, pod, home)) ?? stuckIn(pod, owner, settings),
    saveRefused: refusedIn(refusals.filter(({ kind }) => kind === 'Snapshot')),
    growthRefused: home && refusals.find(({ kind }) => kind === home.kind)?.message.slice(0, MOST_DETAIL),
  };
}

/** Where nobody could save it, ending the container would bring the Image nothing. */
function isExportWanted(pod: Pod | undefined, { root }: GpuInstanceStatus, { exports, agents }: InstanceSeen): boolean {
  if (!pod || !agents.includes(pod.spec?.nodeName ?? '')) return false;
  const savedAt = instant(root?.savedAt) ?? Number.NEGATIVE_INFINITY;
  return exports.some(({ metadata }) => (instant(metadata.creationTimestamp) ?? 0) > savedAt);
}

/** An interval of a run names its Pod; in between the instance itself is what costs. */
export const isRun = ({ metadata }: GpuInstance, { subjectUID }: Interval): boolean => subjectUID !== metadata.uid;

/** Ready once, or used while its notebook was silent: it has work to keep. */
const wasUsed = (owner: GpuInstance): boolean =>
  owner.status?.everReady === true || (owner.status?.intervals ?? []).some((one) => isRun(owner, one));

/** Runs that nobody was billed for pile up only when billing is away; the next does not start then. */
export const tooManyRuns = ({ owner, settings }: Facts): boolean =>
  tooManyUnposted(owner, settings.creditGate, (one) => isRun(owner, one));

/** Billing has to act before anything new is made. */
export const isUnpaid = (f: Facts): boolean => f.credit.trouble !== undefined || tooManyRuns(f);

/** What was never used, and so costs nothing yet, is left to become used: it ends then. */
export const isOutOfCredit = (owner: GpuInstance, { isOut }: Credit): boolean => isOut && wasUsed(owner);

function powerOf(
  owner: GpuInstance,
  { deleting, credit, host }: Pick<Facts, 'deleting' | 'credit'> & { host: InstanceSeen['host'] },
): Power {
  const { power } = owner.spec;
  if (deleting) return 'ShutDown';
  // Whatever it was, and came to: only so does its home leave the node that the host gives back.
  if (isHostOver(host)) return 'Hibernated';
  return power === 'Running' && isOutOfCredit(owner, credit) ? 'Hibernated' : power;
}

export function progressOf(pod: Pod | undefined): Progress {
  if (!pod) return 'none';
  const main = pod.status?.containerStatuses?.[0]?.state;
  if (isTerminal(pod) || main?.terminated) return 'finished';
  const started = main?.running !== undefined;
  // Deleted before its container ran: nothing will run, and no kubelet has to confirm that nothing did.
  if (pod.metadata.deletionTimestamp && !pod.spec?.nodeName) return 'finished';
  if (started) return isReady(pod) ? 'ready' : 'started';
  return pod.spec?.nodeName ? 'placed' : 'unplaced';
}

/** Long enough for a node under load. */
const END_TOLD_MS = 2 * 60_000;

/**
 * A busy kubelet says that a Pod failed while it still calls its container running, and a moment later how and when that
 * ended. On a node that is there this is waited for, for a while, since what is billed ends with it.
 */
function endDue(run: Run, pod: Pod | undefined, { node }: InstanceSeen, now: Instant): Instant | undefined {
  const runs = pod?.status?.containerStatuses?.[0]?.state?.running !== undefined;
  if (!pod || !isTerminal(pod) || !runs || readiness(node) !== 'True') return undefined;
  const due = (instant(run.givenUpAt) ?? now) + END_TOLD_MS;
  return due > now ? due : undefined;
}

const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const conditionSince = (pod: Pod | undefined, type: string, status: 'True' | 'False'): Instant | undefined =>
  instant(pod?.status?.conditions?.find((c) => c.type === type && c.status === status)?.lastTransitionTime);

/** The kubelet's words for a container, or a Pod, that wrote more than its limit; it has no reason of its own for that. */
const ROOT_FULL = /exceeded its local ephemeral storage limit|ephemeral local storage usage exceeds/;

/** What the kubelet calls the ends that it brought about itself. */
const EVICTIONS: readonly string[] = ['Evicted', 'Preempting', 'NodeShutdown', 'Terminated'];

function exitOf(pod: Pod | undefined): string {
  if (!pod) return 'Lost';
  const { containerStatuses, conditions, reason = 'NotStarted' } = pod.status ?? {};
  const ended = containerStatuses?.[0]?.state?.terminated;
  const disrupted = conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (EVICTIONS.includes(reason)) return ROOT_FULL.test(pod.status?.message ?? '') ? 'RootFull' : 'Evicted';
  if (disrupted) return wentWithNode(pod) ? 'NodeGone' : 'Evicted';
  if (ended?.reason === 'OOMKilled') return 'OOMKilled';
  if (pod.metadata.deletionTimestamp) return 'Deleted';
  // The kubelet's word for a container that it can not find any more; its exit code is made up.
  if (ended?.reason === 'ContainerStatusUnknown') return 'Lost';
  const restore = pod.status?.initContainerStatuses?.[1]?.state?.terminated;
  if (restore && restore.exitCode !== 0) return `restore code ${restore.exitCode}`;
  // Without an end of its container the node would not even begin: OutOfcpu, UnexpectedAdmissionError.
  return ended ? `exit code ${ended.exitCode}` : reason;
}

/** What the spec names and the cluster does not have. */
function missingIn(
  owner: GpuInstance,
  home: Claim | undefined,
  progress: Progress,
  { images, storageClass, host, disks }: InstanceSeen,
): Trouble | undefined {
  const { spec } = owner;
  const { everReady, run, home: saved } = owner.status ?? {};
  // What runs goes on without: it has its node and the disks that it was made with.
  const runs = progress === 'started' || progress === 'ready';
  const missing = runs ? undefined : (missingHost(spec, host) ?? missingDisk(spec, disks));
  if (missing) return missing;
  // A home that held work is never silently made anew, empty: a hard reboot says that this is wanted.
  const accepted = run?.cause === 'hardReboot' && run.readyAt === undefined;
  if (wasUsed(owner) && !home && !accepted && !saved) return { reason: 'HomeLost', args: {} };
  const { storageClassName } = spec.homeDisk;
  if (storageClassName !== undefined && !storageClass && !home)
    return { reason: 'StorageClassNotFound', args: { name: storageClassName } };
  // A private image is pulled with its Image's secret: a Pod made before would be refused by the registry, and stay so.
  if (images.verifying && !images.ready && !everReady)
    return { reason: 'ImageBeingVerified', args: { image: spec.image } };
  if (home?.status?.phase === 'Lost') return { reason: 'DiskFailed', args: { detail: DETAILS.volumeGone.en } };
  return undefined;
}

/** Refusals of what there should be and is not: a refused change of what is there keeps nobody from running. */
const made = (refusals: readonly Refusal[], pod: Pod | undefined, home: Claim | undefined): readonly Refusal[] =>
  refusals.filter(
    (one) => one.kind !== 'Snapshot' && (one.kind === 'Pod' ? !pod && creditQuota(one) === undefined : !home),
  );

/** The quota that closes an organisation without credit is no fault of the instance's: it waits, as billing will say itself. */
const creditQuota = ({ message }: Refusal): string | undefined =>
  new RegExp(`(?:exceeded|status unknown for) quota: ${CREDIT_QUOTA}, (.*)$`).exec(message)?.[1];

/** The rest of a longer text says no more, and a status has its limits. */
const MOST_DETAIL = 1000;

function refusedIn([refusal]: readonly Refusal[]): Trouble | undefined {
  if (!refusal) return undefined;
  if (refusal.reason === 'AlreadyExists') return { reason: 'NameTaken', args: { name: refusal.name } };
  const quota = /exceeded quota: [^,]+, (.*)$/.exec(refusal.message)?.[1];
  return quota
    ? { reason: 'QuotaExceeded', args: { detail: quota } }
    : { reason: 'Refused', args: { detail: refusal.message.slice(0, MOST_DETAIL) } };
}

const WAITING: Record<string, GpuInstanceReason> = {
  ErrImagePull: 'ImageNotFound',
  ImagePullBackOff: 'ImageNotFound',
  InvalidImageName: 'ImageNotFound',
  ErrImageNeverPull: 'ImageNotFound',
  CreateContainerConfigError: 'BadConfig',
  CreateContainerError: 'BadConfig',
  RunContainerError: 'StartError',
};

/** What the kubelet says keeps the container from starting. */
function stuckIn(pod: Pod | undefined, owner: GpuInstance, settings: InstanceSettings): Trouble | undefined {
  const [agent, restore] = (pod?.status?.initContainerStatuses ?? []).map(({ state }) => state?.waiting);
  if (agent?.reason && WAITING[agent.reason]) return { reason: 'NoAgent', args: { image: settings.agentImage } };
  if (restore?.reason && WAITING[restore.reason])
    return { reason: 'HomeNotRestored', args: { detail: brief(restore.message ?? restore.reason) } };
  const main = pod?.status?.containerStatuses?.[0]?.state?.waiting;
  const reason = main?.reason && WAITING[main.reason];
  return reason
    ? {
        reason,
        args: { image: owner.spec.image, detail: besides(owner.spec.image, main?.message ?? main?.reason ?? '') },
      }
    : undefined;
}

/** What is said of an image by its name, without it: the sentence has named it. */
function besides(image: string, message: string): string {
  const detail = brief(message);
  const [first, rest] = detail.split(': ');
  return rest !== undefined && first?.endsWith(image) ? rest : detail;
}

/** The last part of a chain of wrapped errors is the one that says something. */
const brief = (message: string): string => message.split(': ').slice(-2).join(': ').slice(0, 200);
