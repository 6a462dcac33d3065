// Refusals of the API server: by rules that several kinds share, and by policies that a tenant can meet.
import { REGISTRY } from '../../names.ts';
import type * as en from '../en/rules.ts';
import type { Shape } from '../join.ts';

export const rules: Shape<typeof en.rules> = {
  creatorFixed: 'creator は変更できません',
  creatorKept: 'spec.creator は削除できません',
  lettersAndChinese: '使えるのは漢字、英字、数字、アンダースコアのみです',
  modelVersion: '使えるのは英数字、.、_、- のみで、英数字で始めてください',
  gpuModel:
    'model には英字、数字、-、_、. のみ使え、先頭と末尾は英字か数字です（ノードのラベル nvidia.com/gpu.product のとおり）',
  objectName: 'オブジェクトの名前（英小文字、数字、-）でなければなりません',
  portName: '英小文字、数字、連続しない - の 15 文字以内で、英字を含めてください。notebook は notebookPort が使います',
  noNul: 'NUL（U+0000）は使えません',
  dateTime: '2027-01-31T12:00:00Z や 2027-01-31T20:00:00+08:00 のような日時でなければなりません',
  atLeast: '%{bound} 以上でなければなりません',
  mountPath: 'mountPath は .. を含まない絶対パスで、/root や、/gantry、/dev、/proc、/sys の下であってはなりません',
  mountPathTwice: 'disks：2 つのディスクに同じ mountPath は使えません',
  imageSource:
    '形式が正しくありません。イメージは pytorch/pytorch:2.4.0 のように repo/name:tag、または repo/name@sha256:… と書きます',
  plainText: '制御文字、書式文字、私用文字は使えません',
  imagePort: 'レジストリのポートは 1 から 65535 でなければなりません',
  portNameTwice: 'ports：2 つのポートに同じ名前は付けられません',
  variableName: 'name は変数名（英字、数字、_。先頭に数字は不可）でなければなりません',
  variablesSize: 'env は全体で 32 KiB までです',
  commandSize: 'command は全体で 32 KiB までです',
  secretKey: 'key に使えるのは英字、数字、-、_、. のみです',
  cron: 'cron は 30 2 * * 1-5 のような 5 つのフィールド（分、時、日、月、曜日）でなければなりません',
  timeZone: 'timeZone は Asia/Tokyo や UTC のような名前でなければなりません',
};

export const policies: Shape<typeof en.policies> = {
  startedByOther: 'spec.startedBy：起動するアカウント %{account} でなければなりません',
  scalesItself: 'spec.replicas：%{name} は自動スケーリング中です。spec.autoscaling を変更するか、先に削除してください',
  scaledByOther:
    'spec.replicas：これらのレプリカの料金は %{starter} が負担しています。spec.replicas と spec.startedBy（%{account}）を一度の変更で指定してください',
  foreignSecret:
    'spec.secretEnv：%{secret} の内容は変数に使えません。値をもう一度入力するか、ご自身の Opaque の Secret をお使いください',
  deviceVariable:
    'spec.env：%{name} はノードのデバイスを選ぶ変数で、プラットフォームが決めます。GPU は spec.gpu で指定してください',
  deviceMount: 'mountPath：%{path} はノードが GPU を示す場所です。別のパスを選んでください',
  likeGroup: 'metadata.name：-group、または -group- と数字で終えることはできません。モデルの Pod がその名前を使います',
  instanceOnHost:
    'インスタンス %{instance} がこのホスト上にあります。シャットダウンするか spec.host で移してから、ホストを解放してください',
  hostReturned: 'spec.months：ホストは期限切れで、ノードは解放済みです。別のホストをレンタルしてください',
  diskMounted:
    'ディスクは %{holders} にマウントまたは確保されています。先にアンマウントするか、使用中のインスタンスをシャットダウンしてください。',
  nothingCostly: '料金のかかるものは起動できませんが、停止と削除はできます。%{why}',
  registrySpelling: `spec.%{field}：レジストリは ${REGISTRY} と書いてください`,
  ownImages: `spec.%{field}：${REGISTRY} のうち使えるのは %{namespace}/… と official/… だけです`,
  innerRegistry:
    'spec.%{field}：%{host} は公開アドレスではありません。公開レジストリか、プラットフォームが許可したレジストリを使ってください',
  exportedTo: `spec.source：インスタンスのエクスポート先は ${REGISTRY}/%{namespace}/<name>:<tag> です。.root、.home、.log は保存に使う名前です`,
};
