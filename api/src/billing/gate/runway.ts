// How long money lasts: what is used by the hour, and what is charged by the month on fixed days (a plan, hosts that renew
// themselves). Pure. It ends with the first amount that is not there.
import { addMonths } from '@gantry/contract/billing/add-months.ts';
import { dividedRounded, type Micros } from '@gantry/contract/fields/money.ts';

const HOUR_MS = 3_600_000;
/** Nobody plans further: a hundred years. */
const MOST_MONTHS = 1200;

/** Charged on the same day of each month, counted from `start`; the next time at its month number `month`. */
export interface MonthlyCharge {
  start: number;
  month: number;
  amount: Micros;
}

interface Money {
  left: bigint;
  perHour: bigint;
  monthly: readonly MonthlyCharge[];
}

/** In milliseconds; undefined if nothing is charged. */
export function runwayMs({ left, perHour, monthly }: Money, now: number): number | undefined {
  if (left <= 0n && (perHour > 0n || monthly.some(({ amount }) => amount > 0n))) return 0;
  const restMs = (rest: bigint) => Number((rest * BigInt(HOUR_MS)) / perHour);
  const next = monthly.filter(({ amount }) => amount > 0n).map((charge) => ({ ...charge }));
  if (next.length === 0) return perHour <= 0n ? undefined : restMs(left);
  let [rest, at] = [left, now];
  for (let count = 0; count < MOST_MONTHS; count++) {
    const [due] = next.toSorted((a, b) => whenOf(a) - whenOf(b)) as [MonthlyCharge];
    const until = Math.max(at, whenOf(due));
    const used = dividedRounded(perHour * BigInt(until - at), BigInt(HOUR_MS));
    if (perHour > 0n && used >= rest) return at - now + restMs(rest);
    if (due.amount > rest - used) return until - now;
    rest -= used + due.amount;
    at = until;
    due.month += 1;
  }
  return at - now;
}

const whenOf = ({ start, month }: MonthlyCharge): number => addMonths(start, month);
