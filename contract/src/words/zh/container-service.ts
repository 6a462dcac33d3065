// Words of ContainerService.
import type * as en from '../en/container-service.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '服务';
export const many = '服务';

export const reasons: Shape<typeof en.reasons> = {
  Active: '%{wanted} 个副本全部就绪。',
  Stopped: '服务已停止。',
  Asleep: '服务正在休眠，收到请求后唤醒，期间不计费。',
  ScaledToZero: 'spec.replicas 为 0，服务没有副本。',
  Waking: '收到请求，正在启动第一个副本。',
  Ending: '正在停止副本。',
  Releasing: '正在删除服务及其所有资源。',
  Released: '已全部删除，正在结算最后的用量。',
  Rolling: '%{wanted} 个副本中有 %{updated} 个属于修订版本 %{revision}。',
  Scaling: '%{wanted} 个副本中有 %{ready} 个就绪。',
  UpdateFailed:
    '修订版本 %{revision} 在 %{minutes} 分钟后仍未就绪：%{detail}。上一修订版本的副本继续运行。请修正服务，或回滚。',
  UpdateGivenBack:
    '修订版本 %{revision} 在 %{minutes} 分钟后仍未就绪，其副本已停止，GPU 已释放：%{detail}。上一修订版本的副本继续运行。修改或重启后会再次尝试。',
  NotReady: '没有副本就绪：%{detail}',
  GivenBack: '%{minutes} 分钟内没有副本启动，所有副本已停止，GPU 已释放。修改或重启后会再次尝试。原因：%{detail}',
  ReplicasFailing: '%{wanted} 个副本中有 %{ready} 个就绪：%{detail}',
  ProbeFailing: '程序在端口 %{port} 上没有响应。',
  ProgramEnds: '程序已结束：%{ended}',
  CreditForSome: '%{wanted} 个副本中，余额只够 %{covered} 个：%{detail}',
  WaitingForGpus: '需要 %{count} × %{model}，目前空闲 %{free}。',
  TooManyGpus: '需要单个节点上有 %{count} × %{model}；最大的节点只有 %{most} 张。请最多选择 %{most} 张。',
  UnknownGpuModel: '没有节点配有型号为 %{model} 的 GPU。集群中有：%{models}。',
  NodesClosed: '有合适的节点，但目前均不可用：%{detail}。',
  WaitingForRoom: '没有节点能容纳副本：%{detail}',
  PullingImage: '正在拉取镜像并准备容器。',
  ...credit.reasons,
  UsageNotPosted: '有 50 段用量等待计费，完成计费前不会启动更多副本。',
  HostNotFound: 'spec.host：该组织没有名为 %{host} 的主机。',
  HostNotReady: 'spec.host：主机 %{host} 未就绪：%{detail}',
  HostExpired: 'spec.host：主机 %{host} 已到期。',
  ImageNotFound: '无法拉取镜像 %{image}：%{detail}',
  ImageBeingVerified: '来源为 %{image} 的镜像正在验证，完成后服务将启动。',
  BadConfig: '无法创建容器：%{detail}',
  SecretMissing: 'spec.secretEnv：Secret %{secret} 或其键 %{key} 不存在。',
  QuotaExceeded: '超出组织的配额：%{detail}。请减少申请量、释放不需要的资源，或向服务提供方申请更大的配额。',
  Refused: '集群拒绝了该服务：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。请删除它，或为服务换一个名称。',
  OutOfMemory: '有副本使用的内存超过 %{memoryGi} GiB，已被终止。请调大 spec.memoryGi，或减少程序的内存使用。',
  NodeLost: '节点 %{node} 没有响应；其副本暂停计费，将由新副本接替。',
};

export const actions: Shape<typeof en.actions> = {
  start: '启动',
  stop: '停止',
  restart: '重启',
  rollback: '回滚',
  edit: '编辑',
  clone: '克隆',
  login: '打开终端',
  release: '释放',
};

export const replicas: Shape<typeof en.replicas> = {
  waiting: '等待中',
  starting: '启动中',
  ready: '就绪',
  failing: '异常',
  ending: '结束中',
};

export const outcomes: Shape<typeof en.outcomes> = {
  rolling: '发布中',
  good: '已完成',
  bad: '未完成',
};

export const causes: Shape<typeof en.causes> = {
  CPU: 'CPU 使用率',
  GPU: 'GPU 使用率',
  InFlight: '处理中的请求',
  RequestsPerSecond: '每秒请求数',
  PromQL: '您的查询',
  Schedule: '定时',
  Request: '收到请求',
  Idle: '空闲',
  Min: '最小数量',
  Max: '最大数量',
  NoData: '没有数据：保持不变',
};

export const rules: Shape<typeof en.rules> = {
  restartCountGrows: 'restartCount 只能增大',
  query: 'PromQL 必须有 query，其他类型不能有',
  minMax: 'autoscaling.min 不能大于 max',
  scheduleMax: 'autoscaling.schedules：min 不能大于 max',
  path: 'path 必须以 / 开头且不含空格',
  updateMoves: 'update：maxUnavailable 和 maxSurge 不能同时为 0',
  nameLength: 'metadata.name 最多 40 个字符，因为其 Pod 的名称会更长',
  name: 'metadata.name 只能是小写字母、数字和 -，并以字母开头',
  publishedPort: 'spec.publish.port 必须是 spec.ports 之一',
  portNeeded: 'spec.ports：请写明服务监听的端口',
  variableTwice: 'spec.secretEnv：同一变量只能出现在 spec.env 或 spec.secretEnv 之一',
};
