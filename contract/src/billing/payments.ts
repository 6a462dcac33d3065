// What people are told of a payment: how far it is, and why it failed. The reasons are ours: each channel maps its provider's
// own onto them.
import type { Tone, Words } from '../define-kind.ts';
import { BILL_STATUSES, type BillStatus } from './bill.ts';

export const PAYMENT_STATES = ['open', 'paid', 'failed'] as const;
/** What becomes of disputes that were noted before disputes were booked: staff may have adjusted the wallet for them. */
export const DISPUTE_BOOKINGS = ['undecided', 'by_hand'] as const;
export const REFUND_STATES = ['asked', 'taken', 'sent', 'done', 'failed'] as const;

export const PAYMENT_TEXTS = {
  confirm: {
    en: 'The payment waits for you: for a card, or for you to confirm it.',
    zh: '等待您完成支付：请填写银行卡或进行确认。',
    ja: 'カードの入力、または支払いの確認をお待ちしています。',
  },
  transfer: {
    en: 'Put the reference on your transfer; the balance grows when it has arrived.',
    zh: '请在转账附言中填写参考号；到账后余额会增加。',
    ja: '振込に参照番号を記載してください。着金後に残高へ反映されます。',
  },
  pending: {
    en: 'Payment pending: funds will be late, check later',
    zh: '支付处理中：资金将延迟到账，请稍后查看',
    ja: '支払い処理中：入金が遅れます。後で確認してください',
  },
  paid: { en: 'Pay successfully', zh: '支付成功', ja: '支払いが完了しました' },
  refunding: { en: 'The money is on its way back.', zh: '正在退款。', ja: '返金処理中です。' },
  refunded: { en: 'The payment was refunded.', zh: '已退款。', ja: '返金されました。' },
} as const satisfies Record<string, Words>;

export const PAYMENT_FAILURES = {
  card_declined: { en: 'The card was declined.', zh: '银行卡被拒绝。', ja: 'カードが拒否されました。' },
  insufficient_funds: {
    en: 'The card has insufficient funds.',
    zh: '银行卡余额不足。',
    ja: 'カードの残高が不足しています。',
  },
  expired_card: { en: 'The card has expired.', zh: '银行卡已过期。', ja: 'カードの有効期限が切れています。' },
  wrong_card_data: {
    en: "The card's details are not right.",
    zh: '银行卡信息不正确。',
    ja: 'カード情報が正しくありません。',
  },
  authentication_failed: {
    en: 'The bank could not confirm that it was you.',
    zh: '银行未能确认是您本人。',
    ja: '銀行による本人確認ができませんでした。',
  },
  authentication_needed: {
    en: 'The cardholder must first confirm the payment with the bank (3-D Secure).',
    zh: '需先由持卡人通过银行的身份验证（3-D Secure）。',
    ja: '先にカード名義人が銀行で本人認証（3-D セキュア）を行う必要があります。',
  },
  given_up: { en: 'The payment was cancelled.', zh: '支付已取消。', ja: '支払いはキャンセルされました。' },
  timed_out: {
    en: 'Nobody confirmed the payment in time.',
    zh: '未在时限内确认支付。',
    ja: '時間内に確認されませんでした。',
  },
  never_reached: {
    en: 'The payment never reached the provider; nothing was charged.',
    zh: '支付未到达支付机构，未产生扣款。',
    ja: '決済事業者に届きませんでした。請求は発生していません。',
  },
  /** What arrived is not what was asked for: staff look at it. */
  amount_differs: {
    en: 'The provider tells of another amount; staff look at it.',
    zh: '支付机构返回的金额不一致，工作人员正在核查。',
    ja: '決済事業者の金額が一致しません。担当者が確認します。',
  },
  cash_short: {
    en: 'The money is no longer in the balance.',
    zh: '余额中的资金已不足。',
    ja: '残高に資金が残っていません。',
  },
  provider_refused: { en: 'The provider refused it.', zh: '支付机构已拒绝。', ja: '決済事業者に拒否されました。' },
} as const satisfies Record<string, Words>;
export type PaymentFailure = keyof typeof PAYMENT_FAILURES;
export const isPaymentFailure = (text: string): text is PaymentFailure => Object.hasOwn(PAYMENT_FAILURES, text);

const CALLED_OFF = { tone: 'neutral', en: 'Cancelled', zh: '已取消', ja: 'キャンセル済み' } as const;

/** Of the code of why a payment failed: somebody wanted that. */
export const isCalledOff = (why: string | null): boolean => why === ('given_up' satisfies PaymentFailure);

