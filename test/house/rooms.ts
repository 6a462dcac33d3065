// Which room may import what. Everything that no row allows is refused; a new room starts with a row here.
//
// A room is a folder (`a/*`: each folder of it) or the files of one folder (`a/*.ts`, with those that end in .tsx). It may import
// itself, other rooms or single files, npm packages, `node:…` modules (`node:*` is any), and `type …` for imports that are gone
// before the program runs. `.dependency-cruiser.js` turns the rows into rules.

const REACT = [
  'react',
  'react-dom',
  'react-router',
  '@mui/*',
  '@emotion/*',
  '@tanstack/*',
  'react-hook-form',
  '@hookform/*',
  'node-polyglot',
  'zod',
];

/** Additional imports for tests beside their source, besides anything in their own workspace. */
export const TESTING = [
  '@electric-sql/pglite',
  '@jest/globals',
  'drizzle-orm',
  'express',
  'fast-check',
  '@testing-library/*',
  'otplib',
  'pino',
  'smtp-server',
  'yaml',
  'zod',
  'kube/src',
  'node:*',
  'hack/gguf-file.ts',
  'test/support',
];

/** The imports that every room of the gateway above the platform may have. */
const CORE = ['contract/src', 'kube/src', 'api/src/platform', 'drizzle-orm', 'type pino', 'zod', 'node:*'];

/** Imports between two rooms of one floor of the gateway, each with its reason. At most ten between areas. */
export const SIDEWAYS: readonly (readonly [from: string, to: string, why: string])[] = [
  ['api/src/core/*.ts', 'api/src/core', 'what joins two of them'],
  ['api/src/core/settings', 'api/src/core/billing/payments/limits.ts', 'a setting has the limits of recharges'],
  [
    'api/src/core/billing',
    'api/src/core/identity/organizations/notify-payers.ts',
    'who pays is told by message and mail',
  ],
  ['api/src/core/billing', 'api/src/core/kinds', 'objects are metered, and a plan caps hosts'],
  ['api/src/core/data-server', 'api/src/core/files', 'it reads stored files, and its parts become some'],
  ['api/src/core/data-server', 'api/src/core/kinds/open-cluster.ts', 'an Organization asks for its server'],
  ['api/src/core/tasks', 'api/src/core/files', 'what a task has done is kept as stored files'],
  ['api/src/core/tasks', 'api/src/core/kinds/open-cluster.ts', 'tasks are objects, and their Pods are found there'],
  ['api/src/core/tasks', 'api/src/core/identity/people/member-caller.ts', 'a run reads and asks as who began it'],
  ['api/src/core/tasks', 'api/src/core/billing/prices', 'what workers cost is one rule for all kinds of tasks'],
  ['api/src/core/lineage', 'api/src/core/kinds/open-cluster.ts', 'the cluster says which deployments run'],
  ['api/src/core/lineage', 'api/src/core/files', 'an export is a download like any other'],
  ['api/src/core/tasks', 'api/src/core/lineage', 'runs of tasks that are gone are gone from it'],
  ['api/src/core/files', 'api/src/core/billing', 'keeping files has a price, and its hours are charged'],
  ['api/src/core/files', 'api/src/core/kinds/open-cluster.ts', 'an Organization has the quota of stored data'],
  ['api/src/areas/admin', 'api/src/areas/backups', 'staff list backups and make one'],
  ['api/src/areas/admin', 'api/src/areas/doctor', 'staff check the cluster'],
  ['api/src/areas/admin', 'api/src/areas/inference/usage-rows.ts', 'staff list the use of tokens'],
  ['api/src/areas/admin', 'api/src/areas/instances/logs', 'staff read the logs of runs'],
  ['api/src/areas/admin', 'api/src/areas/models', 'staff list the models of the shelf'],
  ['api/src/areas/admin', 'api/src/areas/portal', 'staff write articles and order the market'],
  ['api/src/areas/datasets', 'api/src/areas/models/collected', 'a dataset is made of collected requests'],
  ['api/src/areas/models', 'api/src/areas/instances/files', 'a model is filled from a folder of a disk'],
  ['api/src/areas/monitoring', 'api/src/areas/inference/alias-rows.ts', 'the topology shows aliases of models'],
  ['api/src/areas/container-services', 'api/src/areas/autoscaling', 'requests to services wake and scale them'],
];

