// Which plan applies, until when it is paid and what comes next: pure, from append-only rows.
import { addMonths } from '@gantry/contract/billing/add-months.ts';
import { PLANS, type PlanId } from '@gantry/contract/billing/plans.ts';

export interface HeldPlan {
  id: bigint;
  plan: PlanId;
  validFrom: number;
}

export interface PaidMonth {
  /** Its place among the organisation's paid months, from 0 on. */
  number: number;
  plan: PlanId;
  from: number;
  to: number;
}

export interface PlanState {
  plan: PlanId;
  /** Undefined if it has always been free. */
  since?: number;
  /** For a charged plan: the end of the last paid month. */
  paidTo?: number;
  next?: { plan: PlanId; at: number };
  /** How many months were ever paid. */
  months: number;
}

/** How long a plan outlives its paid month, while the next is tried again and again. */
export const PLAN_GRACE_MS = 72 * 3_600_000;

export function planState(held: readonly HeldPlan[], paid: readonly PaidMonth[], now: number): PlanState {
  const inTime = [...held].sort((a, b) => a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1));
  const current = inTime.findLast(({ validFrom }) => validFrom <= now);
  const plan = current?.plan ?? 'free';
  const later = inTime.filter(({ validFrom }) => validFrom > now);
  // The last decision about a moment applies; a change that was taken back is a row with the current plan.
  const next = [...Map.groupBy(later, ({ validFrom }) => validFrom)]
    .map(([at, rows]) => ({ at, plan: (rows.at(-1) as HeldPlan).plan }))
    .find((one) => one.plan !== plan);
  const last = paid.filter((month) => month.plan === plan).at(-1);
  return {
    plan,
    ...(current && { since: current.validFrom }),
    ...(PLANS[plan].price === 'list' && last && { paidTo: last.to }),
    ...(next && { next }),
    months: paid.length,
  };
}

/** The plan that limits hosts: an ordered lower one counts at once, so that hosts rented until then still fit. */
export const countedPlan = ({ plan, next }: PlanState): PlanId =>
  next && PLANS[next.plan].rank < PLANS[plan].rank ? next.plan : plan;

/** When the next month of a charged plan begins; undefined if nothing is to be charged. */
export function renewalDue({ plan, since, paidTo }: PlanState, now: number): number | undefined {
  if (PLANS[plan].price !== 'list') return undefined;
  // A plan that staff grant again after a break is charged from then on, and not for the break.
  const due = Math.max(paidTo ?? 0, since ?? 0);
  return due <= now ? due : undefined;
}

/** The month that begins at `from`: it ends on the same day of the month on which the unbroken series began. */
export function monthFrom(paid: readonly PaidMonth[], plan: PlanId, from: number): PaidMonth {
  let [first, months] = [from, 1];
  for (const month of paid.toReversed()) {
    if (month.plan !== plan || month.to !== first) break;
    first = month.from;
    months += 1;
  }
  return { number: paid.length, plan, from, to: addMonths(first, months) };
}
