// Amounts in sentences of this console. Staff see every currency, so one whose sign another shares has its code, too.
import { exactText, isSharedSign, moneyText } from '@gantry/ui/format/money.ts';

/** `$12.00`, `¥12.00 CNY`. */
export const staffMoney = (amount: string, currency: string, text = moneyText): string =>
  `${text(amount, currency)}${isSharedSign(currency) ? ` ${currency}` : ''}`;

/** With all its decimals. */
export const exactStaffMoney = (amount: string, currency: string): string => staffMoney(amount, currency, exactText);
