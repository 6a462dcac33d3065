// Amounts as people read them, in screens, sentences, mails and documents alike: "$1,234.57". They come as decimal text and stay
// exact: no floating number touches one.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const SHOWN_DECIMALS = 2;
/** A price below a cent is shown to its first digits, or it would be 0.00. */
const MOST_DECIMALS = 6;

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', CNY: '¥', JPY: '¥', GBP: '£' };

export const currencySign = (currency: string): string => SIGNS[currency] ?? `${currency} `;

/** Whether another currency has the same sign: who sees both needs the code, too. */
export const isSharedSign = (currency: string): boolean =>
  Object.entries(SIGNS).some(([other, sign]) => other !== currency && sign === SIGNS[currency]);

/** "$1,234.57": two decimals, halves away from zero. */
export const shownMoney = (amount: string | null | undefined, currency: string): string =>
  written(amount, currency, SHOWN_DECIMALS);

/** As `shownMoney`, but a rate below ten cents shows up to six decimals: "$0.002216". */
export function shownRate(amount: string | null | undefined, currency: string): string {
  const [, , whole = '0', part = ''] = DECIMAL.exec(amount ?? '') ?? [];
  const isSmall = /^0+$/.test(whole) && part.startsWith('0') && /[1-9]/.test(part);
  return written(amount, currency, isSmall ? MOST_DECIMALS : SHOWN_DECIMALS);
}

/** With all the decimals there are, two at least: "$1.234567". For unit prices, entries of the books, and what is rounded already. */
export const exactMoney = (amount: string | null | undefined, currency: string): string =>
  written(amount, currency, MOST_DECIMALS);

const MONEY_GAP = /%\{(\w+)\} %\{currency\}/g;

/** In a sentence `%{wanted} %{currency}` is one amount; the rest of it stays. */
export const withMoney = (text: string, { currency, ...args }: Readonly<Record<string, string>>): string =>
  currency === undefined
    ? text
    : text.replaceAll(MONEY_GAP, (gap, name: string) => {
        const amount = args[name];
        return amount !== undefined && DECIMAL.test(amount) ? exactMoney(amount, currency) : gap;
      });

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
