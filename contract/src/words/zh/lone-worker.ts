// What tasks of one worker say of it.
import type * as en from '../en/lone-worker.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  Ending: '正在停止 Worker。',
  NotEnoughForAll: '目前没有节点能容纳 Worker。',
  WorkersStarting: 'Worker 正在启动。',
  NotAllPlaced: 'Worker 未能安排到节点上。任务将等待可用资源。',
  NeverStarted: 'Worker 未能在 %{minutes} 分钟内启动，重试次数已用完。',
  NotAllStarted: 'Worker 未能在 %{minutes} 分钟内启动。任务重新排队。',
  ProgramFailed: 'Worker 失败：%{ended}。',
  RetriesUsed: 'Worker 失败：%{ended}。任务已启动 %{times} 次。',
  RetryAt: 'Worker 失败：%{ended}。任务将于 %{at} 重新开始（第 %{try} 次，共 %{tries} 次）。',
  OutOfMemory: 'Worker 使用的内存超过 %{memoryGi} GiB，已被终止。请调大 spec.memoryGi。',
  NodeLost: '节点 %{node} 没有响应，期间不对 Worker 计费。',
  NodeFailed: '节点 %{node} 发生故障。任务将在其他节点重新开始，不计入重试次数。',
  WorkerTaken: 'Worker 已被移出其所在节点。任务将重新开始，不计入重试次数。',
};
