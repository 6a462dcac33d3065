import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: '镜像',
  lead: '实例由镜像启动。镜像成功启动过一次容器后即为就绪。',
  add: '添加镜像',
  all: '全部',
  origin: '来源',
  official: '官方',
  own: '自有',
  onlyLlm: '仅大模型镜像',
  search: '按名称或 ID 搜索',
  about: '基本信息',
  digest: '摘要',
  source: '镜像地址',
  from: '导出自',
  llm: '大模型',
  use: '使用',
  emptyTitle: '还没有镜像',
  emptyHint: '可以从任意镜像仓库添加，或将实例导出为镜像。也可以不添加：创建实例时可直接填写任意来源。',
  toInstances: '查看实例',
  form: {
    addTitle: '添加镜像',
    addLead: '镜像会被拉取并试启动一次，之后即就绪；实例将使用经过检查的同一内容启动。',
    editTitle: '编辑 %{name}',
    nameHint: '任意单行文字，例如 pytorch-2.4。',
    sourceHint: 'repo/name:tag，例如 pytorch/pytorch:2.4.0',
    llm: '用于大模型服务',
    pullSecret: '拉取凭证',
    pullSecretHint: '用于私有仓库：组织命名空间中 kubernetes.io/dockerconfigjson 类型 Secret 的名称，用 kubectl 创建。',
  },
  release: {
    lost: '镜像“%{name}”：无法再用它创建新实例',
    users: '使用它启动的实例：%{names}',
    kept: '正在运行的实例及其已保存的内容',
  },
};
