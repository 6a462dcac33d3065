export const words = {
  title: 'Images',
  lead: 'Instances start from images. An image is ready once a container has started from it.',
  add: 'Add an image',
  all: 'All',
  origin: 'Origin',
  official: 'Official',
  own: 'Own',
  onlyLlm: 'For language models',
  search: 'Search by name or ID',
  about: 'Details',
  digest: 'Digest',
  source: 'Source',
  from: 'Exported from',
  llm: 'Language models',
  use: 'Use',
  emptyTitle: 'No image yet',
  emptyHint:
    'Add one from any registry, or export an instance as an image. You can also start an instance straight from any source.',
  toInstances: 'Go to instances',
  form: {
    addTitle: 'Add an image',
    addLead:
      'We pull it and start it once. Then it is ready, and instances start from exactly the version that was checked.',
    editTitle: 'Edit %{name}',
    nameHint: 'Any text on one line, such as pytorch-2.4.',
    sourceHint: 'repo/name:tag, such as pytorch/pytorch:2.4.0',
    llm: 'Serves language models',
    pullSecret: 'Pull secret',
    pullSecretHint:
      'For a private registry: the name of a kubernetes.io/dockerconfigjson Secret in your organisation’s namespace, created with kubectl.',
  },
  release: {
    lost: 'The image “%{name}”: no new instance can be created from it',
    users: 'Instances that start from it: %{names}',
    kept: 'Running instances, and the files they have saved',
  },
} as const;
