// Half of what was paid, in amounts that the currency has, and not more than can be refunded.
import { least, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';

/** The currencies without decimals among those that are paid in here. */
const WHOLE = new Set(['JPY', 'KRW']);
const [UNIT, CENT] = [1_000_000n, 10_000n];

export function halfOf(paid: string, refundable: string, currency: string): string {
  const step = WHOLE.has(currency) ? UNIT : CENT;
  const half = least(micros(parseMoney(paid) / 2n), parseMoney(refundable));
  return moneyText(micros((half / step) * step));
}
