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
  WaitsForMount: '磁盘可以挂载；首次挂载时创建存储卷。',
  Mounted: '磁盘已由 %{by} 挂载。',
  MountsAtNextStart: '磁盘已为 %{by} 保留，将在其下次启动时挂载。',
  Releasing: '正在删除磁盘及其全部数据。',
  InUse: '待 %{by} 释放后删除磁盘。',
  Released: '所有资源已清除，正在结算最后一次使用。',
  Making: '正在创建磁盘。',
  Provisioning: '正在创建存储卷。',
  NotProvisioned: '存储未能创建存储卷，仍在重试。',
  ClaimGoing: '磁盘的声明已被外部删除；待无人占用后即消失。',
  DiskLost: '磁盘的声明已被外部删除。系统不会以空磁盘代替其数据：请删除该磁盘，或请平台工作人员恢复其存储卷。',
  VolumeLost: '磁盘的存储卷 %{volume} 及其数据已丢失。请删除该磁盘，或请平台工作人员恢复其存储卷。',
  StorageClassNotFound: 'spec.storageClassName：不存在存储类 %{name}。',
  QuotaExceeded: '组织配额不足：%{detail}。请减少申请量、释放不需要的资源，或请服务提供方提高配额。',
  Refused: '集群拒绝了该磁盘：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。',
  ...credit.reasons,
  UsageNotPosted: '有五十次扩容尚未计费，计费后才会继续扩容。',
  Resized: '存储卷已达到所需大小。',
  Resizing: '存储卷正从 %{from} GiB 扩容至 %{to} GiB。',
  ResizeWaitsForMount: '存储卷已扩容，文件系统将在下次挂载时扩容。',
  ResizeFailed: 'spec.sizeGi：无法扩容存储卷：%{detail}',
  SizeEnforced: '文件系统以磁盘大小为上限。',
  SizeNotEnforced: '存储未限制磁盘大小：其文件系统为 %{total} GiB。',
  SizeSmaller: '上次测量时文件系统为 %{total} GiB。',
  SizeUnmeasured: '尚未测量文件系统。',
  TiedToNode: '存储卷位于节点 %{node}：挂载该磁盘者只能在此节点运行。',
  TiedToNodes: '仅部分节点可访问该存储卷：%{terms}。',
  NotTied: '所有节点均可挂载该磁盘。',
  NoVolume: '尚无存储卷。',
  FilesReady: '文件服务器已就绪。',
  FilesStarting: '文件服务器正在启动。',
  FilesInUse: '磁盘仅允许一方写入，目前为 %{by}：请在其中使用 sftp。',
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
  name: 'metadata.name 最多 50 个小写字母、数字和 -：存储声明和文件服务会在其后追加内容',
};
