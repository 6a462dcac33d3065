// The phases of a service.
import type { phases as en } from '../en/container-service-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '释放中',
  released: '已释放',
  stopping: '停止中',
  stopped: '已停止',
  sleeping: '休眠中',
  failed: '失败',
  partialSuccess: '部分运行',
  deploying: '部署中',
  waking: '唤醒中',
  active: '运行中',
  preparing: '准备中',
};
