// Refusals of the API server: by rules that several kinds share, and by policies that a tenant can meet.
import { REGISTRY } from '../../names.ts';
import type * as en from '../en/rules.ts';
import type { Shape } from '../join.ts';

export const rules: Shape<typeof en.rules> = {
  creatorFixed: 'creator 不可更改',
  creatorKept: 'spec.creator 不可移除',
  lettersAndChinese: '只能包含汉字、字母、数字和下划线',
  modelVersion: '只能包含字母、数字、.、_ 和 -，并以字母或数字开头',
  gpuModel: 'model 只能包含字母、数字、-、_ 和 .，且首尾须为字母或数字，与节点标签 nvidia.com/gpu.product 一致',
  objectName: '必须是对象名称：小写字母、数字和 -',
  portName: '最多 15 个小写字母、数字和不连续的 -，至少含一个字母；notebook 已被 notebookPort 占用',
  noNul: '不能包含 NUL（U+0000）',
  dateTime: '必须是日期和时间，例如 2027-01-31T12:00:00Z 或 2027-01-31T20:00:00+08:00',
  atLeast: '不能小于 %{bound}',
  mountPath: 'mountPath 必须是不含 .. 的绝对路径，且不能是 /root，也不能位于 /gantry、/dev、/proc 或 /sys 之下',
  mountPathTwice: 'disks：两个磁盘不能使用相同的 mountPath',
  imageSource: '格式不正确：镜像应写作 repo/name:tag 或 repo/name@sha256:…，例如 pytorch/pytorch:2.4.0',
  plainText: '不能包含控制字符、格式字符或专用字符',
  imagePort: '镜像仓库的端口必须为 1 至 65535',
  portNameTwice: 'ports：两个端口不能同名',
  variableName: 'name 必须是变量名：字母、数字和 _，且不以数字开头',
  variablesSize: 'env 的全部内容最多 32 KiB',
  commandSize: 'command 的全部内容最多 32 KiB',
  secretKey: 'key 只能包含字母、数字、-、_ 和 .',
  cron: 'cron 必须有五个字段，例如 30 2 * * 1-5（分、时、日、月、星期）',
  timeZone: 'timeZone 必须是时区名称，例如 Asia/Shanghai 或 UTC',
};

export const policies: Shape<typeof en.policies> = {
  startedByOther: 'spec.startedBy：必须是启动它的账号 %{account}',
  scalesItself: 'spec.replicas：%{name} 已启用自动伸缩。请修改 spec.autoscaling，或先将其移除',
  scaledByOther:
    'spec.replicas：这些副本由 %{starter} 付费。请在同一次修改中同时设置 spec.replicas 和 spec.startedBy（%{account}）',
  foreignSecret: 'spec.secretEnv：%{secret} 的内容不能用作变量。请重新输入该值，或使用您自己的 Opaque Secret',
  deviceVariable: 'spec.env：%{name} 用于选择节点设备，由平台决定。请通过 spec.gpu 申请 GPU',
  deviceMount: 'mountPath：%{path} 供节点指定 GPU 使用。请选择其他路径',
  likeGroup: 'metadata.name：不能以 -group 或 -group- 加数字结尾，模型的 Pod 使用这样的名称',
  instanceOnHost: '实例 %{instance} 在此主机上：请先将其关机，或更改其 spec.host，再释放主机',
  hostReturned: 'spec.months：主机已到期，其节点已收回；请另租主机',
  diskMounted: '磁盘已由 %{holders} 挂载或预留。请先卸载，或关闭使用它的实例。',
  nothingCostly: '目前不能启动任何收费的资源，但仍可停止和删除。%{why}',
  registrySpelling: `spec.%{field}：请将镜像仓库写作 ${REGISTRY}`,
  ownImages: `spec.%{field}：${REGISTRY} 中您只能使用 %{namespace}/… 和 official/…`,
  innerRegistry: 'spec.%{field}：%{host} 不是公网地址。请使用公共镜像仓库，或平台允许的镜像仓库',
  exportedTo: `spec.source：实例会导出到 ${REGISTRY}/%{namespace}/<name>:<tag>，.root、.home 和 .log 是保存所用的名称`,
};
