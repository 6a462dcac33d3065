// Why an instance is in its phase, or a condition of it as it is, in words.
import { CREDIT_REASONS } from '../billing/credit.ts';

export const gpuInstanceReasons = {
  Running: { en: 'The instance is running.', zh: '实例正在运行。', ja: 'インスタンスは実行中です。' },
  AtRest: {
    en: 'The instance is at rest; its home disk is kept.',
    zh: '实例已停机，主目录磁盘保留。',
    ja: 'インスタンスは停止しており、ホームディスクは保持されます。',
  },
  NeverRan: {
    en: 'The instance is at rest and has never run. Its home disk is created at the first start.',
    zh: '实例已停机，从未运行过；主目录磁盘将在首次启动时创建。',
    ja: 'インスタンスは停止しており、まだ実行されていません。ホームディスクは最初の起動時に作成されます。',
  },
  HomeGone: {
    en: 'The instance is at rest, and its home disk was deleted from outside. Start it, then hard-reboot it, to get an empty one.',
    zh: '实例已停机，其主目录磁盘已被外部删除。启动后再强制重启，即可获得一个空磁盘。',
    ja: 'インスタンスは停止しており、ホームディスクは外部から削除されました。起動してから強制再起動すると、空のディスクが作成されます。',
  },
  Hibernated: {
    en: 'The instance is hibernated; its home is kept.',
    zh: '实例已休眠，主目录保留。',
    ja: 'インスタンスは休止しており、ホームは保持されます。',
  },
  Ending: { en: 'The container is being stopped.', zh: '正在停止容器。', ja: 'コンテナを停止しています。' },
  Releasing: {
    en: 'What belongs to the instance is being removed.',
    zh: '正在清除实例的资源。',
    ja: 'インスタンスのリソースを削除しています。',
  },
  Released: {
    en: 'Everything is removed; the last use is being billed.',
    zh: '所有资源已清除，正在结算最后一次使用。',
    ja: 'すべて削除されました。最後の利用分を精算しています。',
  },
  NothingRan: {
    en: 'Nothing has run yet, so there is nothing to save.',
    zh: '尚未运行过，没有可保存的内容。',
    ja: 'まだ何も実行されていないため、保存するものはありません。',
  },
  RootSaved: {
    en: 'The whole root file system is saved whenever the container ends.',
    zh: '容器每次结束时都会保存整个根文件系统。',
    ja: 'コンテナが終了するたびにルートファイルシステム全体が保存されます。',
  },
  SavingRoot: {
    en: 'What the container changed is being saved.',
    zh: '正在保存容器的更改。',
    ja: 'コンテナの変更内容を保存しています。',
  },
  SavingHome: {
    en: 'The home disk is on node {node} alone; it is being saved, so that it can come back on any node.',
    zh: '主目录磁盘仅在节点 {node} 上；正在保存，以便在任意节点恢复。',
    ja: 'ホームディスクはノード {node} にのみあります。どのノードでも復元できるよう保存しています。',
  },
  SaveRetrying: {
    en: 'What is to be kept is not saved yet, and nothing is given up; it is tried again: {detail}',
    zh: '需要保留的内容尚未保存，不会放弃，将再次尝试：{detail}',
    ja: '保持すべき内容はまだ保存されていません。破棄せずに再試行します：{detail}',
  },
  AgentAway: {
    en: 'The agent of node {node} does not answer; what is to be kept is saved when it is back.',
    zh: '节点 {node} 的代理无响应；恢复后将保存需要保留的内容。',
    ja: 'ノード {node} のエージェントが応答しません。復帰後に保存されます。',
  },
  NoAgentOnNode: {
    en: 'Node {node} has no agent: only the home disk at /root is kept, and other files are lost when the container ends.',
    zh: '节点 {node} 上没有代理：仅保留 /root 主目录磁盘，容器结束时其他文件会丢失。',
    ja: 'ノード {node} にエージェントがありません。/root のホームディスクのみ保持され、他のファイルはコンテナ終了時に失われます。',
  },
  SaveFailed: {
    en: 'What run {run} had changed outside /root could not be saved: {detail}',
    zh: '第 {run} 次运行在 /root 之外的更改未能保存：{detail}',
    ja: '実行 {run} の /root 以外の変更を保存できませんでした：{detail}',
  },
  ContainerGone: {
    en: 'The container of run {run} was gone from its node before it was saved; what it had changed outside /root is lost.',
    zh: '第 {run} 次运行的容器在保存之前已从节点上消失，其在 /root 之外的更改已丢失。',
    ja: '実行 {run} のコンテナは保存前にノードから失われ、/root 以外の変更は失われました。',
  },
  RootLost: {
    en: 'What run {run} had changed outside /root went with its node; the last save before it is what is left.',
    zh: '第 {run} 次运行在 /root 之外的更改已随节点丢失，仅剩此前最后一次保存。',
    ja: '実行 {run} の /root 以外の変更はノードとともに失われ、その前の保存が残っています。',
  },
  HomeOnNode: {
    en: 'The home disk is on node {node} alone: the instance can run nowhere else.',
    zh: '主目录磁盘仅在节点 {node} 上：实例无法在其他节点运行。',
    ja: 'ホームディスクはノード {node} にのみあり、他のノードでは実行できません。',
  },
  HomeNotSaved: {
    en: 'The home disk stays on node {node}, since it could not be saved: {detail}',
    zh: '主目录磁盘未能保存，保留在节点 {node} 上：{detail}',
    ja: 'ホームディスクを保存できなかったため、ノード {node} に残ります：{detail}',
  },
  Exporting: {
    en: 'The container is stopped to be saved as an image; it starts again after that.',
    zh: '容器将停止以保存为镜像，之后会再次启动。',
    ja: 'イメージとして保存するためコンテナを停止します。その後再び起動します。',
  },
  RestoringHome: {
    en: 'The saved home is being put on a new disk.',
    zh: '正在将已保存的主目录写入新磁盘。',
    ja: '保存したホームを新しいディスクに戻しています。',
  },
  HomeNotRestored: {
    en: 'The saved home could not be put on its new disk: {detail}',
    zh: '无法将已保存的主目录写入新磁盘：{detail}',
    ja: '保存したホームを新しいディスクに戻せませんでした：{detail}',
  },
  KeysAccepted: {
    en: 'Every key in spec.sshKeys can log in until it expires.',
    zh: 'spec.sshKeys 中的每个密钥在到期前均可登录。',
    ja: 'spec.sshKeys のすべての鍵で期限までログインできます。',
  },
  KeyMalformed: {
    en: 'spec.sshKeys[{remark}].publicKey: {rule}; it can not log in, and the other keys can.',
    zh: 'spec.sshKeys[{remark}].publicKey：{rule}；该密钥无法登录，其他密钥可以。',
    ja: 'spec.sshKeys[{remark}].publicKey：{rule}。この鍵ではログインできませんが、他の鍵ではできます。',
  },
  KeyExpiryMalformed: {
    en: 'spec.sshKeys[{remark}].expiresAt: {value} is not a date and time such as 2027-01-31T09:00:00Z. This key cannot log in; the other keys can.',
    zh: 'spec.sshKeys[{remark}].expiresAt：{value} 不是有效的日期时间（例如 2027-01-31T09:00:00Z）。该密钥无法登录，其他密钥可以。',
    ja: 'spec.sshKeys[{remark}].expiresAt：{value} は 2027-01-31T09:00:00Z のような日時ではありません。この鍵ではログインできませんが、他の鍵ではできます。',
  },
  RestartNeeded: {
    en: '{fields}: the change takes effect the next time the instance starts.',
    zh: '{fields}：更改将在实例下次启动时生效。',
    ja: '{fields}：変更は次回の起動時に反映されます。',
  },
  HomeFull: {
    en: 'The home disk at /root is full ({total} GiB). Delete files, or raise spec.homeDisk.sizeGi.',
    zh: '/root 主目录磁盘已满（{total} GiB）。请删除文件，或增大 spec.homeDisk.sizeGi。',
    ja: '/root のホームディスクが満杯です（{total} GiB）。ファイルを削除するか、spec.homeDisk.sizeGi を増やしてください。',
  },
  DataDiskFull: {
    en: 'The disk {disk} is full ({total} GiB). Delete files, or make the disk larger.',
    zh: '磁盘 {disk} 已满（{total} GiB）。请删除文件，或扩大磁盘。',
    ja: 'ディスク {disk} が満杯です（{total} GiB）。ファイルを削除するか、ディスクを拡張してください。',
  },
  RootNearlyFull: {
    en: 'Files outside the disks take up {used} of {limit} GiB. At the limit the container is ended. Delete files, or move them to /root or a data disk.',
    zh: '磁盘之外的文件已占用 {used} GiB，上限 {limit} GiB。达到上限时容器将被终止。请删除文件，或将其移至 /root 或数据盘。',
    ja: 'ディスク以外のファイルが {limit} GiB 中 {used} GiB を使用しています。上限に達するとコンテナは終了されます。ファイルを削除するか、/root またはデータディスクに移してください。',
  },
  DisksHaveRoom: {
    en: 'The disks of the instance have room again.',
    zh: '实例的磁盘又有可用空间了。',
    ja: 'インスタンスのディスクに空きができました。',
  },
  GpuFault: {
    en: 'Node {node} reports a fatal GPU error: {detail}. A hard reboot starts the instance again, on another node if this one accepts no new instances.',
    zh: '节点 {node} 报告严重的 GPU 错误：{detail}。强制重启会重新启动实例；若该节点不接受新实例，则在其他节点启动。',
    ja: 'ノード {node} が致命的な GPU エラーを報告しました：{detail}。強制再起動すると再び起動します。このノードが新しいインスタンスを受け付けていない場合は、別のノードで起動します。',
  },
  HomeNotGrown: {
    en: 'spec.homeDisk.sizeGi: the home disk could not be made larger: {detail}',
    zh: 'spec.homeDisk.sizeGi：无法扩大主目录磁盘：{detail}',
    ja: 'spec.homeDisk.sizeGi：ホームディスクを拡張できませんでした：{detail}',
  },
  StorageClassNotFound: {
    en: 'spec.homeDisk.storageClassName: there is no storage class {name}.',
    zh: 'spec.homeDisk.storageClassName：没有存储类 {name}。',
    ja: 'spec.homeDisk.storageClassName：ストレージクラス {name} はありません。',
  },
  ImageBeingVerified: {
    en: 'The Image with the source {image} is being verified; the instance starts when that is done.',
    zh: '来源为 {image} 的镜像正在验证，完成后实例将启动。',
    ja: 'ソースが {image} のイメージを検証中です。完了後にインスタンスが起動します。',
  },
  Scheduling: { en: 'A place is being found.', zh: '正在安排节点。', ja: '配置先を探しています。' },
  PullingImage: {
    en: 'Node {node} is fetching the image and preparing the container.',
    zh: '节点 {node} 正在拉取镜像并准备容器。',
    ja: 'ノード {node} がイメージを取得しコンテナを準備しています。',
  },
  WaitingForReady: {
    en: 'The container runs; it is not ready yet.',
    zh: '容器已运行，尚未就绪。',
    ja: 'コンテナは動作していますが、まだ準備できていません。',
  },
  WaitingForGpus: {
    en: 'Needs {count} × {model}; {free} free on {nodes|node|nodes}; waiting before you: {ahead}.',
    zh: '需要 {count} × {model}；{nodes} 个节点上共有 {free} 张空闲；排在您前面的有 {ahead} 个。',
    ja: '{count} × {model} が必要です。空きは {nodes} ノードに {free} 枚、先に待っているのは {ahead} 件です。',
  },
  TooManyGpus: {
    en: 'Needs {count} × {model} on one node; the largest node has {most}.',
    zh: '需要单个节点上有 {count} × {model}；最大的节点只有 {most} 张。',
    ja: '1 ノードに {count} × {model} が必要ですが、最大のノードでも {most} 枚です。',
  },
  UnknownGpuModel: {
    en: 'No node has the GPU model {model}. There are: {models}.',
    zh: '没有节点拥有 GPU 型号 {model}。现有型号：{models}。',
    ja: 'GPU モデル {model} を持つノードはありません。利用可能: {models}。',
  },
  WaitingForRoom: {
    en: 'Needs {cores|core|cores} and {memoryGi} GiB on one node; the roomiest has {freeCores|core|cores} and {freeMemoryGi} GiB free; waiting before you: {ahead}.',
    zh: '需要单个节点上有 {cores} 核和 {memoryGi} GiB；最空闲的节点有 {freeCores} 核和 {freeMemoryGi} GiB；排在您前面的有 {ahead} 个。',
    ja: '1 ノードに {cores} コアと {memoryGi} GiB が必要です。最も空いているノードは {freeCores} コア、{freeMemoryGi} GiB で、先に待っているのは {ahead} 件です。',
  },
  WaitingForRootRoom: {
    en: 'Needs {rootGi} GiB of one node’s own disk for the root file system; the roomiest node has {freeRootGi} GiB free; waiting before you: {ahead}.',
    zh: '根文件系统需要单个节点本地磁盘上有 {rootGi} GiB；最空闲的节点有 {freeRootGi} GiB；排在您前面的有 {ahead} 个。',
    ja: 'ルートファイルシステムには 1 ノードのローカルディスクに {rootGi} GiB が必要です。最も空いているノードは {freeRootGi} GiB で、先に待っているのは {ahead} 件です。',
  },
  ...CREDIT_REASONS,
  UsageNotPosted: {
    en: 'Fifty runs are not billed yet; the next starts when they are.',
    zh: '有五十次运行尚未计费，计费后才会启动下一次。',
    ja: '未請求の実行が 50 件あります。請求後に次の実行が始まります。',
  },
  HostNotFound: {
    en: 'spec.host: there is no host {host} in this organisation.',
    zh: 'spec.host：本组织中没有主机 {host}。',
    ja: 'spec.host：この組織にホスト {host} はありません。',
  },
  DiskNotFound: {
    en: 'spec.disks: there is no disk {disk} in this organisation.',
    zh: 'spec.disks：本组织中没有磁盘 {disk}。',
    ja: 'spec.disks：この組織にディスク {disk} はありません。',
  },
  DiskInUse: {
    en: 'spec.disks: the disk {disk} takes one writer, and {by} has it.',
    zh: 'spec.disks：磁盘 {disk} 只允许一个写入者，目前由 {by} 使用。',
    ja: 'spec.disks：ディスク {disk} に書き込めるのは 1 つだけで、現在 {by} が使用しています。',
  },
  DiskOnHost: {
    en: 'spec.disks: the disk {disk} belongs to the host {host}; an instance on that host can use it.',
    zh: 'spec.disks：磁盘 {disk} 属于主机 {host}；该主机上的实例可以使用。',
    ja: 'spec.disks：ディスク {disk} はホスト {host} のものです。そのホスト上のインスタンスで使用できます。',
  },
  DiskNotReady: {
    en: 'spec.disks: the disk {disk} can not be mounted now: {detail}',
    zh: 'spec.disks：磁盘 {disk} 目前无法挂载：{detail}',
    ja: 'spec.disks：ディスク {disk} は現在マウントできません：{detail}',
  },
  HostNotReady: {
    en: 'spec.host: the host {host} is not ready: {detail}',
    zh: 'spec.host：主机 {host} 未就绪：{detail}',
    ja: 'spec.host：ホスト {host} は準備できていません：{detail}',
  },
  HostExpired: {
    en: 'spec.host: the time paid for the host {host} is over.',
    zh: 'spec.host：主机 {host} 的租期已结束。',
    ja: 'spec.host：ホスト {host} の利用期間は終了しました。',
  },
  WaitingForDisk: {
    en: 'The home disk is being provided.',
    zh: '正在准备主目录磁盘。',
    ja: 'ホームディスクを準備しています。',
  },
  HomeElsewhere: {
    en: 'The home disk is on node {node} alone, where the instance cannot run now: {detail}. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.',
    zh: '主目录磁盘仅在节点 {node} 上，目前无法在该节点运行实例：{detail}。条件满足后将自动启动；将 spec.power 设为 Hibernated 再设为 Running，可将主目录磁盘移至其他节点。',
    ja: 'ホームディスクはノード {node} にのみありますが、現在そこではインスタンスを実行できません：{detail}。可能になりしだい起動します。spec.power を Hibernated、次に Running にすると、ホームディスクを別のノードへ移せます。',
  },
  DiskFailed: {
    en: 'The home disk can not be provided: {detail}',
    zh: '无法准备主目录磁盘：{detail}',
    ja: 'ホームディスクを準備できません：{detail}',
  },
  HomeLost: {
    en: 'The home disk was deleted from outside; a hard reboot starts with an empty one.',
    zh: '主目录磁盘已被外部删除；强制重启将使用空磁盘。',
    ja: 'ホームディスクが外部から削除されました。強制再起動すると空のディスクで始まります。',
  },
  NoAgent: {
    en: 'The platform image {image} cannot be pulled. Platform staff must fix this; the node keeps trying.',
    zh: '无法拉取平台镜像 {image}，需由平台工作人员处理。节点会继续尝试。',
    ja: 'プラットフォームイメージ {image} を取得できません。プラットフォームの担当者による対応が必要です。ノードは試行を続けます。',
  },
  ImageNotFound: {
    en: 'The image {image} can not be pulled: {detail}',
    zh: '无法拉取镜像 {image}：{detail}',
    ja: 'イメージ {image} を取得できません：{detail}',
  },
  BadConfig: {
    en: 'The container can not be made: {detail}',
    zh: '无法创建容器：{detail}',
    ja: 'コンテナを作成できません：{detail}',
  },
  StartError: {
    en: 'The program can not be started: {detail}',
    zh: '无法启动程序：{detail}',
    ja: 'プログラムを起動できません：{detail}',
  },
  QuotaExceeded: {
    en: "The organisation's quota is used up: {detail}",
    zh: '组织配额已用尽：{detail}',
    ja: '組織のクォータを超えています：{detail}',
  },
  Refused: {
    en: 'The cluster refuses the container: {detail}',
    zh: '集群拒绝了该容器：{detail}',
    ja: 'クラスターがコンテナを拒否しました：{detail}',
  },
  NameTaken: {
    en: 'Another object already has the name {name}. Delete it, or give the instance another name.',
    zh: '名称 {name} 已被其他对象占用。请删除该对象，或使用其他名称创建实例。',
    ja: '名前 {name} は別のオブジェクトが使用しています。そのオブジェクトを削除するか、別の名前でインスタンスを作成してください。',
  },
  ExitedOften: {
    en: 'The program ended {exits} times in a row, last with {ended}. The next start is at {at}.',
    zh: '程序已连续退出 {exits} 次，最近一次为{ended}。将于 {at} 再次启动。',
    ja: 'プログラムが {exits} 回続けて終了しました（直近：{ended}）。次の起動は {at} です。',
  },
  StartsAfterExits: {
    en: 'The program ended {exits} times in a row, last with {ended}. It is being started again.',
    zh: '程序已连续退出 {exits} 次，最近一次为{ended}。正在再次启动。',
    ja: 'プログラムが {exits} 回続けて終了しました（直近：{ended}）。再び起動しています。',
  },
  WaitingAfterExit: {
    en: 'The program ended: {ended}. The next start is at {at}.',
    zh: '程序已退出：{ended}。将于 {at} 再次启动。',
    ja: 'プログラムが終了しました：{ended}。次の起動は {at} です。',
  },
  NodeRefused: {
    en: 'The node did not keep the container ({cause}); the next try is at {at}.',
    zh: '节点未能运行该容器（{cause}）；将于 {at} 再次尝试。',
    ja: 'ノードがコンテナを実行できませんでした（{cause}）。次の試行は {at} です。',
  },
  OutOfMemory: {
    en: 'The program used more than its {memoryGi} GiB of memory and was killed (exit code 137); the next start is at {at}. Raise spec.memoryGi, or make the program use less.',
    zh: '程序超出 {memoryGi} GiB 内存上限而被终止（退出码 137）；将于 {at} 再次启动。请增大 spec.memoryGi，或减少程序的内存用量。',
    ja: 'プログラムが {memoryGi} GiB のメモリ上限を超えて強制終了されました（終了コード 137）。次の起動は {at} です。spec.memoryGi を増やすか、メモリ使用量を減らしてください。',
  },
  RootFull: {
    en: 'The container wrote more than {limitGi} GiB outside its disks, and its node ended it; the next start is at {at}. Keep large files at /root or on a data disk.',
    zh: '容器在磁盘之外写入的文件超过 {limitGi} GiB，已被节点终止；将于 {at} 再次启动。请将大文件放在 /root 或数据盘上。',
    ja: 'コンテナがディスク以外に書き込んだファイルが {limitGi} GiB を超えたため、ノードが終了させました。次の起動は {at} です。大きなファイルは /root またはデータディスクに置いてください。',
  },
  Evicted: {
    en: 'The node had to let the instance go; it starts again, elsewhere if need be.',
    zh: '节点不得不驱逐该实例；实例将重新启动，必要时更换节点。',
    ja: 'ノードがインスタンスを退避しました。必要に応じて別のノードで再起動します。',
  },
  CreateTimeout: {
    en: 'The instance was not ready {minutes|minute|minutes} after it was given a node. It keeps trying; a hard reboot starts over.',
    zh: '分配节点 {minutes} 分钟后实例仍未就绪。系统会继续尝试；强制重启可重新开始。',
    ja: '配置から {minutes} 分経ってもインスタンスの準備ができません。試行は続きます。強制再起動で最初からやり直せます。',
  },
  PortSilent: {
    en: 'Port {port} did not answer for {seconds|second|seconds}. The container is running and is billed.',
    zh: '端口 {port} 已 {seconds} 秒无响应。容器仍在运行，并照常计费。',
    ja: 'ポート {port} が {seconds} 秒間応答しません。コンテナは動作中で、課金されます。',
  },
  NotebookSilent: {
    en: 'Port {port} did not answer for {seconds|second|seconds}. The container can be used, and is billed since one could log in.',
    zh: '端口 {port} 已 {seconds} 秒无响应。容器可以使用，并自可登录之时起计费。',
    ja: 'ポート {port} が {seconds} 秒間応答しません。コンテナは利用でき、ログイン可能になった時点から課金されます。',
  },
  NetworkFailed: {
    en: 'The node could not set up the network of the container. It keeps trying; a hard reboot starts over.',
    zh: '节点无法建立容器网络。系统会继续尝试；强制重启可重新开始。',
    ja: 'ノードがコンテナのネットワークを設定できませんでした。試行は続きます。強制再起動で最初からやり直せます。',
  },
  NodeLost: {
    en: 'Node {node} does not answer. Only its storage is billed meanwhile.',
    zh: '节点 {node} 无响应，期间仅对存储计费。',
    ja: 'ノード {node} が応答しません。この間はストレージのみ課金されます。',
  },
  WaitsForNode: {
    en: 'Node {node} does not answer; the wish is carried out when the node is back or removed.',
    zh: '节点 {node} 无响应；节点恢复或移除后将执行您的操作。',
    ja: 'ノード {node} が応答しません。復帰または削除された後に実行されます。',
  },
  NodeGone: {
    en: 'The node is gone; the instance moves to another.',
    zh: '节点已移除，实例将迁移到其他节点。',
    ja: 'ノードがなくなったため、別のノードへ移ります。',
  },
} as const;
