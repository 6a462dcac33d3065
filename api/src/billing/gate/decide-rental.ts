// What the gate does about a rented host, once its months are planned: pure. What counts is charged by then; what is wished for
// beyond that is held, and what is paid needs nothing.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type Decision, isReserved, RETRY_MS, untilOf } from './decide.ts';
import type { Billed, Verdict } from './parts.ts';
import { RENEW_AHEAD_MS, type RentalPlan } from './rental.ts';

interface Known {
  now: number;
  holdAheadMs: number;
  /** Held for it. */
  held: Micros | undefined;
  /** The plan that counts has room for no such host: what is paid goes on to its end, and nothing is added. */
  beyond: Verdict | undefined;
}

export function decideRental(billed: Billed, plan: RentalPlan, { now, holdAheadMs, held, beyond }: Known): Decision {
  const { spec, status, metadata } = billed.object as unknown as GpuHost;
  if (metadata.deletionTimestamp !== undefined || status?.returnedAt !== undefined) return { do: 'rest' };
  const { paidUntil } = plan;
  // Only of what autoRenew would add: with credit for a wish of more months the operator would count them all.
  if (beyond && plan.isRenewal && paidUntil !== undefined && paidUntil > now) {
    const args = { at: instantText(paidUntil), detail: beyond.message };
    const message = sentence(CREDIT_SENTENCES.paidNoLonger, 'en', args);
    const condition: Verdict = { status: 'True', reason: 'Reserved', message };
    return { do: 'paid', condition, until: paidUntil, againAt: Math.min(paidUntil, now + RETRY_MS) };
  }
  if (beyond) return { do: 'refuse', condition: beyond, againAt: now + RETRY_MS };
  if (plan.hold <= 0n) {
    if (paidUntil === undefined || paidUntil <= now) return { do: 'rest' };
    const renewAt = spec.autoRenew ? paidUntil - RENEW_AHEAD_MS : undefined;
    const message = sentence(CREDIT_SENTENCES.paidUntil, 'en', { at: instantText(paidUntil) });
    const condition: Verdict = { status: 'True', reason: 'Reserved', message };
    return { do: 'paid', condition, until: paidUntil, ...(renewAt !== undefined && { againAt: renewAt }) };
  }
  // A renewal's money stays until the operator has counted the month; with anything else the wish may yet be taken back.
  const until = plan.isRenewal && paidUntil !== undefined ? Math.max(paidUntil, now) + holdAheadMs : now + holdAheadMs;
  const half = untilOf(billed) - holdAheadMs / 2;
  if (isReserved(billed) && half > now && held !== undefined && held >= plan.hold) return { do: 'wait', againAt: half };
  return {
    do: 'reserve',
    amount: plan.hold,
    until,
    what: plan.what,
    ...(plan.isRenewal && paidUntil !== undefined && paidUntil > now && { paidUntil }),
  };
}

export const instantText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