const ROWS: Readonly<Record<string, readonly string[]>> = {
  // Facts and pure functions that two rooms must agree on.
  'contract/src': ['croner', 'node-polyglot', 'zod'],
  // The only writers of generated files.
  'contract/gen': [
    'contract/src',
    // The options that the chart can pass to the two programs.
    'kube/src/options.ts',
    'api/src/platform/config.ts',
    'operator/src/config.ts',
    'zod',
    'yaml',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'node:url',
    'node:process',
  ],

  // Shared by the platform's own processes: the cluster, their options, their log. Knows none of our kinds by name.
  'kube/src': ['contract/src', '@kubernetes/client-node', 'pino', 'zod', 'node:*'],

  // The definition of a controller, the list of controllers, and the program that joins them with the runtime.
  'operator/src/*.ts': [
    'contract/src',
    'kube/src',
    'operator/src/kinds',
    'operator/src/runtime',
    '@dot-i/k8s-operator',
    '@kubernetes/client-node',
    'pino',
    'prom-client',
    'yaml',
    'zod',
    'node:*',
  ],
  // A cluster that carries plans out in memory, for the laws of all controllers.
  'operator/src/testing': ['contract/src', 'kube/src', 'operator/src', 'node:*'],
  // The desired objects of one kind, given what is observed. Kinds know neither each other nor the cluster.
  'operator/src/kinds/*': [
    'operator/src/define-controller.ts',
    'operator/src/resources.ts',
    'operator/src/host-nodes.ts',
    'operator/src/drift.ts',
    'operator/src/kueue.ts',
    'operator/src/last-lines.ts',
    'operator/src/credit.ts',
    'operator/src/metering.ts',
    'operator/src/faulty-gpu.ts',
    'operator/src/platform-pod.ts',
    'operator/src/pod-progress.ts',
    'operator/src/pool.ts',
    'operator/src/prerequisites.ts',
    'operator/src/queue-capacity.ts',
    'operator/src/run-logs.ts',
    'operator/src/running',
    'operator/src/runs.ts',
    'operator/src/server-pod.ts',
    'operator/src/serving',
    'operator/src/tenant-pods.ts',
    'contract/src',
    'type kube/src',
    // Plain data and pure functions over it.
    'kube/src/asks.ts',
    'kube/src/core-objects.ts',
    'kube/src/placement.ts',
    'kube/src/resource.ts',
    'kube/src/suited-nodes.ts',
    'type @kubernetes/client-node',
  ],

  // The common part of kinds whose objects are served by replicas: services, and deployments of models.
  'operator/src/serving': [
    'operator/src/define-controller.ts',
    'operator/src/resources.ts',
    'operator/src/host-nodes.ts',
    'operator/src/drift.ts',
    'operator/src/kueue.ts',
    'operator/src/last-lines.ts',
    'operator/src/credit.ts',
    'operator/src/metering.ts',
    'operator/src/faulty-gpu.ts',
    'operator/src/pod-progress.ts',
    'operator/src/pool.ts',
    'operator/src/prerequisites.ts',
    'operator/src/queue-capacity.ts',
    'operator/src/run-logs.ts',
    'operator/src/runs.ts',
    'operator/src/tenant-pods.ts',
    'contract/src',
    'type kube/src',
    // Plain data and pure functions over it.
    'kube/src/asks.ts',
    'kube/src/core-objects.ts',
    'kube/src/placement.ts',
    'kube/src/resource.ts',
    'kube/src/suited-nodes.ts',
    'type @kubernetes/client-node',
  ],
  // The common part of kinds whose objects run to an end: tasks.
  'operator/src/running': [
    'operator/src/define-controller.ts',
    'operator/src/resources.ts',
    'operator/src/host-nodes.ts',
    'operator/src/kueue.ts',
    'operator/src/credit.ts',
    'operator/src/metering.ts',
    'operator/src/faulty-gpu.ts',
    'operator/src/pod-progress.ts',
    'operator/src/pool.ts',
    'operator/src/prerequisites.ts',
    'operator/src/run-logs.ts',
    'operator/src/runs.ts',
    'operator/src/tenant-pods.ts',
    'contract/src',
    'type kube/src',
    // Plain data and pure functions over it.
    'kube/src/asks.ts',
    'kube/src/core-objects.ts',
    'kube/src/placement.ts',
    'kube/src/resource.ts',
    'kube/src/suited-nodes.ts',
    'type @kubernetes/client-node',
  ],
  // Carrying plans out on the cluster. Knows no kind by name.
  'operator/src/runtime': [
    'operator/src/define-controller.ts',
    'operator/src/controllers.ts',
    'operator/src/resources.ts',
    'contract/src',
    'kube/src',
    'pino',
    'prom-client',
    'node:*',
  ],

  // The gateway has three floors. Imports lead down: areas know the core and the platform, the core knows the platform.
  // What leads sideways on a floor is a row of SIDEWAYS.
  'api/src/*.ts': ['contract/src', 'kube/src', 'api/src', 'express', 'pino', 'prom-client', 'ws', 'zod', 'node:*'],

  // The platform: what every feature of any such product needs. None of it knows our tenants' money, kinds or areas.
  'api/src/platform/*.ts': ['contract/src', 'kube/src', 'csv-parse', 'csv-stringify', 'pino', 'zod', 'node:*'],
  'api/src/platform/open.ts': ['api/src/platform', 'express'],
  // Requests into calls, errors into problems.
  'api/src/platform/http': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/platform/*.ts',
    'api/src/platform/db',
    'better-sse',
    'busboy',
    'cors',
    'drizzle-orm',
    'express',
    'helmet',
    'prom-client',
    'rate-limiter-flexible',
    'sirv',
    'type pino',
    'type ws',
    'zod',
    'node:*',
  ],
  'api/src/platform/db': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'drizzle-kit',
    'drizzle-orm',
    'pg',
    '@electric-sql/pglite',
    'node:*',
  ],
  'api/src/platform/audit': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/platform/*.ts',
    'api/src/platform/db',
    'api/src/platform/http/caller.ts',
    'drizzle-orm',
    'type pino',
    'node:*',
  ],
  // Caches of the API server, and the words of its refusals.
  'api/src/platform/kube': [
    'contract/src',
    'kube/src',
    'api/src/platform/*.ts',
    '@kubernetes/client-node',
    'type pino',
    'node:*',
  ],
  'api/src/platform/mail': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/platform/*.ts',
    'api/src/platform/db',
    'drizzle-orm',
    'nodemailer',
    'type pino',
    'node:*',
  ],
  // Messages to people, and the streams that bring them.
  'api/src/platform/messages': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/platform/*.ts',
    'api/src/platform/db',
    'api/src/platform/http',
    'drizzle-orm',
    'type pino',
    'node:*',
  ],
  // Prometheus: its answers, and the queries that are confined to one tenant.
  'api/src/platform/prometheus': [
    'contract/src',
    'kube/src/clock.ts',
    'kube/src/options.ts',
    'api/src/platform/*.ts',
    'api/src/platform/aside/aside.ts',
    '@prometheus-io/lezer-promql',
    'prometheus-query',
    'node:*',
  ],
  // Objects in any S3 store.
  'api/src/platform/object-store': ['kube/src/clock.ts', 'api/src/platform/*.ts', '@aws-sdk/client-s3', 'node:*'],
  // Work whose size a tenant chooses, on threads.
  'api/src/platform/aside': ['api/src/platform/*.ts', 'node:*'],
  // A connection into a container, and its uses.
  'api/src/platform/pods': [
    'contract/src',
    'kube/src',
    'api/src/platform/*.ts',
    'api/src/platform/aside/aside.ts',
    'type api/src/platform/http/caller.ts',
    'ws',
    'zod',
    'type pino',
    'node:*',
  ],
  // The way of requests to tenants' programs, and of their answers: published services, instances' web content, models' engines.
  'api/src/platform/relay': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'kube/src/options.ts',
    'api/src/platform/*.ts',
    'api/src/platform/db',
    'api/src/platform/http/own-headers.ts',
    'type api/src/platform/http/caller.ts',
    'drizzle-orm',
    'undici',
    // For tests alone.
    'ws',
    'node:*',
  ],

  // The core: who somebody is, what there is on the cluster, and what it costs.
  'api/src/core/*.ts': [...CORE],
  'api/src/core/identity': [
    ...CORE,
    '@node-rs/argon2',
    'altcha-lib',
    'busboy',
    'file-type',
    'openid-client',
    'otplib',
    'sshpk',
  ],
  'api/src/core/kinds': [...CORE, '@kubernetes/client-node', 'yaml'],
  'api/src/core/billing': [...CORE, '@embedpdf/fonts-jp', '@embedpdf/fonts-sc', 'pdfkit', 'stripe', 'prom-client'],
  'api/src/core/files': [...CORE, '@aws-sdk/client-s3'],
  // The Pods that read datasets, and what they are asked.
  'api/src/core/data-server': [...CORE],
  // What Pods of tasks say, make and ask.
  'api/src/core/tasks': [...CORE],
  'api/src/core/settings': [...CORE],
  // The sources of things: written by every area that makes or deletes one.
  'api/src/core/lineage': [...CORE],
  // Indexes of knowledge bases' vectors, in a database of their own.
  'api/src/core/vectors': [...CORE, 'pg'],
  // Rows of datasets' tables.
  'api/src/core/tables': [...CORE, 'hyparquet'],

  // Areas: each folder is all that one feature needs.
  'api/src/areas/*': [...CORE, 'api/src/core'],
  'api/src/areas/backups': ['@aws-sdk/client-s3'],
  'api/src/areas/doctor': ['@kubernetes/client-node', 'contract/gen/policies.ts'],
  'api/src/areas/inference': ['prom-client', 'openai'],
  'api/src/areas/instances': ['ws'],
  'api/src/areas/monitoring': ['prom-client'],
  'api/src/areas/portal': ['sirv'],
  'api/src/areas/container-services': ['ws'],

  // Pixels and clicks: never each other, never a server's code.
  'ui/src': ['contract/src', ...REACT, 'csv-stringify', 'eventsource', 'react-markdown', 'remark-gfm'],
  'console/*.ts': ['type console/src/area.ts', 'vite', 'vite-plugin-compression2', 'node:fs', 'node:url'],
  // The program, and the table of its pages.
  'console/src/*.ts': ['console/src', 'contract/src', 'ui/src', ...REACT],
  'console/src/shell': ['type console/src/area.ts', 'console/src/parts', 'contract/src', 'ui/src', ...REACT],
  // Areas do not know each other: what two need is among the parts.
  'console/src/areas/*': [
    'type console/src/area.ts',
    'console/src/parts',
    '@noble/hashes',
    'contract/src',
    'ui/src',
    ...REACT,
    '@xterm/*',
    '@xyflow/react',
    'altcha',
    'qrcode.react',
  ],
  'console/src/parts': [
    'type console/src/area.ts',
    'contract/src',
    'ui/src',
    ...REACT,
    '@dagrejs/dagre',
    '@fontsource/*',
    '@prometheus-io/codemirror-promql',
    '@uiw/react-codemirror',
    '@xyflow/react',
    'altcha',
  ],
  'admin/*.ts': ['contract/src', 'vite', 'vite-plugin-compression2', 'node:crypto', 'node:fs', 'node:url'],
  'admin/src': [
    'contract/src',
    'ui/src',
    ...REACT,
    'react-admin',
    'react-error-boundary',
    'ra-*',
    '@bicstone/*',
    'qrcode.react',
  ],
  'portal/*.ts': ['vite', 'vite-plugin-compression2', 'playwright', 'node:fs', 'node:path', 'node:url'],
  // Its server side runs on a thread of the gateway, and is bundled with all that it needs.
  'portal/src': ['contract/src', 'ui/src', ...REACT],

  // A real cluster on a bare machine. Knows names on the cluster, nothing of the product's inside.
  hack: [
    'contract/src/gpu-access.ts',
    'contract/src/names.ts',
    'contract/src/fields/quantity.ts',
    'contract/src/kinds/instance-limits.ts',
    'contract/src/models/engines.ts',
    'contract/src/areas/models/model-facets.ts',
    '@kubernetes/client-node',
    'prom-client',
    'smtp-server',
    'yaml',
    'node:*',
  ],

  // A peer in benchmarks is an app of its own.
  'test/bench/react-admin-simple': ['react-admin', 'ra-data-simple-rest', 'react-dom'],
  // Whatever needs two rooms or more: any room's start function, and the parts that only a real API server can prove.
  test: [
    'contract/src',
    'contract/gen',
    'kube/src',
    'operator/src/*.ts',
    'operator/src/runtime',
    'operator/src/testing',
    'api/src',
    'hack',
    '@kubernetes/client-node',
    '@jest/globals',
    // The order of the files, and those that are left out.
    '@jest/test-sequencer',
    'jest-environment-node',
    // The databases that tests run on.
    '@electric-sql/pglite',
    'drizzle-orm',
    'pg',
    'eventsource',
    // Clients of /v1.
    'openai',
    // Browsers.
    'playwright',
    '@axe-core/playwright',
    'parse5',
    'lighthouse',
    // The peers in benchmarks: the gateway's, and the operators' console's.
    'express',
    'vite',
    'vite-plugin-compression2',
    'socket.io',
    'fast-check',
    'pino',
    'typescript',
    'ws',
    // Real servers to test mails and logins with.
    'oidc-provider',
    'postal-mime',
    'yaml',
    // For the facts of a throw-away kind.
    'zod',
    'node:*',
  ],
};

export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  ...ROWS,
  ...Object.fromEntries(
    SIDEWAYS.map(([room]) => [
      room,
      [...(ROWS[room] ?? []), ...SIDEWAYS.flatMap(([from, to]) => (from === room ? [to] : []))],
    ]),
  ),
};

/** The files that belong to a room, as a regular expression; the folder that `*` stands for is caught as $1. */
export function roomPattern(room: string): string {
  if (room.endsWith('.ts')) return `^${escaped(room).replace('*', '[^/]+')}x?$`;
  return `^${escaped(room).replace('*', '([^/]+)')}/`;
}

/** For a regular expression; `*` stays. */
export const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

export const TOP_FOLDERS: readonly string[] = [...new Set(Object.keys(ROOMS).map((room) => room.split('/')[0] ?? ''))];
