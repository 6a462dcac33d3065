// Words of AlertPolicy.

import type * as en from '../en/alert-policy.ts';
import type { Shape } from '../join.ts';

export const name = '告警策略';
export const many = '告警策略';

export const phases: Shape<typeof en.phases> = {
  disabled: '已停用',
  invalid: '已失效',
  blocking: '已静默',
  alerting: '告警中',
  enabled: '已启用',
};

export const reasons: Shape<typeof en.reasons> = {
  Disabled: '策略已停用。',
  Expired: 'spec.validUntil：策略已于 %{until} 到期。',
  ObjectGone: 'spec.objects.names：不存在 %{names}。',
  QueryRefused: 'spec.query：%{detail}',
  QueryFails: 'Prometheus 拒绝该查询：%{detail}',
  NoPrometheus: '该策略需要 Prometheus，但本平台未配置。',
  Muted: '通知已静默至 %{until}。',
  Silenced: '通知因周期静默而暂停。',
  Firing: '%{count} 个告警正在触发。',
  Watching: '没有正在触发的告警。',
  NoData: '没有数据：最近一次评估时，策略监控的对象都没有数值。',
  Evaluated: '策略已评估。',
  PrometheusAway: 'Prometheus 没有响应，告警保持原状态。',
  Incomplete: 'Prometheus 只返回了部分结果，没有数值的告警保持原状态。',
  Delivered: '最近一次通知已送达。',
  NotDelivered: '最近一次通过%{channel}的通知失败：%{detail}',
  // Reasons of the condition Recipients.
  Unconfirmed:
    'spec.channels：%{addresses} 收不到邮件，因为它不属于任何成员且尚未确认。请在“监控”的“告警联系人”中确认。',
  Reachable: 'spec.channels 中的地址都可以收到邮件。',
};

export const actions: Shape<typeof en.actions> = {
  enable: '启用',
  disable: '停用',
  unmute: '取消静默',
  edit: '编辑',
  release: '删除',
};

export const rules: Shape<typeof en.rules> = {
  metricOrQuery: 'spec：请填写 metric 或 query 其中之一',
  queryObjects: 'objects：查询自行选择序列，请移除 names 和 labels',
  threshold: 'rules：NoData 不带 compare 和 value，其他类型两者都需要',
  begins: 'begins.met 不能大于 begins.of',
  names: 'objects：组织没有名称或标签',
  to: 'channels：Webhook、Slack 和 DingTalk 需要 to，即通知渠道的名称；Bell 不需要',
  metricKinds: 'objects.kind：此类对象没有该指标',
  nameLength: 'metadata.name 最多 50 个字符',
};
