// Words of Image.

import type * as en from '../en/image.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'イメージ';
export const many = 'イメージ';

export const phases: Shape<typeof en.phases> = {
  failed: '失敗',
  processing: '処理中',
  success: '取得済み',
  ready: '準備完了',
};

export const reasons: Shape<typeof en.reasons> = {
  Verified: '%{digest} からコンテナを起動できました。',
  Verifying: 'イメージを取得して試験起動しています。',
  WaitsForTurn: '組織の他のイメージを検証しています（同時に %{most} 件まで）。このイメージは順番待ちです。',
  ...credit.reasons,
  WaitingForSave: 'インスタンス %{instance} を保存しています。',
  Copying: 'インスタンス %{instance} が保存した内容を spec.source にコピーしています。',
  CopyRetrying: 'コピーに失敗しました。再試行します：%{detail}',
  CopyFailed: 'spec.source にコピーできませんでした：%{detail} 再試行するには別の Image を作成してください。',
  InstanceNotFound:
    'spec.fromInstance：インスタンス %{instance} がありません。再試行するには別の Image を作成してください。',
  NothingSaved:
    'spec.fromInstance：インスタンス %{instance} には保存された内容がありません：%{detail} 再試行するには別の Image を作成してください。',
  SourceTaken: 'spec.source：Image %{image} がすでに使用しています。別の source で新しい Image を作成してください。',
  Pulled: 'イメージを取得し、コンテナを起動しています。',
  ImageNotFound: 'spec.source：%{image} を取得できません：%{detail}',
  PullSecretNotFound: 'spec.pullSecret：Secret %{secret} がありません。',
  NotBootable: 'イメージからコンテナを起動できません：%{detail}',
  NoDigest: 'spec.source：%{image} のレジストリがダイジェストを示さないため、検証対象を特定できません。',
  Exited: 'イメージから起動したコンテナが終了しました：%{ended}。',
  TooLarge:
    'spec.source：イメージは %{size} GiB で、上限は %{most} GiB です。より小さいイメージから別の Image を作成してください。',
  GivenUp:
    '検証に %{times} 回失敗したため、繰り返しません。再試行するには、別の Image を作成するか spec.pullSecret を変更してください。最後の失敗：%{detail}',
  NoAgent: 'プラットフォームイメージ %{image} を取得できません。プラットフォームの担当者による対応が必要です。',
  Interrupted: '検証が中断されました：%{detail}',
  CheckLost: '検証が中断されました：コンテナが削除されました。',
  Refused: 'クラスターが検証を拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。',
};

export const actions: Shape<typeof en.actions> = {
  release: '削除',
};

export const rules: Shape<typeof en.rules> = {
  sourceFixed: 'source は変更できません。別のイメージを作成してください',
  fromInstanceFixed: 'fromInstance は変更できません。別のイメージを作成してください',
  name: 'metadata.name は 50 文字以内です。ここから作られる名前はそれより長くなります',
};
