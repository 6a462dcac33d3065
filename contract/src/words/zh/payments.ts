// Messages about a payment.

import type * as en from '../en/payments.ts';
import type { Shape } from '../join.ts';

export const texts: Shape<typeof en.texts> = {
  confirm: '等待您完成支付：请填写银行卡或进行确认。',
  transfer: '请在转账附言中填写参考号；到账后余额会增加。',
  pending: '支付处理中：资金将延迟到账，请稍后查看',
  paid: '支付成功',
  refunding: '正在退款。',
  refunded: '已退款。',
};

export const failures: Shape<typeof en.failures> = {
  card_declined: '银行卡被拒绝。',
  insufficient_funds: '银行卡余额不足。',
  expired_card: '银行卡已过期。',
  wrong_card_data: '银行卡信息不正确。',
  authentication_failed: '银行未能确认是您本人。',
  authentication_needed: '需先由持卡人通过银行的身份验证（3-D Secure）。',
  given_up: '支付已取消。',
  timed_out: '未在时限内确认支付。',
  never_reached: '支付未到达支付机构，未产生扣款。',
  amount_differs: '支付机构返回的金额不一致，工作人员正在核查。',
  cash_short: '余额中的资金已不足。',
  provider_refused: '支付机构已拒绝。',
};

export const calledOff = '已取消';

export const noticeTitles: Shape<typeof en.noticeTitles> = {
  autoRechargeStopped: '自动充值已停止',
  autoRechargeEnded: '自动充值已停止',
  autoRecharged: '已自动充值',
  autoRechargeLimit: '自动充值已达上限',
  latePaid: '支付成功',
  disputed: '一笔支付存在争议',
  disputeWon: '支付争议已裁定',
  disputeLost: '支付争议已裁定',
  refunded: '退款',
};

export const noticeContents: Shape<typeof en.noticeContents> = {
  autoRechargeStopped: '%{amount} %{currency} 的充值失败：%{why}自动充值已关闭，需手动重新开启。',
  autoRechargeEnded: '有支付被退款或存在争议。自动充值已关闭，需手动重新开启。',
  autoRecharged: '余额已增加 %{amount} %{currency}。',
  autoRechargeLimit: '已达到每日上限 %{limit} %{currency}，明日再自动充值。',
  latePaid: '%{amount} %{currency} 的支付已到账。',
  disputed:
    '一笔支付存在争议，银行收回了其中的 %{amount} %{currency}。争议裁定之前，该金额从余额中扣除，余额不足的部分计为欠款。',
  disputeWon: '支付争议已解决，%{amount} %{currency} 已退回余额。',
  disputeLost: '银行认定支付争议成立，%{amount} %{currency} 不会退回余额。',
  refunded: '已退回 %{amount} %{currency}。',
};
