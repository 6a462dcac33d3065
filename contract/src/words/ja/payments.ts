// Messages about a payment.

import type * as en from '../en/payments.ts';
import type { Shape } from '../join.ts';

export const texts: Shape<typeof en.texts> = {
  confirm: 'カードの入力、または支払いの確認をお待ちしています。',
  transfer: '振込に参照番号を記載してください。着金後に残高へ反映されます。',
  pending: '支払い処理中：入金が遅れます。後で確認してください',
  paid: '支払いが完了しました',
  refunding: '返金処理中です。',
  refunded: '返金されました。',
};

export const failures: Shape<typeof en.failures> = {
  card_declined: 'カードが拒否されました。',
  insufficient_funds: 'カードの残高が不足しています。',
  expired_card: 'カードの有効期限が切れています。',
  wrong_card_data: 'カード情報が正しくありません。',
  authentication_failed: '銀行による本人確認ができませんでした。',
  authentication_needed: '先にカード名義人が銀行で本人認証（3-D セキュア）を行う必要があります。',
  given_up: '支払いはキャンセルされました。',
  timed_out: '時間内に確認されませんでした。',
  never_reached: '決済事業者に届きませんでした。請求は発生していません。',
  amount_differs: '決済事業者の金額が一致しません。担当者が確認します。',
  cash_short: '残高に資金が残っていません。',
  provider_refused: '決済事業者に拒否されました。',
};

export const calledOff = 'キャンセル済み';

export const noticeTitles: Shape<typeof en.noticeTitles> = {
  autoRechargeStopped: '自動チャージを停止しました',
  autoRechargeEnded: '自動チャージを停止しました',
  autoRecharged: '自動チャージしました',
  autoRechargeLimit: '自動チャージが上限に達しました',
  latePaid: '支払いが完了しました',
  disputed: '支払いに異議が申し立てられました',
  disputeWon: '支払いへの異議の結果が出ました',
  disputeLost: '支払いへの異議の結果が出ました',
  refunded: '返金',
};

export const noticeContents: Shape<typeof en.noticeContents> = {
  autoRechargeStopped:
    '%{amount} %{currency} のチャージに失敗しました：%{why}自動チャージは再度有効にするまで停止します。',
  autoRechargeEnded: '支払いが返金されたか、異議が申し立てられています。自動チャージは再度有効にするまで停止します。',
  autoRecharged: '残高に %{amount} %{currency} を追加しました。',
  autoRechargeLimit: '1 日の上限 %{limit} %{currency} に達しました。次は明日です。',
  latePaid: '%{amount} %{currency} の支払いが着金しました。',
  disputed:
    '支払いに異議が申し立てられ、銀行がそのうち %{amount} %{currency} を取り戻しました。この金額は異議の結果が出るまで残高から差し引かれ、不足分は未払い金になります。',
  disputeWon: '支払いへの異議が解決し、%{amount} %{currency} が残高に戻りました。',
  disputeLost: '銀行が支払いへの異議を認めました。%{amount} %{currency} は残高に戻りません。',
  refunded: '%{amount} %{currency} を返金しました。',
};
