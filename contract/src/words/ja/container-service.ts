// Words of ContainerService.
import type * as en from '../en/container-service.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'サービス';
export const many = 'サービス';

export const reasons: Shape<typeof en.reasons> = {
  Active: '%{wanted} 個のレプリカがすべて準備できています。',
  Stopped: 'サービスは停止しています。',
  Asleep: 'リクエストが来るまでスリープしています。その間、料金はかかりません。',
  ScaledToZero: 'spec.replicas が 0 のため、レプリカはありません。',
  Waking: 'リクエストが届き、最初のレプリカを起動しています。',
  Ending: 'レプリカを停止しています。',
  Releasing: 'サービスと、それに属するものをすべて削除しています。',
  Released: 'すべて削除されました。最後の利用分を課金処理しています。',
  Rolling: '%{wanted} 個のレプリカのうち %{updated} 個がリビジョン %{revision} です。',
  Scaling: '%{wanted} 個のレプリカのうち %{ready} 個が準備できました。',
  UpdateFailed:
    'リビジョン %{revision} は %{minutes} 分たっても準備が完了しません：%{detail}。前のリビジョンのレプリカが処理を続けます。サービスを修正するか、ロールバックしてください。',
  UpdateGivenBack:
    'リビジョン %{revision} は %{minutes} 分たっても準備が完了しないため、そのレプリカを停止して GPU を解放しました：%{detail}。前のリビジョンのレプリカが処理を続けます。変更または再起動すると、もう一度試します。',
  NotReady: '準備できたレプリカがありません：%{detail}',
  GivenBack:
    '%{minutes} 分以内にどのレプリカも起動しなかったため、すべて停止して GPU を解放しました。変更または再起動すると、もう一度試します。理由：%{detail}',
  ReplicasFailing: '%{wanted} 個のレプリカのうち %{ready} 個が準備できています：%{detail}',
  ProbeFailing: 'プログラムがポート %{port} で応答しません。',
  ProgramEnds: 'プログラムが終了しました：%{ended}',
  CreditForSome: '残高でまかなえるレプリカは %{wanted} 個中 %{covered} 個です：%{detail}',
  WaitingForGpus: '%{count} × %{model} が必要ですが、空きは %{free} です。',
  TooManyGpus:
    '1 ノードに %{count} × %{model} が必要ですが、最大のノードでも %{most} 枚です。%{most} 枚以下を選んでください。',
  UnknownGpuModel: 'GPU モデル %{model} を持つノードはありません。クラスターにあるのは %{models} です。',
  NodesClosed: '条件に合うノードはありますが、現在はどれも利用できません：%{detail}。',
  WaitingForRoom: 'レプリカが入るノードがありません：%{detail}',
  PullingImage: 'イメージを取得し、コンテナを準備しています。',
  ...credit.reasons,
  UsageNotPosted: '50 件の利用分が課金処理を待っています。処理が終わるまで、レプリカは増えません。',
  HostNotFound: 'spec.host：この組織にホスト %{host} はありません。',
  HostNotReady: 'spec.host：ホスト %{host} は準備できていません：%{detail}',
  HostExpired: 'spec.host：ホスト %{host} は期限切れです。',
  ImageNotFound: 'イメージ %{image} を取得できません：%{detail}',
  ImageBeingVerified: 'ソースが %{image} のイメージを検証中です。完了後にサービスが起動します。',
  BadConfig: 'コンテナを作成できません：%{detail}',
  SecretMissing: 'spec.secretEnv：Secret %{secret} またはそのキー %{key} がありません。',
  QuotaExceeded:
    '組織のクォータを超えます：%{detail}。要求を減らすか、不要なものを解放するか、提供元にクォータの引き上げを依頼してください。',
  Refused: 'クラスターがサービスを拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。それを削除するか、サービスに別の名前を付けてください。',
  OutOfMemory:
    'レプリカが %{memoryGi} GiB を超えるメモリを使ったため、強制終了されました。spec.memoryGi を増やすか、プログラムのメモリ使用量を減らしてください。',
  NodeLost: 'ノード %{node} が応答しません。その間、そのレプリカは課金されず、新しいレプリカが引き継ぎます。',
};

export const actions: Shape<typeof en.actions> = {
  start: '起動',
  stop: '停止',
  restart: '再起動',
  rollback: 'ロールバック',
  edit: '編集',
  clone: '複製',
  login: 'ターミナルを開く',
  release: '解放',
};

export const replicas: Shape<typeof en.replicas> = {
  waiting: '待機中',
  starting: '起動中',
  ready: '準備完了',
  failing: '異常',
  ending: '終了中',
};

export const outcomes: Shape<typeof en.outcomes> = {
  rolling: '展開中',
  good: '完了',
  bad: '未完了',
};

export const causes: Shape<typeof en.causes> = {
  CPU: 'CPU 使用率',
  GPU: 'GPU 使用率',
  InFlight: '処理中のリクエスト',
  RequestsPerSecond: '毎秒のリクエスト',
  PromQL: '指定したクエリ',
  Schedule: 'スケジュール',
  Request: 'リクエストの到着',
  Idle: 'アイドル状態',
  Min: '最小数',
  Max: '最大数',
  NoData: 'データなし：変更なし',
};

export const rules: Shape<typeof en.rules> = {
  restartCountGrows: 'restartCount は増やすことしかできません',
  query: 'query は PromQL に必須で、ほかの種類では指定できません',
  minMax: 'autoscaling.min は max 以下でなければなりません',
  scheduleMax: 'autoscaling.schedules：min は max 以下でなければなりません',
  path: 'path は / で始まり、空白を含まないものでなければなりません',
  updateMoves: 'update：maxUnavailable と maxSurge の両方を 0 にはできません',
  nameLength: 'metadata.name は 40 文字以内です。Pod の名前はそれより長くなります',
  name: 'metadata.name は英小文字、数字、- のみで、英字で始めてください',
  publishedPort: 'spec.publish.port は spec.ports のいずれかでなければなりません',
  portNeeded: 'spec.ports：サービスが待ち受けるポートを指定してください',
  variableTwice: 'spec.secretEnv：変数は spec.env と spec.secretEnv のどちらか一方に書いてください',
};
