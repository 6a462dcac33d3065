// One step of checking an image: start the Job, report its progress, record its result, and remove it.
import { sentence } from '@gantry/contract/define-kind.ts';
import { gibibytes } from '@gantry/contract/fields/quantity.ts';
import { type Image, type ImageReason, type ImageStatus, image } from '@gantry/contract/kinds/image.ts';
import { ANNOTATION, MOST_CHECKS } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Removal } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { creditOf } from '../../credit.ts';
import { type Context, defineController, type Plan } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { desiredJob, type ImageSettings, MOST_GI, subjectOf } from './desired.ts';
import { exportOf } from './exporting.ts';
import { type Outcome, outcomeOf, tooLarge, VERIFYING } from './phase.ts';
import { type ImageSeen, type Job, reads } from './reads.ts';
import { storageOf } from './storage.ts';

const MINUTE = 60_000;
/** How long a node may take to report the pulled images. */
const SIZE_PATIENCE_MS = 10 * MINUTE;
/** The end of a check wakes the next in line; this is for those that were passed over. */
const LOOK_AGAIN_MS = MINUTE;
/** 75 minutes of failing, by the pauses below. */
const MOST_FAILURES = 10;

export const imageController = defineController<Image, typeof reads, ImageSettings>({
  facts: image,
  reads,
  writes: {
    fields: [
      ...(['digest', 'sizeBytes', 'needs', 'verifiedAt', 'checked', 'exported', 'savedBytes', 'intervals'] as const),
      ...(['failures', 'failedAt'] as const),
    ],
  },
  plan(owner, seen, context): Plan<ImageStatus> {
    const { now, settings } = context;
    // The Job is the Image's own: the garbage collector takes it along.
    const wanted = owner.metadata.deletionTimestamp ? deleted(owner) : checked(owner, seen, context);
    const { status } = wanted;
    if (!status) return wanted;
    const { creditGate } = settings;
    return { ...wanted, status: { ...status, ...storageOf(owner, seen.copy, { now, creditGate }) } };
  },
});

/** Billing holds it until its last use is posted. */
function deleted(owner: Image): Plan<ImageStatus> {
  const { phase, reason, reasonArgs = {} } = owner.status ?? {};
  if (!owner.metadata.finalizers?.length || phase === undefined) return {};
  return {
    status: statusOf(owner, { phase: phase as Outcome['phase'], reason: reason as ImageReason, args: reasonArgs }),
  };
}

/** Nothing is asked of the instance, and nothing copied, before there is credit for keeping it. */
function unpaid(owner: Image, { settings, now }: Context<ImageSettings>): Outcome | undefined {
  if (owner.spec.fromInstance === undefined || owner.status?.exported !== undefined) return undefined;
  if (owner.status?.phase === 'failed') return undefined;
  const { trouble } = creditOf(owner, settings.creditGate, now);
  return trouble && { phase: 'processing', ...trouble };
}

function checked(owner: Image, seen: ImageSeen, context: Context<ImageSettings>): Plan<ImageStatus> {
  const { job, sizeBytes, instance, rivals, copy } = seen;
  const { now, refusals } = context;
  const waits = unpaid(owner, context);
  if (waits) return { status: statusOf(owner, waits) };
  if (owner.spec.fromInstance !== undefined && owner.status?.checked === undefined) {
    const { outcome, save, create = [] } = exportOf(owner, instance, rivals, copy);
    const [refusal] = refusals;
    if (refusal) return { status: statusOf(owner, { ...refused(refusal), phase: 'processing' }), create };
    if (outcome)
      return { status: { ...statusOf(owner, outcome), ...(save !== undefined && { exported: save }) }, create };
  }
  const settled = settledOutcome(owner, sizeBytes, now);
  if (settled) {
    const waitMs = settled.untilMs ?? sizeWaitMs(owner, sizeBytes, now);
    return {
      remove: removalOf(job),
      status: { ...statusOf(owner, settled), ...(sizeBytes !== undefined && { sizeBytes }) },
      ...(waitMs !== undefined && { againInMs: waitMs }),
    };
  }
  return checking(owner, seen, context);
}

/** One step of the check itself. */
function checking(
  owner: Image,
  { job, pod, othersChecked }: ImageSeen,
  { now, settings, refusals }: Context<ImageSettings>,
): Plan<ImageStatus> {
  const [refusal] = refusals;
  if (refusal && !isQuotas(refusal)) return ended(owner, refused(refusal), now);
  if (!job && (refusal || othersChecked >= MOST_CHECKS)) {
    return { status: statusOf(owner, stillFailed(owner) ?? WAITS), againInMs: LOOK_AGAIN_MS };
  }
  if (!job) {
    // It is in line first: of several that come in the same moment each sees then who was before it.
    const isInLine = stillFailed(owner) || owner.status?.reason === VERIFYING.reason;
    return {
      status: statusOf(owner, stillFailed(owner) ?? VERIFYING),
      ...(isInLine && { create: [desiredJob(owner, settings)] }),
    };
  }
  // A Job of an earlier wish says nothing; the name is free once it is gone.
  if (isGoing(job) || job.metadata.annotations?.[ANNOTATION.hash] !== subjectOf(owner)) {
    return { status: statusOf(owner, VERIFYING), remove: removalOf(job) };
  }
  const outcome = outcomeOf(owner, job, pod, settings);
  if (outcome.phase === 'ready' || outcome.phase === 'failed') {
    return { ...ended(owner, outcome, now), remove: removalOf(job) };
  }
  return { status: statusOf(owner, stillFailed(owner) ?? outcome) };
}

