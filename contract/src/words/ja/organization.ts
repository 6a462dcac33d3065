// Words of Organization.

import type * as en from '../en/organization.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '組織';
export const many = '組織';

export const phases: Shape<typeof en.phases> = {
  deleting: '削除中',
  failed: '失敗',
  preparing: '準備中',
  ready: '準備完了',
};

export const reasons: Shape<typeof en.reasons> = {
  Ready: '名前空間 %{namespace} の準備が完了しました。',
  Preparing: '名前空間 %{namespace} を準備しています。',
  RemovingContents: '組織のリソースを削除しています（残り %{left}）。',
  NameTaken: '名前空間 %{namespace} はすでに別のものが使用しています。',
  Refused: 'クラスターが組織の一部を拒否しました：%{detail}',
  InCredit: '組織の残高は十分にあります。',
  OutOfCredit: credit.reasons.OutOfCredit,
  SpendCapReached: credit.reasons.SpendCapReached,
  Probing: 'ネットワークはまだ検証されていません。',
  NoResult: 'ネットワークの検証結果が得られませんでした。再度検証します。',
  ControlFailed: 'ネットワークポリシーのない Pod 同士も通信できません。再度検証します。',
  ProbeSilent: '組織内の検証用 Pod が待ち受けていませんでした。再度検証します。',
  EgressOpen: '組織の Pod が別の名前空間の Pod に到達しました。ネットワークポリシーが適用されていません。',
  IngressOpen: '別の名前空間の Pod が組織の Pod に到達しました。ネットワークポリシーが適用されていません。',
  Isolated: '組織の Pod と別の名前空間の Pod は互いに通信できません。',
  DataReady: 'データサーバーが応答しています。',
  DataStarting: 'データサーバーを起動しています。',
  DataUntilMalformed: 'spec.data.until：%{value} は 2027-01-31T09:00:00Z のような日時ではありません。',
  DataTooLong: 'spec.data.until は最大 %{hours} 時間先までです。',
  DataFailed: 'データサーバーを実行できません：%{detail}',
};

export const actions = {};

export const rules: Shape<typeof en.rules> = {
  accountTaken: 'アカウント名 default は使えません。Kubernetes が同名の ServiceAccount を作成します',
  name: 'metadata.name は英小文字、数字、- の 50 文字以内です。名前空間 org-<name> の名前になります',
};
