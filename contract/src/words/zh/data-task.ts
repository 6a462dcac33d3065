// What all kinds say whose workers the platform fills and follows.
import type * as en from '../en/data-task.ts';
import type { Shape } from '../join.ts';
import { actions as job, reasons as jobReasons, rules as jobRules } from './job.ts';

export const reasons: Shape<typeof en.reasons> = {
  ...jobReasons,
  Stopped: '任务已停止。',
  Releasing: '正在删除任务及其所有资源。',
  NoQueue: '该集群没有任务队列（Kueue）：有空闲资源时任务立即启动，不保证先后顺序。',
  QueueUsed: '任务在队列中等待。',
  PullingImage: '正在拉取 Worker 的镜像，并将输入文件复制到其中。',
  Refused: '集群拒绝了该任务：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。请删除它，或为任务换一个名称。',
  NodeFailedOften: '任务先后在 %{times} 个节点上启动，这些节点都发生了故障。请联系服务提供方。',
  Preempted: '任务已退回队列，为优先级更高的任务让出资源。',
  InputsArriving: '正在列出输入文件。',
  InputsNotFetched: '输入文件未能送达 Worker：%{detail}',
  InputsUnreadable: '无法读取输入：%{detail}',
  StorageFull:
    '结果需要 %{wanted} GiB，而组织的存储数据配额 %{limit} GiB 已使用 %{used} GiB。请删除某个版本，或请服务提供方提高配额；已完成的部分会保留。',
  OutputRefused: '结果无法保存：%{detail}',
  ResultsNotFetched: '结果未能在 Worker 结束后的 15 分钟内保存。',
};

export const actions: Shape<typeof en.actions> = {
  stop: job.stop,
  suspend: job.suspend,
  resume: job.resume,
  edit: job.edit,
  clone: job.clone,
  release: job.release,
};

export const problems: Shape<typeof en.problems> = {
  BadField: 'Worker 无法使用任务的设置：%{detail}',
  NoSuchColumn: '表格中没有列 %{column}。',
  TableBroken: '无法读取表格：%{detail}',
};

export const rules: Shape<typeof en.rules> = {
  runCountGrows: jobRules.runCountGrows,
  nameLength: jobRules.nameLength,
  name: jobRules.name,
  dataset: '必须是数据集的 ID，例如 dst-8f3k2m1a',
};
