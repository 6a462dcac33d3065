// Words of GpuHost.

import type * as en from '../en/gpu-host.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '主机';
export const many = '主机';

export const phases: Shape<typeof en.phases> = {
  releasing: '释放中',
  draining: '腾空中',
  expired: '已到期',
  lost: '已丢失',
  pending: '等待中',
  activeSync: '同步中',
  notReady: '未就绪',
  active: '可用',
};

export const reasons: Shape<typeof en.reasons> = {
  Active: '主机可以接受实例。',
  ExpiresSoon: '主机将于 %{at} 到期，剩余 %{hours} 小时。',
  WaitingForNodes:
    '需要 %{nodes} 个配有 %{count} × %{model} 的节点；共 %{all} 个，空闲 %{free} 个；前面还有 %{ahead} 个在等待。',
  TooFewNodes: '需要 %{nodes} 个配有 %{count} × %{model} 的节点；总共只有 %{all} 个。',
  UnknownNodes: '没有节点配有 %{count} × %{model}。集群中有：%{models}。',
  QuotaExceeded: '需要 %{count} 张 GPU；组织最多可租用 %{quota} 张，其他主机已占 %{held} 张。',
  Claiming: '正在预留节点：%{held}/%{nodes}。',
  Confirming: '正在确认节点 %{node} 的标签、污点和空闲状态。',
  GpusMissing: '节点 %{node} 的 %{count} 张 GPU 中仅有 %{seen} 张可用。',
  ...credit.reasons,
  NodesNotReady: '以下节点无响应：%{nodes}。',
  NodesLost: '主机的节点已丢失；其他配有 %{count} × %{model} 的 %{all} 个节点中有 %{free} 个空闲。',
  Expired: '主机已于 %{at} 到期，不再接受新实例。若不续期，其上的实例将于 %{until} 休眠。',
  Returned: '主机已于 %{at} 到期，节点已收回。',
  InstancesLeft: '其节点上仍有本组织的容器，或尚未保存：%{names}。',
  WaitsForDisks: '仍有只能由节点 %{node} 访问的磁盘：%{disks}。',
  Wiping: '正在清除组织在节点 %{node} 上的数据。',
  Releasing: '正在收回节点。',
  Released: '所有节点均已收回，正在结算最后的用量。',
  Refused: '集群拒绝预留节点：%{detail}',
  NotYetActive: '主机尚未可用。',
  NodesComplete: '主机的节点齐全。',
  NotSoon: '主机租用至 %{at}。',
  MonthsUnpaid: '%{months} 个月中目前有 %{counted} 个月生效：其余月份尚未预留余额。',
  InGrace: '主机上的实例可继续运行至 %{until}。',
  GraceOver: '主机上的实例将休眠，节点将被收回。',
  DisksKept: '主机的磁盘已为其上的实例保留。',
  DiskNotFound: 'spec.disks：没有磁盘 %{disk}。',
  DiskInUse: 'spec.disks：磁盘 %{disk} 正由 %{by} 使用，未为此主机保留。',
  DiskNotReady: 'spec.disks：磁盘 %{disk} 正在创建或分配。',
  OthersLeft: '节点 %{node} 上仍有此前的容器；不再接受新的容器。',
  NoAgentOnNode: '%{nodes} 上没有代理程序，无法清除数据，也未曾保存数据。',
};

export const actions: Shape<typeof en.actions> = {
  renew: '续期',
  edit: '编辑',
  release: '释放',
};

export const rules: Shape<typeof en.rules> = {
  letters: '只能包含字母、数字和下划线',
  sourceFixed: 'source 不可更改',
  gpuFixed: 'gpu 不可更改：请另租主机',
  nodesGrow: 'nodes 只能增加',
  monthsGrow: 'months 只能增加',
  name: 'metadata.name 最多 50 个小写字母、数字和 -，并以字母开头',
};
