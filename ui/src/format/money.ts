// Amounts as people read and type them; the contract writes them, for screens and sentences alike.
import * as shown from '@gantry/contract/fields/shown-money.ts';

/** "$1,234.57": two decimals, halves away from zero. */
export const moneyText = shown.shownMoney;
/** As `moneyText`, but a rate below ten cents shows up to six decimals: "$0.002216". */
export const rateText = shown.shownRate;
/** With all the decimals there are, two at least: "$1.234567". For unit prices and entries of the books. */
export const exactText = shown.exactMoney;
export const currencySign = shown.currencySign;
/** Whether another currency has the same sign. */
export const isSharedSign = shown.isSharedSign;

/** As `moneyText`, but whole amounts have no decimals: "$100". */
export const roundText = (amount: string | null | undefined, currency: string): string =>
  moneyText(amount, currency).replace(/\.00$/, '');

/**
 * Typed text in the API's format: thousands may be grouped as we write them, or by spaces, and digits may be full-width. Other
 * groupings stay, for the rule to refuse: "2,00" means two to one person and two hundred to another.
 */
export function typedAmount(text: string): string {
  const plain = text.normalize('NFKC').trim();
  return /^\d{1,3}([, ])\d{3}(\1\d{3})*(\.\d*)?$/.test(plain) ? plain.replace(/[, ]/g, '') : plain;
}
