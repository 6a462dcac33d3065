// The menu "model" in the tables of the operators’ console.

export const words = {
  resources: {
    models: { one: 'モデル', many: 'モデル' },
    'token-usage': { one: 'モデルのトークン', many: 'モデルのトークン' },
  },
  fields: {
    shelved: 'ライブラリで公開',
    can_shelve: '公開可能',
    license: 'ライセンス',
    structure: '構造',
    parameters: 'パラメーター数',
    quantisation: '量子化',
    latest_version: '最新バージョン',
    version_count: 'バージョン数',
    'models.size_bytes': 'サイズ',
    downloads: 'ダウンロード数',
    shelved_at: '公開日時',
    shelved_by: '公開者',
    'models.updated_at': '更新',
    deployment: 'デプロイ',
    deployment_uid: 'オブジェクト UID',
    requests: 'リクエスト数',
    prompt_tokens: '入力トークン',
    cached_tokens: 'うちキャッシュ',
    completion_tokens: '出力トークン',
    estimated_requests: '推定したリクエスト',
  },
  choices: {
    'models.state': {
      ready: '正常',
      arriving: '取り込み中',
      abnormal: '異常',
      empty: 'バージョンなし',
    },
  },
} as const;
