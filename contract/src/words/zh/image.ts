// Words of Image.

import type * as en from '../en/image.ts';
import type { Shape } from '../join.ts';
import * as credit from './credit.ts';

export const name = '镜像';
export const many = '镜像';

export const phases: Shape<typeof en.phases> = {
  failed: '失败',
  processing: '处理中',
  success: '已拉取',
  ready: '就绪',
};

export const reasons: Shape<typeof en.reasons> = {
  Verified: '已从 %{digest} 启动容器。',
  Verifying: '正在拉取镜像并试启动。',
  WaitsForTurn: '正在检查组织的其他镜像（同时最多 %{most} 个），此镜像正在排队。',
  ...credit.reasons,
  WaitingForSave: '正在保存实例 %{instance}。',
  Copying: '正在将实例 %{instance} 保存的内容复制到 spec.source。',
  CopyRetrying: '复制失败，将重试：%{detail}',
  CopyFailed: '无法复制到 spec.source：%{detail} 请新建镜像重试。',
  InstanceNotFound: 'spec.fromInstance：没有实例 %{instance}。请新建镜像重试。',
  NothingSaved: 'spec.fromInstance：实例 %{instance} 没有已保存的内容：%{detail} 请新建镜像重试。',
  SourceTaken: 'spec.source：镜像 %{image} 已使用该地址。请使用其他 source 新建镜像。',
  Pulled: '镜像已拉取，容器正在启动。',
  ImageNotFound: 'spec.source：无法拉取 %{image}：%{detail}',
  PullSecretNotFound: 'spec.pullSecret：没有 Secret %{secret}。',
  NotBootable: '无法从镜像启动容器：%{detail}',
  NoDigest: 'spec.source：%{image} 的镜像仓库未提供摘要，无法确认所检查的内容。',
  Exited: '从镜像启动的容器已退出：%{ended}。',
  TooLarge: 'spec.source：镜像大小为 %{size} GiB，上限为 %{most} GiB。请改用更小的镜像，并新建一个镜像对象。',
  GivenUp: '检查已失败 %{times} 次，不再重复。如需重试，请新建镜像或更改 spec.pullSecret。最后一次失败：%{detail}',
  NoAgent: '无法拉取平台镜像 %{image}，需由平台工作人员处理。',
  Interrupted: '检查被中断：%{detail}',
  CheckLost: '检查被中断：其容器已被删除。',
  Refused: '集群拒绝了检查：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。',
};

export const actions: Shape<typeof en.actions> = {
  release: '删除',
};

export const rules: Shape<typeof en.rules> = {
  sourceFixed: 'source 不可更改：请新建一个镜像',
  fromInstanceFixed: 'fromInstance 不可更改：请新建一个镜像',
  name: 'metadata.name 最多 50 个字符，因为由它派生的名称会更长',
};
