// Words of Job.
import type * as en from '../en/job.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'ジョブ';
export const many = 'ジョブ';

export const reasons: Shape<typeof en.reasons> = {
  Running: 'すべてのワーカーが実行中です。',
  Succeeded: 'すべてのワーカーが終了コード 0 で終わりました。',
  Stopped: 'ジョブは停止されました。',
  Suspended: 'ジョブは中断されています。再開すると最初から実行されます。',
  Ending: 'ワーカーを停止しています。',
  Releasing: 'ジョブと、それに属するものをすべて削除しています。',
  Released: 'すべて削除されました。最後の利用分を課金処理しています。',
  Scheduled: '次の実行は %{at} です。',
  ScheduleSuspended: 'スケジュールを再開するまで、実行は始まりません。',
  ScheduleStopped: 'スケジュールは停止されました。新しい実行は始まりません。',
  NoMoreRuns: 'このスケジュールに次の実行はありません。',
  ScheduleUnreadable: 'spec.schedule：%{cron}（タイムゾーン %{timeZone}）は有効なスケジュールではありません。',
  RunMissed: '%{at} の実行が行われませんでした：%{detail}',
  InQueue: '待ち順は %{position} 番目です。前の待機分が合計 %{gpus} 枚の GPU を要求しています。',
  InQueueUntil:
    '待ち順は %{position} 番目です。前の待機分が合計 %{gpus} 枚の GPU を要求しています。開始予定は %{at} です（%{basis}）。',
  InQueueBecause: '待ち順は %{position} 番目です。キューが示す理由：%{detail}',
  QueueSilent: 'キューからまだ応答がありません。',
  NotFitting:
    'このジョブは開始できません。%{count} × %{model} が必要ですが、プールには %{most} しかありません。%{most} 以下にするか、別のモデルを選んでください。',
  NoQueue:
    'このクラスターにはジョブキュー（Kueue）がありません。空きができしだいジョブが始まり、順序は保証されません。',
  QueueUsed: 'ジョブはキューで待ち、一斉に始まります。',
  NotEnoughForAll: '%{workers} 個のワーカーが同時に入る空きが必要ですが、入るのは %{fitting} 個です。',
  WaitingForGpus: '%{count} × %{model} が必要ですが、空きは %{free} です。',
  UnknownGpuModel: 'GPU モデル %{model} を持つノードはありません。クラスターにあるのは %{models} です。',
  NodesClosed: '条件に合うノードはありますが、現在はどれも利用できません：%{detail}。',
  WorkersStarting: '%{workers} 個のワーカーのうち %{ready} 個が準備できました。',
  PullingImage: 'イメージを取得し、コンテナを準備しています。',
  NotAllPlaced:
    '%{workers} 個のワーカーを同時に配置できませんでした。配置済みのワーカーは停止され、ジョブは全ワーカー分の空きを待ちます。',
  NeverStarted:
    '%{minutes} 分以内に起動したワーカーは %{workers} 個中 %{ready} 個だけで、再試行の回数も残っていません。',
  NotAllStarted:
    '%{minutes} 分以内に起動したワーカーは %{workers} 個中 %{ready} 個でした。すべて停止し、ジョブをキューに戻しました。',
  ...credit.reasons,
  UsageNotPosted: '50 件の利用分が課金処理を待っています。処理が終わると次の実行が始まります。',
  HostNotFound: 'spec.host：この組織にホスト %{host} はありません。',
  HostNotReady: 'spec.host：ホスト %{host} は準備できていません：%{detail}',
  HostExpired: 'spec.host：ホスト %{host} は期限切れです。',
  DiskNotFound: 'spec.mounts：この組織にディスク %{disk} はありません。',
  DiskInUse: 'spec.mounts：ディスク %{disk} に書き込めるのは 1 つだけで、現在は %{by} です。',
  DiskForOneWorker:
    'spec.mounts：ディスク %{disk} に書き込めるのは 1 つだけですが、ジョブには %{workers} 個のワーカーがあります。複数から書き込めるディスクを使ってください。',
  DiskNotReady: 'spec.mounts：ディスク %{disk} は現在マウントできません：%{detail}',
  DiskOnHost: 'spec.mounts：ディスク %{disk} はホスト %{host} のものです。そのホスト上のジョブなら使えます。',
  TrackingNotReady: 'プログラムが記録する値を受け取る準備をしています。',
  ImageNotFound: 'イメージ %{image} を取得できません：%{detail}',
  BadConfig: 'コンテナを作成できません：%{detail}',
  SecretMissing: 'spec.secretEnv：Secret %{secret} またはそのキー %{key} がありません。',
  QuotaExceeded:
    '組織のクォータを超えます：%{detail}。要求を減らすか、不要なものを解放するか、提供元にクォータの引き上げを依頼してください。',
  Refused: 'クラスターがジョブを拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。それを削除するか、ジョブに別の名前を付けてください。',
  ProgramFailed: 'ワーカー %{worker} が失敗しました：%{ended}。',
  RetriesUsed: 'ワーカー %{worker} が失敗しました：%{ended}。ジョブは %{times} 回起動しました。',
  RetryAt: 'ワーカー %{worker} が失敗しました：%{ended}。%{at} に再び始まります（%{tries} 回中 %{try} 回目）。',
  OutOfMemory:
    'ワーカー %{worker} が %{memoryGi} GiB を超えるメモリを使ったため、強制終了されました。spec.memoryGi を増やすか、プログラムのメモリ使用量を減らしてください。',
  TookTooLong:
    '実行が %{minutes} 分を超えたため、終了されました。さらに必要な場合は spec.maxRunMinutes を増やしてください。',
  NodeLost: 'ノード %{node} が応答しません。その間、ワーカー %{worker} は課金されません。',
  NodeFailed:
    'ワーカー %{worker} のノード %{node} が故障しました。別のノードで再び始まります。再試行の回数には数えません。',
  WorkerTaken: 'ワーカー %{worker} はノードから外されました。ジョブは再び始まります。再試行の回数には数えません。',
  NodeFailedOften:
    'ジョブは %{times} 台のノードで起動されましたが、いずれも故障しました。提供元にお問い合わせください。',
  Preempted: '優先度の高いジョブに空きを譲るため、キューに戻されました。',
};

