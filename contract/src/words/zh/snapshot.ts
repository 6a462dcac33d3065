// Words of Snapshot.
import { REGISTRY } from '../../names.ts';
import type * as en from '../en/snapshot.ts';
import type { Shape } from '../join.ts';

export const name = '快照';
export const many = '快照';

export const phases: Shape<typeof en.phases> = {
  failed: '失败',
  processing: '保存中',
  success: '已推送',
  ready: '已保存',
};

export const reasons: Shape<typeof en.reasons> = {
  Waiting: '尚未开始保存。',
  Saving: '正在保存文件。',
  SavingLog: '正在保存日志。',
  Pushed: '镜像已在仓库中，正在校验。',
  Saved: '已保存为 %{digest}，并通过校验。',
  LogSaved: '日志已在镜像仓库中。',
  Retrying: '保存失败，将重试：%{detail}',
  ContainerGone: '容器已从节点上消失，其更改无法再保存。',
  SourceGone: 'spec.from：镜像仓库中已没有 %{image}。',
  LogGone: '日志已从节点上消失。',
  NotSaveable: '无法保存：%{detail}',
  Refused: '不允许保存：%{detail}',
};

export const actions = {};

export const rules: Shape<typeof en.rules> = {
  specFixed: 'spec 不可更改：一次保存只对应一个时刻',
  savedOf: 'spec.from 仅用于 Copy；spec.node、spec.podName 和 spec.podUID 用于其他类型',
  savedLog: 'Log 写入 spec.target，其名称以 .log 结尾；spec.log 用于 Root',
  savedFrom: `from 必须是 ${REGISTRY} 中以 digest 指定的镜像`,
  savedTo: `target 必须是 ${REGISTRY}/<namespace>/<name>:<tag>`,
  logTo: `log 必须是 ${REGISTRY}/<namespace>/<name>:<tag>`,
};
