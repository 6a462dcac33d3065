// The gate's decision about one object that is paid by the second: pure over its observed state, its price and the time. Hosts that are
// rented by the month have their own rules: rental.ts.
import { cannotStart } from '@gantry/contract/billing/credit.ts';
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { isResource, milliOf, RESOURCES } from '@gantry/contract/billing/resources.ts';
import { dividedRounded, type Micros, micros } from '@gantry/contract/fields/money.ts';
import { type Said, said } from '@gantry/contract/said.ts';
import { usesNow } from '../prices/price-of.ts';
import { less, type Refusal, refusalOf, roomOf, type SpendableBalance, sentenceOf } from './may-spend.ts';
import type { Billed, Interval, Verdict } from './parts.ts';

const HOUR_MS = 3_600_000;
/** To which times on the cluster are cut. */
const SECOND_MS = 1_000;
/**
 * A running object gets what is left, but not less than this: otherwise extensions would come faster than they can be written.
 */
const LEAST_MS = 60_000;
/** How rarely free objects are looked at again. */
const FREE_MS = 30 * 24 * HOUR_MS;
/** How often credit is requested again without it, besides every change of the wallet: another gateway may have filled it. */
export const RETRY_MS = 15_000;

export interface Priced {
  /** After the discount. */
  perHour: Micros;
  unpriced: readonly string[];
}

export interface Known {
  now: number;
  holdAheadMs: number;
  /** Used by this object and not posted yet. */
  accrued: Micros;
  /** How long the credit was granted for, and at which price; absent where another process granted it. */
  grantedMs?: number | undefined;
  grantedPerHour?: Micros | undefined;
  /** Its cap changed: the grant has to be decided again. */
  isAfresh?: boolean;
}

export type Decision =
  /** Nothing to write now; look again then. */
  | { do: 'wait'; againAt?: number }
  /** Nothing is held for it any longer; `condition` where the one it has would mislead. */
  | { do: 'rest'; condition?: Verdict }
  | Reserve
  /** The covered number of replicas, before what is held for others is released: a woken one has to be decided on first. */
  | { do: 'tell'; condition: Verdict; until: number; replicas: number }
  /** Nothing has to be held: it is paid for until then. */
  | { do: 'paid'; condition: Verdict; until: number; months?: number | undefined; againAt?: number | undefined }
  | { do: 'refuse'; condition: Verdict; againAt: number };

export interface Reserve {
  do: 'reserve';
  amount: Micros;
  until: number;
  /** The purpose: "for the next hour". */
  what: Said;
  /** The largest possible grant if there is less. */
  fallback?: (balance: SpendableBalance) => Grant | undefined;
  /** It runs: an earlier grant lasts to its end. */
  isRunning?: boolean;
  perHour?: Micros;
  /** The price has risen since the grant, which no longer lasts to its end. */
  isDearer?: boolean;
  /** How many replicas all of it covers, of a service. */
  replicas?: number | undefined;
}

export interface Grant {
  amount: Micros;
  until: number;
  /** It covers a part of the request, which waits for the rest. */
  part?: Part;
}

interface Part {
  condition: Verdict;
  /** How many months of a rented host are covered; undefined: all. */
  months?: number | undefined;
  /** How many replicas of a service are covered. */
  replicas?: number;
}

export type Answer = { granted: Grant } | { refusal: Refusal };

/** The whole request; or, where a part is allowed, what there is. */
export function answerOf({ amount, until, fallback }: Reserve, balance: SpendableBalance): Answer {
  const refusal = refusalOf(amount, balance);
  if (!refusal) return { granted: { amount, until } };
  const less = fallback?.(balance);
  return less ? { granted: less } : { refusal };
}

/** The word for how far ahead is reserved: "for the next hour". */
export function aheadText(ms: number): Said {
  const minutes = Math.round(ms / 60_000);
  if (minutes % 60 !== 0) return said(CREDIT_SENTENCES.nextMinutes, { minutes: `${minutes}` });
  if (minutes === 60) return said(CREDIT_SENTENCES.nextHour);
  return said(CREDIT_SENTENCES.nextHours, { hours: `${minutes / 60}` });
}

/** As an interval has it. */
type Used = Interval['uses'][number];

const isByHour = ({ resource }: Used): boolean => isResource(resource) && RESOURCES[resource].per === 'hour';

/** It requests more than storage: a container. */
export const wantsToRun = ({ facts, object }: Pick<Billed, 'facts' | 'object'>): boolean =>
  object.metadata.deletionTimestamp === undefined && facts.cost.desired(object).some(isByHour);

export const isRunning = (billed: Pick<Billed, 'object'>): boolean => usesNow(billed).some(isByHour);

