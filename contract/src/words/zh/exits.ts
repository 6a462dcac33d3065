// How a program ended.

import type * as en from '../en/exits.ts';
import type { Shape } from '../join.ts';

export const codes: Shape<typeof en.codes> = {
  '126': '退出码 126：命令存在但无法执行',
  '127': '退出码 127：镜像中没有该命令',
  '134': '退出码 134：程序自行中止（SIGABRT）',
  '137': '退出码 137：程序被强制终止（SIGKILL），但并非因超出内存上限',
  '139': '退出码 139：程序访问了无效内存（SIGSEGV）',
  '143': '退出码 143：程序收到停止请求（SIGTERM）',
};

export const anyCode = '退出码 %{code}';

export const afterLines = '%{ended}，此前的输出为“%{lines}”';

/** `lines`: what the container runtime says. */
export const notStarted = '%{ended}：%{lines}';

export const otherEnds: Shape<typeof en.otherEnds> = {
  NotStarted: '未启动',
  InputsNotFetched: '输入文件未送达',
  DoesNotFit: '训练所需内存超出可用内存',
  NotRestored: '未恢复',
  StartError: '程序无法启动',
  Stopped: '应要求停止',
  OOMKilled: '内存不足',
  RootFull: '根文件系统已满',
  Evicted: '被节点驱逐',
  NodeGone: '节点已移除',
  Deleted: '其 Pod 已被删除',
  Displaced: '被平台移出节点',
  Lost: '节点丢失了它',
};
