// Reasons that keep a service from being made, or a replica from being ready: what the cluster refuses, where the kubelet is stuck, how a
// program ends, and what the pool lacks.

import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { exitCodeSaid, startErrorSaid } from '@gantry/contract/kinds/exits.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { quotaSaid } from '@gantry/contract/kinds/quota-said.ts';
import { CREDIT_QUOTA } from '@gantry/contract/names.ts';
import { type Args, quoted, type Said, said } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { lastLines } from '../last-lines.ts';
import { conditionSince, isStartError, type Stuck, startErrorIn, stuckOn } from '../pod-progress.ts';
import { probedPort } from './desired.ts';
import type { Facts } from './facts.ts';
import { isLive, mainOf, type Replica } from './replicas.ts';
import type { ServingReason } from './served.ts';

export interface Trouble {
  reason: ServingReason;
  args: Args;
}

/** The rest of a longer text says no more, and a status has its limits. */
const MOST_DETAIL = 1000;

/** The answer to the plan's own writes. */
export function refusedIn(refusals: readonly Refusal[]): Trouble | undefined {
  const [refusal] = refusals.filter(({ kind }) => kind !== 'Pod');
  if (!refusal) return undefined;
  if (refusal.reason === 'AlreadyExists') return { reason: 'NameTaken', args: { name: refusal.name } };
  return forbidden(refusal.message);
}

const CLOSED = new RegExp(`(?:exceeded|status unknown for) quota: ${CREDIT_QUOTA}, (.*)$`);

function forbidden(message: string): Trouble {
  const closed = CLOSED.exec(message)?.[1];
  if (closed !== undefined) return { reason: 'OutOfCredit', args: { detail: closed.slice(0, MOST_DETAIL) } };
  const quota = quotaSaid(message);
  return quota
    ? { reason: 'QuotaExceeded', args: quoted('detail', quota) }
    : { reason: 'Refused', args: { detail: message.slice(0, MOST_DETAIL) } };
}

/** The Deployment's controller could not make a Pod. */
function notMade({ seen: { deployment } }: Facts): Trouble | undefined {
  const failure = deployment?.status?.conditions?.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  return failure && forbidden(failure.message || failure.reason || '–');
}

/** The fault of its replicas: faults that only the tenant can mend come first. */
export function troubleOf(f: Facts): Trouble | undefined {
  const rows = f.updated.map((replica) => podTrouble(replica, f));
  return (
    rows.find((one) => one !== undefined && !PATIENT.includes(one.reason)) ??
    notMade(f) ??
    unplaced(f) ??
    rows.find((one) => one !== undefined) ??
    lost(f)
  );
}

/** It may pass by itself. */
const PATIENT: readonly ServingReason[] = ['ProbeFailing'];

/** How long a program may take to answer before that is worth a word. */
const SILENT_MS = 60_000;

function podTrouble(replica: Replica, f: Facts): Trouble | undefined {
  const { pod, isReady } = replica;
  if (isReady) return undefined;
  const { state, lastState } = mainOf(pod) ?? {};
  const { waiting, running, terminated } = state ?? {};
  const stuck = stuckOn(waiting);
  if (stuck) return stuckBy(stuck, waiting?.message ?? waiting?.reason ?? '', f);
  const ended = terminated ?? (waiting?.reason === 'CrashLoopBackOff' || running ? lastState?.terminated : undefined);
  if (ended) return endedBy(ended, f);
  const port = probedPort(f.owner.spec);
  const isSilent =
    running !== undefined && (replica.readyAt !== undefined || (replica.usedSince ?? f.now) <= f.now - SILENT_MS);
  return isSilent && port !== undefined ? { reason: 'ProbeFailing', args: { port: String(port) } } : undefined;
}

/** Whether its program or its image is at fault. */
export const isFailing = (replica: Replica, f: Facts): boolean =>
  isLive(replica) && podTrouble(replica, f) !== undefined;

const NO_SECRET = /secret "([^"]{1,253})" not found/;
const NO_KEY = /couldn't find key (\S{1,253}) in Secret \S{1,63}\/(\S{1,253})/;

