// The possible moves to each plan, from each plan.
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import { expect, test } from '@jest/globals';
import { planMove } from './plan-move.ts';

const own = (plan: PlanId, next?: PlanId) => ({
  plan,
  next: next === undefined ? null : { plan: next, name: next, at: '2026-12-01T00:00:00Z' },
});

test.each([
  ['the plan one has is no change', own('free'), 'free', 'current'],
  ['a higher plan is an upgrade', own('free'), 'standard', 'up'],
  ['a lower one comes when what is paid is over', own('standard'), 'free', 'down'],
  ['a plan that comes already cannot be chosen again', own('standard', 'free'), 'free', 'coming'],
  ['the plan one has calls a change off', own('standard', 'free'), 'standard', 'stay'],
  ['what staff gives is asked for', own('free'), 'enterprise', 'contact'],
  ['what staff gave is left by asking, too', own('enterprise'), 'free', 'contact'],
] as const)('%s', (_, from, wanted, move) => expect(planMove(from, wanted)).toBe(move));
