// The chart's values: schema, values.yaml and the table in VALUES.md come from here. Types, words of a choice and unknown names are
// the schema's to refuse; what takes a sentence about two values, or about what a text means, is in templates/_refusals.tpl.

import * as z from 'zod';
import { ENGINE_IMAGES } from '../../src/models/engine-images.ts';
import { optionsSchema } from './program-options.ts';

/** The shapes of texts; templates/_refusals.tpl has sentences for the rules on their meaning. */
const SHAPES = {
  line: /^\P{Cc}*$/u,
  /** The name of an object of Kubernetes. */
  name: /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)?$/,
  region: /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  labelValue: /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/,
  repository: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/,
  tag: /^([A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?$/,
  image: /^[^\s"'\\]*$/,
  /** An address, a host and port, or several of what has no spaces. */
  word: /^\S*$/,
  ipAddress: /^([0-9a-fA-F.:]+|None)?$/,
  cidr: /^[0-9a-fA-F.:]+\/[0-9]{1,3}$/,
  path: /^\/[-A-Za-z0-9._/]*$/,
} as const;

const shaped = (shape: keyof typeof SHAPES) => z.string().regex(SHAPES[shape]);
const text = (words: string, byDefault = '', shape: keyof typeof SHAPES = 'line') =>
  shaped(shape).default(byDefault).meta({ description: words });
/** The name of a Secret, or of another object. */
const objectName = (words: string) => text(words, '', 'name');
const choice = <const T extends readonly [string, ...string[]]>(all: T, words: string) =>
  z
    .enum(all)
    .default(all[0] as never)
    .meta({ description: words });
const yes = (words: string, byDefault = false) => z.boolean().default(byDefault).meta({ description: words });
const number = (words: string, byDefault: number, least = 1, most = 65_535) =>
  z.number().int().min(least).max(most).default(byDefault).meta({ description: words });
/** Whatever Kubernetes takes there. */
const free = (words: string, byDefault: Record<string, unknown> = {}) =>
  z.record(z.string(), z.unknown()).default(byDefault).meta({ description: words });
const annotations = (words: string) => z.record(shaped('word'), z.string()).default({}).meta({ description: words });
const labels = z.record(shaped('word'), shaped('labelValue'));
const labelled = (words: string, byDefault: Record<string, string> = {}) =>
  labels.default(byDefault).meta({ description: words });
const several = (shape: keyof typeof SHAPES, words: string) =>
  z.array(shaped(shape)).default([]).meta({ description: words });
const nodePort = (words: string) => number(words, 0, 0);
const group = <T extends z.ZodRawShape>(words: string, shape: T) => z.strictObject(shape).meta({ description: words });

const resources = (of: string, requests: Record<string, string>, limits: Record<string, string>) =>
  free(`requests and limits of ${of}`, { requests, limits });
const storage = (of: string, size: string) => ({
  size: text(`size of the volume of ${of}; it can only grow`, size),
  storageClassName: objectName("its StorageClass; else the cluster's default"),
  existingClaim: objectName('a claim that is there already, instead'),
});

const bucket = (what: string) =>
  group(what, {
    bucket: text('its name'),
    region: text('its region', 'us-east-1', 'word'),
    endpoint: text('its address, where it is not at AWS', '', 'word'),
    existingSecret: objectName('a Secret with accessKey and secretKey'),
  });

export const chartValues = group('', {
  domain: text(
    'domain of the platform, such as gantry.example.org: www.<domain>, console.<domain>, admin.<domain> and kube.<domain>; without one portal and consoles are reached by port forwarding',
    '',
    'word',
  ),
  tenantDomain: text(
    "domain below which tenants' web content and services are, such as gantry-tenants.example.net; never `domain` or below it; without one none is served",
    '',
    'word',
  ),
  urls: group('where people find the parts, where that does not follow from `domain` and `tenantDomain`', {
    console: text('such as https://console.gpu.example.org', '', 'word'),
    admin: text('such as https://staff.example.org', '', 'word'),
    portal: text('such as https://gpu.example.org', '', 'word'),
    kubernetes: text('where kubeconfigs lead; https, because kubectl sends no token over plain HTTP', '', 'word'),
    tenants: text('scheme, host and perhaps port, such as https://tenants.example.net:8443', '', 'word'),
  }),
  region: text("data centre of this cluster, on every object's label", 'us-east', 'region'),
  regionLabel: text('what people see of it', 'US East Washington'),
  clusters: z
    .array(z.strictObject({ region: shaped('line'), existingSecret: shaped('name') }))
    .default([])
    .meta({
      description:
        'other clusters with Gantry, whose regions and stock are shown: the region of each, and a Secret with a `kubeconfig` of its account gantry-gateway, for people a `label`, and, to place instances there, `places: instances`',
    }),
  billing: choice(['on', 'off'], 'whether use is metered and credit reserved before anything starts'),
  sharedPool: choice(
    ['exclusive', 'sandboxed', 'open'],
    'how tenants share nodes: one at a time, under a sandboxing runtime, or freely',
  ),

  image: group("the platform's own images", {
    registry: text('registry and path in front of their names', 'ghcr.io/gantry-dev', 'repository'),
    tag: text("their tag; else the chart's appVersion", '', 'tag'),
    digests: z.record(shaped('name'), shaped('word')).default({}).meta({
      description: 'digest by image, such as gateway: sha256:…; stronger than the tag. `make images` writes them',
    }),
    probe: text('an image with sh and nc, to try out isolation and nodes with; else busybox of these', '', 'image'),
    pullPolicy: choice(['IfNotPresent', 'Always', 'Never'], 'when nodes pull'),
    pullSecrets: several(
      'name',
      "names of Secrets to pull with, for the platform's own Pods; `agent` and `busybox` run beside tenants and need a registry that asks for no login",
    ),
  }),

  platformKey: group("the key that the platform's passwords derive from: whoever has it can read what is sealed", {
    existingSecret: objectName('a Secret with 32 or more random bytes in `key`; else one is made, once'),
  }),
  administrator: group('the first administrator, `admin`', {
    existingSecret: objectName(
      'a Secret with the first `password`, which the first login must change; else one is made, once',
    ),
  }),

  database: group('people and money', {
    existingSecret: objectName(
      'a Secret whose `url` is a PostgreSQL (postgres://user:password@host:5432/gantry), needed for more than one gateway; else the gateway keeps an embedded database on a volume',
    ),
    ...storage('the embedded database', '10Gi'),
  }),

  gateway: group('API, consoles, billing', {
    replicas: number(
      'more than one needs PostgreSQL; none where the gateway of another cluster places instances',
      1,
      0,
      20,
    ),
    options: optionsSchema(
      'gateway',
      'more options of the gateway by their names, such as mail-from; VALUES.md lists them',
    ),
    environmentSecret: objectName(
      'a Secret of GANTRY_… variables, for options that are secret, such as GANTRY_SMTP_URL',
    ),
    filesSecret: objectName('a Secret that is mounted at /etc/gantry/files, for options that name files'),
    resources: resources('a gateway', { cpu: '200m', memory: '1Gi' }, { memory: '2Gi' }),
  }),
  operator: group('reconciles every kind; one leads', {
    replicas: number('one leads, the others wait', 2, 1, 5),
    options: optionsSchema(
      'operator',
      'more options of the operator by their names, such as allowed-cidrs; VALUES.md lists them',
    ),
    resources: resources('an operator', { cpu: '50m', memory: '192Mi' }, { memory: '1Gi' }),
  }),
  agent: group('on every node: saves files, measures disks, wipes nodes', {
    pools: z
      .array(
        z.strictObject({
          name: shaped('line'),
          nodeSelector: labels.optional(),
          containerdSocket: shaped('path').optional(),
          kubeletDir: shaped('path').optional(),
          registryHostsDir: shaped('path').optional(),
          modelCachePercent: z.int().min(0).max(80).optional(),
        }),
      )
      .default([{ name: 'default' }])
      .meta({
        description:
          "one DaemonSet for each kind of node: nodeSelector, containerdSocket, kubeletDir, containerd's config_path as registryHostsDir, and how much of the disk models' files may take for the next replicas as modelCachePercent",
      }),
    resources: resources('an agent', { cpu: '10m', memory: '32Mi' }, { memory: '512Mi' }),
  }),
  door: group('SSH to instances', {
    enabled: yes('whether there is a door', true),
    address: text('host and port as tenants reach it; else ssh.<domain>:<port of the Service>'),
    replicas: number('doors', 1, 1, 20),
    service: group('where it listens', {
      type: choice(['LoadBalancer', 'NodePort', 'ClusterIP'], 'type of its Service'),
      port: number('its port', 22),
      nodePort: nodePort('its port on nodes; 0 takes any'),
      annotations: annotations('for the load balancer'),
    }),
    nodeSelector: labelled('nodes for the door'),
    resources: resources('the door', { cpu: '20m', memory: '64Mi' }, { memory: '1Gi' }),
  }),
  registry: group("tenants' images and saved files, at registry.gantry.internal", {
    enabled: yes('whether the chart runs it; else `external` says where it is', true),
    external: group('a registry outside of the chart, with `node-agent registry` beside it', {
      address: text('host and port as nodes and Pods reach it', '', 'word'),
      plainHttp: yes('whether it speaks plain HTTP'),
    }),
    writeNodeHosts: yes(
      "whether the agents tell each node's containerd where the registry is, by a file below its config_path",
      true,
    ),
    existingSecret: objectName(
      'a Secret with signing.key (P-256, PEM) and platform.password, by which staff push; else one is made, once',
    ),
    clusterIP: text('a fixed address of its Service; else any', '', 'ipAddress'),
    ...storage('the registry', '100Gi'),
    s3: bucket('an S3 bucket instead of a volume'),
    resources: resources('the registry', { cpu: '50m', memory: '128Mi' }, { memory: '1Gi' }),
  }),

  models: group('the models that tenants keep', {
    s3: bucket('the S3 bucket of their files; without one nobody can keep any'),
    hub: text(
      'the hub that they are fetched from, or a mirror of it; empty for none',
      'https://huggingface.co',
      'word',
    ),
    engineImages: z
      .strictObject(
        Object.fromEntries(
          ENGINE_IMAGES.map((engine) => [
            engine,
            z
              .string()
              .regex(/^[^=,\s]+$/)
              .optional(),
          ]),
        ),
      )
      .default({})
      .meta({
        description:
          'images of engines in place of this release’s: vllm, sglang, llama.cpp; llama.cpp-gpu lets llama.cpp have GPUs',
      }),
  }),
  trainer: group('fine-tuning of models', {
    image: text(
      'an image of the trainer in place of this release’s, which trains on CPUs: such as one made on CUDA, with bitsandbytes for QLoRA',
      '',
      'image',
    ),
  }),
  prometheus: group('where metrics are asked for: pages of monitoring, scaling by PromQL, alerts', {
    url: text('such as http://prometheus-operated.monitoring.svc:9090; without it none of them has data', '', 'word'),
    existingSecret: objectName('a Secret with what it asks for, where it asks for anything'),
    secretKeys: z
      .array(z.enum(['token', 'ca.crt', 'tls.crt', 'tls.key']))
      .default([])
      .meta({
        description:
          'which keys that Secret has: `token` for a bearer, `tls.crt` and `tls.key` for a certificate of ours, `ca.crt` for the authority that signed its own',
      }),
  }),
  backup: group('copies of people, money and objects, sealed, in a bucket', {
    s3: bucket('their bucket; without one none are made'),
    prefix: text('what the names of their objects begin with, such as gantry/'),
    existingSecret: objectName(
      'a Secret whose `key` seals them (a line of `openssl rand -base64 32`); keep a copy of it elsewhere',
    ),
    schedule: text('when they are made, in the five fields of cron, UTC; empty: only by command', '17 2 * * *'),
    keepDays: number('days after which one is removed, but for the newest three; 0 keeps all', 30, 0),
  }),
  restore: group(
    'brings a backup of that bucket back: while `from` is set, gateway and operator stand still and a Job restores',
    {
      from: text('which one: latest, or an id of `gantry backups list`'),
      intoExisting: yes('whether tables that have rows are replaced, and objects that are there left as they are'),
    },
  ),

  proxy: group(
    "the way out, where there is no other; the API server, Services and the chart's own registry are always reached without it",
    {
      http: text('for http:// addresses, such as http://proxy.example.org:3128, without a password'),
      https: text('for https:// addresses, the same'),
      noProxy: several('line', 'what else is reached without it: hosts, or suffixes such as .corp.example.org'),
    },
  ),
  service: group("the gateway's Service", {
    type: choice(['ClusterIP', 'NodePort', 'LoadBalancer'], 'its type'),
    nodePorts: group('ports on nodes; 0 takes any', {
      console: nodePort('of console and API'),
      admin: nodePort("of the operators' console"),
      portal: nodePort('of the portal'),
      tenants: nodePort("of tenants' web content"),
      kubernetes: nodePort('of kubectl'),
    }),
  }),
  ingress: group('an Ingress for portal, console, admin console, kubectl and tenants', {
    enabled: yes('whether there is one; needs `domain`'),
    className: objectName("its IngressClass; else the cluster's default"),
    annotations: annotations(
      'such as nginx.ingress.kubernetes.io/proxy-read-timeout: "3600", for streams and terminals',
    ),
  }),
  gatewayApi: group('HTTPRoutes instead of an Ingress', {
    enabled: yes('whether there are any; needs `domain`'),
    parentRefs: z
      .array(z.record(z.string(), z.unknown()))
      .default([])
      .meta({ description: 'the Gateways that they belong to' }),
  }),
  tls: group('certificates of the Ingress', {
    existingSecret: objectName(
      'a kubernetes.io/tls Secret for www.<domain>, console.<domain>, admin.<domain> and kube.<domain>',
    ),
    tenantsExistingSecret: objectName('a kubernetes.io/tls Secret for *.<tenantDomain>'),
    certManagerIssuer: group('cert-manager writes both; a wildcard needs an issuer that solves DNS challenges', {
      name: objectName('the issuer'),
      kind: choice(['ClusterIssuer', 'Issuer'], 'its kind'),
    }),
    kubernetesExistingSecret: objectName(
      "a kubernetes.io/tls Secret with ca.crt, by which kubectl's way in ends TLS without an Ingress; else one is made, once",
    ),
  }),

  networkPolicy: group("who may talk to the platform's own Pods", {
    enabled: yes('whether there are policies', true),
    apiServerCidrs: several(
      'cidr',
      'where the API server is, to close the ways out of door and registry; else ports 443 and 6443',
    ),
  }),
  monitoring: group('for the Prometheus operator and Grafana', {
    podMonitors: yes("whether there are PodMonitors for the platform's Pods"),
    rules: yes('whether there is a PrometheusRule with its alerts'),
    labels: labelled('labels by which your Prometheus finds them'),
    runbooks: text(
      'the page that its alerts link to, each at a heading of its own: this RUNBOOKS.md, or a copy where you can read it',
      'https://github.com/gantry-dev/gantry/blob/main/charts/gantry/RUNBOOKS.md',
    ),
    dashboards: yes("whether there is a ConfigMap with Grafana's dashboard"),
    dashboardLabels: labelled('labels by which your Grafana finds it', { grafana_dashboard: '1' }),
  }),

  crds: group("the kinds' CustomResourceDefinitions", {
    install: yes('whether the chart applies them; they stay when the release goes', true),
  }),
  nodeSelector: labelled('nodes for gateway, operator and registry'),
  tolerations: z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .meta({ description: 'tolerations of gateway, operator and registry' }),
});
