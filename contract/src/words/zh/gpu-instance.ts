// Words of GpuInstance.

import type * as en from '../en/gpu-instance.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '实例';
export const many = '实例';

export const reasons: Shape<typeof en.reasons> = {
  Running: '实例正在运行。',
  AtRest: '实例未在运行，主目录磁盘保留。',
  NeverRan: '实例从未运行过，主目录磁盘将在首次启动时创建。',
  HomeGone: '实例未在运行，其主目录磁盘已在 Gantry 之外被删除。启动后再强制重启，即可获得一个空磁盘。',
  Hibernated: '实例已休眠，主目录保留。',
  Ending: '正在停止容器。',
  Releasing: '正在删除实例及其所有资源。',
  Released: '已全部删除，正在结算最后的用量。',
  NothingRan: '尚未运行过，没有可保存的内容。',
  RootSaved: '容器每次结束时都会保存整个根文件系统。',
  SavingRoot: '正在保存容器的更改。',
  SavingHome: '主目录磁盘仅在节点 %{node} 上；正在保存，以便在任意节点上恢复。',
  SaveRetrying: '保存失败，将重试；没有丢弃任何内容：%{detail}',
  AgentAway: '节点 %{node} 上的代理没有响应，恢复后将继续保存。',
  NoAgentOnNode: '节点 %{node} 上没有代理：仅保留 /root 主目录磁盘，其他文件在容器结束时会丢失。',
  SaveFailed: '第 %{run} 次运行在 /root 之外的更改未能保存：%{detail}',
  ContainerGone: '第 %{run} 次运行的容器在保存之前已从节点上消失，其在 /root 之外的更改已丢失。',
  RootLost: '第 %{run} 次运行在 /root 之外的更改已随节点丢失，只剩此前最后一次保存的内容。',
  HomeOnNode: '主目录磁盘仅在节点 %{node} 上，因此实例只能在该节点运行。',
  HomeNotSaved: '主目录磁盘未能保存，保留在节点 %{node} 上：%{detail}',
  Exporting: '容器将停止并保存为镜像，然后重新启动。',
  RestoringHome: '正在将已保存的主目录恢复到新磁盘。',
  HomeNotRestored: '无法将已保存的主目录恢复到新磁盘：%{detail}',
  KeysAccepted: 'spec.sshKeys 中的每个密钥在到期前均可登录。',
  KeyMalformed: 'spec.sshKeys[%{remark}].publicKey：%{rule}。该密钥无法登录，其他密钥可以。',
  KeyExpiryMalformed:
    'spec.sshKeys[%{remark}].expiresAt：%{value} 不是有效的日期时间（例如 2027-01-31T09:00:00Z）。该密钥无法登录，其他密钥可以。',
  RestartNeeded: '%{fields}：更改将在实例下次启动时生效。',
  HomeFull: '/root 主目录磁盘已满（%{total} GiB）。请删除文件，或增大 spec.homeDisk.sizeGi。',
  DataDiskFull: '磁盘 %{disk} 已满（%{total} GiB）。请删除文件，或扩容磁盘。',
  RootNearlyFull:
    '磁盘之外的文件已占用 %{used} GiB，上限 %{limit} GiB。达到上限时容器将被终止。请删除文件，或将其移至 /root 或数据磁盘。',
  DisksHaveRoom: '实例的磁盘已有可用空间。',
  GpuFault:
    '节点 %{node} 报告严重的 GPU 错误：%{detail}。强制重启会重新启动实例；若该节点不接受新实例，则在其他节点启动。',
  HomeNotGrown: 'spec.homeDisk.sizeGi：主目录磁盘扩容失败：%{detail}',
  StorageClassNotFound: 'spec.homeDisk.storageClassName：没有存储类 %{name}。',
  ImageBeingVerified: '来源为 %{image} 的镜像正在验证，完成后实例将启动。',
  Scheduling: '正在分配节点。',
  PullingImage: '节点 %{node} 正在拉取镜像并准备容器。',
  WaitingForReady: '容器已在运行，但尚未就绪。',
  WaitingForGpus: '需要 %{count} × %{model}；%{nodes} 个节点共空闲 %{free} 张；前面还有 %{ahead} 个在等待。',
  TooManyGpus: '需要单个节点上有 %{count} × %{model}；最大的节点只有 %{most} 张。请最多选择 %{most} 张。',
  UnknownGpuModel: '没有节点配有型号为 %{model} 的 GPU。集群中有：%{models}。',
  NodesClosed: '有合适的节点，但目前均不可用：%{detail}。',
  WaitingForRoom:
    '需要单个节点上有 %{cores} 核和 %{memoryGi} GiB；最空闲的节点剩余 %{freeCores} 核和 %{freeMemoryGi} GiB；前面还有 %{ahead} 个在等待。',
  WaitingForRootRoom:
    '根文件系统需要单个节点的本地磁盘有 %{rootGi} GiB；最空闲的节点剩余 %{freeRootGi} GiB；前面还有 %{ahead} 个在等待。',
  WaitingForPlaces: '有空间的节点，其 Pod 数量均已达上限；前面还有 %{ahead} 个在等待。',
  ...credit.reasons,
  UsageNotPosted: '有 50 次运行尚未计费，完成计费后才会启动下一次。',
  HostNotFound: 'spec.host：该组织没有名为 %{host} 的主机。',
  DiskNotFound: 'spec.disks：该组织没有名为 %{disk} 的磁盘。',
  DiskInUse: 'spec.disks：磁盘 %{disk} 只允许一个写入者，目前是 %{by}。',
  DiskOnHost: 'spec.disks：磁盘 %{disk} 属于主机 %{host}；该主机上的实例可以使用。',
  DiskNotReady: 'spec.disks：磁盘 %{disk} 目前无法挂载：%{detail}',
  HostNotReady: 'spec.host：主机 %{host} 未就绪：%{detail}',
  HostExpired: 'spec.host：主机 %{host} 已到期。',
  WaitingForDisk: '正在准备主目录磁盘。',
  HomeElsewhere:
    '主目录磁盘仅在节点 %{node} 上，但该节点目前无法运行此实例：%{detail}。条件满足后会自动启动。如需将主目录磁盘移至其他节点，请先将 spec.power 设为 Hibernated，再设为 Running。',
  DiskFailed: '无法准备主目录磁盘：%{detail}',
  HomeLost: '主目录磁盘已在 Gantry 之外被删除；强制重启会创建一个空磁盘。',
  NoAgent: '无法拉取平台镜像 %{image}，需由平台工作人员处理。节点会继续尝试。',
  ImageNotFound: '无法拉取镜像 %{image}：%{detail}',
  BadConfig: '无法创建容器：%{detail}',
  StartError: '无法启动程序：%{detail}',
  GivenBack: '容器无法启动，其 GPU 已释放：%{detail}。将于 %{at} 再次尝试；修改后会立即尝试。',
  GivenBackLate: '分配节点 %{minutes} 分钟后容器仍未启动，其 GPU 已释放。将于 %{at} 再次尝试；修改后会立即尝试。',
  QuotaExceeded: '超出组织的配额：%{detail}。请减少申请量、释放不需要的资源，或向服务提供方申请更大的配额。',
  Refused: '集群拒绝了该容器：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。请删除它，或为实例换一个名称。',
  ExitedOften: '程序已连续退出 %{exits} 次，最近一次为%{ended}。将于 %{at} 再次启动。',
  StartsAfterExits: '程序已连续退出 %{exits} 次，最近一次为%{ended}。正在再次启动。',
  WaitingAfterExit: '程序已退出：%{ended}。将于 %{at} 再次启动。',
  NodeRefused: '节点拒绝了该容器（%{cause}），将于 %{at} 再次尝试。',
  OutOfMemory:
    '程序超出 %{memoryGi} GiB 内存上限而被终止（退出码 137）；将于 %{at} 再次启动。请增大 spec.memoryGi，或减少程序的内存用量。',
  RootFull:
    '容器在磁盘之外写入的文件超过 %{limitGi} GiB，已被节点终止；将于 %{at} 再次启动。请将大文件放在 /root 或数据磁盘上。',
  Evicted: '节点驱逐了该实例；实例将重新启动，必要时更换节点。',
  CreateTimeout: '分配节点 %{minutes} 分钟后实例仍未就绪。系统会继续尝试；强制重启可重新开始。',
  PortSilent: '端口 %{port} 已 %{seconds} 秒无响应。容器仍在运行，并照常计费。',
  NotebookSilent: '端口 %{port} 已 %{seconds} 秒无响应。容器可以使用，并自可登录之时起计费。',
  NetworkFailed: '节点无法建立容器网络。系统会继续尝试；强制重启可重新开始。',
  NodeLost: '节点 %{node} 没有响应，期间仅对实例的存储计费。',
  WaitsForNode: '节点 %{node} 没有响应；待节点恢复或被移除后，将执行您的操作。',
  NodeGone: '节点已不存在，实例将迁移到其他节点。',
};

export const actions: Shape<typeof en.actions> = {
  start: '启动',
  restore: '恢复',
  resume: '继续',
  stop: '停止',
  hibernate: '休眠',
  shutdown: '关机',
  hardReboot: '强制重启',
  rotateNotebookToken: '更换 Notebook 令牌',
  edit: '编辑',
  login: '登录',
  exportTemplate: '导出镜像',
  release: '释放',
};

export const health: Shape<typeof en.health> = {
  normal: '正常',
  abnormal: '异常',
  notReady: '未就绪',
};

export const cores = '%{cores} 核';

export const rules: Shape<typeof en.rules> = {
  notebookPortTwice: 'spec.notebookPort 也出现在 spec.ports 中：同一端口只能写一次',
  publicKey: 'publicKey 必须是 OpenSSH 公钥',
  nameLength: 'metadata.name 最多 50 个字符，因为其 Pod 的名称会更长',
  name: 'metadata.name 只能是小写字母、数字和 -，并以字母开头',
  rebootCountGrows: 'rebootCount 只能增大',
  notebookTokenCountGrows: 'notebookTokenCount 只能增大',
  homeGrows: 'homeDisk.sizeGi 只能增大',
  homeClassFixed: 'homeDisk.storageClassName 不可更改',
};
