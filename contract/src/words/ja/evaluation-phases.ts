// The phases of a evaluation.
import type { phases as en } from '../en/evaluation-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '解放中',
  released: '解放済み',
  lost_contact: '応答なし',
  stopping: '停止処理中',
  stopped: '停止',
  suspending: '中断処理中',
  suspended: '中断',
  failed: '失敗',
  success: '成功',
  evaluating: '評価中',
  starting: '起動中',
  queued: '待機中',
  preparing: '準備中',
};
