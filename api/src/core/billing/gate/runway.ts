// How long money lasts: what is used by the hour, and what is charged by the month on fixed days (a plan, hosts that renew
// themselves). Pure. It ends with the first amount that is not there.
import { addMonths } from '@gantry/contract/billing/add-months.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';

const HOUR_MS = 3_600_000;
/** Nobody plans further: a hundred years. */
const MOST_MS = 100 * 8766 * HOUR_MS;

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

/** In milliseconds, at most a hundred years if anything is charged by the month; undefined if nothing is charged. */
export function runwayMs({ left, perHour, monthly }: Money, now: number): number | undefined {
  const charges = monthly.filter(({ amount }) => amount > 0n);
  const isUsed = perHour > 0n;
  if (!isUsed && charges.length === 0) return undefined;
  if (left <= 0n) return 0;
  if (charges.length === 0) return Number((left * BigInt(HOUR_MS)) / perHour);
  const isOver = (ms: number): boolean => {
    const charged = charges.reduce((sum, charge) => sum + charge.amount * BigInt(timesBy(charge, now + ms)), 0n);
    const [rest, used] = [(left - charged) * BigInt(HOUR_MS), (isUsed ? perHour : 0n) * BigInt(ms)];
    return used > rest || (isUsed && used === rest);
  };
  // It only ever gets less: the moment is looked for by halves.
  let [before, after] = [-1, MOST_MS];
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    if (isOver(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** How many times it is charged until then. */
function timesBy({ start, month }: MonthlyCharge, until: number): number {
  const [from, to] = [new Date(start), new Date(until)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const last = addMonths(start, months) <= until ? months : months - 1;
  return Math.max(0, last - month + 1);
}
