// The facts about one service right now, derived once from what is observed; phases, bookkeeping and children all read them.
import { cannotStart } from '@gantry/contract/billing/credit.ts';
import {
  type ContainerService,
  type ContainerServiceStatus,
  wantedReplicas,
} from '@gantry/contract/kinds/container-service.ts';
import { MOST_REPLICAS } from '@gantry/contract/kinds/container-service-schema.ts';
import { mostReplicas } from '@gantry/contract/kinds/model-deployment.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { type Credit, creditOf } from '../credit.ts';
import type { Context, Plan } from '../define-controller.ts';
import { isHostOver } from '../host-nodes.ts';
import { instant, tooManyUnposted } from '../metering.ts';
import { busyHost, cardsLacking, missingHost, quotaLacking } from '../prerequisites.ts';
import { type ServiceSettings, UPDATE } from './desired.ts';
import { type Before, isOfRun, rememberedIn } from './going-back.ts';
import type { Deployment, GroupSet, ServiceSeen } from './reads.ts';
import { answering, isLive, type Replica, replicaOf } from './replicas.ts';
import { hashOf, type Revision } from './revisions.ts';
import type { Served } from './served.ts';
import { refusedIn, type Trouble } from './trouble.ts';

export type Children = Pick<Plan, 'create' | 'patch' | 'remove'>;

export interface Facts {
  /** The kind that it is of. */
  served: Served;
  owner: ContainerService;
  status: ContainerServiceStatus;
  seen: ServiceSeen;
  now: Instant;
  settings: ServiceSettings;
  /** Or its namespace is. */
  deleting: boolean;
  credit: Credit;
  /** Billing is far behind: no more replicas start. */
  isUnposted: boolean;
  /** Hash of the present spec. */
  hash: string;
  /** The newest one recorded. */
  present: Revision | undefined;
  /** It is what the spec says. */
  isCurrent: boolean;
  /** How many replicas the service asks for, money apart. */
  wanted: number;
  /** For how many of them credit is reserved; none where nothing lets them start. */
  covered: number;
  /** How many there are to be now. */
  target: number;
  /** Over how many nodes each is spread. */
  nodes: number;
  /** The workload that keeps them: a Deployment, or a LeaderWorkerSet if they are spread. */
  workload: Deployment | GroupSet | undefined;
  /** The other of the two, which kept them before: it goes once enough of the new ones answer. */
  former: Deployment | GroupSet | undefined;
  /** Nothing may start: replicas that run go on, or end. */
  isHeld: boolean;
  /** All their Pods. */
  replicas: readonly Replica[];
  live: readonly Replica[];
  /** Live ones of the present revision. */
  updated: readonly Replica[];
  /** Replicas that are ready, of whichever revision. */
  ready: number;
  /** All that are wanted are ready, and as the spec says. */
  isComplete: boolean;
  /** When it counts as failed unless something moves. */
  lateFrom: Instant | undefined;
  isLate: boolean;
  /** Nothing of it has started in time: what it holds is given back, and nothing starts until something is changed. */
  isGivenUp: boolean;
  /** The present revision was late: its replicas gave back what they held in vain, while those before it go on. */
  isBack: boolean;
  /** The earlier state of its workload. */
  before: Before | undefined;
  /**
   * A fault that waiting does not solve: the quota is too small for one replica, or no node has such cards. Nothing is made, and no credit
   * is held.
   */
  hopeless: Trouble | undefined;
  /** Something that keeps it from being made at all. */
  trouble: Trouble | undefined;
  /** Something that others have to do first. */
  waitsFor: Trouble | undefined;
}

export function factsOf(
  owner: ContainerService,
  seen: ServiceSeen,
  { now, settings, refusals }: Context<ServiceSettings>,
  served: Served,
): Facts {
  const status = owner.status ?? {};
  const { spec } = owner;
  const deleting = owner.metadata.deletionTimestamp !== undefined || seen.isNamespaceGoing;
  const credit = creditOf(owner, settings.creditGate, now);
  const isUnposted = tooManyUnposted(owner, settings.creditGate);
  const hash = hashOf(spec, seen.host, served.extra?.(owner));
  const present = status.revisions?.[0];
  const isCurrent = present?.hash === hash;
  const nodes = served.nodes?.(owner) ?? 1;
  const wanted = Math.min(bounded(wantedReplicas(owner)), mostReplicas(nodes));
  const isEnded = deleting || credit.isOut || isHostOver(seen.host);
  const hopeless = hopelessFor(owner, seen, { wanted, nodes });
  const covered = isEnded ? 0 : Math.min(wanted, coveredBy(owner, settings, hopeless));
  const missing = missingHost(spec, seen.host);
  const unfit = served.trouble?.(owner, settings);
  const waitsFor = busyHost(spec, seen.host) ?? verifying(owner, seen) ?? served.waitsFor?.(owner);
  const isHeld = isUnposted || [credit.trouble, missing, hopeless, unfit, waitsFor].some((why) => why !== undefined);
  const [workload, former] = nodes > 1 ? [seen.groups, seen.deployment] : [seen.deployment, seen.groups];
  const exist = bounded(workload?.spec?.replicas ?? 0);
  const replicas = seen.pods.map((pod) => replicaOf(pod, status.pods ?? [], seen, now));
  const live = replicas.filter(isLive);
  const updated = live.filter(({ revision }) => revision === present?.revision);
  const isComplete = isCurrent && covered > 0 && updated.length === live.length && readyIn(updated) >= covered;
  const lateFrom = isComplete || covered === 0 ? undefined : deadlineOf(owner, present, live);
  const before = rememberedIn(workload);
  const rollout = { served, owner, now, deleting, isCurrent, covered, lateFrom };
  const lapse = lapseOf({ ...rollout, present, before, workload, former, replicas, live, updated });
  const open = isHeld ? Math.min(covered, exist) : covered;
  return {
    served,
    owner,
    status,
    seen,
    now,
    settings,
    deleting,
    credit,
    isUnposted,
    hash,
    present,
    isCurrent,
    wanted,
    covered,
    target: lapse.isGivenUp || (lapse.isBack && former) ? 0 : open,
    nodes,
    workload,
    former,
    isHeld,
    replicas,
    live,
    updated,
    ready: readyIn(live),
    isComplete,
    lateFrom,
    ...lapse,
    before,
    hopeless,
    trouble: missing ?? unfit ?? refusedIn(refusals),
    waitsFor,
  };
}

