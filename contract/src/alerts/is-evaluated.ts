// Which alert policies are evaluated: what the evaluator does, and what the staff's overview expects of it.
import { instantOf } from '../fields/date-time.ts';
import type { AlertPolicy } from '../kinds/alert-policy.ts';
import { organizationOf } from '../names.ts';

/** The policy ended at its `validUntil`. */
export function isOver({ spec }: AlertPolicy, now: number): boolean {
  const until = instantOf(spec.validUntil);
  return until !== undefined && until <= now;
}

/** Only policies of organisations are evaluated: nobody else has objects, or people to notify. */
export const isEvaluated = (policy: AlertPolicy, now: number): boolean =>
  policy.spec.state === 'Enabled' &&
  !isOver(policy, now) &&
  policy.metadata.deletionTimestamp === undefined &&
  organizationOf(policy.metadata.namespace ?? '') !== undefined;
