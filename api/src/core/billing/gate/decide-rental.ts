// The gate's decision about a rented host, once its months are planned: pure. Months that count are charged by then; months requested
// beyond that are held, one by one if money is short; paid months need nothing.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { type Micros, ZERO } from '@gantry/contract/fields/money.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { said } from '@gantry/contract/said.ts';
import { type Decision, type Grant, isReserved, RETRY_MS, untilOf } from './decide.ts';
import { less, refusalOf, roomOf, type SpendableBalance, sentenceOf } from './may-spend.ts';
import type { Billed, Verdict } from './parts.ts';
import { coveredBy, RENEW_AHEAD_MS, type RentalPlan } from './rental.ts';

interface Known {
  now: number;
  holdAheadMs: number;
  held: Micros | undefined;
  /** The plan has no room for this host: it keeps its paid time, and nothing is added. */
  beyond: Verdict | undefined;
}

export function decideRental(billed: Billed, plan: RentalPlan, known: Known): Decision {
  const { now, holdAheadMs, held, beyond } = known;
  const { spec, status, metadata } = billed.object as unknown as GpuHost;
  if (metadata.deletionTimestamp !== undefined || status?.returnedAt !== undefined) return { do: 'rest' };
  const { paidUntil } = plan;
  // With credit the operator would take the nodes that are added.
  if (beyond && plan.steps?.nodes === 0 && paidUntil !== undefined && paidUntil > now) {
    const detail = { message: beyond.message, args: beyond.args ?? {} };
    const why = said(CREDIT_SENTENCES.paidNoLonger, { at: instantText(paidUntil), detail });
    const condition: Verdict = { status: 'True', reason: 'Reserved', ...why };
    const months = plan.steps.counted;
    return { do: 'paid', condition, until: paidUntil, months, againAt: Math.min(paidUntil, now + RETRY_MS) };
  }
  if (beyond) return { do: 'refuse', condition: beyond, againAt: now + RETRY_MS };
  if (plan.hold <= 0n) {
    if (paidUntil === undefined || paidUntil <= now) return { do: 'rest' };
    const renewAt = spec.autoRenew ? paidUntil - RENEW_AHEAD_MS : undefined;
    const why = said(CREDIT_SENTENCES.paidUntil, { at: instantText(paidUntil) });
    const condition: Verdict = { status: 'True', reason: 'Reserved', ...why };
    return { do: 'paid', condition, until: paidUntil, ...(renewAt !== undefined && { againAt: renewAt }) };
  }
  // A renewal's money stays until the operator has counted the month; with anything else the wish may yet be taken back.
  const until = plan.isRenewal && paidUntil !== undefined ? Math.max(paidUntil, now) + holdAheadMs : now + holdAheadMs;
  const half = untilOf(billed) - holdAheadMs / 2;
  const isWhole = billed.object.status?.credit?.months === undefined;
  if (isReserved(billed) && isWhole && half > now && held !== undefined && held >= plan.hold)
    return { do: 'wait', againAt: half };
  return {
    do: 'reserve',
    amount: plan.hold,
    until,
    what: plan.what,
    fallback: (balance) => partOf(billed, plan, known, balance),
  };
}

/**
 * The part that is covered if there is not enough money for everything. With nothing held, the host continues to the end of its paid time.
 */
function partOf(billed: Billed, plan: RentalPlan, known: Known, balance: SpendableBalance): Grant | undefined {
  const { now, holdAheadMs, held } = known;
  const { steps, paidUntil = now } = plan;
  const covered = coveredBy(plan, roomOf(balance), now);
  if (!steps || !covered || covered.rest <= 0n) return undefined;
  const { hold: amount, total, rest, what } = covered;
  const refusal = refusalOf(rest, less(balance, amount));
  const args = {
    at: instantText(paidUntil),
    covered: `${total}`,
    months: `${steps.wished}`,
    detail: refusal ? sentenceOf(refusal, what) : '',
  };
  const words = plan.isRenewal ? 'paidNoLonger' : covered.months > 0 ? 'monthsCovered' : 'paidMonthsCovered';
  const condition: Verdict = {
    status: 'True',
    reason: 'Reserved',
    ...said(CREDIT_SENTENCES[words], args),
  };
  // With credit past its term autoRenew would add a month that is not held.
  const most = covered.months > 0 ? Number.POSITIVE_INFINITY : paidUntil;
  const months = plan.isRenewal ? undefined : total;
  const isSaid = isReserved(billed) && billed.object.status?.credit?.months === months && (held ?? ZERO) === amount;
  const announced = untilOf(billed);
  const isLong = isSaid && announced <= most && announced - holdAheadMs / 2 > now;
  const until = amount > 0n ? (isLong ? announced : Math.min(most, now + holdAheadMs)) : paidUntil;
  return { amount, until, part: { condition, months } };
}

const instantText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
