// What a job may cost at most: every try takes as long as it may.
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

const MINUTES = 60n;

/** Rounded up to a millionth. */
export function atMost(perHour: string, minutes: number, retries: number): string {
  if (!Number.isInteger(minutes) || !Number.isInteger(retries) || minutes < 0 || retries < 0) return perHour;
  const total = parseMoney(perHour) * BigInt(minutes) * BigInt(retries + 1);
  return moneyText(micros((total + MINUTES - 1n) / MINUTES));
}
