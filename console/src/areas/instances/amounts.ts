// Money as the pages of an instance reckon with it.
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

/** Exact. */
export const timesWhole = (amount: string, times: number): string =>
  moneyText(micros(parseMoney(amount) * BigInt(times)));
