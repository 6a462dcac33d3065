// ID card numbers: 15 digits, or 18 characters whose last one is computed from the others (GB 11643-1999).
import * as z from 'zod';

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CODES = '10X98765432';

/** The check digit of the first 17 digits. */
const checkDigit = (digits: string): string =>
  CODES[WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11] as string;

export const isIdCard = (text: string): boolean =>
  /^\d{15}$/.test(text) || (/^\d{17}[\dXx]$/.test(text) && checkDigit(text) === text[17]?.toUpperCase());

/** The 18 characters of a sound number. Cards of 15 digits were all given to people of the 20th century. */
export function wholeIdCard(text: string): string {
  if (text.length === 18) return text.toUpperCase();
  const digits = `${text.slice(0, 6)}19${text.slice(6)}`;
  return digits + checkDigit(digits);
}

/** As a field of a request: x becomes X. */
export const idCard = z
  .string()
  .regex(/^(\d{15}|\d{17}[\dXx])$/, 'id_card_format')
  .refine(isIdCard, 'id_card_format')
  .overwrite((text) => text.toUpperCase())
  .meta({ description: 'ID card number: 15 digits, or 17 digits and a check digit.' });
