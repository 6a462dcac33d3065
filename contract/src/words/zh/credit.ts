// Billing's words about credit: its reasons, and the sentences with the numbers.

import type * as en from '../en/credit.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  WaitingForCredit: '正在等待计费系统预留余额。',
  OutOfCredit: '组织余额不足：%{detail}',
  SpendCapReached: '已达到消费上限：%{detail}',
  NoPrice: '尚未定价：%{detail}',
  PlanLimit: '超出组织套餐的限制：%{detail}',
};

export const sentences: Shape<typeof en.sentences> = {
  reserved: '已预留余额。',
  free: '不按小时收费。',
  atRest: '当前未运行：保留的存储照常计费，不会创建新的资源。',
  cannotStart: '目前无法启动，因此不为其预留余额。',
  paidUntil: '费用已付至 %{at}。',
  paidNoLonger: '费用已付至 %{at}，之后未付：%{detail}',
  monthsCovered: '%{months} 个月中，余额只够 %{covered} 个月：%{detail}',
  paidMonthsCovered: '费用已付至 %{at}；%{months} 个月中，余额只够 %{covered} 个月：%{detail}',
  replicasCovered: '%{replicas} 个副本中，余额只够 %{covered} 个：%{detail}',
  asleep: '没有副本，不产生费用。',
  kept: '%{what}需要 %{wanted} %{currency}，可用余额留给正在运行的资源',
  needs: '%{what}需要 %{wanted} %{currency}，可用 %{available} %{currency}',
  needsUnderCap:
    '%{what}需要 %{wanted} %{currency}，而组织本月上限 %{cap} %{currency} 中已消费或预留 %{spent} %{currency}',
  needsMember:
    '%{what}需要 %{wanted} %{currency}；该组织的成员设有消费上限，因此必须由 spec.creator 或 spec.startedBy 指明所属成员',
  needsUnderMemberCap:
    '%{what}需要 %{wanted} %{currency}，而该成员本月上限 %{cap} %{currency} 中已消费或预留 %{spent} %{currency}',
  nextMinutes: '接下来 %{minutes} 分钟',
  nextHour: '接下来 1 小时',
  nextHours: '接下来 %{hours} 小时',
  months: '%{months} 个月',
  monthsOfNodes: '%{nodes} 个节点 %{months} 个月',
  moreNodes: '增加 %{more} 个节点',
  monthsAndMoreNodes: '%{term}并%{added}',
  noPrice: '%{what} 尚未定价。',
  noPriceSoNotMade: '%{what} 尚未定价，无法创建。',
  planHosts: '套餐 %{plan} 最多 %{cap} 台主机，目前已有 %{before} 台。',
  nameUsed:
    '名称 %{name} 曾属于一个已删除的组织，此组织不继承其资金、欠款和账单。请使用其他名称；如需继承，请由平台工作人员设置注解 gantry.dev/inherits=%{name}。',
  left: '剩余 %{amount} %{currency}。',
  capSpent: '本月上限 %{cap} %{currency}，已消费 %{spent} %{currency}。',
};
