// The phases of a evaluation.
import type { phases as en } from '../en/evaluation-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '释放中',
  released: '已释放',
  lost_contact: '失联',
  stopping: '停止中',
  stopped: '已停止',
  suspending: '挂起中',
  suspended: '已挂起',
  failed: '失败',
  success: '成功',
  evaluating: '评估中',
  starting: '启动中',
  queued: '排队中',
  preparing: '准备中',
};
