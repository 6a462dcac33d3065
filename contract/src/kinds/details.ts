// What the operator fills into `{detail}` of a reason's sentence in words of its own, where no cluster, registry or program said it.
import type { Words } from '../define-kind.ts';

export const DETAILS = {
  diskDeleted: { en: 'it is being deleted', zh: '正在删除', ja: '削除中です' },
  diskMade: { en: 'it is being made', zh: '正在创建', ja: '作成中です' },
  diskAssigned: { en: 'it is being assigned', zh: '正在分配', ja: '割り当て中です' },
  hostPrepared: { en: 'it is being prepared', zh: '正在准备', ja: '準備中です' },
  volumeGone: { en: 'its volume is gone', zh: '其存储卷已丢失', ja: 'ボリュームが失われました' },
  endedWithCode: {
    en: 'it ended with code {code}; the next try is at {at}',
    zh: '已退出，退出码为 {code}；将于 {at} 再次尝试',
    ja: '終了コード {code} で終了しました。次の試行は {at} です',
  },
} as const satisfies Record<string, Words>;
