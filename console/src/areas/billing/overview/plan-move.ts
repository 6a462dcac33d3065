// The effect of a plan's button. Pure; the server decides whether it is allowed.

import type { OwnPlanView } from '@gantry/contract/areas/billing/prices.ts';
import { PLANS, type PlanId } from '@gantry/contract/billing/plans.ts';

/** `current` and `coming` are nothing to press; `stay` calls a change off; `contact`: only the provider does it. */
export type PlanMove = 'current' | 'coming' | 'stay' | 'up' | 'down' | 'contact';

export function planMove(own: Pick<OwnPlanView, 'plan' | 'next'>, wanted: PlanId): PlanMove {
  if (own.next?.plan === wanted) return 'coming';
  if (own.plan === wanted) return own.next ? 'stay' : 'current';
  if (PLANS[wanted].byStaff || PLANS[own.plan].byStaff) return 'contact';
  return PLANS[wanted].rank > PLANS[own.plan].rank ? 'up' : 'down';
}