/** Everything that it wants to keep is there and metered already: nothing new is made for it. Compared as rounded, which all have. */
function isMade(billed: Pick<Billed, 'facts' | 'object'>): boolean {
  const used = usesNow(billed);
  const sumOf = (uses: readonly Used[], { resource, model }: Used) =>
    uses.filter((one) => one.resource === resource && one.model === model).reduce((sum, use) => sum + milliOf(use), 0n);
  const desired = billed.facts.cost.desired(billed.object);
  return desired.every((wish) => sumOf(used, wish) >= sumOf(desired, wish));
}

const isUnposted = ({ object }: Billed): boolean =>
  (object.status?.intervals ?? []).some(
    ({ seq, to }) => to !== undefined && seq > (object.status?.credit?.postedSeq ?? 0),
  );

/** Its hold covers current or unposted usage. */
export const isUsing = (billed: Billed): boolean => isRunning(billed) || isUnposted(billed);

/** It requests nothing more, and others wait for what it frees. */
export const givesUp = (billed: Billed): boolean =>
  !wantsToRun(billed) &&
  (billed.object.metadata.deletionTimestamp !== undefined || isUsing(billed) || untilOf(billed) > 0);

/** The member whose cap it counts against: the one who last started it. */
export const spenderOf = ({ object: { spec } }: Pick<Billed, 'object'>): string | undefined =>
  spec.startedBy ?? spec.creator;

export function decide(billed: Billed, priced: Priced, known: Known): Decision {
  const { now, holdAheadMs, accrued } = known;
  const idle = decideAtRest(billed) ?? decideFewer(billed, now);
  if (idle) return idle;
  if (priced.unpriced.length > 0) {
    const why = said(CREDIT_SENTENCES.noPriceSoNotMade, { what: priced.unpriced.join(', ') });
    return { do: 'refuse', condition: { status: 'False', reason: 'NoPrice', ...why }, againAt: now + RETRY_MS };
  }

  const until = untilOf(billed);
  const replicas = replicasOf(billed);
  const isFree = priced.perHour === 0n && accrued <= 0n;
  const aheadMs = isFree ? FREE_MS : holdAheadMs;
  const half = until - (known.grantedMs ?? aheadMs) / 2;
  const granted = known.grantedPerHour ?? priced.perHour;
  // A grant at a lower price lasts less long now.
  const isDearer = priced.perHour > granted;
  const isFresh = isReserved(billed) && until > now && !known.isAfresh && half - SECOND_MS > now;
  // Fewer replicas free money.
  const isTold = replicas === undefined || (coveredIn(billed) === replicas && priced.perHour === granted);
  if (isFresh && !isDearer && isTold) return { do: 'wait', againAt: half };

  // Their number changes the hold, not the time: the object is not written for it.
  const end = isFresh && replicas !== undefined && coveredIn(billed) !== 0 ? until : now + aheadMs;
  const full: Reserve = {
    do: 'reserve',
    amount: costOf(priced.perHour, end - now, accrued),
    until: end,
    what: aheadText(holdAheadMs),
    perHour: priced.perHour,
    isDearer,
    replicas,
  };
  const ofRunning = isRunning(billed) && { isRunning: true };
  if (replicas !== undefined)
    return {
      ...full,
      ...ofRunning,
      fallback: (balance) => someReplicas(billed, full, { ...known, replicas, perHour: priced.perHour }, balance),
    };
  if (!ofRunning) return full;
  // It runs: it gets what is left, and ends only when that is used up.
  return {
    ...full,
    ...ofRunning,
    fallback(balance) {
      const left = roomOf(balance) - accrued;
      if (left <= 0n || priced.perHour <= 0n) return undefined;
      const ms = Number((left * BigInt(HOUR_MS)) / priced.perHour);
      return ms < LEAST_MS ? undefined : { amount: costOf(priced.perHour, ms, accrued), until: now + ms };
    },
  };
}

/** It wants nothing new. */
function decideAtRest(billed: Billed): Decision | undefined {
  const { object, facts } = billed;
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  const isHopeless = !isGoing && cannotStart(object);
  if (!isGoing && !isHopeless && (wantsToRun(billed) || !isMade(billed))) return undefined;
  // Use that is not posted yet keeps its hold; otherwise others could spend the same money.
  if (isUsing(billed)) return { do: 'wait' };
  if (isHopeless) return { do: 'rest', ...(object.status?.credit?.until !== undefined && { condition: CANNOT_START }) };
  // Free objects get an answer too: some of them are only created after it.
  if (!isGoing && facts.cost.desired(object).length === 0 && !facts.cost.rests?.(object)) return undefined;
  const isMisleading =
    !isGoing && object.status?.conditions?.some(({ type, status }) => type === 'CreditReserved' && status === 'False');
  return { do: 'rest', ...(isMisleading && { condition: AT_REST }) };
}

