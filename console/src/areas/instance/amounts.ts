// Money as the pages of an instance reckon with it.
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

/** Exact. */
export const timesWhole = (amount: string, times: number): string =>
  moneyText(micros(parseMoney(amount) * BigInt(times)));

/**
 * How long a balance lasts with what runs already and something more per hour; undefined where nothing costs. Only a guide, shown
 * as whole hours, so floating numbers are good enough for it.
 */
export function hoursLeft(
  { balance, per_hour }: { balance: string; per_hour: string },
  more: string,
): number | undefined {
  const perHour = Number(per_hour) + Number(more);
  return perHour > 0 ? Math.max(0, Math.floor(Number(balance) / perHour)) : undefined;
}
