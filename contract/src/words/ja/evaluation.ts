// Words of Evaluation.
import type * as en from '../en/evaluation.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = '評価タスク';
export const many = '評価タスク';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  ...lone.reasons,
  Running: 'モデルを評価しています。',
  Succeeded: 'スコアが準備できました。',
  Suspended: '評価は中断されています。再開すると、まだ回答のない質問だけを尋ねます。',
  ImageNotFound: '評価用のイメージを取得できません：%{detail}。提供元にお問い合わせください。',
  TrainerImageMissing:
    'この環境には、評価にも使うトレーナーのイメージがまだありません。準備できしだい評価が始まります。長く待つ場合は提供元にお問い合わせください。',
  InputsGone: '%{what} はこの組織にないか、まだ準備できていません。',
  VersionStarting: 'この実行のために %{model} %{version} をデプロイしています。%{detail}',
  VersionRefused: 'この実行のために %{model} %{version} をデプロイできません：%{detail}',
  ModelNotServing: '%{model} が応答しません。デプロイを起動するか、別のものを選んでください。',
  NotAnswered: 'モデルが応答しません：%{detail}',
  DoesNotFit: '評価がメモリに収まりません：%{detail} spec.memoryGi を増やすか、spec.limit を減らしてください。',
  TooManyRejected:
    '%{most}% を超える質問を尋ねられないか、採点できませんでした。例を確認するか、spec.maxRejectedPercent を増やしてください。',
  NothingDone: 'スコアはありません：%{detail}',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  runAgain: job.runAgain,
};

export const metrics: Shape<typeof en.metrics> = {
  ExactMatch: '完全一致',
  F1: 'F1',
  RougeL: 'ROUGE-L',
  Judge: '審査',
  Pairwise: '一対比較',
};

export const steps: Shape<typeof en.steps> = {
  loading: '読み込み中',
  asking: '質問中',
  judging: '審査中',
  scoring: '採点中',
  measuring: '負荷測定中',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  NothingUsable: 'データセットに使える行がありません。',
  ModelNotAnswering: 'モデル %{model} が応答しません。他のモデルの回答は残り、次の実行はそこから続けます。',
  DoesNotFit: '評価がメモリに収まりません。',
  TooManyUnits: '1 回の評価で尋ねられる質問は %{most} 個までです。limit を設定してください。',
  ModelRefused: 'モデルを呼び出せません。モデルはステータス %{status} を返しています。',
  TokenBudgetSpent:
    'トークン予算を使い切りました。回答済みのものは残ります。spec.maxTokens を増やして再実行してください。',
  TooManyRejected: '尋ねられないか採点できない質問が多すぎます：%{detail}',
  HarnessUnavailable: 'このハーネスのタスクにはダウンロードが必要ですが、ワーカーにはできません：%{detail}',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  subject:
    'spec.subjects：それぞれ、デプロイ（アダプターも指定可）か、モデルとそのバージョンのどちらかでなければなりません',
  subjects: 'spec.subjects：同じデプロイ、アダプター、バージョンを重ねて指定することはできません',
  judge: 'spec.judge：指標 Judge と Pairwise には審査モデルが必要です',
  baseline: 'spec.baseline：spec.subjects の項目の番号（0 から）を指定してください',
  pairwise: 'spec.baseline：指標 Pairwise には基準が必要です',
  answer: 'columns.answer：この指標には正解の列が必要です',
  concurrency: 'performance.concurrency：同じ数値は 1 回だけ指定できます',
};
