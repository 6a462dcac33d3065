// The texts that people read about a payment: its progress, and why it failed. The reasons are ours: each channel maps its provider's onto
// them.
import type { Tone, Words } from '../define-kind.ts';
import * as en from '../words/en/payments.ts';
import * as ja from '../words/ja/payments.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/payments.ts';
import { BILL_STATUSES, type BillStatus } from './bill.ts';

export const PAYMENT_STATES = ['open', 'paid', 'failed'] as const;
/** The state of disputes that were noted before disputes were booked: staff may have adjusted the wallet for them. */
export const DISPUTE_BOOKINGS = ['undecided', 'by_hand'] as const;
export const REFUND_STATES = ['asked', 'taken', 'sent', 'done', 'failed'] as const;

export const PAYMENT_TEXTS = joined('payment', { en: en.texts, zh: zh.texts, ja: ja.texts });

export const PAYMENT_FAILURES = joined('payment', { en: en.failures, zh: zh.failures, ja: ja.failures });
export type PaymentFailure = keyof typeof PAYMENT_FAILURES;
export const isPaymentFailure = (text: string): text is PaymentFailure => Object.hasOwn(PAYMENT_FAILURES, text);

const CALLED_OFF = { tone: 'neutral', en: en.calledOff, zh: zh.calledOff, ja: ja.calledOff } as const;

/** Whether the code of a failed payment says that somebody wanted that. */
export const isCalledOff = (why: string | null): boolean => why === ('given_up' satisfies PaymentFailure);

/** A bill's status as people read it: a cancelled payment has not failed, though its status is the same. `why`: the code. */
export const statusWords = (status: BillStatus, why: string | null): Words & { tone: Tone } =>
  status === 'paid_failed' && isCalledOff(why) ? CALLED_OFF : BILL_STATUSES[status];

const TITLES = joined('payment', { en: en.noticeTitles, zh: zh.noticeTitles, ja: ja.noticeTitles });
const CONTENTS = joined('payment', { en: en.noticeContents, zh: zh.noticeContents, ja: ja.noticeContents });
export type PaymentNotice = keyof typeof TITLES & keyof typeof CONTENTS;

/** Notices to payers about events while nobody is watching. */
export const paymentNotice = (name: PaymentNotice): { title: Words; content: Words } => ({
  title: TITLES[name],
  content: CONTENTS[name],
});
