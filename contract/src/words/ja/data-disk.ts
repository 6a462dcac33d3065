// Words of DataDisk.

import type * as en from '../en/data-disk.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'ディスク';
export const many = 'ディスク';

export const phases: Shape<typeof en.phases> = {
  releasing: '解放中',
  inactive: '非アクティブ',
  mounted: 'マウント済み',
  active: 'アクティブ',
};

export const reasons: Shape<typeof en.reasons> = {
  Available: 'ディスクをマウントできます。',
  WaitsForMount: 'ディスクをマウントできます。ボリュームは最初のマウント時に作成されます。',
  Mounted: 'ディスクは %{by} がマウントしています。',
  MountsAtNextStart: 'ディスクは %{by} 用に確保されています。次回の起動時にマウントされます。',
  Releasing: 'ディスクとすべてのデータを削除しています。',
  InUse: '%{by} が解放した後、ディスクを削除します。',
  Released: 'すべて削除されました。最後の利用分を課金処理しています。',
  Making: 'ディスクを作成しています。',
  Provisioning: 'ボリュームを作成しています。',
  NotProvisioned: 'ストレージシステムがボリュームを作成できていません。再試行を続けます。',
  ClaimGoing: 'ディスクのボリューム要求が Gantry の外で削除されました。使われなくなると、ディスクはなくなります。',
  DiskLost:
    'ディスクのボリューム要求が Gantry の外で削除されました。空のディスクに置き換えることはありません。ディスクを削除するか、プラットフォームの担当者にボリュームの復旧を依頼してください。',
  VolumeLost:
    'ディスクのボリューム %{volume} がデータとともに失われました。ディスクを削除するか、プラットフォームの担当者にボリュームの復旧を依頼してください。',
  StorageClassNotFound: 'spec.storageClassName：ストレージクラス %{name} はありません。',
  QuotaExceeded:
    '組織のクォータを超えます：%{detail}。要求を減らすか、不要なものを解放するか、提供元にクォータの引き上げを依頼してください。',
  Refused: 'クラスターがディスクを拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。',
  ...credit.reasons,
  UsageNotPosted: '50 件のサイズ変更が課金処理を待っています。処理が終わると拡張されます。',
  Resized: 'ボリュームは指定されたサイズです。',
  Resizing: 'ボリュームを %{from} GiB から %{to} GiB に拡張しています。',
  ResizeWaitsForMount: 'ボリュームは拡張されました。ファイルシステムは次のマウント時に拡張されます。',
  ResizeFailed: 'spec.sizeGi：ボリュームを拡張できません：%{detail}',
  SizeEnforced: 'ファイルシステムはディスクのサイズを上限とします。',
  SizeNotEnforced: 'ストレージシステムがディスクのサイズを制限していません。ファイルシステムは %{total} GiB です。',
  SizeSmaller: '前回の測定時、ファイルシステムは %{total} GiB でした。',
  SizeUnmeasured: 'ファイルシステムはまだ測定されていません。',
  TiedToNode:
    'ボリュームはノード %{node} にあります。このディスクをマウントするインスタンスは、そのノードで実行されます。',
  TiedToNodes: 'ボリュームには一部のノードからのみアクセスできます：%{terms}。',
  NotTied: 'どのノードからもマウントできます。',
  NoVolume: 'ボリュームはまだありません。',
  FilesReady: 'ファイルサーバーが応答しています。',
  FilesStarting: 'ファイルサーバーを起動しています。',
  FilesInUse: 'ディスクに書き込めるのは 1 つだけで、現在は %{by} です。そちらで sftp を使ってください。',
  FilesUntilMalformed: 'spec.files.until：%{value} は 2027-01-31T09:00:00Z のような日時ではありません。',
  FilesTooLong: 'spec.files.until は最大 %{hours} 時間先までです。',
  FilesFailed: 'ファイルサーバーを実行できません：%{detail}',
};

export const actions: Shape<typeof en.actions> = {
  edit: '編集',
  release: '削除',
};

export const rules: Shape<typeof en.rules> = {
  sizeGrows: 'sizeGi は増やすことしかできません。小さくするとデータが失われます',
  accessFixed: 'access は変更できません。別のディスクを作成してください',
  classFixed: 'storageClassName は変更できません。別のディスクを作成してください',
  name: 'metadata.name は英小文字、数字、- の 50 文字以内です。ここから作られる名前はそれより長くなります',
};
