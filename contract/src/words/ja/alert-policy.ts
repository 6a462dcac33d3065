// Words of AlertPolicy.

import type * as en from '../en/alert-policy.ts';
import type { Shape } from '../join.ts';

export const name = 'アラートポリシー';
export const many = 'アラートポリシー';

export const phases: Shape<typeof en.phases> = {
  disabled: '無効',
  invalid: '失効',
  blocking: 'ミュート中',
  alerting: 'アラート中',
  enabled: '有効',
};

export const reasons: Shape<typeof en.reasons> = {
  Disabled: 'ポリシーは無効です。',
  Expired: 'spec.validUntil：ポリシーは %{until} に終了しました。',
  ObjectGone: 'spec.objects.names：%{names} はありません。',
  QueryRefused: 'spec.query：%{detail}',
  QueryFails: 'Prometheus がクエリを拒否しました：%{detail}',
  NoPrometheus: 'ポリシーに必要な Prometheus がこの環境にありません。',
  Muted: '通知は %{until} までミュートされています。',
  Silenced: '通知は定期的なミュートにより停止しています。',
  Firing: '%{count} 件のアラームが発生しています。',
  Watching: '発生中のアラームはありません。',
  NoData: 'データがありません。直近の評価で、ポリシーの監視対象に値がありませんでした。',
  Evaluated: 'ポリシーを評価しました。',
  PrometheusAway: 'Prometheus が応答しません。アラームの状態は変わりません。',
  Incomplete: 'Prometheus の応答は一部だけです。値のないアラームの状態は変わりません。',
  Delivered: '最後の通知は届きました。',
  NotDelivered: '%{channel}による最後の通知に失敗しました：%{detail}',
  // Reasons of the condition Recipients.
  Unconfirmed:
    'spec.channels：%{addresses} にはメールが届きません。メンバーのアドレスではなく、確認もされていません。「監視」の「アラーム連絡先」で確認してください。',
  Reachable: 'spec.channels のすべてのアドレスにメールを送れます。',
};

export const actions: Shape<typeof en.actions> = {
  enable: '有効化',
  disable: '無効化',
  unmute: 'ミュート解除',
  edit: '編集',
  release: '削除',
};

export const rules: Shape<typeof en.rules> = {
  metricOrQuery: 'spec：metric と query のどちらか一方を指定してください',
  queryObjects: 'objects：クエリが自ら系列を選ぶため、names と labels は指定しないでください',
  threshold: 'rules：NoData は compare も value も持たず、他の種類は両方が必要です',
  begins: 'begins.met は begins.of 以下でなければなりません',
  names: 'objects：組織に名前やラベルはありません',
  to: 'channels：Webhook、Slack、DingTalk には連絡先の名前 to が必要です。Bell には指定できません',
  metricKinds: 'objects.kind：この種類のオブジェクトにはこの指標がありません',
  nameLength: 'metadata.name は 50 文字以内でなければなりません',
};
