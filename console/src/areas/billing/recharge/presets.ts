// Suggested amounts: common ones within the limits per payment, and the one that covers what is missing.
import { most as larger, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

const AMOUNTS = ['10', '20', '50', '100', '200', '500', '1000', '2000', '5000', '10000'] as const;
const AT_MOST = 5;

export function presetsWithin({ least, most }: { least: string; most: string }): readonly string[] {
  return AMOUNTS.filter((amount) => Number(amount) >= Number(least) && Number(amount) <= Number(most)).slice(
    0,
    AT_MOST,
  );
}

const MICRO_DIGITS = 6;

/** The smallest payment that covers `missing`; undefined if that is no amount. */
export function amountFor(
  missing: string,
  { least, currency }: { least: string; currency: string },
): string | undefined {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(missing)) return undefined;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const unit = 10n ** BigInt(MICRO_DIGITS - (format.resolvedOptions().maximumFractionDigits ?? 2));
  const whole = micros(((parseMoney(missing) + unit - 1n) / unit) * unit);
  return moneyText(larger(whole, parseMoney(least))).replace(/\.00$/, '');
}
