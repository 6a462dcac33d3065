// How much may be paid at once: a range per currency. Payments in other currencies are impossible. Pure.
import { type Micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { isPayable } from './minor-units.ts';

/** As they are now: staff change them at run time. */
export type Limits = Pick<ReadonlyMap<string, { least: Micros; most: Micros }>, 'get'>;

const ROW = /^([A-Z]{3}):([\d.]+)-([\d.]+)$/;

/** Parses `USD:1-10000`, one currency each. Throws a RangeError for anything else. */
export function limitsOf(rows: readonly string[]): ReadonlyMap<string, { least: Micros; most: Micros }> {
  return new Map(
    rows.map((row) => {
      const [, currency = '', from = '', to = ''] = ROW.exec(row) ?? [];
      const [least, most] = [parseMoney(from), parseMoney(to)];
      if (least <= 0n || least > most) throw new RangeError(`"${row}" is no range`);
      return [currency, { least, most }];
    }),
  );
}

/** Throws the problems currency_not_payable, amount_outside, amount_unit. */
export function requireWithin(limits: Limits, amount: Micros, currency: string, field = 'amount'): void {
  const range = limits.get(currency);
  if (!range) throw problem('currency_not_payable', { currency }, { field });
  if (amount < range.least || amount > range.most) {
    const [least, most] = [moneyText(range.least), moneyText(range.most)];
    throw problem('amount_outside', { field, least, most, currency }, { field });
  }
  if (!isPayable(amount, currency)) throw problem('amount_unit', { field, currency }, { field });
}