/** A service has fewer replicas than are covered: it is told before money is released, or a woken one would start without. */
function decideFewer(billed: Billed, now: number): Decision | undefined {
  const replicas = replicasOf(billed);
  const covered = coveredIn(billed);
  if (replicas === undefined) return undefined;
  if (replicas === 0)
    return covered === 0 ? { do: 'rest' } : { do: 'tell', condition: ASLEEP, until: now + FREE_MS, replicas };
  const until = untilOf(billed);
  return covered !== undefined && covered > replicas && until > now
    ? { do: 'tell', condition: RESERVED, until, replicas }
    : undefined;
}

const replicasOf = ({ facts, object }: Billed): number | undefined => facts.cost.replicas?.(object);

/** For how many replicas the answer to the current spec is. */
const coveredIn = (billed: Billed): number | undefined =>
  isReserved(billed) ? billed.object.status?.credit?.replicas : undefined;

/** As many replicas as can be paid for the whole time; those that run get at least what is left. */
function someReplicas(
  billed: Billed,
  { until, what }: Reserve,
  known: Known & { replicas: number; perHour: Micros },
  balance: SpendableBalance,
): Grant | undefined {
  const { replicas, perHour, accrued, now, holdAheadMs } = known;
  // Upwards: the parts of a price never come to less than the whole.
  const rateOf = (count: number) => micros((perHour * BigInt(count) + BigInt(replicas) - 1n) / BigInt(replicas));
  const inUse = Math.min(replicas, replicasInUse(billed, replicas));
  const partOf = (count: number, amount: Micros, end: number): Grant => {
    if (count === replicas) return { amount, until: end };
    const rest = less(balance, amount);
    const refusal = refusalOf(costOf(rateOf(replicas - count), holdAheadMs, micros(0)), rest);
    const detail = refusal ? sentenceOf(refusal, what) : '';
    const words = said(CREDIT_SENTENCES.replicasCovered, { covered: `${count}`, replicas: `${replicas}`, detail });
    return {
      amount,
      until: end,
      part: { condition: { status: 'True', reason: 'Reserved', ...words }, replicas: count },
    };
  };
  for (let count = replicas - 1; count >= Math.max(inUse, 1); count--) {
    const amount = costOf(rateOf(count), until - now, accrued);
    if (!refusalOf(amount, balance)) return partOf(count, amount, until);
  }
  if (inUse === 0) return undefined;
  const rate = rateOf(inUse);
  const left = roomOf(balance) - accrued;
  if (left <= 0n || rate <= 0n) return undefined;
  const ms = Math.min(Number((left * BigInt(HOUR_MS)) / rate), holdAheadMs);
  return ms < LEAST_MS ? undefined : partOf(inUse, costOf(rate, ms, accrued), now + ms);
}

/** By the first of its uses: all replicas are alike. */
function replicasInUse({ facts, object }: Billed, replicas: number): number {
  const [wish] = facts.cost.desired(object).filter(isByHour);
  if (!wish) return 0;
  const used = usesNow({ object }).filter(({ resource }) => resource === wish.resource);
  const quantity = used.reduce((sum, use) => sum + use.quantity, 0);
  return wish.quantity > 0 ? Math.ceil((quantity * replicas) / wish.quantity - 1e-6) : 0;
}

const costOf = (perHour: Micros, ms: number, used: Micros): Micros =>
  micros(used + dividedRounded(perHour * BigInt(Math.round(ms)), BigInt(HOUR_MS)));

// No amount: a hold shrinks and grows without the object being written.
export const RESERVED: Verdict = { status: 'True', reason: 'Reserved', ...said(CREDIT_SENTENCES.reserved) };
export const FREE: Verdict = { status: 'True', reason: 'Reserved', ...said(CREDIT_SENTENCES.free) };
const ASLEEP: Verdict = { status: 'True', reason: 'Reserved', ...said(CREDIT_SENTENCES.asleep) };
const AT_REST: Verdict = {
  status: 'True',
  reason: 'Reserved',
  ...said(CREDIT_SENTENCES.atRest),
};

/** It has to be decided on again before it starts. */
const CANNOT_START: Verdict = { status: 'False', reason: 'WaitingForCredit', ...said(CREDIT_SENTENCES.cannotStart) };

export const untilOf = ({ object }: Pick<Billed, 'object'>): number =>
  Date.parse(object.status?.credit?.until ?? '') || 0;

/** Whether the answer is for the current spec; whether the credit has run out is another question. */
export function isReserved({ object }: Pick<Billed, 'object'>): boolean {
  const reserved = object.status?.conditions?.find(({ type }) => type === 'CreditReserved');
  return reserved?.status === 'True' && reserved.observedGeneration === object.metadata.generation;
}
