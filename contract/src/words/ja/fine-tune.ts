// Words of FineTune.
import type * as en from '../en/fine-tune.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';

export const name = 'ファインチューニングタスク';
export const many = 'ファインチューニングタスク';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  Running: 'モデルを学習しています。',
  Succeeded: 'モデルの新しいバージョンが準備できました。',
  Suspended: 'タスクは中断されています。再開すると、最後のチェックポイントから続けます。',
  NotAllPlaced:
    '%{workers} 個のワーカーを同時に配置できませんでした。配置済みのワーカーは停止され、タスクは全ワーカー分の空きを待ちます。',
  NotAllStarted:
    '%{minutes} 分以内に起動したワーカーは %{workers} 個中 %{ready} 個でした。すべて停止し、タスクをキューに戻しました。',
  Rehearsing: '最も長い行で数ステップを試しています。まだ課金されません。',
  ImageNotFound: 'トレーナーのイメージを取得できません：%{detail}。提供元にお問い合わせください。',
  TrainerImageMissing:
    'この環境にはまだトレーナーのイメージがありません。準備できしだいタスクが始まります。長く待つ場合は提供元にお問い合わせください。',
  RetriesUsed: 'ワーカー %{worker} が失敗しました：%{ended}。タスクは %{times} 回起動しました。',
  RetryAt:
    'ワーカー %{worker} が失敗しました：%{ended}。%{at} に最後のチェックポイントから続けます（%{tries} 回中 %{try} 回目）。',
  OutOfMemory:
    'ワーカー %{worker} が %{memoryGi} GiB を超えるメモリを使ったため、強制終了されました。spec.memoryGi を増やしてください。',
  NodeFailed:
    'ワーカー %{worker} のノード %{node} が故障しました。別のノードで最後のチェックポイントから続けます。再試行の回数には数えません。',
  WorkerTaken:
    'ワーカー %{worker} はノードから外されました。タスクは最後のチェックポイントから続けます。再試行の回数には数えません。',
  Preempted: '優先度の高いものに空きを譲るため、キューに戻されました。その後、最後のチェックポイントから続けます。',
  InputsGone: '%{what} はこの組織にないか、まだ準備できていません。',
  OutputTaken: 'spec.output：モデル %{model} は新しいバージョンを受け取れません：%{detail}',
  DoesNotFit:
    '学習がメモリに収まりません：%{detail}。spec.parameters.batch か maxLength を減らすか、メモリを増やしてください。',
  TrainingDiverged:
    '損失が数値ではなくなり、学習が発散しました。spec.parameters.learningRate を下げるか、壊れた行がないか確認してください。',
  NothingDone: '学習は行われませんでした。spec.columns で使える行がデータセットにありません。',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  restart: '再実行',
  restartAfresh: 'ベースモデルから再学習',
  save: 'チェックポイントをバージョンとして保存',
};

export const objectives: Shape<typeof en.objectives> = {
  SFT: '教師あり（SFT）',
  DPO: '選好最適化（DPO）',
};

export const methods: Shape<typeof en.methods> = {
  LoRA: 'LoRA',
  QLoRA: 'QLoRA',
  Full: 'フル',
};

export const steps: Shape<typeof en.steps> = {
  loading: '読み込み中',
  training: '学習中',
  evaluating: '評価中',
  saving: '保存中',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  NothingUsable: 'データセットに使える行がありません。',
  BaseUnreadable: 'ベースモデルを読み取れません：%{detail}',
  TemplateMissing: '行は会話ですが、ベースモデルにチャットテンプレートがありません。',
  TemplateBroken: 'ベースモデルのチャットテンプレートでエラーが発生しました：%{detail}',
  DoesNotFit: '学習がメモリに収まりません：%{detail}',
  TrainingDiverged: '損失が数値ではなくなりました。',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  columns:
    'spec.columns：SFT では messages だけか、prompt と answer を、DPO では prompt、chosen、rejected だけを指定してください',
  length: 'spec.parameters：epochs と maxSteps のどちらか一方だけを指定してください',
  quantized: 'spec.method：QLoRA には GPU（spec.gpu）が必要です',
  form: 'spec.output.form：フルのファインチューニングではアダプターは作られません。省略するか Merged を選んでください',
  gguf: 'spec.output.gguf：GGUF にできるのはモデル全体だけです。Merged を選んでください',
  output: 'spec.output：model と name のどちらか一方だけを指定してください',
  earlyStop: 'spec.earlyStop：spec.evalDataset が必要です',
  saveCountGrows: 'saveCount は増やすことしかできません',
  freshCountGrows: 'freshCount は増やすことしかできません',
};
