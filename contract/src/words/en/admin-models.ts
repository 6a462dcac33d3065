// The menu "model" in the tables of the operators’ console.

export const words = {
  resources: {
    models: { one: 'Model', many: 'Models' },
    'token-usage': { one: 'Tokens of a model', many: 'Model tokens' },
  },
  fields: {
    shelved: 'In the library',
    can_shelve: 'Can be shelved',
    license: 'Licence',
    structure: 'Structure',
    parameters: 'Parameters',
    quantisation: 'Quantisation',
    latest_version: 'Latest version',
    version_count: 'Versions',
    'models.size_bytes': 'Size',
    downloads: 'Downloads',
    shelved_at: 'Shelved',
    shelved_by: 'Shelved by',
    'models.updated_at': 'Updated',
    deployment: 'Deployment',
    deployment_uid: 'Object UID',
    requests: 'Requests',
    prompt_tokens: 'Prompt tokens',
    cached_tokens: 'Of these, cached',
    completion_tokens: 'Completion tokens',
    estimated_requests: 'Estimated requests',
  },
  choices: {
    'models.state': {
      ready: 'Ready',
      arriving: 'Arriving',
      abnormal: 'Abnormal',
      empty: 'Empty',
    },
  },
} as const;
