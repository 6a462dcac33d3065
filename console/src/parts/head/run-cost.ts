// What a run has cost by its present price: "about", because prices and sizes may have changed meanwhile.
import type { PriceView } from '@gantry/contract/kind-api.ts';

const MICROS = 1_000_000n;
const HOUR_MS = 3_600_000n;
/** A month of use has 730 hours. */
const MONTH_HOURS = 730n;

/** Decimal text with six decimals; exact up to the micro. Undefined where it is not paid by time. */
export function runCost({ amount, per }: Pick<PriceView, 'amount' | 'per'>, ms: number): string | undefined {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) return undefined;
  const micros = BigInt(whole) * MICROS + BigInt(part.slice(0, 6).padEnd(6, '0'));
  const span = HOUR_MS * (per === 'month' ? MONTH_HOURS : 1n);
  const cost = (micros * BigInt(Math.max(0, Math.floor(ms)))) / span;
  return `${cost / MICROS}.${`${cost % MICROS}`.padStart(6, '0')}`;
}
