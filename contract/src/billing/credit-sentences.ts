// What billing says on an object of the credit that is reserved for it, or why none is. Stored in English, as it stands on the
// object; a reader of another language gets it from here.
import type { Words } from '../define-kind.ts';

export const CREDIT_SENTENCES = {
  reserved: {
    en: 'Credit is reserved.',
    zh: '已预留额度。',
    ja: '与信を確保しています。',
  },
  free: { en: 'It costs nothing by the hour.', zh: '不按小时计费。', ja: '時間単位の料金はかかりません。' },
  atRest: {
    en: 'It is at rest: what it keeps is billed as it is used, and nothing more is made.',
    zh: '已停机：保留的资源按用量计费，不会再创建其他资源。',
    ja: '停止中です。保持している分は利用量に応じて課金され、新たに作成されるものはありません。',
  },
  paidUntil: {
    en: 'It is paid for until {at}.',
    zh: '费用已付至 {at}。',
    ja: '{at} まで支払い済みです。',
  },
  paidNoLonger: {
    en: 'It is paid for until {at}, and not longer: {detail}',
    zh: '费用已付至 {at}，之后未付：{detail}',
    ja: '{at} まで支払い済みですが、その先は未払いです：{detail}',
  },
  monthsCovered: {
    en: 'Credit covers {covered} of {months|month|months}: {detail}',
    zh: '额度覆盖 {months} 个月中的 {covered} 个月：{detail}',
    ja: '与信は {months} か月のうち {covered} か月分を満たしています：{detail}',
  },
  paidMonthsCovered: {
    en: 'It is paid for until {at}, and credit covers {covered} of {months|month|months}: {detail}',
    zh: '费用已付至 {at}，额度覆盖 {months} 个月中的 {covered} 个月：{detail}',
    ja: '{at} まで支払い済みで、与信は {months} か月のうち {covered} か月分を満たしています：{detail}',
  },
  needs: {
    en: 'needs {wanted} {currency} {what}, {available} {currency} available',
    zh: '{what}需要 {wanted} {currency}，可用 {available} {currency}',
    ja: '{what}に {wanted} {currency} が必要ですが、利用できるのは {available} {currency} です',
  },
  needsUnderCap: {
    en: "needs {wanted} {currency} {what}, and {spent} of the organisation's cap of {cap} {currency} for this month are spent or reserved",
    zh: '{what}需要 {wanted} {currency}，而组织本月上限 {cap} {currency} 中已消费或预留 {spent}',
    ja: '{what}に {wanted} {currency} が必要ですが、組織の今月の上限 {cap} {currency} のうち {spent} が利用または確保済みです',
  },
  needsUnderMemberCap: {
    en: "needs {wanted} {currency} {what}, and {spent} of the member's cap of {cap} {currency} for this month are spent or reserved",
    zh: '{what}需要 {wanted} {currency}，而该成员本月上限 {cap} {currency} 中已消费或预留 {spent}',
    ja: '{what}に {wanted} {currency} が必要ですが、メンバーの今月の上限 {cap} {currency} のうち {spent} が利用または確保済みです',
  },
  // What it is needed for.
  nextMinutes: {
    en: 'for the next {minutes|minute|minutes}',
    zh: '接下来 {minutes} 分钟',
    ja: '今後 {minutes} 分間',
  },
  nextHour: { en: 'for the next hour', zh: '接下来 1 小时', ja: '今後 1 時間' },
  nextHours: { en: 'for the next {hours|hour|hours}', zh: '接下来 {hours} 小时', ja: '今後 {hours} 時間' },
  months: { en: 'for {months|month|months}', zh: '{months} 个月', ja: '{months} か月分' },
  monthsOfNodes: {
    en: 'for {months|month|months} of {nodes|node|nodes}',
    zh: '{nodes} 个节点 {months} 个月',
    ja: '{nodes} ノードの {months} か月分',
  },
  moreNodes: {
    en: 'for {more|more node|more nodes}',
    zh: '增加 {more} 个节点',
    ja: '{more} ノードの追加',
  },
  monthsAndMoreNodes: {
    en: 'for {months|month|months} of {nodes|node|nodes} and for {more|more node|more nodes}',
    zh: '{nodes} 个节点 {months} 个月并增加 {more} 个节点',
    ja: '{nodes} ノードの {months} か月分と {more} ノードの追加',
  },
  // Why it can not be told what it would cost, or may not be had.
  noPrice: {
    en: 'There is no price for {what} here.',
    zh: '此处没有 {what} 的价格。',
    ja: '{what} の価格がここにはありません。',
  },
  noPriceSoNotMade: {
    en: 'There is no price for {what} here: nothing that would cost nobody knows what is made.',
    zh: '此处没有 {what} 的价格：无法创建费用未知的资源。',
    ja: '{what} の価格がここにはありません。費用がわからないものは作成されません。',
  },
  planHosts: {
    en: 'The plan {plan} has {cap} hosts, and there are {before} already.',
    zh: '套餐 {plan} 最多 {cap} 台主机，目前已有 {before} 台。',
    ja: 'プラン {plan} のホストは最大 {cap} 台で、すでに {before} 台あります。',
  },
  // Of an organisation.
  nameUsed: {
    en: 'The name {name} belonged to an organisation that was deleted. This one does not inherit its money, debt or bills. Use another name, or have platform staff set the annotation gantry.dev/inherits={name} so that it does.',
    zh: '名称 {name} 曾属于一个已删除的组织，此组织不承接其资金、欠款和账单。请使用其他名称；如需承接，请由平台工作人员设置注解 gantry.dev/inherits={name}。',
    ja: '{name} は削除された組織の名前です。この組織は、その残高、未払い金、請求書を引き継ぎません。別の名前を使ってください。引き継ぐ場合は、プラットフォームの担当者がアノテーション gantry.dev/inherits={name} を設定する必要があります。',
  },
  left: {
    en: '{amount} {currency} are left.',
    zh: '剩余 {amount} {currency}。',
    ja: '残高は {amount} {currency} です。',
  },
  capSpent: {
    en: '{spent} of {cap} {currency} for this month are spent.',
    zh: '本月上限 {cap} {currency}，已消费 {spent}。',
    ja: '今月の上限 {cap} {currency} のうち {spent} を利用しました。',
  },
} as const satisfies Record<string, Words>;
