// The phases of a job.
import type { phases as en } from '../en/job-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '释放中',
  released: '已释放',
  lost_contact: '失联',
  stopping: '停止中',
  stopped: '已停止',
  suspending: '挂起中',
  suspended: '已挂起',
  scheduled: '已排定',
  failed: '失败',
  succeeded: '成功',
  running: '运行中',
  starting: '启动中',
  queued: '排队中',
  preparing: '准备中',
};
