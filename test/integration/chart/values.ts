// Values of installations that differ: each is rendered, compared with its golden file, and shown to an API server.

const POSTGRES = { database: { existingSecret: 'gantry-postgres' }, gateway: { replicas: 2 } };
const INGRESS = {
  domain: 'gantry.example.org',
  tenantDomain: 'gantry-tenants.example.net',
  ingress: { enabled: true, className: 'nginx' },
  tls: { certManagerIssuer: { name: 'letsencrypt' } },
};
const GATEWAY_API = {
  domain: 'gantry.example.org',
  tenantDomain: 'gantry-tenants.example.net',
  gatewayApi: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }] },
};
export const STORES = {
  image: { probe: 'mirror.example.org/busybox:1.36' },
  models: {
    s3: { bucket: 'models', region: 'eu-west-3', existingSecret: 'models-s3' },
    hub: 'https://hub.example.org',
    engineImages: { vllm: 'mirror.example.org/vllm:1', 'llama.cpp-gpu': 'mirror.example.org/llama-cuda:1' },
  },
  trainer: { image: 'mirror.example.org/trainer-cuda:1' },
  backup: {
    s3: { bucket: 'backups', endpoint: 'https://s3.example.org', existingSecret: 'backup-s3' },
    existingSecret: 'backup-key',
    schedule: '41 3 * * 0',
    keepDays: 90,
  },
};
const PROMETHEUS = {
  url: 'https://prometheus.example.org/prefix',
  existingSecret: 'prometheus-client',
  secretKeys: ['token', 'ca.crt', 'tls.crt', 'tls.key'],
};
export const PROXY = {
  http: 'http://proxy.example.org:3128',
  https: 'http://proxy.example.org:3128',
  noProxy: ['.corp.example.org'],
};
const EVERYTHING = {
  ...INGRESS,
  ...POSTGRES,
  prometheus: PROMETHEUS,
  clusters: [{ region: 'eu-west', existingSecret: 'cluster-eu-west' }],
  proxy: PROXY,
  door: { replicas: 2 },
  monitoring: { podMonitors: true, rules: true, dashboards: true, labels: { release: 'prometheus' } },
  registry: { s3: { bucket: 'images', existingSecret: 's3' } },
};
/** Whatever an owner may have already: Secrets, volumes, certificates, several kinds of nodes, ways in of the nodes' own. */
export const YOURS = {
  domain: 'gantry.example.org',
  tenantDomain: 'gantry-tenants.example.net',
  image: { registry: 'mirror.example.org/gantry', pullSecrets: ['mirror-login'] },
  platformKey: { existingSecret: 'my-platform-key' },
  administrator: { existingSecret: 'my-administrator' },
  database: { existingClaim: 'my-database' },
  registry: { existingSecret: 'my-registry', existingClaim: 'my-images', clusterIP: '10.0.0.50' },
  ingress: { enabled: true },
  tls: { existingSecret: 'my-tls', tenantsExistingSecret: 'my-tenants-tls' },
  service: { type: 'NodePort', nodePorts: { console: 30080, admin: 30084, tenants: 30082, kubernetes: 30083 } },
  gateway: { environmentSecret: 'my-environment', filesSecret: 'my-files' },
  door: { service: { type: 'LoadBalancer', port: 2222, annotations: { 'example.org/pool': 'public' } } },
  agent: {
    pools: [
      { name: 'default', nodeSelector: { 'example.org/kind': 'gpu' } },
      {
        name: 'k3s',
        nodeSelector: { 'example.org/kind': 'edge' },
        containerdSocket: '/run/k3s/containerd/containerd.sock',
      },
    ],
  },
  networkPolicy: { enabled: false },
  nodeSelector: { 'example.org/kind': 'platform' },
  tolerations: [{ key: 'example.org/platform', operator: 'Exists' }],
};
/** By the names of their golden files. */
export const SETS: readonly (readonly [string, object])[] = [
  ['default', {}],
  ['postgres', POSTGRES],
  ['ingress', INGRESS],
  ['gateway-api', GATEWAY_API],
  ['stores', STORES],
  ['yours', YOURS],
  ['everything', EVERYTHING],
];
