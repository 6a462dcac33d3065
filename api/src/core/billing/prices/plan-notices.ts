// Notices to an organisation's people about its plan.
import { namingPlan, type PlanId } from '@gantry/contract/billing/plans.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { type Micros, roundedText } from '@gantry/contract/fields/money.ts';
import { shownMoney } from '@gantry/contract/fields/shown-money.ts';
import type { Args } from '@gantry/contract/said.ts';

export interface PlanNotice {
  /** Told once. */
  key: string;
  title: Words;
  content: Words;
  args: Args;
}

interface Text {
  title: Words;
  content: Words;
}

const UNPAID: Text = {
  title: { en: 'The %{plan} plan is unpaid', zh: '套餐 %{plan} 尚未支付', ja: 'プラン %{plan} が未払いです' },
  content: {
    en: 'The balance does not cover the next month of the %{plan} plan, which costs %{amount}. Unless it does by %{at}, the plan ends.',
    zh: '余额不足以支付套餐 %{plan} 的下一个月：%{amount}。若在 %{at} 前仍未支付，套餐将终止。',
    ja: '残高がプラン %{plan} の次の 1 か月分（%{amount}）に足りません。%{at} までに支払われない場合、プランは終了します。',
  },
};

const ENDED: Text = {
  title: { en: 'The %{plan} plan has ended', zh: '套餐 %{plan} 已终止', ja: 'プラン %{plan} が終了しました' },
  content: {
    en: 'The %{plan} plan has ended because its month was not paid. Existing hosts stay; new ones can be rented up to %{hosts} in total.',
    zh: '套餐 %{plan} 因未支付而终止。已有主机保留，新增主机受上限 %{hosts} 台限制。',
    ja: 'プラン %{plan} は支払われなかったため終了しました。既存のホストは残り、新しいホストには上限 %{hosts} 台が適用されます。',
  },
};

export const unpaidNotice = (
  key: string,
  plan: PlanId,
  { amount, currency }: { amount: Micros; currency: string },
  until: number,
): PlanNotice => ({
  key: `${key}/unpaid`,
  ...UNPAID,
  args: { ...namingPlan(plan), amount: shownMoney(roundedText(amount), currency), at: momentText(until) },
});

export const endedNotice = (key: string, plan: PlanId, hosts: number): PlanNotice => ({
  key: `${key}/ended`,
  ...ENDED,
  args: { ...namingPlan(plan), hosts: `${hosts}` },
});

const momentText = (moment: number): string => `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
