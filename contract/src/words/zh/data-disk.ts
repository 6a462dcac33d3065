// Words of DataDisk.

import type * as en from '../en/data-disk.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '磁盘';
export const many = '磁盘';

export const phases: Shape<typeof en.phases> = {
  releasing: '释放中',
  inactive: '未激活',
  mounted: '已挂载',
  active: '已激活',
};

export const reasons: Shape<typeof en.reasons> = {
  Available: '磁盘可以挂载。',
  WaitsForMount: '磁盘可以挂载；存储卷将在首次挂载时创建。',
  Mounted: '磁盘已由 %{by} 挂载。',
  MountsAtNextStart: '磁盘已为 %{by} 保留，将在其下次启动时挂载。',
  Releasing: '正在删除磁盘及其全部数据。',
  InUse: '%{by} 释放磁盘后，磁盘将被删除。',
  Released: '已全部删除，正在结算最后的用量。',
  Making: '正在创建磁盘。',
  Provisioning: '正在创建存储卷。',
  NotProvisioned: '存储系统未能创建存储卷，仍在重试。',
  ClaimGoing: '磁盘的存储声明已在 Gantry 之外被删除；不再被使用后，磁盘将消失。',
  DiskLost:
    '磁盘的存储声明已在 Gantry 之外被删除。系统不会用空磁盘代替它：请删除该磁盘，或请平台工作人员恢复其存储卷。',
  VolumeLost: '磁盘的存储卷 %{volume} 及其数据已不存在。请删除该磁盘，或请平台工作人员恢复其存储卷。',
  StorageClassNotFound: 'spec.storageClassName：没有存储类 %{name}。',
  QuotaExceeded: '超出组织的配额：%{detail}。请减少申请量、释放不需要的资源，或向服务提供方申请更大的配额。',
  Refused: '集群拒绝了该磁盘：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。',
  ...credit.reasons,
  UsageNotPosted: '有 50 次扩容等待计费，完成计费后才会继续扩容。',
  Resized: '存储卷已达到所需大小。',
  Resizing: '存储卷正从 %{from} GiB 扩容至 %{to} GiB。',
  ResizeWaitsForMount: '存储卷已扩容，文件系统将在下次挂载时扩容。',
  ResizeFailed: 'spec.sizeGi：无法扩容存储卷：%{detail}',
  SizeEnforced: '文件系统的大小以磁盘大小为上限。',
  SizeNotEnforced: '存储系统未限制磁盘大小：其文件系统为 %{total} GiB。',
  SizeSmaller: '上次测量时文件系统为 %{total} GiB。',
  SizeUnmeasured: '尚未测量文件系统。',
  TiedToNode: '存储卷位于节点 %{node}：挂载该磁盘的实例都在此节点运行。',
  TiedToNodes: '仅部分节点可访问该存储卷：%{terms}。',
  NotTied: '所有节点均可挂载该磁盘。',
  NoVolume: '尚无存储卷。',
  FilesReady: '文件服务器正常响应。',
  FilesStarting: '文件服务器正在启动。',
  FilesInUse: '磁盘只允许一个写入者，目前是 %{by}：请在其中使用 sftp。',
  FilesUntilMalformed: 'spec.files.until：%{value} 不是有效的日期时间（例如 2027-01-31T09:00:00Z）。',
  FilesTooLong: 'spec.files.until 最多只能设为 %{hours} 小时之后。',
  FilesFailed: '文件服务器无法运行：%{detail}',
};

export const actions: Shape<typeof en.actions> = {
  edit: '编辑',
  release: '删除',
};

export const rules: Shape<typeof en.rules> = {
  sizeGrows: 'sizeGi 只能增大：缩小磁盘会丢失数据',
  accessFixed: 'access 不可更改：请新建一个磁盘',
  classFixed: 'storageClassName 不可更改：请新建一个磁盘',
  name: 'metadata.name 最多 50 个小写字母、数字和 -，因为由它派生的名称会更长',
};
