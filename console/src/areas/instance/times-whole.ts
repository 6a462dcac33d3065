// An amount of money times a whole number, exact.
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

export const timesWhole = (amount: string, times: number): string =>
  moneyText(micros(parseMoney(amount) * BigInt(times)));
