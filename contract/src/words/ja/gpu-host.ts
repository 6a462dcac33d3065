// Words of GpuHost.

import type * as en from '../en/gpu-host.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = 'ホスト';
export const many = 'ホスト';

export const phases: Shape<typeof en.phases> = {
  releasing: '解放中',
  draining: '退避中',
  expired: '期限切れ',
  lost: '応答なし',
  pending: '待機中',
  activeSync: '同期中',
  notReady: '準備未完了',
  active: '利用可能',
};

export const reasons: Shape<typeof en.reasons> = {
  Active: 'ホストはインスタンスを受け付けます。',
  ExpiresSoon: 'ホストは %{at} に期限切れになります（残り %{hours} 時間）。',
  WaitingForNodes:
    '%{count} × %{model} のノードが %{nodes} 台必要です。%{all} 台中 %{free} 台が空き、先に待っているのは %{ahead} 件です。',
  TooFewNodes: '%{count} × %{model} のノードが %{nodes} 台必要ですが、全部で %{all} 台です。',
  UnknownNodes: '%{count} × %{model} を備えたノードはありません。クラスターにあるのは %{models} です。',
  QuotaExceeded:
    'GPU が %{count} 枚必要です。組織が借りられる %{quota} 枚のうち %{held} 枚を他のホストが使用しています。',
  Claiming: 'ノードを確保しています：%{held}/%{nodes}。',
  Confirming: 'ノード %{node} のラベル、テイント、空きを確認しています。',
  GpusMissing: 'ノード %{node} の GPU %{count} 枚のうち %{seen} 枚のみ利用できます。',
  ...credit.reasons,
  NodesNotReady: '次のノードが応答しません：%{nodes}。',
  NodesLost: 'ホストのノードがなくなりました。%{count} × %{model} の他のノード %{all} 台中 %{free} 台が空いています。',
  Expired:
    'ホストは %{at} に期限切れとなり、新しいインスタンスを受け付けません。更新しない場合、その上のインスタンスは %{until} に休止します。',
  Returned: 'ホストは %{at} に期限切れとなり、ノードは解放されました。',
  InstancesLeft: 'ノード上に組織のコンテナが残っているか、まだ保存されていません：%{names}。',
  WaitsForDisks: 'ノード %{node} からのみ利用できるディスクが残っています：%{disks}。',
  Wiping: 'ノード %{node} に残る組織のデータを消去しています。',
  Releasing: 'ノードを解放しています。',
  Released: 'すべてのノードを解放しました。最後の利用分を課金処理しています。',
  Refused: 'クラスターがノードの確保を拒否しました：%{detail}',
  NotYetActive: 'ホストはまだ利用可能ではありません。',
  NodesComplete: 'ホストのノードはすべて揃っています。',
  NotSoon: 'ホストは %{at} まで利用できます。',
  MonthsUnpaid: '%{months} か月のうち %{counted} か月が有効です。残りの月の残高はまだ確保されていません。',
  InGrace: 'ホスト上のインスタンスは %{until} まで継続できます。',
  GraceOver: 'ホスト上のインスタンスは休止し、ノードは解放されます。',
  DisksKept: 'ホストのディスクは、そのホスト上のインスタンス用に確保されています。',
  DiskNotFound: 'spec.disks：ディスク %{disk} はありません。',
  DiskInUse: 'spec.disks：ディスク %{disk} は %{by} が使用中のため、このホスト用に確保されていません。',
  DiskNotReady: 'spec.disks：ディスク %{disk} を作成または割り当てています。',
  OthersLeft: 'ノード %{node} には以前からのコンテナが残っています。新しいものは受け付けません。',
  NoAgentOnNode: '%{nodes} にはエージェントがないため消去できません。保存されたデータもありません。',
};

export const actions: Shape<typeof en.actions> = {
  renew: '更新',
  edit: '編集',
  release: '解放',
};

export const rules: Shape<typeof en.rules> = {
  letters: '使えるのは英字、数字、アンダースコアのみです',
  sourceFixed: 'source は変更できません',
  gpuFixed: 'gpu は変更できません。別のホストをレンタルしてください',
  nodesGrow: 'nodes は増やすことしかできません',
  monthsGrow: 'months は増やすことしかできません',
  name: 'metadata.name は英小文字、数字、- の 50 文字以内で、英字で始めてください',
};
