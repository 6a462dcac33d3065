// Ids and codes by chance: random ids, four digits to type before many things are deleted, and text codes of the base-62 alphabet,
// which refuse every other character. Chance is an argument.

/** So many random bytes. */
export type Chance = (count: number) => Uint8Array;

/** Digits, then capitals, then small letters; a text code is a number in it. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;
const DIGIT = new Map([...ALPHABET].map((letter, at) => [letter, BigInt(at)]));
const FOUR_DIGITS = 10_000n;
/** So many bytes more than a number needs leave every number as likely as the others. */
const SPARE_BYTES = 8;

/** `0` for 0, `Z` for 35, `10` for 62. Throws a RangeError for a number below zero. */
export function textCodeOf(value: bigint): string {
  if (value < 0n) throw new RangeError('a text code stands for no number below zero');
  const rest = value / BASE;
  return (rest === 0n ? '' : textCodeOf(rest)) + ALPHABET[Number(value % BASE)];
}

/** The number of a text code; undefined for a text that is empty or has a character of another alphabet. */
export function numberOf(code: string): bigint | undefined {
  let value = 0n;
  for (const letter of code) {
    const digit = DIGIT.get(letter);
    if (digit === undefined) return undefined;
    value = value * BASE + digit;
  }
  return code === '' ? undefined : value;
}

export const isTextCode = (text: string): boolean => numberOf(text) !== undefined;

export const newTextCode = (length: number, chance: Chance): string =>
  textCodeOf(below(BASE ** BigInt(length), length, chance)).padStart(length, '0');

/** `0000` to `9999`. */
export const newFourDigits = (chance: Chance): string => `${below(FOUR_DIGITS, 2, chance)}`.padStart(4, '0');

/** A UUID of version 4. Where a page is not secure, browsers do not make them. */
export function newRandomId(chance: Chance): string {
  const bytes = chance(16);
  const set = (at: number, keep: number, mark: number) => ((bytes[at] ?? 0) & keep) | mark;
  bytes[6] = set(6, 0x0f, 0x40);
  bytes[8] = set(8, 0x3f, 0x80);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A number below `end`, which fits into so many bytes. */
function below(end: bigint, bytes: number, chance: Chance): bigint {
  return [...chance(bytes + SPARE_BYTES)].reduce((value, byte) => value * 256n + BigInt(byte), 0n) % end;
}
