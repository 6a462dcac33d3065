// Words of Job.
import type * as en from '../en/job.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '任务';
export const many = '任务';

export const reasons: Shape<typeof en.reasons> = {
  Running: '所有 Worker 都在运行。',
  Succeeded: '所有 Worker 均以退出码 0 结束。',
  Stopped: '任务已停止。',
  Suspended: '任务已挂起。恢复后将从头开始运行。',
  Ending: '正在停止 Worker。',
  Releasing: '正在删除任务及其所有资源。',
  Released: '已全部删除，正在结算最后的用量。',
  Scheduled: '下次运行时间为 %{at}。',
  ScheduleSuspended: '恢复定时任务之前不会开始新的运行。',
  ScheduleStopped: '定时任务已停止，不会再开始新的运行。',
  NoMoreRuns: '定时任务没有后续的运行。',
  ScheduleUnreadable: 'spec.schedule：%{cron}（时区 %{timeZone}）不是有效的 cron 表达式。',
  RunMissed: '错过了 %{at} 的运行：%{detail}',
  InQueue: '排队第 %{position} 位；前面共申请了 %{gpus} 张 GPU。',
  InQueueUntil: '排队第 %{position} 位；前面共申请了 %{gpus} 张 GPU。预计于 %{at} 开始（%{basis}）。',
  InQueueBecause: '排队第 %{position} 位。队列给出的原因：%{detail}',
  QueueSilent: '队列尚未响应。',
  NotFitting: '任务无法启动：需要 %{count} × %{model}，而资源池只有 %{most}。请最多选择 %{most}，或选择其他型号。',
  NoQueue: '该集群没有任务队列（Kueue）：有空闲资源时任务立即启动，不保证先后顺序。',
  QueueUsed: '任务在队列中等待，并一起启动。',
  NotEnoughForAll: '需要同时容纳 %{workers} 个 Worker，目前只能容纳 %{fitting} 个。',
  WaitingForGpus: '需要 %{count} × %{model}，目前空闲 %{free}。',
  UnknownGpuModel: '没有节点配有型号为 %{model} 的 GPU。集群中有：%{models}。',
  NodesClosed: '有合适的节点，但目前均不可用：%{detail}。',
  WorkersStarting: '%{workers} 个 Worker 中有 %{ready} 个已就绪。',
  PullingImage: '正在拉取镜像并准备容器。',
  NotAllPlaced:
    '%{workers} 个 Worker 未能同时安排到节点上。已安排的 Worker 已停止，任务将等待能容纳全部 Worker 的资源。',
  NeverStarted: '%{minutes} 分钟内 %{workers} 个 Worker 中只有 %{ready} 个启动，重试次数已用完。',
  NotAllStarted: '%{minutes} 分钟内 %{workers} 个 Worker 中只有 %{ready} 个启动。已全部停止，任务重新排队。',
  ...credit.reasons,
  UsageNotPosted: '有 50 段用量等待计费，完成计费后才会开始下一次运行。',
  HostNotFound: 'spec.host：该组织没有名为 %{host} 的主机。',
  HostNotReady: 'spec.host：主机 %{host} 未就绪：%{detail}',
  HostExpired: 'spec.host：主机 %{host} 已到期。',
  DiskNotFound: 'spec.mounts：该组织没有名为 %{disk} 的磁盘。',
  DiskInUse: 'spec.mounts：磁盘 %{disk} 只允许一个写入者，目前是 %{by}。',
  DiskForOneWorker:
    'spec.mounts：磁盘 %{disk} 只允许一个写入者，而任务有 %{workers} 个 Worker。请使用允许多个写入者的磁盘。',
  DiskNotReady: 'spec.mounts：磁盘 %{disk} 目前无法挂载：%{detail}',
  DiskOnHost: 'spec.mounts：磁盘 %{disk} 属于主机 %{host}；在该主机上运行的任务可以使用它。',
  TrackingNotReady: '网关正在准备接收程序记录的数据。',
  ImageNotFound: '无法拉取镜像 %{image}：%{detail}',
  BadConfig: '无法创建容器：%{detail}',
  SecretMissing: 'spec.secretEnv：Secret %{secret} 或其键 %{key} 不存在。',
  QuotaExceeded: '超出组织的配额：%{detail}。请减少申请量、释放不需要的资源，或向服务提供方申请更大的配额。',
  Refused: '集群拒绝了该任务：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。请删除它，或为任务换一个名称。',
  ProgramFailed: 'Worker %{worker} 失败：%{ended}。',
  RetriesUsed: 'Worker %{worker} 失败：%{ended}。任务已启动 %{times} 次。',
  RetryAt: 'Worker %{worker} 失败：%{ended}。任务将于 %{at} 重新开始（第 %{try} 次，共 %{tries} 次）。',
  OutOfMemory:
    'Worker %{worker} 使用的内存超过 %{memoryGi} GiB，已被终止。请调大 spec.memoryGi，或减少程序的内存使用。',
  TookTooLong: '运行超过 %{minutes} 分钟，已被终止。如需更长时间，请调大 spec.maxRunMinutes。',
  NodeLost: '节点 %{node} 没有响应，期间不对 Worker %{worker} 计费。',
  NodeFailed: 'Worker %{worker} 所在的节点 %{node} 发生故障。任务将在其他节点重新开始，不计入重试次数。',
  WorkerTaken: 'Worker %{worker} 已被移出其所在节点。任务将重新开始，不计入重试次数。',
  NodeFailedOften: '任务先后在 %{times} 个节点上启动，这些节点都发生了故障。请联系服务提供方。',
  Preempted: '任务已退回队列，为优先级更高的任务让出资源。',
};

export const actions: Shape<typeof en.actions> = {
  stop: '停止',
  suspend: '挂起',
  resume: '恢复',
  runAgain: '再次运行',
  edit: '编辑',
  clone: '克隆',
  login: '打开终端',
  release: '释放',
};

export const workers: Shape<typeof en.workers> = {
  waiting: '等待中',
  starting: '启动中',
  running: '运行中',
  succeeded: '成功',
  failed: '失败',
  stopped: '已停止',
  lost: '失联',
};

export const causes: Shape<typeof en.causes> = {
  first: '首次运行',
  again: '再次运行',
  resume: '恢复运行',
  retry: '失败后重试',
  node: '从故障节点迁移',
};

export const bases: Shape<typeof en.bases> = {
  limits: '依据运行中任务的最长运行时间',
  history: '依据以往任务的运行时长',
  none: '暂无估计',
};

export const rules: Shape<typeof en.rules> = {
  runCountGrows: 'runCount 只能增大',
  mountPath: 'mountPath 必须是不含 .. 的绝对路径，且不能位于 /gantry、/dev、/proc 或 /sys 之下',
  mountPathTwice: 'mounts：两个磁盘不能使用相同的 mountPath',
  nameLength: 'metadata.name 最多 50 个字符，因为其 Pod 的名称会更长',
  scheduleNameLength: '定时任务的 metadata.name 最多 38 个字符，因为其运行的名称会更长',
  name: 'metadata.name 只能是小写字母、数字和 -，并以字母开头',
  scheduleStays: 'spec.schedule：普通任务与定时任务不能互相转换，请另行创建',
  variableTwice: 'spec.secretEnv：同一变量只能出现在 spec.env 或 spec.secretEnv 之一',
  trackingPorts: 'spec.ports：启用 spec.tracking 时，8089 和 8092 端口由平台占用，请使用其他端口',
};
