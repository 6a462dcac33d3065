// Amounts as card networks count them: in the smallest unit of a currency; one unit has 1, 100 or 1000 of them.
import { MICROS_PER_UNIT, type Micros, micros } from '@gantry/contract/fields/money.ts';

/** ISO 4217 as Stripe has it: https://docs.stripe.com/currencies#zero-decimal. */
const NO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

const minorPerUnit = (currency: string): bigint =>
  NO_DECIMALS.has(currency) ? 1n : THREE_DECIMALS.has(currency) ? 1000n : 100n;

/** Throws a RangeError for what the currency has no coin for. */
export function minorOf(amount: Micros, currency: string): number {
  const step = MICROS_PER_UNIT / minorPerUnit(currency);
  if (amount % step !== 0n) throw new RangeError(`${amount} micros are no whole amount of ${currency}`);
  return Number(amount / step);
}

export const fromMinor = (minor: number, currency: string): Micros =>
  micros(BigInt(minor) * (MICROS_PER_UNIT / minorPerUnit(currency)));

/** Whether the currency has coins for it. */
export const isPayable = (amount: Micros, currency: string): boolean =>
  amount % (MICROS_PER_UNIT / minorPerUnit(currency)) === 0n;
