// Staff's actions on tenants' objects, in the words that both sides read.
import type * as en from '../en/staff.ts';
import type { Shape } from '../join.ts';

/** Whether the operator works on an object. */
export const pauses: Shape<typeof en.pauses> = {
  pauseReconciling: 'リコンサイルを一時停止',
  resumeReconciling: 'リコンサイルを再開',
};

/** In the bell of the organisation's members. */
export const sentences: Shape<typeof en.sentences> = {
  commandTitle: '%{kind} %{name}：運営スタッフが「%{command}」を実行しました',
  command: '%{who}（%{role}）が%{kind} %{name} に「%{command}」を実行しました。理由：%{reason}',
  drainTitle: '運営スタッフが%{kind} %{name} のノードを退避しています',
  drain:
    '%{who}（%{role}）がインスタンス %{name} の動いているノードを退避しています。ファイルは保存され、空きができ次第、再び起動します。理由：%{reason}',
  drainJob:
    '%{who}（%{role}）がジョブ %{name} の動いているノードを退避しています。ワーカーは空きができ次第、ほかのノードで再び起動します。理由：%{reason}',
  drainService:
    '%{who}（%{role}）がサービス %{name} の動いているノードを退避しています。そのノードのレプリカは空きができ次第、置き換えられます。理由：%{reason}',
};
