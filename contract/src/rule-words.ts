// What the API server refuses by a rule of ours: CEL in a CRD, or a policy that a tenant can meet. It tells them in English; a
// reader of another language gets them from here. `{gaps}` of a policy's are filled in by the API server.
import type { Words } from './define-kind.ts';
import { REGISTRY } from './names.ts';

export const RULE_WORDS = {
  creatorFixed: { en: 'creator can not be changed', zh: 'creator 不可更改', ja: 'creator は変更できません' },
  creatorKept: {
    en: 'spec.creator can not be removed',
    zh: 'spec.creator 不可移除',
    ja: 'spec.creator は取り除けません',
  },
  letters: {
    en: 'may hold only letters, digits and underscore',
    zh: '只能包含字母、数字和下划线',
    ja: '使えるのは英字、数字、アンダースコアのみです',
  },
  lettersAndChinese: {
    en: 'may hold only Chinese characters, letters, digits and underscore',
    zh: '只能包含汉字、字母、数字和下划线',
    ja: '使えるのは漢字、英字、数字、アンダースコアのみです',
  },
  gpuModel: {
    en: 'model must be letters, digits, -, _ and ., with a letter or digit first and last, as in the label nvidia.com/gpu.product of nodes',
    zh: 'model 只能包含字母、数字、-、_ 和 .，且首尾须为字母或数字，与节点标签 nvidia.com/gpu.product 一致',
    ja: 'model には英字、数字、-、_、. のみ使え、先頭と末尾は英字か数字です（ノードのラベル nvidia.com/gpu.product のとおり）',
  },
  objectName: {
    en: 'must be the name of an object: lower-case letters, digits and -',
    zh: '必须是对象名称：小写字母、数字和 -',
    ja: 'オブジェクトの名前（英小文字、数字、-）でなければなりません',
  },
  portName: {
    en: 'must be at most 15 lower-case letters, digits and single -, with a letter; notebook is taken by notebookPort',
    zh: '最多 15 个小写字母、数字和不连续的 -，至少含一个字母；notebook 已被 notebookPort 占用',
    ja: '英小文字、数字、連続しない - の 15 文字以内で、英字を含めてください。notebook は notebookPort が使います',
  },
  portNameTwice: {
    en: 'ports: two ports can not have the same name',
    zh: 'ports：两个端口不能同名',
    ja: 'ports：2 つのポートに同じ名前は付けられません',
  },
  notebookPortTwice: {
    en: 'spec.notebookPort is also in spec.ports: name a port once',
    zh: 'spec.notebookPort 也出现在 spec.ports 中：同一端口只能写一次',
    ja: 'spec.notebookPort が spec.ports にもあります。同じポートは一度だけ書いてください',
  },
  variableName: {
    en: 'name must be a variable name: letters, digits and _, not starting with a digit',
    zh: 'name 必须是变量名：字母、数字和 _，且不以数字开头',
    ja: 'name は変数名（英字、数字、_。先頭に数字は不可）でなければなりません',
  },
  noNul: {
    en: 'may not contain NUL (U+0000)',
    zh: '不能包含 NUL（U+0000）',
    ja: 'NUL（U+0000）は使えません',
  },
  dateTime: {
    en: 'must be a date and time such as 2027-01-31T12:00:00Z or 2027-01-31T20:00:00+08:00',
    zh: '必须是日期和时间，例如 2027-01-31T12:00:00Z 或 2027-01-31T20:00:00+08:00',
    ja: '2027-01-31T12:00:00Z や 2027-01-31T20:00:00+08:00 のような日時でなければなりません',
  },
  atLeast: { en: 'must be at least {bound}', zh: '不能小于 {bound}', ja: '{bound} 以上でなければなりません' },
  variablesSize: {
    en: 'env may hold at most 32 KiB in total',
    zh: 'env 的全部内容最多 32 KiB',
    ja: 'env は全体で 32 KiB までです',
  },
  commandSize: {
    en: 'command may hold at most 32 KiB in total',
    zh: 'command 的全部内容最多 32 KiB',
    ja: 'command は全体で 32 KiB までです',
  },
  publicKey: {
    en: 'publicKey must be an OpenSSH public key',
    zh: 'publicKey 必须是 OpenSSH 公钥',
    ja: 'publicKey は OpenSSH の公開鍵でなければなりません',
  },
  mountPath: {
    en: 'mountPath must be an absolute path without .., and neither /root nor in /gantry, /dev, /proc or /sys',
    zh: 'mountPath 必须是不含 .. 的绝对路径，且不能是 /root，也不能位于 /gantry、/dev、/proc 或 /sys 之下',
    ja: 'mountPath は .. を含まない絶対パスで、/root や、/gantry、/dev、/proc、/sys の下であってはなりません',
  },
  mountPathTwice: {
    en: 'disks: two disks can not have the same mountPath',
    zh: 'disks：两个磁盘不能使用相同的 mountPath',
    ja: 'disks：2 つのディスクに同じ mountPath は使えません',
  },
  imageSource: {
    en: 'Malformed: an image is written repo/name:tag, such as pytorch/pytorch:2.4.0',
    zh: '格式不正确：镜像应写作 repo/name:tag，例如 pytorch/pytorch:2.4.0',
    ja: '形式が正しくありません。イメージは pytorch/pytorch:2.4.0 のように repo/name:tag と書きます',
  },
  plainText: {
    en: 'may not contain control, formatting or private-use characters',
    zh: '不能包含控制字符、格式字符或专用字符',
    ja: '制御文字、書式文字、私用文字は使えません',
  },
  imagePort: {
    en: 'the port of the registry must be from 1 to 65535',
    zh: '镜像仓库的端口必须为 1 至 65535',
    ja: 'レジストリのポートは 1 から 65535 でなければなりません',
  },
  imageFixed: {
    en: 'source can not be changed: make another Image',
    zh: 'source 不可更改：请新建一个镜像',
    ja: 'source は変更できません。別のイメージを作成してください',
  },
  imageOriginFixed: {
    en: 'fromInstance can not be changed: make another Image',
    zh: 'fromInstance 不可更改：请新建一个镜像',
    ja: 'fromInstance は変更できません。別のイメージを作成してください',
  },
  imageName: {
    en: 'metadata.name may have at most 50 characters: the check adds to it',
    zh: 'metadata.name 最多 50 个字符：校验时会在其后追加内容',
    ja: 'metadata.name は 50 文字以内です。検証で後ろに文字が付きます',
  },
  instanceNameLength: {
    en: 'metadata.name may have at most 50 characters: Pods add the number of their run',
    zh: 'metadata.name 最多 50 个字符：Pod 会在其后追加运行序号',
    ja: 'metadata.name は 50 文字以内です。Pod は実行の番号を後ろに付けます',
  },
  instanceName: {
    en: 'metadata.name must be lower-case letters, digits and -, starting with a letter',
    zh: 'metadata.name 只能是小写字母、数字和 -，并以字母开头',
    ja: 'metadata.name は英小文字、数字、- のみで、英字で始めてください',
  },
  rebootCountGrows: {
    en: 'rebootCount only grows',
    zh: 'rebootCount 只能增大',
    ja: 'rebootCount は増やすことしかできません',
  },
  homeGrows: {
    en: 'homeDisk.sizeGi can only grow',
    zh: 'homeDisk.sizeGi 只能增大',
    ja: 'homeDisk.sizeGi は増やすことしかできません',
  },
  homeClassFixed: {
    en: 'homeDisk.storageClassName can not be changed',
    zh: 'homeDisk.storageClassName 不可更改',
    ja: 'homeDisk.storageClassName は変更できません',
  },
  diskGrows: {
    en: 'sizeGi can only grow: a smaller disk would lose data',
    zh: 'sizeGi 只能增大：缩小磁盘会丢失数据',
    ja: 'sizeGi は増やすことしかできません。小さくするとデータが失われます',
  },
  diskAccessFixed: {
    en: 'access can not be changed: make another disk',
    zh: 'access 不可更改：请新建一个磁盘',
    ja: 'access は変更できません。別のディスクを作成してください',
  },
  diskClassFixed: {
    en: 'storageClassName can not be changed: make another disk',
    zh: 'storageClassName 不可更改：请新建一个磁盘',
    ja: 'storageClassName は変更できません。別のディスクを作成してください',
  },
  diskName: {
    en: 'metadata.name must be at most 50 lower-case letters, digits and -: the claim and the file server add to it',
    zh: 'metadata.name 最多 50 个小写字母、数字和 -：存储声明和文件服务会在其后追加内容',
    ja: 'metadata.name は英小文字、数字、- の 50 文字以内です。ボリューム要求とファイルサーバーが後ろに文字を付けます',
  },
  hostSourceFixed: { en: 'source can not be changed', zh: 'source 不可更改', ja: 'source は変更できません' },
  hostGpuFixed: {
    en: 'gpu can not be changed: rent another host',
    zh: 'gpu 不可更改：请另租一台主机',
    ja: 'gpu は変更できません。別のホストをレンタルしてください',
  },
  hostNodesGrow: { en: 'nodes can only grow', zh: 'nodes 只能增加', ja: 'nodes は増やすことしかできません' },
  hostMonthsGrow: { en: 'months can only grow', zh: 'months 只能增加', ja: 'months は増やすことしかできません' },
  hostName: {
    en: 'metadata.name must be at most 50 lower-case letters, digits and -, starting with a letter',
    zh: 'metadata.name 最多 50 个小写字母、数字和 -，并以字母开头',
    ja: 'metadata.name は英小文字、数字、- の 50 文字以内で、英字で始めてください',
  },
  accountTaken: {
    en: 'account default is taken: Kubernetes makes a ServiceAccount of that name',
    zh: '账号 default 已被占用：Kubernetes 会创建同名的 ServiceAccount',
    ja: 'アカウント default は使用済みです。Kubernetes が同名の ServiceAccount を作ります',
  },
  organizationName: {
    en: 'metadata.name must be at most 50 lower-case letters, digits and -: it names the namespace org-<name>',
    zh: 'metadata.name 最多 50 个小写字母、数字和 -：它决定命名空间 org-<name>',
    ja: 'metadata.name は英小文字、数字、- の 50 文字以内です。名前空間 org-<name> の名前になります',
  },
  saveFixed: {
    en: 'spec can not be changed: a save is about one moment',
    zh: 'spec 不可更改：一次保存只对应一个时刻',
    ja: 'spec は変更できません。保存は一つの時点のものです',
  },
  savedOf: {
    en: 'spec.from belongs to a Copy; spec.node, spec.podName and spec.podUID to a Root or a Home',
    zh: 'spec.from 用于 Copy；spec.node、spec.podName 和 spec.podUID 用于 Root 或 Home',
    ja: 'spec.from は Copy に、spec.node、spec.podName、spec.podUID は Root または Home に属します',
  },
  savedFrom: {
    en: `from must be an image of ${REGISTRY} by its digest`,
    zh: `from 必须是 ${REGISTRY} 中以 digest 指定的镜像`,
    ja: `from は ${REGISTRY} のイメージをダイジェストで指定したものでなければなりません`,
  },
  savedTo: {
    en: `target must be ${REGISTRY}/<namespace>/<name>:<tag>`,
    zh: `target 必须是 ${REGISTRY}/<namespace>/<name>:<tag>`,
    ja: `target は ${REGISTRY}/<namespace>/<name>:<tag> でなければなりません`,
  },
} as const satisfies Record<string, Words>;