/** A bill's status as people read it: what somebody called off has not failed, though its status is the same. `why`: the code. */
export const statusTold = (status: BillStatus, why: string | null): Words & { tone: Tone } =>
  status === 'paid_failed' && isCalledOff(why) ? CALLED_OFF : BILL_STATUSES[status];

/** What people who pay are told when nobody is there to see it. */
export const PAYMENT_NOTICES = {
  autoRechargeStopped: {
    title: { en: 'Automatic recharge stopped', zh: '自动充值已停止', ja: '自動チャージを停止しました' },
    content: {
      en: 'A recharge of {amount} {currency} failed: {why} Automatic recharge is off until somebody turns it on again.',
      zh: '{amount} {currency} 的充值失败：{why}自动充值已关闭，需手动重新开启。',
      ja: '{amount} {currency} のチャージに失敗しました：{why}自動チャージは再度有効にするまで停止します。',
    },
  },
  autoRechargeEnded: {
    title: { en: 'Automatic recharge stopped', zh: '自动充值已停止', ja: '自動チャージを停止しました' },
    content: {
      en: 'A payment was paid back or is disputed. Automatic recharge is off until somebody turns it on again.',
      zh: '有支付被退款或存在争议。自动充值已关闭，需手动重新开启。',
      ja: '支払いが返金されたか、異議が申し立てられています。自動チャージは再度有効にするまで停止します。',
    },
  },
  autoRecharged: {
    title: { en: 'Recharged automatically', zh: '已自动充值', ja: '自動チャージしました' },
    content: {
      en: '{amount} {currency} were added to the balance.',
      zh: '余额已增加 {amount} {currency}。',
      ja: '残高に {amount} {currency} を追加しました。',
    },
  },
  autoRechargeLimit: {
    title: { en: 'Automatic recharge waits', zh: '自动充值已达上限', ja: '自動チャージが上限に達しました' },
    content: {
      en: "The daily limit of {limit} {currency} is reached: the next recharge is tomorrow's.",
      zh: '已达到每日上限 {limit} {currency}，明日再自动充值。',
      ja: '1 日の上限 {limit} {currency} に達しました。次は明日です。',
    },
  },
  latePaid: {
    title: { en: 'Pay successfully', zh: '支付成功', ja: '支払いが完了しました' },
    content: {
      en: 'A payment of {amount} {currency} has arrived.',
      zh: '{amount} {currency} 的支付已到账。',
      ja: '{amount} {currency} の支払いが着金しました。',
    },
  },
  disputed: {
    title: { en: 'A payment is disputed', zh: '一笔支付存在争议', ja: '支払いに異議が申し立てられました' },
    content: {
      en: 'A payment is disputed, and the bank took back {amount} {currency} of it. The amount is deducted from the balance until the dispute is decided. What the balance does not cover becomes debt.',
      zh: '一笔支付存在争议，银行收回了其中的 {amount} {currency}。争议裁定之前，该金额从余额中扣除，余额不足的部分计为欠款。',
      ja: '支払いに異議が申し立てられ、銀行がそのうち {amount} {currency} を取り戻しました。この金額は異議の結果が出るまで残高から差し引かれ、不足分は未払い金になります。',
    },
  },
  disputeWon: {
    title: { en: 'Payment dispute decided', zh: '支付争议已裁定', ja: '支払いへの異議の結果が出ました' },
    content: {
      en: 'The dispute over a payment is settled, and {amount} {currency} is back in the balance.',
      zh: '支付争议已解决，{amount} {currency} 已退回余额。',
      ja: '支払いへの異議が解決し、{amount} {currency} が残高に戻りました。',
    },
  },
  disputeLost: {
    title: { en: 'Payment dispute decided', zh: '支付争议已裁定', ja: '支払いへの異議の結果が出ました' },
    content: {
      en: 'The bank upheld the dispute over a payment. {amount} {currency} will not return to the balance.',
      zh: '银行认定支付争议成立，{amount} {currency} 不会退回余额。',
      ja: '銀行が支払いへの異議を認めました。{amount} {currency} は残高に戻りません。',
    },
  },
  refunded: {
    title: { en: 'Refund', zh: '退款', ja: '返金' },
    content: {
      en: '{amount} {currency} were paid back.',
      zh: '已退回 {amount} {currency}。',
      ja: '{amount} {currency} を返金しました。',
    },
  },
} as const satisfies Record<string, { title: Words; content: Words }>;
export type PaymentNotice = keyof typeof PAYMENT_NOTICES;