function stuckBy(reason: Stuck, message: string, { owner: { spec }, present }: Facts): Trouble {
  if (reason === 'ImageNotFound')
    return { reason, args: { image: spec.image, detail: besides(present?.image ?? spec.image, message) } };
  if (reason === 'StartError') return notStarted(message);
  const key = NO_KEY.exec(message);
  if (key) return { reason: 'SecretMissing', args: { secret: key[2] ?? '', key: key[1] ?? '' } };
  const secret = NO_SECRET.exec(message)?.[1];
  const wanted = spec.secretEnv?.find((one) => one.secret === secret);
  if (secret !== undefined && wanted) return { reason: 'SecretMissing', args: { secret, key: wanted.key } };
  return { reason, args: { detail: brief(message) } };
}

/** A message about an image, without its name: the sentence already contains it. */
function besides(image: string, message: string): string {
  const detail = brief(message);
  const [first, rest] = detail.split(': ');
  return rest !== undefined && first?.endsWith(image) ? rest : detail;
}

/** The last part of a chain of wrapped errors is the one that says something. */
const brief = (message: string): string => message.split(': ').slice(-2).join(': ').slice(0, 200) || '–';

type Ended = NonNullable<
  NonNullable<NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number]['state']>['terminated']
>;

const notStarted = (message: string): Trouble => ({
  reason: 'ProgramEnds',
  args: quoted('ended', startErrorSaid(startErrorIn(message))),
});

function endedBy({ reason, exitCode, message = '' }: Ended, { owner: { spec } }: Facts): Trouble {
  if (isStartError(reason)) return notStarted(message);
  if (reason === 'OOMKilled') return { reason: 'OutOfMemory', args: { memoryGi: String(spec.memoryGi) } };
  return {
    reason: 'ProgramEnds',
    args: quoted('ended', exitCodeSaid(String(exitCode), exitCode === 0 ? '' : lastLines(message))),
  };
}

const round = (value: number): string => String(Math.max(0, Math.floor(value * 10) / 10));
const upwards = (value: number): string => String(Math.ceil(value * 10) / 10);

/** Why the scheduler has no node, in numbers. */
function unplaced({ updated, seen: { stock }, owner: { spec } }: Facts): Trouble | undefined {
  const waits = updated.some(
    ({ pod, node }) => node === undefined && conditionSince(pod, 'PodScheduled', 'False') !== undefined,
  );
  if (!stock || !waits) return undefined;
  if (spec.gpu) {
    const { model, count } = spec.gpu;
    if (!stock.models.includes(model))
      return {
        reason: 'UnknownGpuModel',
        args: { model, models: stock.models.join(', ').slice(0, MOST_DETAIL) || '–' },
      };
    if (!stock.fits && !stock.closed)
      return { reason: 'WaitingForGpus', args: { count: String(count), model, free: String(stock.free) } };
  }
  if (stock.closed) return { reason: 'NodesClosed', args: quoted('detail', stock.closed) };
  return { reason: 'WaitingForRoom', args: quoted('detail', lacking(spec, stock)) };
}

function lacking(
  spec: Facts['owner']['spec'],
  { freeCores, freeMemoryGi, freeRootGi, freePods }: NonNullable<Facts['seen']['stock']>,
): Said {
  const rows = [
    [freeCores, spec.cores, DETAILS.freeCores],
    [freeMemoryGi, spec.memoryGi, DETAILS.freeMemory],
    [freeRootGi, rootRoom(spec).requestMi / 1024, DETAILS.freeRoot],
    [freePods, 1, DETAILS.freePods],
  ] as const;
  const row = rows.find(([free, wanted]) => free < wanted);
  if (!row) return said(DETAILS.notPlacedThere);
  return said(row[2], { free: round(row[0]), wanted: upwards(row[1]) });
}

const lost = ({ replicas }: Facts): Trouble | undefined => {
  const one = replicas.find(({ isLost, endedAt, isEnding }) => isLost && endedAt === undefined && !isEnding);
  return one && { reason: 'NodeLost', args: { node: one.node ?? '' } };
};
