// A terminal's messages.

import type * as en from '../en/terminal.ts';
import type { Shape } from '../join.ts';

export const statuses: Shape<typeof en.statuses> = {
  connected: '接続しました。',
  failed: 'コンソールの接続に失敗しました。',
  closed: '接続が閉じられました（更新すると再接続します）。',
};

export const ends: Shape<typeof en.ends> = {
  noShell: 'イメージにシェルがないため、ターミナルを開けません。',
  exited: 'シェルは終了コード %{code} で終了しました。',
  lost: 'コンテナが停止したか、ノードに接続できません。',
  unreachable: 'コンテナに接続できません。',
  badOutput:
    'インスタンス内のエージェントが無効なデータを送信しました。インスタンスを再起動するとエージェントが再インストールされます。',
  failed: 'ゲートウェイがこのターミナルを継続できませんでした。もう一度開いてください。',
  idle: '%{minutes} 分間、入出力がありませんでした。',
  tooLong: 'ターミナルを開いていられるのは最大 %{hours} 時間です。',
  signedOut: 'セッションが終了したか、このターミナルを使う権限がなくなりました。',
  restart: 'ゲートウェイを再起動しています。',
  misused: 'ブラウザーが無効なデータを送信しました。',
  moved: 'このセッションは別のウィンドウで開かれました。',
  gone: 'このセッションは終了しました。',
  left: 'ブラウザーが切断しました。',
  gatewayLost: 'このターミナルを提供していたゲートウェイがなくなりました。',
};
