// Words of GpuInstance.

import type * as en from '../en/gpu-instance.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'インスタンス';
export const many = 'インスタンス';

export const reasons: Shape<typeof en.reasons> = {
  Running: 'インスタンスは実行中です。',
  AtRest: 'インスタンスは実行中ではありません。ホームディスクは保持されます。',
  NeverRan: 'インスタンスはまだ実行されていません。ホームディスクは最初の起動時に作成されます。',
  HomeGone:
    'インスタンスは実行中ではなく、ホームディスクは Gantry の外で削除されました。起動してから強制再起動すると、空のディスクが作成されます。',
  Hibernated: 'インスタンスは休止しており、ホームは保持されます。',
  Ending: 'コンテナを停止しています。',
  Releasing: 'インスタンスと、それに属するものをすべて削除しています。',
  Released: 'すべて削除されました。最後の利用分を課金処理しています。',
  NothingRan: 'まだ何も実行されていないため、保存するものはありません。',
  RootSaved: 'コンテナが終了するたびにルートファイルシステム全体が保存されます。',
  SavingRoot: 'コンテナの変更内容を保存しています。',
  SavingHome: 'ホームディスクはノード %{node} にのみあります。どのノードでも復元できるよう保存しています。',
  SaveRetrying: '保存に失敗しました。再試行します。破棄された内容はありません：%{detail}',
  AgentAway: 'ノード %{node} のエージェントが応答しません。復旧後に保存を続けます。',
  NoAgentOnNode:
    'ノード %{node} にエージェントがありません。/root のホームディスクのみ保持され、他のファイルはコンテナ終了時に失われます。',
  SaveFailed: '実行 %{run} の /root 以外の変更を保存できませんでした：%{detail}',
  ContainerGone: '実行 %{run} のコンテナは保存前にノードから失われ、/root 以外の変更は失われました。',
  RootLost: '実行 %{run} の /root 以外の変更はノードとともに失われました。残っているのは、その前の最後の保存だけです。',
  HomeOnNode: 'ホームディスクがノード %{node} にしかないため、インスタンスはそのノードでのみ実行できます。',
  HomeNotSaved: 'ホームディスクを保存できなかったため、ノード %{node} に残ります：%{detail}',
  Exporting: 'コンテナを停止し、イメージとして保存してから再び起動します。',
  RestoringHome: '保存したホームを新しいディスクに復元しています。',
  HomeNotRestored: '保存したホームを新しいディスクに復元できませんでした：%{detail}',
  KeysAccepted: 'spec.sshKeys のすべての鍵で期限までログインできます。',
  KeyMalformed: 'spec.sshKeys[%{remark}].publicKey：%{rule}。この鍵ではログインできませんが、他の鍵ではできます。',
  KeyExpiryMalformed:
    'spec.sshKeys[%{remark}].expiresAt：%{value} は 2027-01-31T09:00:00Z のような日時ではありません。この鍵ではログインできませんが、他の鍵ではできます。',
  RestartNeeded: '%{fields}：変更は次回の起動時に反映されます。',
  HomeFull:
    '/root のホームディスクが満杯です（%{total} GiB）。ファイルを削除するか、spec.homeDisk.sizeGi を増やしてください。',
  DataDiskFull: 'ディスク %{disk} が満杯です（%{total} GiB）。ファイルを削除するか、ディスクを拡張してください。',
  RootNearlyFull:
    'ディスク以外のファイルが %{limit} GiB 中 %{used} GiB を使用しています。上限に達するとコンテナは終了されます。ファイルを削除するか、/root またはデータディスクに移してください。',
  DisksHaveRoom: 'インスタンスのディスクに空きができました。',
  GpuFault:
    'ノード %{node} が致命的な GPU エラーを報告しました：%{detail}。強制再起動すると再び起動します。このノードが新しいインスタンスを受け付けていない場合は、別のノードで起動します。',
  HomeNotGrown: 'spec.homeDisk.sizeGi：ホームディスクを拡張できませんでした：%{detail}',
  StorageClassNotFound: 'spec.homeDisk.storageClassName：ストレージクラス %{name} はありません。',
  ImageBeingVerified: 'ソースが %{image} のイメージを検証中です。完了後にインスタンスが起動します。',
  Scheduling: '配置先を探しています。',
  PullingImage: 'ノード %{node} がイメージを取得しコンテナを準備しています。',
  WaitingForReady: 'コンテナは動作していますが、まだ準備が完了していません。',
  WaitingForGpus:
    '%{count} × %{model} が必要です。空きは %{nodes} 台のノードに %{free} 枚、先に待っているのは %{ahead} 件です。',
  TooManyGpus:
    '1 ノードに %{count} × %{model} が必要ですが、最大のノードでも %{most} 枚です。%{most} 枚以下を選んでください。',
  UnknownGpuModel: 'GPU モデル %{model} を持つノードはありません。クラスターにあるのは %{models} です。',
  NodesClosed: '条件に合うノードはありますが、現在はどれも利用できません：%{detail}。',
  WaitingForRoom:
    '1 台のノードに %{cores} コアと %{memoryGi} GiB が必要です。最も空いているノードの空きは %{freeCores} コアと %{freeMemoryGi} GiB、先に待っているのは %{ahead} 件です。',
  WaitingForRootRoom:
    'ルートファイルシステムには、1 台のノードのローカルディスクに %{rootGi} GiB が必要です。最も空いているノードの空きは %{freeRootGi} GiB、先に待っているのは %{ahead} 件です。',
  WaitingForPlaces: '空きのあるノードでは Pod の数が上限に達しています。先に待っているのは %{ahead} 件です。',
  ...credit.reasons,
  UsageNotPosted: '50 件の実行が課金処理を待っています。処理が終わると次の実行が始まります。',
  HostNotFound: 'spec.host：この組織にホスト %{host} はありません。',
  DiskNotFound: 'spec.disks：この組織にディスク %{disk} はありません。',
  DiskInUse: 'spec.disks：ディスク %{disk} に書き込めるのは 1 つだけで、現在 %{by} が使用しています。',
  DiskOnHost: 'spec.disks：ディスク %{disk} はホスト %{host} のものです。そのホスト上のインスタンスで使用できます。',
  DiskNotReady: 'spec.disks：ディスク %{disk} は現在マウントできません：%{detail}',
  HostNotReady: 'spec.host：ホスト %{host} は準備できていません：%{detail}',
  HostExpired: 'spec.host：ホスト %{host} は期限切れです。',
  WaitingForDisk: 'ホームディスクを準備しています。',
  HomeElsewhere:
    'ホームディスクはノード %{node} にのみありますが、現在そこではインスタンスを実行できません：%{detail}。可能になりしだい起動します。spec.power を Hibernated、次に Running にすると、ホームディスクを別のノードへ移せます。',
  DiskFailed: 'ホームディスクを準備できません：%{detail}',
  HomeLost: 'ホームディスクが Gantry の外で削除されました。強制再起動すると空のディスクが作成されます。',
  NoAgent:
    'プラットフォームイメージ %{image} を取得できません。プラットフォームの担当者による対応が必要です。ノードは試行を続けます。',
  ImageNotFound: 'イメージ %{image} を取得できません：%{detail}',
  BadConfig: 'コンテナを作成できません：%{detail}',
  StartError: 'プログラムを起動できません：%{detail}',
  GivenBack:
    'コンテナを起動できないため、GPU を解放しました：%{detail}。次の試行は %{at} です。編集すると直ちに試行します。',
  GivenBackLate:
    'ノードへの配置から %{minutes} 分経ってもコンテナが起動しなかったため、GPU を解放しました。次の試行は %{at} です。編集すると直ちに試行します。',
  QuotaExceeded:
    '組織のクォータを超えます：%{detail}。要求を減らすか、不要なものを解放するか、提供元にクォータの引き上げを依頼してください。',
  Refused: 'クラスターがコンテナを拒否しました：%{detail}',
  NameTaken:
    '名前 %{name} は別のオブジェクトが使っています。それを削除するか、インスタンスに別の名前を付けてください。',
  ExitedOften: 'プログラムが %{exits} 回続けて終了しました（直近：%{ended}）。次の起動は %{at} です。',
  StartsAfterExits: 'プログラムが %{exits} 回続けて終了しました（直近：%{ended}）。再び起動しています。',
  WaitingAfterExit: 'プログラムが終了しました：%{ended}。次の起動は %{at} です。',
  NodeRefused: 'ノードがコンテナを拒否しました（%{cause}）。次の試行は %{at} です。',
  OutOfMemory:
    'プログラムが %{memoryGi} GiB のメモリ上限を超えて強制終了されました（終了コード 137）。次の起動は %{at} です。spec.memoryGi を増やすか、メモリ使用量を減らしてください。',
  RootFull:
    'コンテナがディスク以外に書き込んだファイルが %{limitGi} GiB を超えたため、ノードが終了させました。次の起動は %{at} です。大きなファイルは /root またはデータディスクに置いてください。',
  Evicted: 'ノードがインスタンスを退避させました。再び起動します（必要に応じて別のノードで）。',
  CreateTimeout:
    'ノードへの配置から %{minutes} 分経ってもインスタンスの準備が完了しません。試行は続きます。強制再起動すると、最初からやり直します。',
  PortSilent: 'ポート %{port} が %{seconds} 秒間応答しません。コンテナは動作中で、課金されます。',
  NotebookSilent:
    'ポート %{port} が %{seconds} 秒間応答しません。コンテナは利用でき、ログイン可能になった時点から課金されます。',
  NetworkFailed:
    'ノードがコンテナのネットワークを設定できませんでした。試行は続きます。強制再起動すると、最初からやり直します。',
  NodeLost: 'ノード %{node} が応答しません。その間、課金されるのはインスタンスのストレージだけです。',
  WaitsForNode: 'ノード %{node} が応答しません。ノードが復旧するか取り外された後に、操作が実行されます。',
  NodeGone: 'ノードがなくなったため、別のノードへ移ります。',
};

