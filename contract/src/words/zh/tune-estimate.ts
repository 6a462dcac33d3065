// How much memory fine-tuning takes, and what would need less.
import type * as en from '../en/tune-estimate.ts';
import type { Shape } from '../join.ts';

export const memory: Shape<typeof en.memory> = {
  weights: '权重：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  embeddings: '不量化的嵌入层：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  copies: '权重的 16 位副本：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  reference: '用于对比的基础模型：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  gradients: '梯度：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  buckets: '用于同步的梯度：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  optimizer: '优化器（Adam）：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  adapter: '适配器：%{count} 个参数 × %{each} 字节 = %{gi} GiB',
  activations: '激活值：%{count} 个 token × %{each} 字节 = %{gi} GiB',
  logits: '各 token 的输出：%{count} 个 token × %{each} 字节 = %{gi} GiB',
  program: '程序本身：%{gi} GiB',
};

export const advice: Shape<typeof en.advice> = {
  batch: '将批大小设为 %{batch}，累积 %{accumulate} 次，即可容纳。',
  maxLength: '每行最多 %{maxLength} 个 token 时可以容纳。',
  both: '将批大小设为 %{batch}，累积 %{accumulate} 次，且每行最多 %{maxLength} 个 token，即可容纳。',
  LoRA: '使用 LoRA 可以容纳。',
  QLoRA: '使用 QLoRA 可以容纳。',
  memory: '有 %{gi} GiB 内存即可。',
  card: '使用型号为 %{model} 的 GPU 即可。',
  nothing: '现有资源的内存都不足：请选择更小的基础模型。',
};

export const unusable: Shape<typeof en.unusable> = {
  NoPrompt: '没有提问内容。',
  NoAnswer: '没有回答。',
  NotMessages: '不是消息列表，或有消息缺少角色或文本。',
  NoAssistant: '对话中没有助手的回答。',
  SameAnswers: '两个回答相同。',
  NothingTrained: '在 maxLength 范围内没有剩余的回答内容。',
};
