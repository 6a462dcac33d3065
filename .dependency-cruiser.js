// Turns the table of rooms into rules: what no row allows is an error.
import { escaped, ROOMS, roomPattern, TESTING, TOP_FOLDERS } from './test/house/rooms.ts';

function destination(wanted) {
  if (wanted.startsWith('type '))
    return { ...destination(wanted.slice('type '.length)), dependencyTypes: ['type-only'] };
  if (wanted === 'node:*') return { dependencyTypes: ['core'] };
  if (wanted.startsWith('node:')) {
    return { path: `^(node:)?${escaped(wanted.slice('node:'.length))}$`, dependencyTypes: ['core'] };
  }
  if (TOP_FOLDERS.includes(wanted.split('/')[0])) return { path: roomPattern(wanted) };
  return { path: `(^|/)node_modules/(@types/)?${escaped(wanted).replace('*', '[^/]+')}/` };
}

const itself = (room) => roomPattern(room).replace('([^/]+)', '$1');
// A test, or what several of them share.
const besideSource = `^(${TOP_FOLDERS.join('|')})/.+([.]test[.]tsx?|/testing/[^/]+[.]tsx?)$`;

// The package promises types and has none; Vite finds the script.
const UNTYPED = '^altcha/i18n/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  allowedSeverity: 'error',
  allowed: [
    ...Object.entries(ROOMS).flatMap(([room, may]) =>
      [{ path: itself(room) }, ...may.map(destination)].map((to) => ({ from: { path: roomPattern(room) }, to })),
    ),
    { from: { path: '^console/src/parts/captcha-field[.]tsx$' }, to: { path: UNTYPED } },
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
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: UNTYPED } },
    {
      name: 'no-import-of-tests',
      severity: 'error',
      from: { pathNot: '[.]test[.]tsx?$' },
      to: { path: '[.]test[.]tsx?$' },
    },
    {
      name: 'no-import-of-doubles',
      severity: 'error',
      comment: 'What stands in for the real thing is for tests alone.',
      from: { pathNot: '([.]test[.]tsx?$|/testing/|^test/)' },
      to: { path: '/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(golden|overlay|[.]run)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
