export const words = {
  title: 'Images',
  lead: 'What instances start from. An image is ready once a container was started from it.',
  add: 'Add an image',
  all: 'All',
  official: 'Official',
  own: 'Own',
  onlyLlm: 'For language models',
  search: 'Search by name or id',
  source: 'Source',
  from: 'Exported from',
  llm: 'Language models',
  use: 'Use it',
  emptyTitle: 'No image yet',
  emptyHint:
    'Add one from any registry, or export an instance as an image. Neither is needed: an instance takes any source, too.',
  toInstances: 'To the instances',
  form: {
    addTitle: 'Add an image',
    addLead: 'It is pulled and started once; then it is ready, and instances start from exactly what was checked.',
    editTitle: 'Edit %{name}',
    nameHint: 'Letters, digits, _ and Chinese characters.',
    sourceHint: 'repo/name:tag, such as pytorch/pytorch:2.4.0',
    llm: 'It serves language models',
    pullSecret: 'Pull secret',
    pullSecretHint:
      'For a private registry: the name of a kubernetes.io/dockerconfigjson Secret in the namespace of your organisation, made with kubectl.',
  },
  release: {
    lost: 'The image “%{name}”: no new instance can be made from what was saved or checked under it',
    users: 'Instances that start from it: %{names}',
    kept: 'Instances that run, and what they have saved',
  },
} as const;
