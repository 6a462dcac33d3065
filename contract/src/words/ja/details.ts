// The operator's words within a reason's sentence.

import type * as en from '../en/details.ts';
import type { Shape } from '../join.ts';

export const details: Shape<typeof en.details> = {
  diskDeleted: '削除中です',
  diskMade: '作成中です',
  diskAssigned: '割り当て中です',
  hostPrepared: '準備中です',
  volumeGone: 'ボリュームが失われました',
  endedWithCode: '終了しました（%{ended}）。次の試行は %{at} です',
  restoreLate: '%{minutes} 分たっても終わらないため、GPU を解放しました。次の試行は %{at} です',
  notPlacedThere: 'スケジューラーがそこに配置しません',
  nodeNotInCluster: 'ノードがクラスターにありません',
  nodeClosed: 'ノードは新しいインスタンスを受け付けません',
  nodesUnready: 'ノードの準備が完了していません',
  nodesCordoned: 'ノードは新しいコンテナの受け入れを停止しています（cordon）',
  nodesTainted: 'ノードの taint（%{taints}）により配置できません',
  nodesTaken: 'ノードは他の組織が使用しています',
  nodesExcluded: 'ノードは障害のため除外されています',
  nodesClosed:
    '準備未完了 %{unready} 台、cordon 済み %{cordoned} 台、taint により配置不可 %{tainted} 台、他の組織が使用中 %{taken} 台、障害により除外 %{excluded} 台',
  freeGpus: '%{model} が %{wanted} 枚必要ですが、空きは %{free} 枚です',
  freeCores: '%{wanted} コア必要ですが、空きは %{free} コアです',
  freeMemory: 'メモリが %{wanted} GiB 必要ですが、空きは %{free} GiB です',
  freeRoot: 'ローカルディスクが %{wanted} GiB 必要ですが、空きは %{free} GiB です',
  freePods: 'ノードの Pod の数が上限に達しています',
  quotaGpus: 'GPU %{requested} 枚の要求に対し、上限は %{limit} 枚で、%{used} 枚を使用中です',
  quotaCores: 'CPU %{requested} コアの要求に対し、上限は %{limit} コアで、%{used} コアを使用中です',
  quotaMemory: 'メモリ %{requested} GiB の要求に対し、上限は %{limit} GiB で、%{used} GiB を使用中です',
  quotaStorage: 'ストレージ %{requested} GiB の要求に対し、上限は %{limit} GiB で、%{used} GiB を使用中です',
  quotaOther: '%{resource} は %{requested} の要求に対し、上限は %{limit} で、%{used} を使用中です',
  missedAway: 'その時オペレーターが動作していませんでした',
  missedOverlap: '前回の実行がまだ終了していませんでした',
  missedLate: '%{minutes} 分以内に開始できませんでした：%{why}',
  killedForMemory: 'ワーカー %{worker} が %{memoryGi} GiB を超えるメモリを使ったため、強制終了されました',
};
