// What the operator fills into `{detail}` of a reason's sentence in words of its own, where no cluster, registry or program said it.
import type { Words } from '../define-kind.ts';

export const DETAILS = {
  diskDeleted: { en: 'it is being deleted', zh: '正在删除', ja: '削除中です' },
  diskMade: { en: 'it is being made', zh: '正在创建', ja: '作成中です' },
  diskAssigned: { en: 'it is being assigned', zh: '正在分配', ja: '割り当て中です' },
  hostPrepared: { en: 'it is being prepared', zh: '正在准备', ja: '準備中です' },
  volumeGone: { en: 'its volume is gone', zh: '其存储卷已丢失', ja: 'ボリュームが失われました' },
  endedWithCode: {
    en: 'it ended with {ended}; the next try is at {at}',
    zh: '已退出（{ended}）；将于 {at} 再次尝试',
    ja: '終了しました（{ended}）。次の試行は {at} です',
  },
  notPlacedThere: {
    en: 'the scheduler does not place it there',
    zh: '调度器未将其安排到该节点',
    ja: 'スケジューラーがそこに配置しません',
  },
  nodeNotInCluster: {
    en: 'the node is not in the cluster',
    zh: '该节点不在集群中',
    ja: 'ノードがクラスターにありません',
  },
  nodeClosed: {
    en: 'the node accepts no new instances',
    zh: '该节点不接受新实例',
    ja: 'ノードは新しいインスタンスを受け付けません',
  },
  freeGpus: {
    en: 'it needs {wanted} × {model}, and {free|is|are} free',
    zh: '需要 {wanted} × {model}，空闲 {free} 张',
    ja: '{model} が {wanted} 枚必要ですが、空きは {free} 枚です',
  },
  freeCores: {
    en: 'it needs {wanted|core|cores}, and {free|is|are} free',
    zh: '需要 {wanted} 核，空闲 {free} 核',
    ja: '{wanted} コア必要ですが、空きは {free} コアです',
  },
  freeMemory: {
    en: 'it needs {wanted} GiB of memory, and {free} GiB is free',
    zh: '需要 {wanted} GiB 内存，空闲 {free} GiB',
    ja: 'メモリが {wanted} GiB 必要ですが、空きは {free} GiB です',
  },
  freeRoot: {
    en: "it needs {wanted} GiB of the node's own disk, and {free} GiB is free",
    zh: '需要 {wanted} GiB 本地磁盘，空闲 {free} GiB',
    ja: 'ローカルディスクが {wanted} GiB 必要ですが、空きは {free} GiB です',
  },
} as const satisfies Record<string, Words>;
