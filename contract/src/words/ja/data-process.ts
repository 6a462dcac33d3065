// Words of DataProcess.
import type * as en from '../en/data-process.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = 'データ処理タスク';
export const many = 'データ処理タスク';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  ...lone.reasons,
  Running: 'データセットを処理しています。',
  Succeeded: 'データセットの新しいバージョンが準備できました。',
  Suspended: 'タスクは中断されています。再開すると、まだ終わっていない部分から続けます。',
  ImageNotFound: 'データワーカーのイメージを取得できません：%{detail}。提供元にお問い合わせください。',
  InputsGone: 'spec.input：この組織のデータセット %{dataset} に、準備済みのバージョン %{version} はありません。',
  OutputTaken: 'spec.output：データセット %{dataset} は新しいバージョンを受け取れません：%{detail}',
  ModelNotServing: 'spec.model：%{model} が応答しません。デプロイを起動するか、別のものを選んでください。',
  TooManyRejected:
    '%{most}% を超える単位が拒否されました。拒否された単位をダウンロードするか、spec.maxRejectedPercent を増やしてください。',
  TokenBudgetSpent:
    '%{tokens} トークンの予算を使い切りました。新しいバージョンには終わった部分が入っています。残りを処理するには spec.maxTokens を増やして再実行してください。',
  NothingDone: '結果はありません。すべての単位が失敗したか、飛ばされたか、空でした。',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  runAgain: job.runAgain,
  tryAgain: '失敗した処理単位を再試行',
};

export const types: Shape<typeof en.types> = {
  QaPairs: '質問と回答のペア',
  KnowledgeBase: 'ナレッジベース',
  KnowledgeGraph: 'ナレッジグラフ',
  Clean: 'クリーニング',
  Split: '分割',
  Convert: '変換',
};

export const unitReasons: Shape<typeof en.unitReasons> = {
  TooLong: 'テキストが、モデルへの 1 回のリクエストで送れる長さを超えています。',
  ModelRefusedText: 'モデルがこのテキストを拒否しました。',
  ModelBusy: '何度リクエストしても、モデルが混み合っていました。',
  ModelFailed: '何度リクエストしても、モデルがエラーを返しました。',
  AnswerNotInShape: 'モデルの応答が、再試行しても必要な形式になりませんでした。',
  AnswerCut: 'モデルの応答が、再試行しても最大の長さで打ち切られました。',
  VectorNotFinite: 'モデルのベクトルに数値でない値が含まれています。',
  VectorZero: 'モデルのベクトルに向きがありません。',
  VectorOfOtherLength: 'モデルのベクトルの長さが他と異なります。',
  NoText: 'テキストがありません。',
};

export const removed: Shape<typeof en.removed> = {
  Duplicate: '重複',
  NearDuplicate: 'ほぼ重複',
  TooShort: '短すぎる',
  TooLarge: '長すぎる',
  OtherLanguage: '他の言語',
};

export const masked: Shape<typeof en.masked> = {
  email: 'メールアドレス',
  phone: '電話番号',
  card: 'カード番号',
  iban: 'IBAN',
  ip: 'IP アドレス',
  'chinese-id': '中国の居民身分証番号',
  'my-number': 'マイナンバー',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  TooManyUnits: '入力の処理単位が %{most} 個を超えています。',
  TooManyRejected: '処理単位 %{units} 個のうち %{failed} 個が失敗し、%{percent}% を超えました。',
  TokenBudgetSpent:
    '何も作成されないうちにトークン予算を使い切りました：処理単位 %{units} 個のうち %{done} 個が完了し、%{failed} 個が失敗しました。',
  NothingMade: '入力からは何も作成されませんでした。',
  ModelRefused: 'モデルを呼び出せません。モデルはステータス %{status} を返しています。',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  output: 'spec.output：dataset と name のどちらか一方だけを指定してください',
  block: 'spec：spec.type に対応するブロックだけを指定してください：qa、chunks、graph、clean、split、convert',
  model: 'spec.model：この種類にはモデルが必要です',
  modelName: 'model にはデプロイまたはエイリアスを指定してください。使えるのは英数字、.、_、-、:、/ です',
  overlap: 'chunks.overlap は maxTokens の半分以下にしてください',
  entityTypes: 'entityTypes：同じ種類は 1 回だけ指定できます',
  lengths: 'clean.maxChars は minChars 以上にしてください',
  language: 'languages は en のような小文字の ISO 639 コードで指定してください',
  partName: 'parts.name は英数字、-、_ のみで、英数字で始めてください',
  partNames: 'split.parts：名前は大文字と小文字を区別せずに異なる必要があります',
  percents: 'split.parts：割合の合計は 100 でなければなりません',
};
