// The operator's words within a reason's sentence.

import type * as en from '../en/details.ts';
import type { Shape } from '../join.ts';

export const details: Shape<typeof en.details> = {
  diskDeleted: '正在删除',
  diskMade: '正在创建',
  diskAssigned: '正在分配',
  hostPrepared: '正在准备',
  volumeGone: '其存储卷已丢失',
  endedWithCode: '已退出（%{ended}）；将于 %{at} 再次尝试',
  restoreLate: '%{minutes} 分钟后仍未完成，其 GPU 已释放；将于 %{at} 再次尝试',
  notPlacedThere: '调度器未将其安排到该节点',
  nodeNotInCluster: '该节点不在集群中',
  nodeClosed: '该节点不接受新实例',
  nodesUnready: '节点未就绪',
  nodesCordoned: '节点已被封锁，不再接受新的容器',
  nodesTainted: '节点的污点（%{taints}）不允许其运行',
  nodesTaken: '节点正在为其他组织服务',
  nodesExcluded: '节点因故障已被排除',
  nodesClosed:
    '未就绪 %{unready} 个；已封锁 %{cordoned} 个；因污点不可用 %{tainted} 个；正在为其他组织服务 %{taken} 个；因故障已排除 %{excluded} 个',
  freeGpus: '需要 %{wanted} × %{model}，空闲 %{free} 张',
  freeCores: '需要 %{wanted} 核，空闲 %{free} 核',
  freeMemory: '需要 %{wanted} GiB 内存，空闲 %{free} GiB',
  freeRoot: '需要 %{wanted} GiB 本地磁盘，空闲 %{free} GiB',
  freePods: '节点运行的 Pod 数量已达上限',
  quotaGpus: '申请 %{requested} 张 GPU，上限 %{limit} 张，已使用 %{used} 张',
  quotaCores: '申请 %{requested} 核 CPU，上限 %{limit} 核，已使用 %{used} 核',
  quotaMemory: '申请 %{requested} GiB 内存，上限 %{limit} GiB，已使用 %{used} GiB',
  quotaStorage: '申请 %{requested} GiB 存储，上限 %{limit} GiB，已使用 %{used} GiB',
  quotaOther: '%{resource} 申请 %{requested}，上限 %{limit}，已使用 %{used}',
  missedAway: '当时控制器未运行',
  missedOverlap: '上一次运行尚未结束',
  missedLate: '未能在 %{minutes} 分钟内开始：%{why}',
  killedForMemory: 'Worker %{worker} 使用的内存超过 %{memoryGi} GiB，已被终止',
};
