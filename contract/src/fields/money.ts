// Money: whole micro-units of a currency ($1 = 1,000,000), never a floating number. On the wire it is a decimal text.
declare const unit: unique symbol;
/** Millionths of a currency's unit; may be negative. */
export type Micros = bigint & { readonly [unit]: 'micros' };

export const MICROS_PER_UNIT = 1_000_000n;
/** 9.2 trillion is what a SQL bigint holds: sums come to more than what a person may name at once, which its own fields say. */
const MOST_DIGITS = 13;

export const micros = (amount: bigint | number): Micros => BigInt(amount) as Micros;
export const ZERO = micros(0);
export const sumOf = (amounts: Iterable<Micros>): Micros => {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return micros(sum);
};
export const least = (...amounts: [Micros, ...Micros[]]): Micros => amounts.reduce((a, b) => (a < b ? a : b));
export const most = (...amounts: [Micros, ...Micros[]]): Micros => amounts.reduce((a, b) => (a > b ? a : b));

const DECIMAL = new RegExp(`^(-?)(\\d{1,${MOST_DIGITS}})(?:\\.(\\d{1,6}))?$`);

/** Reads "12.34". Throws a RangeError for anything that is no amount of at most six decimals. */
export function parseMoney(text: string): Micros {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`"${text}" is no amount`);
  const [, sign, whole = '0', part = ''] = match;
  const amount = BigInt(whole) * MICROS_PER_UNIT + BigInt(part.padEnd(6, '0'));
  return micros(sign === '-' ? -amount : amount);
}

/** "12.34": at least two decimals, at most six, exact. */
export function moneyText(amount: Micros): string {
  const size = amount < 0n ? -amount : amount;
  const part = `${size % MICROS_PER_UNIT}`.padStart(6, '0').replace(/0{1,4}$/, '');
  return `${amount < 0n ? '-' : ''}${size / MICROS_PER_UNIT}.${part}`;
}

/** With two decimals, halves away from zero: what a person sees, and what a card is charged. */
export function roundedText(amount: Micros): string {
  return moneyText(rounded(amount, 10_000n));
}

/** "12.34 USD": what an object shows as its cost so far. */
export const costText = (amount: Micros, currency: string): string => `${roundedText(amount)} ${currency}`;

const HUNDREDTH = 10_000n;

/**
 * A remaining amount, or a limit, in a sentence: never more than there is. Two decimals; amounts below a hundredth are exact, or
 * they would read as nothing.
 */
export const leftText = (amount: Micros): string => inHundredths(amount, floored(amount, HUNDREDTH));

/** A needed, spent or charged amount, in a sentence: never less than it is. */
export const neededText = (amount: Micros): string =>
  inHundredths(amount, micros(-floored(micros(-amount), HUNDREDTH)));

const inHundredths = (amount: Micros, whole: Micros): string =>
  moneyText(amount > -HUNDREDTH && amount < HUNDREDTH ? amount : whole);

const floored = (amount: Micros, step: bigint): Micros => {
  const rest = amount % step;
  return micros(amount - (rest < 0n ? rest + step : rest));
};

/** The nearest multiple of `step`, halves away from zero. */
export function rounded(amount: Micros, step: bigint): Micros {
  return micros(dividedRounded(amount, step) * step);
}

/** `dividend / divisor` (which is positive) as the nearest whole number, halves away from zero. */
export function dividedRounded(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -quotient : quotient;
}
