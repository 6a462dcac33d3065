// Words of Organization.

import type * as en from '../en/organization.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '组织';
export const many = '组织';

export const phases: Shape<typeof en.phases> = {
  deleting: '删除中',
  failed: '失败',
  preparing: '准备中',
  ready: '就绪',
};

export const reasons: Shape<typeof en.reasons> = {
  Ready: '命名空间 %{namespace} 已就绪。',
  Preparing: '正在创建命名空间 %{namespace}。',
  RemovingContents: '正在删除组织的资源，剩余 %{left}。',
  NameTaken: '命名空间 %{namespace} 已被占用。',
  Refused: '集群拒绝了组织的部分资源：%{detail}',
  InCredit: '组织的余额充足。',
  OutOfCredit: credit.reasons.OutOfCredit,
  SpendCapReached: credit.reasons.SpendCapReached,
  Probing: '尚未检测网络。',
  NoResult: '网络检测没有结果，将重新检测。',
  ControlFailed: '没有网络策略的 Pod 之间也无法互通，将重新检测。',
  ProbeSilent: '组织内的检测 Pod 未在监听，将重新检测。',
  EgressOpen: '组织的 Pod 可以访问其他命名空间的 Pod：网络策略未生效。',
  IngressOpen: '其他命名空间的 Pod 可以访问组织的 Pod：网络策略未生效。',
  Isolated: '组织的 Pod 与其他命名空间的 Pod 无法互相访问。',
  DataReady: '数据服务器正常响应。',
  DataStarting: '数据服务器正在启动。',
  DataUntilMalformed: 'spec.data.until：%{value} 不是有效的日期时间（例如 2027-01-31T09:00:00Z）。',
  DataTooLong: 'spec.data.until 最多只能设为 %{hours} 小时之后。',
  DataFailed: '数据服务器无法运行：%{detail}',
};

export const actions = {};

export const rules: Shape<typeof en.rules> = {
  accountTaken: '名称 default 不可用：Kubernetes 会创建同名的 ServiceAccount',
  name: 'metadata.name 最多 50 个小写字母、数字和 -：它决定命名空间 org-<name>',
};
