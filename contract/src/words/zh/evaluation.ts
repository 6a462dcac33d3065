// Words of Evaluation.
import type * as en from '../en/evaluation.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = '评估任务';
export const many = '评估任务';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  ...lone.reasons,
  Running: '正在评估模型。',
  Succeeded: '得分已就绪。',
  Suspended: '评估已挂起。恢复后只会询问尚未回答的问题。',
  ImageNotFound: '无法拉取评估镜像：%{detail}。请联系服务提供方。',
  TrainerImageMissing: '此平台尚未提供训练镜像，评估也使用该镜像。镜像就绪后评估即开始；如等待过久，请联系服务提供方。',
  InputsGone: '该组织中没有 %{what}，或其尚未就绪。',
  VersionStarting: '正在为本次运行部署 %{model} %{version}。%{detail}',
  VersionRefused: '无法为本次运行部署 %{model} %{version}：%{detail}',
  ModelNotServing: '%{model} 没有响应。请启动该部署，或选择其他部署。',
  NotAnswered: '模型没有响应：%{detail}',
  DoesNotFit: '评估所需内存超出可用内存：%{detail} 请调大 spec.memoryGi，或调小 spec.limit。',
  TooManyRejected: '超过 %{most}% 的问题无法询问或评分。请查看示例，或调大 spec.maxRejectedPercent。',
  NothingDone: '没有产生得分：%{detail}',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  runAgain: job.runAgain,
};

export const metrics: Shape<typeof en.metrics> = {
  ExactMatch: '精确匹配',
  F1: 'F1',
  RougeL: 'ROUGE-L',
  Judge: '评审打分',
  Pairwise: '两两对比',
};

export const steps: Shape<typeof en.steps> = {
  loading: '加载中',
  asking: '询问中',
  judging: '评审中',
  scoring: '评分中',
  measuring: '负载测量中',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  NothingUsable: '数据集中没有可用的行。',
  ModelNotAnswering: '模型 %{model} 没有响应。其他模型的回答会保留，再次运行时从此处继续。',
  DoesNotFit: '评估所需内存超出可用内存。',
  TooManyUnits: '一次评估最多询问 %{most} 个问题：请设置 limit。',
  ModelRefused: '无法调用模型：模型返回状态码 %{status}。',
  TokenBudgetSpent: 'token 预算已用完。已回答的内容会保留：请调大 spec.maxTokens 并再次运行。',
  TooManyRejected: '无法询问或评分的问题过多：%{detail}',
  HarnessUnavailable: '该评估任务需要下载数据，而 Worker 无法下载：%{detail}',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  subject: 'spec.subjects：每一项必须是部署（可带适配器），或是模型及其版本',
  subjects: 'spec.subjects：每个部署、适配器和版本只能出现一次',
  judge: 'spec.judge：指标 Judge 和 Pairwise 需要评审模型',
  baseline: 'spec.baseline：必须是 spec.subjects 中某一项的序号，从 0 开始',
  pairwise: 'spec.baseline：指标 Pairwise 需要基线',
  answer: 'columns.answer：该指标需要标准答案所在的列',
  concurrency: 'performance.concurrency：每个数值只能出现一次',
};
