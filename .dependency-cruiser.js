// Which room may import what. Everything that no row allows is refused; a new room starts with a row here.
//
// A room is a folder, or the files that `*` stands for. What it may import: itself, other rooms or single files, npm packages,
// `node:…` modules (`node:*` is any), and `type …` for imports that vanish before the program runs.

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

/** Any test beside the source it tests may import this besides what its room may, and anything of its own workspace. */
const TESTING = ['@jest/globals', 'fast-check', 'yaml', 'node:*', 'test/support'];

/** @type {Record<string, readonly string[]>} */
export const ROOMS = {
  // Facts and pure functions that two rooms must agree on.
  'contract/src': ['zod'],
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

  // What a controller is, which controllers there are, and the program that joins them with the runtime.
  'operator/src/*.ts': [
    'contract/src',
    'operator/src/kinds',
    'operator/src/runtime',
    '@kubernetes/client-node',
    'pino',
    'prom-client',
    'node:*',
  ],
  // What should exist for one kind, given what is seen. Kinds do not know each other, nor the cluster.
  'operator/src/kinds/*': [
    'operator/src/define-controller.ts',
    'operator/src/resources.ts',
    'contract/src',
    'type @kubernetes/client-node',
  ],
  // Talking to the cluster. Knows no kind by name.
  'operator/src/runtime': [
    'operator/src/define-controller.ts',
    'operator/src/controllers.ts',
    'operator/src/resources.ts',
    'contract/src',
    '@kubernetes/client-node',
    'pino',
    'prom-client',
    'node:*',
  ],

  // The gateway: one place that joins its parts, and parts that do not know each other.
  'api/src/*.ts': ['contract/src', 'api/src', 'express', 'helmet', 'pino', 'prom-client', 'node:*'],
  'api/src/http': [
    'contract/src',
    'type api/src/kube',
    'type api/src/billing',
    'type api/src/identity',
    'type api/src/monitor',
    'express',
    'better-sse',
    'busboy',
    'node:*',
  ],
  'api/src/db': ['contract/src', 'drizzle-orm', 'pg', '@electric-sql/pglite', 'node:*'],
  'api/src/kube': ['contract/src', 'api/src/db', '@kubernetes/client-node', 'ws', 'node:*'],
  'api/src/billing': ['contract/src', 'api/src/db', 'drizzle-orm', 'stripe', 'node:*'],
  'api/src/identity': [
    'contract/src',
    'api/src/db',
    'drizzle-orm',
    '@node-rs/argon2',
    'openid-client',
    'otplib',
    'altcha',
    'nodemailer',
    'sshpk',
    'node:*',
  ],
  'api/src/monitor': ['contract/src', 'api/src/db', 'drizzle-orm', 'prometheus-query', 'node:*'],

  // Pixels and clicks: never each other, never a server's code.
  'ui/src': ['contract/src', ...REACT],
  'console/src': ['contract/src', 'ui/src', ...REACT, '@xterm/*', '@uiw/*', '@xyflow/*', 'recharts', 'uplot'],
  'admin/src': ['contract/src', 'ui/src', ...REACT, 'react-admin', 'ra-*', 'recharts'],
  'portal/src': ['contract/src', 'ui/src', ...REACT, 'react-markdown', 'rehype-sanitize'],

  // A real cluster on a bare machine. Knows names on the cluster, nothing of the product's inside.
  hack: ['contract/src/names.ts', '@kubernetes/client-node', 'yaml', 'node:*'],

  // What needs two rooms or more: any room's start function, and the parts a real API server is needed to prove.
  test: [
    'contract/src',
    'contract/gen',
    'operator/src/*.ts',
    'operator/src/runtime',
    'api/src/*.ts',
    'hack',
    '.dependency-cruiser.js',
    '@kubernetes/client-node',
    '@jest/globals',
    'fast-check',
    'typescript',
    'yaml',
    'node:*',
  ],
};

const escaped = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** `a/b`: everything below it; `a/*`: below each of its folders, whose name is caught as $1; `a/*.ts`: files of that very folder. */
export function roomPattern(room) {
  if (/\.(ts|js)$/.test(room)) return `^${escaped(room).replace('*', '[^/]+')}$`;
  return `^${escaped(room).replace('*', '([^/]+)')}/`;
}

function destination(wanted) {
  if (wanted.startsWith('type '))
    return { ...destination(wanted.slice('type '.length)), dependencyTypes: ['type-only'] };
  if (wanted === 'node:*') return { dependencyTypes: ['core'] };
  if (wanted.startsWith('node:')) {
    return { path: `^(node:)?${escaped(wanted.slice('node:'.length))}$`, dependencyTypes: ['core'] };
  }
  const isOurs = Object.keys(ROOMS).some((room) => wanted.split('/')[0] === room.split('/')[0]);
  if (isOurs || wanted.endsWith('.js')) return { path: roomPattern(wanted) };
  return { path: `(^|/)node_modules/(@types/)?${escaped(wanted).replace('*', '[^/]+')}/` };
}

const itself = (room) => roomPattern(room).replace('([^/]+)', '$1');
const workspaces = [...new Set(Object.keys(ROOMS).map((room) => room.split('/')[0]))].join('|');
const besideSource = `^(${workspaces})/.+[.]test[.]tsx?$`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  allowedSeverity: 'error',
  allowed: [
    ...Object.entries(ROOMS).flatMap(([room, may]) =>
      [{ path: itself(room) }, ...may.map(destination)].map((to) => ({ from: { path: roomPattern(room) }, to })),
    ),
    ...[{ path: '^$1/' }, ...TESTING.map(destination)].map((to) => ({ from: { path: besideSource }, to })),
  ],
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Types may refer to each other in a circle: they are gone before the program runs.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-import-of-tests',
      severity: 'error',
      from: { pathNot: '[.]test[.]tsx?$' },
      to: { path: '[.]test[.]tsx?$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(golden|[.]run)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
