// The table of rooms covers every source file, and imports that it does not allow are refused.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';
import { ROOMS, roomPattern, SIDEWAYS } from './rooms.ts';
import { filesOf } from './source-files.ts';

test('every source file is in a room', () => {
  const rooms = Object.keys(ROOMS).map((room) => new RegExp(roomPattern(room)));
  const homeless = filesOf('*/**/*.{ts,tsx}').filter((file) => !rooms.some((room) => room.test(file)));
  expect(homeless).toEqual([]);
});

/** A tree that breaks most rows once; refused imports are marked. */
const TREE: Readonly<Record<string, readonly (readonly [imports: string, isRefused?: 'refused'])[]>> = {
  'contract/src/facts.ts': [['zod'], ['node:fs', 'refused'], ['../../operator/src/kinds/a/plan.ts', 'refused']],
  'contract/gen/write.ts': [['node:fs'], ['yaml'], ['../src/facts.ts'], ['node:child_process', 'refused']],
  'kube/src/client.ts': [
    ['node:http'],
    ['pino'],
    ['express', 'refused'],
    ['../../operator/src/define-controller.ts', 'refused'],
  ],
  'operator/src/define-controller.ts': [],
  'operator/src/kinds/a/desired.ts': [],
  'operator/src/kinds/a/plan.ts': [
    ['./desired.ts'],
    ['../../define-controller.ts'],
    ['@kubernetes/client-node', 'refused'],
    ['node:fs', 'refused'],
    ['../b/plan.ts', 'refused'],
    ['../../runtime/queue.ts', 'refused'],
    ['../../../../kube/src/client.ts', 'refused'],
  ],
  'operator/src/kinds/b/plan.ts': [['zod', 'refused']],
  'operator/src/kinds/b/plan.test.ts': [['@jest/globals'], ['node:fs'], ['./plan.ts'], ['typescript', 'refused']],
  'operator/src/runtime/queue.ts': [
    ['node:timers'],
    ['../../../kube/src/client.ts'],
    ['../kinds/b/plan.ts', 'refused'],
  ],
  'console/src/routes.tsx': [
    ['./areas/a/page.tsx'],
    ['../../portal/src/page.ts', 'refused'],
    ['../../ui/src/theme.ts'],
  ],
  'console/src/parts/price.tsx': [['../../../ui/src/theme.ts'], ['../areas/c/page.tsx', 'refused']],
  'console/src/areas/a/page.tsx': [['../../parts/price.tsx'], ['../b/page.tsx', 'refused']],
  'console/src/areas/b/page.tsx': [['../../shell/guard.tsx', 'refused']],
  'console/src/areas/c/page.tsx': [],
  'console/src/shell/guard.tsx': [['../areas/c/page.tsx', 'refused'], ['../parts/price.tsx']],
  'portal/src/page.ts': [['../../api/src/core/kinds/store.ts', 'refused']],
  'ui/src/theme.ts': [['node:fs', 'refused']],
  'api/src/main.ts': [],
  'api/src/gateway.ts': [['./areas/alerts/open.ts'], ['./core/kinds/store.ts'], ['./platform/db/open.ts']],
  'api/src/areas/alerts/open.ts': [
    ['../../core/kinds/store.ts'],
    ['../../platform/db/open.ts'],
    ['../models/open.ts', 'refused'],
    ['../../main.ts', 'refused'],
  ],
  'api/src/areas/models/open.ts': [['../instances/files/open.ts'], ['../instances/open.ts', 'refused']],
  'api/src/areas/instances/open.ts': [],
  'api/src/areas/instances/files/open.ts': [],
  'api/src/core/kinds/store.ts': [
    ['../../../../kube/src/client.ts'],
    ['../billing/rate.ts', 'refused'],
    ['../../platform/db/open.ts'],
    ['../../areas/idle/open.ts', 'refused'],
  ],
  'api/src/areas/idle/open.ts': [],
  'api/src/core/billing/rate.ts': [['../identity/people.ts', 'refused'], ['pdfkit']],
  'api/src/core/identity/people.ts': [['pdfkit', 'refused']],
  'api/src/platform/db/open.ts': [
    ['../../../../kube/src/client.ts', 'refused'],
    ['../../core/identity/people.ts', 'refused'],
    ['../../areas/idle/open.ts', 'refused'],
  ],
  'elsewhere/stray.ts': [['node:fs', 'refused']],
};

test('imports that no row allows are refused, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-rooms-'));
  try {
    for (const [file, imports] of Object.entries(TREE)) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      const lines = [...imports.map(([specifier]) => `import '${specifier}';`), 'export const here = true;'];
      await writeFile(join(folder, file), lines.join('\n'));
    }
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    for (const file of ['.dependency-cruiser.js', 'tsconfig.json', 'package.json', 'test/house/rooms.ts']) {
      await cp(file, join(folder, file));
    }
    const folders = [...new Set(Object.keys(TREE).map((file) => file.split('/')[0] ?? ''))];
    const program = 'node_modules/.bin/depcruise';
    const { stdout } = await runCommand(process.execPath, [program, '--output-type', 'json', ...folders], {
      cwd: folder,
    });
    const { modules }: { modules: CruisedModule[] } = JSON.parse(stdout);
    const refused = modules.flatMap(({ source, dependencies }) =>
      dependencies.filter(({ valid }) => !valid).map(({ module }) => `${source}: ${module}`),
    );
    expect(refused.sort()).toEqual(wanted().sort());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

interface CruisedModule {
  readonly source: string;
  readonly dependencies: readonly { readonly module: string; readonly valid: boolean }[];
}

/** dependency-cruiser calls `node:fs` by its older name. */
const wanted = (): string[] =>
  Object.entries(TREE).flatMap(([file, imports]) =>
    imports.filter(([, isRefused]) => isRefused).map(([specifier]) => `${file}: ${specifier.replace('node:', '')}`),
  );

test('few imports lead sideways between areas, each with its reason', () => {
  const between = SIDEWAYS.filter(([from]) => from.startsWith('api/src/areas/'));
  expect(between.length).toBeLessThanOrEqual(10);
  expect(SIDEWAYS.filter(([, , why]) => why.trim() === '')).toEqual([]);
});