export const POLICY_WORDS = {
  startedByOther: {
    en: 'spec.startedBy: must be the account that starts the instance, {account}',
    zh: 'spec.startedBy：必须是启动该实例的账号 {account}',
    ja: 'spec.startedBy：インスタンスを起動するアカウント {account} でなければなりません',
  },
  instanceOnHost: {
    en: 'Instance {instance} is on this host: shut it down, or move it by its spec.host, and then release the host',
    zh: '实例 {instance} 在此主机上：请先将其关机，或通过 spec.host 移走，再释放主机',
    ja: 'インスタンス {instance} がこのホスト上にあります。シャットダウンするか spec.host で移してから、ホストを解放してください',
  },
  hostReturned: {
    en: 'spec.months: the host expired and its nodes were given back; rent another',
    zh: 'spec.months：主机已到期，其节点已归还；请另租一台',
    ja: 'spec.months：ホストは期限切れで、ノードは返却済みです。別のホストをレンタルしてください',
  },
  diskMounted: {
    en: 'The disk is mounted by or reserved for {holders}. Unmount it first, or shut down whoever has it.',
    zh: '磁盘已由 {holders} 挂载或预留。请先卸载，或将使用者关机。',
    ja: 'ディスクは {holders} にマウントまたは確保されています。先にアンマウントするか、使用しているものをシャットダウンしてください。',
  },
  nothingCostly: {
    en: 'Nothing that costs can be begun, while stopping and deleting stay possible. {why}',
    zh: '目前不能开始任何收费操作，停止和删除仍可进行。{why}',
    ja: '費用のかかる操作は開始できません。停止と削除は引き続き可能です。{why}',
  },
  registrySpelling: {
    en: 'spec.{field}: write the registry as {registry}',
    zh: 'spec.{field}：请将镜像仓库写作 {registry}',
    ja: 'spec.{field}：レジストリは {registry} と書いてください',
  },
  ownImages: {
    en: 'spec.{field}: of {registry} only {namespace}/… and official/… are yours to use',
    zh: 'spec.{field}：{registry} 中您只能使用 {namespace}/… 和 official/…',
    ja: 'spec.{field}：{registry} のうち使えるのは {namespace}/… と official/… だけです',
  },
  innerRegistry: {
    en: 'spec.{field}: {host} is not on the public internet. Use a public registry, or one that the platform allows',
    zh: 'spec.{field}：{host} 不在公共互联网上。请使用公共镜像仓库，或平台允许的镜像仓库',
    ja: 'spec.{field}：{host} は公開インターネット上にありません。公開レジストリか、プラットフォームが許可したレジストリを使ってください',
  },
  exportedTo: {
    en: 'spec.source: an instance is exported to {registry}/{namespace}/<name>:<tag>, and .root and .home are the names of saves',
    zh: 'spec.source：实例会导出到 {registry}/{namespace}/<name>:<tag>，.root 和 .home 是保存所用的名称',
    ja: 'spec.source：インスタンスの書き出し先は {registry}/{namespace}/<name>:<tag> です。.root と .home は保存に使う名前です',
  },
} as const satisfies Record<string, Words>;
