// What all kinds say whose workers the platform fills and follows.
import type * as en from '../en/data-task.ts';
import type { Shape } from '../join.ts';
import { actions as job, reasons as jobReasons, rules as jobRules } from './job.ts';

export const reasons: Shape<typeof en.reasons> = {
  ...jobReasons,
  Stopped: 'タスクは停止されました。',
  Releasing: 'タスクと、それに属するものをすべて削除しています。',
  NotFitting:
    'このタスクは開始できません。%{count} × %{model} が必要ですが、プールには %{most} しかありません。%{most} 以下にするか、別のモデルを選んでください。',
  NoQueue:
    'このクラスターにはジョブキュー（Kueue）がありません。空きができしだいタスクが始まり、順序は保証されません。',
  QueueUsed: 'タスクはキューで待ちます。',
  PullingImage: 'ワーカーのイメージを取得し、入力のファイルをコピーしています。',
  Refused: 'クラスターがタスクを拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。それを削除するか、タスクに別の名前を付けてください。',
  NodeFailedOften:
    'タスクは %{times} 台のノードで起動されましたが、いずれも故障しました。提供元にお問い合わせください。',
  Preempted: '優先度の高いものに空きを譲るため、キューに戻されました。',
  InputsArriving: '入力のファイルを一覧にしています。',
  InputsNotFetched: '入力ファイルがワーカーに届きませんでした：%{detail}',
  InputsUnreadable: '入力を読み取れません：%{detail}',
  StorageFull:
    '結果の保存に %{wanted} GiB 必要ですが、組織の保存データ用 %{limit} GiB のうち %{used} GiB が使用中です。バージョンを削除するか、提供元に増量を依頼してください。完了した分は保持されます。',
  OutputRefused: '結果を保存できません：%{detail}',
  ResultsNotFetched: 'ワーカーの終了から 15 分以内に結果を保存できませんでした。',
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
  BadField: 'ワーカーがタスクの設定を使用できません：%{detail}',
  NoSuchColumn: 'テーブルに列 %{column} がありません。',
  TableBroken: 'テーブルを読み取れません：%{detail}',
};

export const rules: Shape<typeof en.rules> = {
  runCountGrows: jobRules.runCountGrows,
  nameLength: jobRules.nameLength,
  name: jobRules.name,
  dataset: 'dst-8f3k2m1a のようなデータセットの ID を指定してください',
};