export const actions: Shape<typeof en.actions> = {
  stop: '停止',
  suspend: '中断',
  resume: '再開',
  runAgain: '再実行',
  edit: '編集',
  clone: '複製',
  login: 'ターミナルを開く',
  release: '解放',
};

export const workers: Shape<typeof en.workers> = {
  waiting: '待機中',
  starting: '起動中',
  running: '実行中',
  succeeded: '成功',
  failed: '失敗',
  stopped: '停止',
  lost: '応答なし',
};

export const causes: Shape<typeof en.causes> = {
  first: '初回の実行',
  again: '再実行',
  resume: '再開',
  retry: '失敗後の再試行',
  node: '故障したノードからの移動',
};

export const bases: Shape<typeof en.bases> = {
  limits: '実行中のジョブの最長実行時間による',
  history: 'これまでのジョブの実行時間による',
  none: '見込みなし',
};

export const rules: Shape<typeof en.rules> = {
  runCountGrows: 'runCount は増やすことしかできません',
  mountPath: 'mountPath は .. を含まない絶対パスで、/gantry、/dev、/proc、/sys の下であってはなりません',
  mountPathTwice: 'mounts：2 つのディスクに同じ mountPath は使えません',
  nameLength: 'metadata.name は 50 文字以内です。Pod の名前はそれより長くなります',
  scheduleNameLength: 'スケジュールの metadata.name は 38 文字以内です。実行の名前はそれより長くなります',
  name: 'metadata.name は英小文字、数字、- のみで、英字で始めてください',
  scheduleStays: 'spec.schedule：ジョブとスケジュールを相互に変更することはできません。別に作成してください',
  variableTwice: 'spec.secretEnv：変数は spec.env と spec.secretEnv のどちらか一方に書いてください',
  trackingPorts:
    'spec.ports：spec.tracking を使う場合、ポート 8089 と 8092 はプラットフォームが使います。別のポートにしてください',
};
