// How long a host is rented: months from its first Active, anchored to that day and clamped to the end of a shorter month.
import { addMonths } from '@gantry/contract/billing/add-months.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant } from '../../metering.ts';

const HOUR_MS = 3_600_000;
/** Said so long before the end. */
const SOON_MS = 72 * HOUR_MS;
/** Instances may go on for so long after it. */
const GRACE_MS = 72 * HOUR_MS;

export interface Rental {
  expiresAt: Instant;
  graceEnds: Instant;
  isExpired: boolean;
  isGraceOver: boolean;
  /** Whole hours until the end, rounded up, once it is near. */
  hoursLeft: number | undefined;
}

/** Absent for nodes of the organisation's own, and before the first Active. `months` are those that count, renewals among them. */
export function rentalOf({ spec, status }: GpuHost, months: number, now: Instant): Rental | undefined {
  const startedAt = instant(status?.startedAt);
  if (spec.source === 'owned' || startedAt === undefined) return undefined;
  const expiresAt = addMonths(startedAt, months);
  const leftMs = expiresAt - now;
  return {
    expiresAt,
    graceEnds: expiresAt + GRACE_MS,
    isExpired: leftMs <= 0,
    isGraceOver: leftMs + GRACE_MS <= 0,
    hoursLeft: leftMs > 0 && leftMs <= SOON_MS ? Math.ceil(leftMs / HOUR_MS) : undefined,
  };
}

/** Months that autoRenew adds to those that count: as many as it takes for the host not to be expired. */
export function renewals({ spec, status }: GpuHost, counted: number, now: Instant): number {
  const renewed = status?.renewedMonths ?? 0;
  const from = instant(status?.startedAt);
  if (spec.source === 'owned' || from === undefined) return renewed;
  let months = renewed;
  while (addMonths(from, counted + months) <= now) months += 1;
  return months;
}

/** The next moment at which time alone changes the rental's state. */
export function nextMoment({ expiresAt, graceEnds, hoursLeft }: Rental, now: Instant): Instant | undefined {
  const hour = hoursLeft === undefined ? undefined : expiresAt - (hoursLeft - 1) * HOUR_MS;
  return [expiresAt - SOON_MS, hour, expiresAt, graceEnds]
    .filter((at) => at !== undefined)
    .sort((a, b) => a - b)
    .find((at) => at > now);
}
