// Words of Snapshot.
import { REGISTRY } from '../../names.ts';
import type * as en from '../en/snapshot.ts';
import type { Shape } from '../join.ts';

export const name = 'スナップショット';
export const many = 'スナップショット';

export const phases: Shape<typeof en.phases> = {
  failed: '失敗',
  processing: '保存中',
  success: '送信済み',
  ready: '保存済み',
};

export const reasons: Shape<typeof en.reasons> = {
  Waiting: 'まだ保存が始まっていません。',
  Saving: 'ファイルを保存しています。',
  SavingLog: 'ログを保存しています。',
  Pushed: 'イメージはレジストリにあり、検証しています。',
  Saved: '%{digest} として保存し、検証しました。',
  LogSaved: 'ログはレジストリにあります。',
  Retrying: '保存に失敗しました。再試行します：%{detail}',
  ContainerGone: 'コンテナがノードから失われ、変更を保存できなくなりました。',
  SourceGone: 'spec.from：レジストリに %{image} はもうありません。',
  LogGone: 'ログがノードから失われました。',
  NotSaveable: '保存できません：%{detail}',
  Refused: '保存は許可されません：%{detail}',
};

export const actions = {};

export const rules: Shape<typeof en.rules> = {
  specFixed: 'spec は変更できません。保存は一つの時点のものです',
  savedOf: 'spec.from は Copy に、spec.node、spec.podName、spec.podUID はそれ以外のものに属します',
  savedLog: 'Log は名前が .log で終わる spec.target に保存されます。spec.log は Root に属します',
  savedFrom: `from は ${REGISTRY} のイメージをダイジェストで指定したものでなければなりません`,
  savedTo: `target は ${REGISTRY}/<namespace>/<name>:<tag> でなければなりません`,
  logTo: `log は ${REGISTRY}/<namespace>/<name>:<tag> でなければなりません`,
};
