// Why something that costs is not made, or does not run on: billing's answers, and their words. `{detail}` is what billing says
// itself, with the numbers.
import type { Words } from '../define-kind.ts';

export const CREDIT_REASONS = {
  WaitingForCredit: {
    en: 'Waiting for billing to reserve credit.',
    zh: '正在等待计费系统预留额度。',
    ja: '課金システムによる与信の確保を待っています。',
  },
  OutOfCredit: {
    en: 'The organisation is out of credit: {detail}',
    zh: '组织余额不足：{detail}',
    ja: '組織の残高が不足しています：{detail}',
  },
  SpendCapReached: {
    en: 'A spending cap is reached: {detail}',
    zh: '已达到消费上限：{detail}',
    ja: '利用額の上限に達しました：{detail}',
  },
  NoPrice: {
    en: 'It has no price yet: {detail}',
    zh: '尚未定价：{detail}',
    ja: '価格がまだ設定されていません：{detail}',
  },
  PlanLimit: {
    en: "The organisation's plan does not include it: {detail}",
    zh: '组织的套餐不包含此项：{detail}',
    ja: '組織のプランには含まれていません：{detail}',
  },
} as const satisfies Record<string, Words>;
export type CreditReason = keyof typeof CREDIT_REASONS;

export const isCreditReason = (reason: string): reason is CreditReason => Object.hasOwn(CREDIT_REASONS, reason);

/** What runs ends for these, too: the money is gone. The others only hold back what is new. */
const ENDING: readonly string[] = ['OutOfCredit', 'SpendCapReached'] satisfies CreditReason[];
export const endsWhatRuns = (reason: string): boolean => ENDING.includes(reason);
