// The groups of tests. `unit`, `house` and `faults-unit` need nothing but Node; the others need a cluster and run one file
// at a time (`--runInBand`, which test/run.ts and the Makefile pass: Jest has no such setting per project).
const MINUTE = 60_000;

const group = (name, testMatch, testTimeout) => ({
  displayName: name,
  testMatch: testMatch.map((glob) => `<rootDir>/${glob}`),
  testTimeout,
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

export default {
  projects: [
    group(
      'unit',
      ['contract/**/*.test.ts', 'operator/**/*.test.ts', 'hack/**/*.test.ts', 'test/support/**/*.test.ts'],
      10_000,
    ),
    group('house', ['test/house/**/*.test.ts'], MINUTE),
    group('faults-unit', ['test/faults/*.test.ts'], 30_000),
    group('integration', ['test/integration/**/*.test.ts'], MINUTE),
    group('stories', ['test/stories/**/*.test.ts'], 5 * MINUTE),
    group('scale', ['test/scale/**/*.test.ts'], 10 * MINUTE),
    group('faults', ['test/faults/scenarios/**/*.test.ts'], 5 * MINUTE),
  ],
};
