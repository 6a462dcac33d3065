// Words of alerts.

import type * as en from '../en/alerts.ts';
import type { Shape } from '../join.ts';

export const metrics: Shape<typeof en.metrics> = {
  GpuUtilization: 'GPU 使用率',
  GpuMemory: 'GPU メモリ使用率',
  GpuTemperature: 'GPU 温度',
  GpuPower: 'GPU 消費電力',
  GpuXid: 'GPU エラー（XID）',
  CpuCores: 'CPU 使用量',
  MemoryBytes: 'メモリ使用量',
  ModelQueue: 'モデルの処理待ちリクエスト',
  RequestSeconds: '応答時間（95 パーセンタイル）',
  TuneLoss: '学習の損失',
  TuneTokens: '1 秒あたりの学習トークン数',
  TuneStepAge: '最後の学習ステップからの時間',
  DiskUsed: 'ディスク使用率',
  Failed: '失敗したオブジェクト',
  CreditHours: '残高で利用できる時間',
};

export const levels: Shape<typeof en.levels> = {
  Info: '情報',
  Warning: '警告',
  Critical: '重大',
};

export const statuses: Shape<typeof en.statuses> = {
  inactive: '非アクティブ',
  firing: '発生中',
  shielded: 'ミュート中',
  resolved: '復旧済み',
  closed: 'クローズ済み',
};

export const flow: Shape<typeof en.flow> = {
  fired: '値 %{value} でアラームが発生しました。',
  raised: 'レベルが%{level}に変わりました。',
  resolved: '値が正常に戻りました。',
  gone: 'アラームの対象はもう存在しないか、動作していないか、監視されていません。',
  vanished: '長い間値がないため、アラームは終了しました。',
  closed: '%{account} がクローズしました。',
  shielded: '%{account} が %{until} までミュートしました。',
  unshielded: '%{account} がミュートを解除しました。',
  notified: '%{channel}で通知しました。',
  notNotified: '%{channel}での通知に失敗しました：%{detail}',
  limited: '%{channel}では通知していません：1 時間の上限に達しました。',
};

export const notices: Shape<typeof en.notices> = {
  fired: 'アラーム：%{policy}',
  repeated: 'アラーム継続中：%{policy}',
  resolved: '復旧：%{policy}',
  closed: 'クローズ：%{policy}',
  firedText: '%{level}：%{object}、%{metric}が %{value} です（%{since} から）。',
  noData: '%{level}：%{object}、%{metric}は %{since} からデータがありません。',
  more: 'ほか %{count} 件のアラームがあります。',
  leftOut: '1 時間の上限により %{count} 件の通知を送信しませんでした。',
  resolvedText: '%{object}：%{metric}が正常に戻りました。',
  goneText: '%{object} はもう存在しないか、動作していないか、監視されていません。アラームは終了しました。',
  vanishedText: '%{object}：%{metric}の値が長い間ないため、アラームは終了しました。',
  closedText: '%{object}：アラームはクローズされました。',
  mute: '30 分間ミュート：%{link}',
  open: '詳細：%{link}',
  unsubscribe: '%{address} への配信を停止：%{link}',
};

export const failures: Shape<typeof en.failures> = {
  noAddress: '通知先がありません',
  notMember: '%{address} はメンバーの確認済みアドレスではありません',
  notConfirmed: '%{address} はメンバーのアドレスではなく、確認もされていません',
  unsubscribed: '%{address} は配信を停止しました',
  noContact: '連絡先 %{name} はありません',
  innerAddress: '%{host} は公開アドレスではありません',
  answered: '受信側の応答は %{status} でした',
  refused: '受信側が拒否しました：%{detail}',
  unreachable: '受信側が応答しませんでした',
  redirected: '受信側がリダイレクトを返しましたが、リダイレクトには従いません',
  notConfigured: 'この環境では SMS を送信しません',
};

export const mailboxStates = {
  unconfirmed: '未確認',
  confirmed: '確認済み',
  unsubscribed: '配信停止',
};

export const changes: Shape<typeof en.changes> = {
  createPolicy: '作成',
  updatePolicy: '編集',
  updatePolicyStatus: '有効化、無効化またはミュート',
  actPolicy: '有効化、無効化またはミュート解除',
  batchPolicies: '一括で有効化または無効化',
  muteByLink: 'メールのリンクでミュート',
};

export const platform: Shape<typeof en.platform> = {
  nodeLost: 'ノードの応答なし',
  gpuFailed: 'ノードの GPU 故障',
  booksWrong: '帳簿の検証エラー',
  evaluatorLate: 'アラートポリシーの評価遅延',
  planStuck: '目的の状態にならないオブジェクト',
  diskFull: 'データベースのディスク残量不足',
};

export const platformNotices: Shape<typeof en.platformNotices> = {
  began: 'プラットフォームアラーム：%{alarm}',
  grew: 'プラットフォームアラームの拡大：%{alarm}',
  ended: 'プラットフォームアラームの復旧：%{alarm}',
  beganText: '%{alarm}：%{what}（対象 %{count} 件）',
  grewText: '%{alarm}：対象が %{count} 件に増えました（%{what} など）。',
  endedText: '%{alarm}：復旧しました。',
};

export const channels: Shape<typeof en.channels> = {
  Bell: 'ベル',
  Mail: 'メール',
  Webhook: 'Webhook',
  Slack: 'Slack',
  DingTalk: 'DingTalk',
  SMS: 'SMS',
};