/** Replicas that already have a node go on there. */
function hopelessFor(
  { spec }: ContainerService,
  { cards, quota, pods }: ServiceSeen,
  { wanted, nodes }: { wanted: number; nodes: number },
): Trouble | undefined {
  const { gpu, host } = spec;
  if (wanted === 0 || pods.some((pod) => pod.spec?.nodeName !== undefined)) return undefined;
  const tooMany = pods.length === 0 ? quotaLacking(spec, nodes, quota) : undefined;
  return tooMany ?? (gpu && cards && host === undefined ? cardsLacking(gpu, cards) : undefined);
}

/** Some have a node, and nobody uses or pays for any. */
const isHoldingInVain = (live: readonly Replica[]): boolean =>
  live.some(({ node }) => node !== undefined) &&
  live.every(({ usedSince, isReady }) => usedSince === undefined && !isReady);

type Rollout = Pick<Facts, 'present' | 'before' | 'workload' | 'former' | 'replicas' | 'live' | 'updated'> &
  Pick<Facts, 'served' | 'owner' | 'now' | 'deleting' | 'isCurrent' | 'covered' | 'lateFrom'>;

/** The outcome of its deadline. */
function lapseOf(rollout: Rollout): Pick<Facts, 'isLate' | 'isGivenUp' | 'isBack'> {
  const { served, owner, now, deleting, isCurrent, covered, lateFrom, live, updated } = rollout;
  const isPast = lateFrom !== undefined && lateFrom <= now;
  const pods = updated.map(({ pod }) => pod);
  const isFetching = served.progress?.(owner, pods) !== undefined;
  const isOver = isPast && (!isFetching || givesUpAt(lateFrom) <= now);
  const isOpen = isCurrent && !deleting;
  const isBack = isOpen && covered > 0 && (wentBack(rollout) || (isOver && goesBack(rollout)));
  const isGivenUp = isOpen && isPast && (cannotStart(owner) || (isOver && isHoldingInVain(live)));
  return { isLate: isPast || isBack, isGivenUp, isBack };
}

const isOfBefore = ({ present, before, former }: Rollout, { revision }: Replica): boolean =>
  former ? revision !== present?.revision : before !== undefined && revision === before.revision;

/** The new replicas hold cards in vain, and replicas of the revision before them serve. */
const goesBack = (rollout: Rollout): boolean =>
  isHoldingInVain(rollout.updated) && rollout.live.some((one) => one.isReady && isOfBefore(rollout, one));

/** It stays so, whatever moves the deadline, until another revision is wanted or nothing is left of the one before. */
function wentBack(rollout: Rollout): boolean {
  const { present, before, workload, former, replicas } = rollout;
  if (present?.outcome !== 'bad' || !workload) return false;
  const isThere = former
    ? workload.spec?.replicas === 0
    : before !== undefined && before.revision !== present.revision && isOfRun(workload, before);
  return isThere && replicas.some((one) => one.endedAt === undefined && isOfBefore(rollout, one));
}

const FETCHING_MS = 60 * 60_000;
/** A large model may take longer than a start may. */
export const givesUpAt = (lateFrom: Instant): Instant => lateFrom + FETCHING_MS;

export const readyIn = (pods: readonly Replica[]): number => answering(pods).filter(({ isReady }) => isReady).length;

const bounded = (count: number): number =>
  Number.isFinite(count) ? Math.min(Math.max(0, Math.trunc(count)), MOST_REPLICAS) : 0;

/** Billing says so where it does not cover all. */
function coveredBy(
  { status }: ContainerService,
  { creditGate }: ServiceSettings,
  hopeless: Trouble | undefined,
): number {
  if (hopeless) return 0;
  const reserved = creditGate === 'off' ? undefined : status?.credit?.replicas;
  return reserved === undefined ? MOST_REPLICAS : bounded(reserved);
}

/** A private image is pulled with its Image's secret: a replica made before would be refused by the registry. */
function verifying({ spec }: ContainerService, { images, deployment, groups }: ServiceSeen): Trouble | undefined {
  return images.verifying && !images.ready && !deployment && !groups
    ? { reason: 'ImageBeingVerified', args: { image: spec.image } }
    : undefined;
}

/** A rollout that stays incomplete for the deadline without any progress has failed. */
function deadlineOf(
  { spec, status }: ContainerService,
  present: Revision | undefined,
  live: readonly Replica[],
): Instant | undefined {
  const incomplete = status?.conditions?.find(({ type, status: is }) => type === 'Complete' && is === 'False');
  if (!present || !incomplete) return undefined;
  const moves = [
    instant(incomplete.lastTransitionTime),
    instant(present.at),
    instant(status?.scaling?.at),
    ...live.map(({ readyAt }) => readyAt),
  ].filter((at) => at !== undefined) as Instant[];
  const { deadlineMinutes } = spec.update ?? UPDATE;
  return moves.length > 0 ? Math.max(...moves) + deadlineMinutes * 60_000 : undefined;
}
