// Staff's actions on tenants' objects, in the words that both sides read.
import type * as en from '../en/staff.ts';
import type { Shape } from '../join.ts';

/** Whether the operator works on an object. */
export const pauses: Shape<typeof en.pauses> = {
  pauseReconciling: '暂停调和',
  resumeReconciling: '恢复调和',
};

/** In the bell of the organisation's members. */
export const sentences: Shape<typeof en.sentences> = {
  commandTitle: '平台员工对%{kind} %{name} 执行了“%{command}”',
  command: '%{who}（%{role}）对%{kind} %{name} 执行了“%{command}”。原因：%{reason}',
  drainTitle: '平台员工正在腾空%{kind} %{name} 所在的节点',
  drain: '%{who}（%{role}）正在腾空实例 %{name} 所在的节点。文件会被保存，有空闲资源后实例会重新启动。原因：%{reason}',
  drainJob:
    '%{who}（%{role}）正在腾空作业 %{name} 所在的节点。有空闲资源后，其工作副本会在其他节点上重新启动。原因：%{reason}',
  drainService:
    '%{who}（%{role}）正在腾空服务 %{name} 所在的节点。有空闲资源后，该节点上的副本会被替换。原因：%{reason}',
};
