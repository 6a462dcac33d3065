// The groups of tests. `unit`, `api`, `api-timed`, `web-unit`, `house` and `faults-unit` need no cluster; of the others each worker
// plays one file at a time on a cluster of its own: test/parts.ts says how many, since Jest has no such setting per project.
// A limit is longer than those of the waits within: they say what they waited for.
import { existsSync } from 'node:fs';

const MINUTE = 60_000;

/** What they need takes minutes to build: the long run alone plays them. */
const LONG_STORIES = ['/test/stories/model-groups\\.test\\.ts$'];

/** They measure time, so no other worker plays beside them. */
const TIMED = ['api/src/loop-blocks.test.ts', 'api/src/core/billing/gate/workloads.test.ts'];
const moved = TIMED.filter((file) => !existsSync(new URL(file, import.meta.url)));
if (moved.length > 0) throw new Error(`jest.config.js names files that are not there: ${moved.join(', ')}`);

const group = (name, testMatch, testLimitMs) => ({
  displayName: name,
  testMatch: testMatch.map((glob) => `<rootDir>/${glob}`),
  globals: { testLimitMs },
  setupFilesAfterEnv: ['<rootDir>/test/support/time-limit.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/\\.run/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
});

/** Of groups with files that take turns: test/runner/turns.ts. */
const inTurns = (group) => ({ ...group, testEnvironment: '<rootDir>/test/runner/timely-environment.js' });

/** Before the first test of such a group: no hook of a file waits for a database that is yet to be made. */
const onDatabases = (group) => ({ ...group, globalSetup: '<rootDir>/test/support/prepared-databases.ts' });
/** The same, and an object store. */
const onStores = (group) => ({ ...group, globalSetup: '<rootDir>/test/support/prepared-store.ts' });

/** For code that browsers run: tests have a document, and components are compiled as Vite does it. */
const webGroup = (name, testMatch, testLimitMs) => ({
  ...group(name, testMatch, testLimitMs),
  globals: { testLimitMs, GANTRY_VERSION: '0.0.0-test' },
  setupFilesAfterEnv: ['<rootDir>/test/support/time-limit.ts', '<rootDir>/ui/src/testing/patient-queries.ts'],
  testEnvironment: 'jest-fixed-jsdom',
  moduleNameMapper: { '\\.css$': '<rootDir>/ui/src/testing/no-styles.ts' },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    'contract/src/http/admin-tables\\.ts$': '<rootDir>/admin/evaluated-tables.ts',
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2024',
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
});

export default {
  testSequencer: './test/runner/longest-first.js',
  // Stories mostly wait: those of one file may all be under way at once.
  maxConcurrency: 20,
  projects: [
    group(
      'unit',
      [
        'contract/**/*.test.ts',
        'kube/**/*.test.ts',
        'operator/**/*.test.ts',
        '{admin,console}/*.test.ts',
        'hack/**/*.test.ts',
        'test/runner/**/*.test.ts',
        'test/support/**/*.test.ts',
        'test/bench/**/*.test.ts',
      ],
      2 * MINUTE,
    ),
    // A group of its own, because it is half of all.
    {
      ...inTurns(onStores(group('api', ['api/**/*.test.ts'], 2 * MINUTE))),
      testPathIgnorePatterns: TIMED.map((file) => `<rootDir>/${file.replaceAll('.', '\\.')}$`),
    },
    onStores(group('api-timed', TIMED, 2 * MINUTE)),
    webGroup('web-unit', ['{ui,console,admin,portal}/src/**/*.test.{ts,tsx}'], 2 * MINUTE),
    onDatabases(group('house', ['test/house/**/*.test.ts'], MINUTE)),
    group('faults-unit', ['test/faults/*.test.ts'], 2 * MINUTE),
    inTurns(group('integration', ['test/integration/**/*.test.ts'], 3 * MINUTE)),
    {
      ...inTurns(group('stories', ['test/stories/**/*.test.ts'], 5 * MINUTE)),
      testPathIgnorePatterns: process.env.GANTRY_SOAK ? [] : LONG_STORIES,
    },
    // Stories that a person clicks through in a browser, some of them over every page.
    inTurns(group('web', ['test/web/**/*.test.ts'], 15 * MINUTE)),
    group('scale', ['test/scale/**/*.test.ts'], 10 * MINUTE),
    inTurns(group('faults', ['test/faults/scenarios/**/*.test.ts'], 5 * MINUTE)),
    // Start and kill clusters of their own.
    group('machine', ['test/machine/**/*.test.ts'], 5 * MINUTE),
  ],
};
