// Billing's answers about an instance, and what an instance without credit may no longer do.

import type { Interval } from '@gantry/contract/fields/metering.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { CREDIT_QUOTA } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { type Credit, creditOf } from '../../credit.ts';
import { tooManyUnposted } from '../../metering.ts';
import type { InstanceSettings } from './desired.ts';

/** Billing's word for this generation, and the cluster's for the organisation. */
export interface CreditFacts extends Credit {
  /** Runs that nobody was billed for pile up only when billing is away; the next does not start then. */
  hasTooManyRuns: boolean;
  /** Billing has to act before anything new is made. */
  isUnpaid: boolean;
  /** Why the cluster lets no Pod of an organisation without credit in. */
  refused: string | undefined;
}

export function creditFactsOf(
  owner: GpuInstance,
  gate: InstanceSettings['creditGate'],
  now: Instant,
  refusals: readonly Refusal[],
): CreditFacts {
  const credit = creditOf(owner, gate, now);
  const hasTooManyRuns = tooManyUnposted(owner, gate, (one) => isOfRun(owner, one));
  return {
    ...credit,
    hasTooManyRuns,
    isUnpaid: credit.trouble !== undefined || hasTooManyRuns,
    refused: refusals.map(creditQuota).find((detail) => detail !== undefined),
  };
}

/** An interval of a run names its Pod; in between the instance itself is what costs. */
export const isOfRun = (instance: GpuInstance, { subjectUID }: Interval): boolean =>
  subjectUID !== identityOf(instance);

/** Ready once, or used while its notebook was silent: it has work to keep. */
export const wasUsed = (owner: GpuInstance): boolean =>
  owner.status?.everReady === true || (owner.status?.intervals ?? []).some((one) => isOfRun(owner, one));

/** An instance that was never used costs nothing yet and may become used: it ends then. */
export const isOutOfCredit = (owner: GpuInstance, { isOut }: Credit): boolean => isOut && wasUsed(owner);

/** The quota that closes an organisation without credit is no fault of the instance's: it waits, as billing will say itself. */
export const creditQuota = ({ message }: Refusal): string | undefined =>
  new RegExp(`(?:exceeded|status unknown for) quota: ${CREDIT_QUOTA}, (.*)$`).exec(message)?.[1];
