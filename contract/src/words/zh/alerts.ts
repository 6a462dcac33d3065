// Words of alerts.

import type * as en from '../en/alerts.ts';
import type { Shape } from '../join.ts';

export const metrics: Shape<typeof en.metrics> = {
  GpuUtilization: 'GPU 使用率',
  GpuMemory: 'GPU 显存使用率',
  GpuTemperature: 'GPU 温度',
  GpuPower: 'GPU 功耗',
  GpuXid: 'GPU 错误（XID）',
  CpuCores: 'CPU 使用量',
  MemoryBytes: '内存使用量',
  ModelQueue: '等待模型处理的请求',
  RequestSeconds: '响应时间（95 分位）',
  TuneLoss: '训练损失',
  TuneTokens: '每秒训练 token 数',
  TuneStepAge: '距上一训练步的时间',
  DiskUsed: '磁盘使用率',
  Failed: '失败的对象',
  CreditHours: '余额可用小时数',
};

export const levels: Shape<typeof en.levels> = {
  Info: '提示',
  Warning: '警告',
  Critical: '严重',
};

export const statuses: Shape<typeof en.statuses> = {
  inactive: '未激活',
  firing: '告警中',
  shielded: '已静默',
  resolved: '已恢复',
  closed: '已关闭',
};

export const flow: Shape<typeof en.flow> = {
  fired: '告警开始，当前值 %{value}。',
  raised: '级别变为%{level}。',
  resolved: '数值已恢复正常。',
  gone: '告警的对象已不存在、不再运行或不再被监控。',
  vanished: '长时间没有数值，告警已结束。',
  closed: '已由 %{account} 关闭。',
  shielded: '已由 %{account} 静默至 %{until}。',
  unshielded: '已由 %{account} 解除静默。',
  notified: '已通过%{channel}通知。',
  notNotified: '通过%{channel}通知失败：%{detail}',
  limited: '未通过%{channel}通知：已达到每小时上限。',
};

export const notices: Shape<typeof en.notices> = {
  fired: '告警：%{policy}',
  repeated: '告警持续：%{policy}',
  resolved: '已恢复：%{policy}',
  closed: '已关闭：%{policy}',
  firedText: '%{level}：%{object}，%{metric}为 %{value}，自 %{since} 起。',
  noData: '%{level}：%{object}，%{metric}自 %{since} 起没有数据。',
  more: '另有 %{count} 条告警。',
  leftOut: '因每小时上限，有 %{count} 条通知未发送。',
  resolvedText: '%{object}：%{metric}已恢复正常。',
  goneText: '%{object} 已不存在、不再运行或不再被监控，告警已结束。',
  vanishedText: '%{object}：%{metric}长时间没有数值，告警已结束。',
  closedText: '%{object}：告警已关闭。',
  mute: '静默 30 分钟：%{link}',
  open: '详情：%{link}',
  unsubscribe: '退订 %{address}：%{link}',
};

export const failures: Shape<typeof en.failures> = {
  noAddress: '没有可通知的人',
  notMember: '%{address} 不是成员的已验证地址',
  notConfirmed: '%{address} 不属于任何成员，且尚未确认',
  unsubscribed: '%{address} 已退订',
  noContact: '不存在通知渠道 %{name}',
  innerAddress: '%{host} 不是公网地址',
  answered: '接收方返回 %{status}',
  refused: '接收方拒绝：%{detail}',
  unreachable: '接收方没有响应',
  redirected: '接收方返回了重定向，系统不跟随重定向',
  notConfigured: '本平台不发送短信',
};

export const mailboxStates = {
  unconfirmed: '未确认',
  confirmed: '已确认',
  unsubscribed: '已退订',
};

export const changes: Shape<typeof en.changes> = {
  createPolicy: '已创建',
  updatePolicy: '已编辑',
  updatePolicyStatus: '已启用、停用或静默',
  actPolicy: '已启用、停用或取消静默',
  batchPolicies: '已批量启用或停用',
  muteByLink: '通过邮件中的链接静默',
};

export const platform: Shape<typeof en.platform> = {
  nodeLost: '节点无响应',
  gpuFailed: '节点 GPU 故障',
  booksWrong: '账目校验未通过',
  evaluatorLate: '告警策略评估延迟',
  planStuck: '对象无法达到期望状态',
  diskFull: '数据库磁盘空间即将用尽',
};

export const platformNotices: Shape<typeof en.platformNotices> = {
  began: '平台告警：%{alarm}',
  grew: '平台告警范围扩大：%{alarm}',
  ended: '平台告警已恢复：%{alarm}',
  beganText: '%{alarm}：%{what}。受影响数量：%{count}。',
  grewText: '%{alarm}：受影响数量增至 %{count}，包括 %{what}。',
  endedText: '%{alarm}：已恢复正常。',
};

export const channels: Shape<typeof en.channels> = {
  Bell: '站内消息',
  Mail: '邮件',
  Webhook: 'Webhook',
  Slack: 'Slack',
  DingTalk: '钉钉',
  SMS: '短信',
};