const WAITS: Outcome = { phase: 'processing', reason: 'WaitsForTurn', args: { most: String(MOST_CHECKS) } };

const isGoing = ({ metadata }: Job): boolean => metadata.deletionTimestamp !== undefined;

const removalOf = (job: Job | undefined): Removal[] =>
  job && !isGoing(job) ? [{ ...targetOf(job), propagation: 'Background' }] : [];

/** The outcome that still holds: for this very spec, and, if it failed, until it is time for the next attempt. */
function settledOutcome(
  owner: Image,
  found: number | undefined,
  now: number,
): (Outcome & { untilMs?: number }) | undefined {
  const { phase, reason, reasonArgs = {}, checked, digest, failedAt, failures = 1 } = owner.status ?? {};
  if (checked !== subjectOf(owner)) return undefined;
  const known = { reason: reason as ImageReason, args: reasonArgs };
  if (phase === 'ready') return provedTooLarge(owner, found) ?? { phase, ...known, ...(digest && { digest }) };
  if (phase === 'failed' && FINAL.includes(known.reason)) return { phase, ...known };
  const untilMs = (instant(failedAt) ?? 0) + pauseMs(failures) - now;
  return phase === 'failed' && untilMs > 0 ? { phase, ...known, untilMs } : undefined;
}

const FINAL: readonly ImageReason[] = ['TooLarge', 'GivenUp'];

/** Official ones are the platform's to choose. */
function provedTooLarge({ spec, status }: Image, found: number | undefined): Outcome | undefined {
  const size = gibibytes(status?.sizeBytes ?? found ?? 0);
  return spec.official || size <= MOST_GI ? undefined : tooLarge(String(Math.ceil(size)));
}

/** A failed image stays failed to see until a new try tells otherwise. */
function stillFailed(owner: Image): Outcome | undefined {
  const { phase, reason, reasonArgs = {}, checked } = owner.status ?? {};
  return phase === 'failed' && checked === subjectOf(owner)
    ? { phase, reason: reason as ImageReason, args: reasonArgs }
    : undefined;
}

/** 1, 2, 4, 8, 10, 10, … minutes. */
const pauseMs = (failures: number): number => Math.min(2 ** (failures - 1), 10) * MINUTE;

const refused = ({ reason, name, message }: Refusal): Outcome =>
  reason === 'AlreadyExists'
    ? { phase: 'failed', reason: 'NameTaken', args: { name } }
    : { phase: 'failed', reason: 'Refused', args: { detail: message } };

const isQuotas = ({ kind, message }: Refusal): boolean => kind === 'Job' && message.includes('exceeded quota');

/** Nothing was pulled, or what failed is the platform's: the tenant could do nothing about it. */
const NOT_THEIRS: readonly ImageReason[] = ['NoAgent', 'Refused', 'NameTaken', 'CheckLost'];

/** A failing tenant's image is not checked forever: each check pulls it once more. */
function givenUp(outcome: Outcome, failures: number | undefined): Outcome {
  if (failures === undefined || failures < MOST_FAILURES || NOT_THEIRS.includes(outcome.reason)) return outcome;
  const detail = quoted('detail', said(image.reasons[outcome.reason], outcome.args));
  return { phase: 'failed', reason: 'GivenUp', args: { times: String(failures), ...detail } };
}

/** A check's result is recorded before its Job goes. */
function ended(owner: Image, result: Outcome, now: number): Plan<ImageStatus> {
  const before = owner.status?.checked === subjectOf(owner) ? owner.status : undefined;
  const failures = result.phase === 'failed' ? (before?.failures ?? 0) + 1 : undefined;
  const outcome = givenUp(result, failures);
  const sameDigest = before?.digest === outcome.digest;
  return {
    status: {
      ...common(owner, outcome),
      checked: subjectOf(owner),
      ...(owner.status?.exported !== undefined && { exported: owner.status.exported }),
      ...(failures !== undefined && { failures, failedAt: rfc3339(now) }),
      ...(outcome.digest && { digest: outcome.digest, verifiedAt: rfc3339(now) }),
      ...(outcome.needs && { needs: outcome.needs }),
      ...(outcome.digest && sameDigest && before?.sizeBytes !== undefined && { sizeBytes: before.sizeBytes }),
    },
    ...(failures !== undefined && !FINAL.includes(outcome.reason) && { againInMs: pauseMs(failures) }),
  };
}

/** A size is looked for as long as one may still come. */
function sizeWaitMs({ status }: Image, found: number | undefined, now: number): number | undefined {
  const known = status?.sizeBytes !== undefined || found !== undefined;
  const patient = now - (instant(status?.verifiedAt) ?? 0) < SIZE_PATIENCE_MS;
  return !known && status?.phase === 'ready' && patient ? MINUTE / 2 : undefined;
}

function statusOf(owner: Image, outcome: Outcome): ImageStatus {
  const { digest, sizeBytes, needs, verifiedAt, checked, failures, failedAt, exported } = owner.status ?? {};
  const kept = { digest, sizeBytes, needs, verifiedAt, checked, failures, failedAt, exported };
  const known = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), ...common(owner, outcome) };
}

function common({ metadata }: Image, { phase, reason, args }: Outcome): ImageStatus {
  return {
    phase,
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message: sentence(image.reasons[reason], 'en', args),
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}
