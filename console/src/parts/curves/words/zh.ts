import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  curves: {
    title: '训练曲线',
    none: '训练开始后会显示曲线。',
    loss: '损失',
    eval_loss: '评估损失',
    learning_rate: '学习率',
    tokens_per_second: '每秒 token 数',
    learningRate: '学习率',
    speed: '每秒 token 数',
    step: '步',
    resumed: '第 %{run} 次运行从第 %{step} 步之后继续。',
    broken: '从第 %{step} 步起，有 %{smart_count} 步的损失不是数字。',
  },
  logged: {
    title: '程序记录的数据',
    lead: '通过 MLflow 记录，显示每个名称的最新值。对于产物，仅保留名称和大小。',
    none: '本次运行的程序尚未记录任何数据。',
    sort: '类型',
    value: '值',
    atStep: '%{value}（第 %{step} 步）',
    param: '参数',
    tag: '标签',
    metric: '指标',
    artifact: '产物',
  },
};
