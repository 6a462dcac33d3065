// Words of FineTune.
import type * as en from '../en/fine-tune.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';

export const name = '微调任务';
export const many = '微调任务';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  Running: '正在训练模型。',
  Succeeded: '模型的新版本已就绪。',
  Suspended: '任务已挂起。恢复后将从最近的检查点继续。',
  NotAllPlaced:
    '%{workers} 个 Worker 未能同时安排到节点上。已安排的 Worker 已停止，任务将等待能容纳全部 Worker 的资源。',
  NotAllStarted: '%{minutes} 分钟内 %{workers} 个 Worker 中只有 %{ready} 个启动。已全部停止，任务重新排队。',
  Rehearsing: '正在用最长的数据试运行几步，此时尚未计费。',
  ImageNotFound: '无法拉取训练镜像：%{detail}。请联系服务提供方。',
  TrainerImageMissing: '此平台尚未提供训练镜像。镜像就绪后任务即开始；如等待过久，请联系服务提供方。',
  RetriesUsed: 'Worker %{worker} 失败：%{ended}。任务已启动 %{times} 次。',
  RetryAt: 'Worker %{worker} 失败：%{ended}。任务将于 %{at} 从最近的检查点继续（第 %{try} 次，共 %{tries} 次）。',
  OutOfMemory: 'Worker %{worker} 使用的内存超过 %{memoryGi} GiB，已被终止。请调大 spec.memoryGi。',
  NodeFailed: 'Worker %{worker} 所在的节点 %{node} 发生故障。任务将在其他节点从最近的检查点继续，不计入重试次数。',
  WorkerTaken: 'Worker %{worker} 已被移出其所在节点。任务将从最近的检查点继续，不计入重试次数。',
  Preempted: '任务已退回队列，为优先级更高的任务让出资源。之后将从最近的检查点继续。',
  InputsGone: '该组织中没有 %{what}，或其尚未就绪。',
  OutputTaken: 'spec.output：模型 %{model} 无法接收新版本：%{detail}',
  DoesNotFit: '训练所需内存超出可用内存：%{detail}。请调小 spec.parameters.batch 或 maxLength，或选择更大的内存。',
  TrainingDiverged: '损失已不是数值，训练发散。请调小 spec.parameters.learningRate，或检查是否有损坏的行。',
  NothingDone: '没有进行训练：按 spec.columns，数据集中没有可用的行。',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  restart: '重启',
  restartAfresh: '从基础模型重新训练',
  save: '将检查点保存为版本',
};

export const objectives: Shape<typeof en.objectives> = {
  SFT: '监督微调（SFT）',
  DPO: '偏好优化（DPO）',
};

export const methods: Shape<typeof en.methods> = {
  LoRA: 'LoRA',
  QLoRA: 'QLoRA',
  Full: '全参数',
};

export const steps: Shape<typeof en.steps> = {
  loading: '加载中',
  training: '训练中',
  evaluating: '评估中',
  saving: '保存中',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  NothingUsable: '数据集中没有可用的行。',
  BaseUnreadable: '无法读取基础模型：%{detail}',
  TemplateMissing: '数据为对话，但基础模型没有对话模板。',
  TemplateBroken: '基础模型的对话模板出错：%{detail}',
  DoesNotFit: '训练所需内存超出可用内存：%{detail}',
  TrainingDiverged: '损失已不是数值。',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  columns: 'spec.columns：SFT 只能填写 messages，或填写 prompt 和 answer；DPO 只能填写 prompt、chosen 和 rejected',
  length: 'spec.parameters：epochs 与 maxSteps 只能填写一个',
  quantized: 'spec.method：QLoRA 需要 GPU（spec.gpu）',
  form: 'spec.output.form：全参数微调不产生适配器；请留空或选择 Merged',
  gguf: 'spec.output.gguf：只有完整模型能转换为 GGUF；请选择 Merged',
  output: 'spec.output：model 与 name 必须且只能填写一个',
  earlyStop: 'spec.earlyStop：需要 spec.evalDataset',
  saveCountGrows: 'saveCount 只能增大',
  freshCountGrows: 'freshCount 只能增大',
};
