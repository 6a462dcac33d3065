// Why the operator does not apply changes to an object.

import type * as en from '../en/reconcile.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  PlanFailed:
    'Gantry 因内部故障无法处理此对象，对它的更改不会生效。正在运行的内容会继续运行，直到停机、被删除或余额不足。',
  PlanFailedEnded:
    'Gantry 因内部故障无法处理此对象。由于已停机、被删除或余额不足，其容器已停止；故障修复后将保存容器中的更改。',
  PlanFailedUnbilled:
    'Gantry 因内部故障无法处理此对象。由于无法记录其用量，其容器已停止；故障修复后将保存容器中的更改。',
  TooManyWrites: '此对象更改过于频繁。在持续一分钟没有更改之前，Gantry 每 %{seconds} 秒才处理一次。',
};
