// The menu "model" in the tables of the operators’ console.

export const words = {
  resources: {
    models: { one: '模型', many: '模型' },
    'token-usage': { one: '模型 token 用量', many: '模型 token 用量' },
  },
  fields: {
    shelved: '已上架',
    can_shelve: '可上架',
    license: '许可证',
    structure: '结构',
    parameters: '参数量',
    quantisation: '量化',
    latest_version: '最新版本',
    version_count: '版本数',
    'models.size_bytes': '大小',
    downloads: '下载次数',
    shelved_at: '上架时间',
    shelved_by: '上架人',
    'models.updated_at': '更新时间',
    deployment: '部署',
    deployment_uid: '对象 UID',
    requests: '请求数',
    prompt_tokens: '输入 token',
    cached_tokens: '其中来自缓存',
    completion_tokens: '输出 token',
    estimated_requests: '估算的请求',
  },
  choices: {
    'models.state': {
      ready: '正常',
      arriving: '导入中',
      abnormal: '异常',
      empty: '无版本',
    },
  },
} as const;
