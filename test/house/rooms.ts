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
  'fast-check',
  '@testing-library/*',
  'otplib',
  'pino',
  'smtp-server',
  'yaml',
  'kube/src',
  'node:*',
  'test/support',
];

export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  // Facts and pure functions that two rooms must agree on.
  'contract/src': ['node-polyglot', 'zod'],
  // The only writers of generated files.
  'contract/gen': [
    'contract/src',
    'zod',
    'yaml',
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
  // What should exist for one kind, given what is observed. Kinds know neither each other nor the cluster.
  'operator/src/kinds/*': [
    'operator/src/define-controller.ts',
    'operator/src/resources.ts',
    'operator/src/gpu-faults.ts',
    'operator/src/host-nodes.ts',
    'operator/src/last-lines.ts',
    'operator/src/metering.ts',
    'operator/src/runs.ts',
    'contract/src',
    'type kube/src',
    // Plain data and pure functions over it.
    'kube/src/core-objects.ts',
    'kube/src/resource.ts',
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

  // The gateway: one place that joins its parts, and parts that do not know each other.
  'api/src/*.ts': ['contract/src', 'kube/src', 'api/src/compose', 'pino', 'zod', 'node:*'],
  'api/src/compose': [
    'contract/src',
    'kube/src',
    'api/src',
    'cors',
    'express',
    'helmet',
    'pino',
    'prom-client',
    'ws',
    'zod',
    'node:*',
  ],
  // Requests into calls, errors into problems. What it calls it is handed.
  'api/src/http': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/ids.ts',
    'api/src/db/sqlstate.ts',
    'cors',
    'type api/src/admin',
    'type api/src/audit',
    'type api/src/billing',
    'type api/src/figures',
    'type api/src/files',
    'type api/src/identity',
    'type api/src/kube',
    'type api/src/logs',
    'type api/src/messages',
    'type api/src/monitor',
    'type api/src/repeats',
    'type api/src/tenant-web',
    'type api/src/terminal',
    'better-sse',
    'busboy',
    'express',
    'helmet',
    'http-proxy-3',
    'prom-client',
    'rate-limiter-flexible',
    'sirv',
    'type pino',
    'type ws',
    'zod',
    'node:*',
  ],
  'api/src/db': ['contract/src', 'drizzle-kit', 'drizzle-orm', 'pg', '@electric-sql/pglite', 'node:*'],
  // The operators' console's lists and changes, for every area.
  'api/src/admin': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'kube/src/resource.ts',
    'type api/src/identity',
    'type api/src/kube',
    'api/src/db',
    'drizzle-orm',
    'node:*',
  ],
  'api/src/backup': ['contract/src', 'kube/src', 'api/src/db', 'drizzle-orm', 'node:*'],
  'api/src/audit': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/db',
    'api/src/ids.ts',
    'drizzle-orm',
    'type pino',
    'node:*',
  ],
  'api/src/billing': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'kube/src/in-parallel.ts',
    'api/src/db',
    'api/src/ids.ts',
    'drizzle-orm',
    '@embedpdf/fonts-sc',
    'csv-stringify',
    'pdfkit',
    'stripe',
    'type pino',
    'prom-client',
    'zod',
    'node:*',
  ],
  'api/src/identity': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/db',
    'api/src/ids.ts',
    'drizzle-orm',
    '@node-rs/argon2',
    'altcha-lib',
    'file-type',
    'nodemailer',
    'openid-client',
    'otplib',
    'sshpk',
    'type pino',
    'node:*',
  ],
  'api/src/kube': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'kube/src',
    'api/src/db',
    'api/src/ids.ts',
    '@kubernetes/client-node',
    'type pino',
    'node:*',
  ],
  'api/src/messages': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/db',
    'api/src/ids.ts',
    'drizzle-orm',
    'type pino',
    'node:*',
  ],
  'api/src/monitor': [
    'contract/src',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/db',
    'drizzle-orm',
    'prometheus-query',
    'node:*',
  ],
  // Calls that a client repeats under one Idempotency-Key.
  'api/src/repeats': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/db',
    'drizzle-orm',
    'type pino',
    'node:*',
  ],
  // A connection into a container, and its uses: terminals, files, tenants' web content.
  'api/src/pods': ['contract/src', 'type api/src/identity/caller.ts', 'kube/src', 'ws', 'zod', 'type pino', 'node:*'],
  'api/src/files': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/pods',
    'api/src/db',
    'drizzle-orm',
    'zod',
    'type pino',
    'node:*',
  ],
  'api/src/figures': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/backoff.ts',
    'kube/src/in-parallel.ts',
  ],
  'api/src/logs': ['contract/src', 'type api/src/identity/caller.ts', 'kube/src', 'api/src/pods', 'zod', 'node:*'],
  'api/src/terminal': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/pods',
    'api/src/db',
    'api/src/ids.ts',
    'drizzle-orm',
    'ws',
    'type pino',
    'node:*',
  ],
  'api/src/tenant-web': [
    'contract/src',
    'type api/src/identity/caller.ts',
    'type kube/src',
    'kube/src/clock.ts',
    'api/src/pods',
    'api/src/relay.ts',
    'api/src/db',
    'drizzle-orm',
    'http-proxy-3',
    'ws',
    'type pino',
    'node:*',
  ],
  // kubectl's way to the API server.
  'api/src/kube-gate': ['contract/src', 'type kube/src', 'api/src/relay.ts', 'type pino', 'node:*'],

  // Pixels and clicks: never each other, never a server's code.
  'ui/src': ['contract/src', ...REACT, 'eventsource'],
  'console/*.ts': ['type console/src/area.ts', 'vite', 'vite-plugin-compression2', 'node:fs', 'node:url'],
  // The program, and the table of its pages.
  'console/src/*.ts': ['console/src', 'contract/src', 'ui/src', ...REACT],
  'console/src/shell': ['type console/src/area.ts', 'console/src/parts', 'contract/src', 'ui/src', ...REACT],
  // Areas do not know each other: what two need is among the parts.
  'console/src/areas/*': [
    'type console/src/area.ts',
    'console/src/parts',
    'contract/src',
    'ui/src',
    ...REACT,
    '@xterm/*',
    'altcha',
    'qrcode.react',
    'recharts',
  ],
  'console/src/parts': ['contract/src', 'ui/src', ...REACT, '@fontsource/*', 'altcha', 'recharts'],
  'admin/src': ['contract/src', 'ui/src', ...REACT, 'react-admin', 'ra-*', 'recharts'],
  'portal/src': ['contract/src', 'ui/src', ...REACT, 'react-markdown', 'rehype-sanitize'],

  // A real cluster on a bare machine. Knows names on the cluster, nothing of the product's inside.
  hack: [
    'contract/src/names.ts',
    'contract/src/fields/quantity.ts',
    'contract/src/kinds/instance-limits.ts',
    '@kubernetes/client-node',
    'smtp-server',
    'yaml',
    'node:*',
  ],

  // Whatever needs two rooms or more: any room's start function, and the parts that only a real API server can prove.
  test: [
    'contract/src',
    'contract/gen',
    'kube/src',
    'operator/src/*.ts',
    'operator/src/runtime',
    'api/src/*.ts',
    'api/src/compose',
    'api/src/billing',
    'api/src/db',
    'api/src/http',
    'api/src/identity',
    'api/src/kube',
    'api/src/messages',
    'hack',
    '@kubernetes/client-node',
    '@jest/globals',
    // The databases that tests run on.
    '@electric-sql/pglite',
    'drizzle-orm',
    'pg',
    'eventsource',
    // Browsers.
    'playwright',
    '@axe-core/playwright',
    'lighthouse',
    // The gateway's peer in benchmarks.
    'express',
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

/** The files that belong to a room, as a regular expression; the folder that `*` stands for is caught as $1. */
export function roomPattern(room: string): string {
  if (room.endsWith('.ts')) return `^${escaped(room).replace('*', '[^/]+')}x?$`;
  return `^${escaped(room).replace('*', '([^/]+)')}/`;
}

/** For a regular expression; `*` stays. */
export const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

export const TOP_FOLDERS: readonly string[] = [...new Set(Object.keys(ROOMS).map((room) => room.split('/')[0] ?? ''))];