export const actions: Shape<typeof en.actions> = {
  start: '起動',
  restore: '復元',
  resume: '再開',
  stop: '停止',
  hibernate: '休止',
  shutdown: 'シャットダウン',
  hardReboot: '強制再起動',
  rotateNotebookToken: 'ノートブックトークンを更新',
  edit: '編集',
  login: 'ログイン',
  exportTemplate: 'イメージとしてエクスポート',
  release: '解放',
};

export const health: Shape<typeof en.health> = {
  normal: '正常',
  abnormal: '異常',
  notReady: '準備未完了',
};

export const cores = '%{cores} コア';

export const rules: Shape<typeof en.rules> = {
  notebookPortTwice: 'spec.notebookPort が spec.ports にもあります。同じポートは一度だけ書いてください',
  publicKey: 'publicKey は OpenSSH の公開鍵でなければなりません',
  nameLength: 'metadata.name は 50 文字以内です。Pod の名前はそれより長くなります',
  name: 'metadata.name は英小文字、数字、- のみで、英字で始めてください',
  rebootCountGrows: 'rebootCount は増やすことしかできません',
  notebookTokenCountGrows: 'notebookTokenCount は増やすことしかできません',
  homeGrows: 'homeDisk.sizeGi は増やすことしかできません',
  homeClassFixed: 'homeDisk.storageClassName は変更できません',
};
