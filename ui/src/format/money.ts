// Amounts as people read them. They come as decimal text and stay exact: no floating number touches one.
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const SHOWN_DECIMALS = 2;
/** A price below a cent is shown to its first digits, or it would be 0.00. */
const MOST_DECIMALS = 6;

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', CNY: '¥', JPY: '¥', GBP: '£' };

export const currencySign = (currency: string): string => SIGNS[currency] ?? `${currency} `;

/** "$1,234.57": two decimals, halves away from zero. */
export function moneyText(amount: string | null | undefined, currency: string): string {
  return written(amount, currency, SHOWN_DECIMALS);
}

/** As `moneyText`, but whole amounts have no decimals: "$100". */
export const roundText = (amount: string | null | undefined, currency: string): string =>
  moneyText(amount, currency).replace(/\.00$/, '');

/** As `moneyText`, but a rate below ten cents shows up to six decimals: "$0.002216". */
export function rateText(amount: string | null | undefined, currency: string): string {
  const [, , whole = '0', part = ''] = DECIMAL.exec(amount ?? '') ?? [];
  const isSmall = /^0+$/.test(whole) && part.startsWith('0') && /[1-9]/.test(part);
  return written(amount, currency, isSmall ? MOST_DECIMALS : SHOWN_DECIMALS);
}

/** With all the decimals there are, two at least: "$1.234567". For unit prices and entries of the books. */
export const exactText = (amount: string | null | undefined, currency: string): string =>
  written(amount, currency, MOST_DECIMALS);

/**
 * Typed text in the API's format: thousands may be grouped as we write them, or by spaces, and digits may be full-width. Other
 * groupings stay, for the rule to refuse: "2,00" means two to one person and two hundred to another.
 */
export function typedAmount(text: string): string {
  const plain = text.normalize('NFKC').trim();
  return /^\d{1,3}([, ])\d{3}(\1\d{3})*(\.\d*)?$/.test(plain) ? plain.replace(/[, ]/g, '') : plain;
}

function written(amount: string | null | undefined, currency: string, decimals: number): string {
  const match = DECIMAL.exec(amount ?? '');
  if (!match) return '–';
  const [, sign, whole = '0', part = ''] = match;
  const digits = part.padEnd(decimals + 1, '0');
  const kept = BigInt(`${whole}${digits.slice(0, decimals)}`) + (Number(digits[decimals]) >= 5 ? 1n : 0n);
  const text = `${kept}`.padStart(decimals + 1, '0');
  const rest = text.slice(-decimals);
  const trimmed = decimals > SHOWN_DECIMALS ? rest.replace(/0+$/, '').padEnd(SHOWN_DECIMALS, '0') : rest;
  const grouped = text.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const minus = sign === '-' && kept !== 0n ? '-' : '';
  return `${minus}${currencySign(currency)}${grouped}.${trimmed}`;
}
