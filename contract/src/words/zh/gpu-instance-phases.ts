// Phases of GpuInstance, by themselves: a page that lists instances needs no more of their words.
import type { phases as en, rests as enRests } from '../en/gpu-instance-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '释放中',
  released: '已释放',
  lost_contact: '失联',
  hibernating: '休眠中',
  shuttingDown: '关机中',
  shutDown: '已关机',
  stopping: '停止中',
  stopped: '已停止',
  createFailed: '创建失败',
  createTimeout: '创建超时',
  networkTimeout: '网络超时',
  failed: '失败',
  update: '更新中',
  hard_rebooting: '强制重启中',
  restoring: '恢复中',
  resuming: '继续运行中',
  starting: '启动中',
  preparing: '准备中',
  createSuccess: '创建成功',
  creating: '创建中',
  running: '运行中',
};

/** A phase that several resting states share, by the state. */
export const rests: Shape<typeof enRests> = {
  hibernated: '已休眠',
};
