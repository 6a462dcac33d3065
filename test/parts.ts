// What `make test` is made of, in the order in which it runs: one row is one part, with its own time and counts.
import { readFile, rm } from 'node:fs/promises';
import { runCommand } from './support/command.ts';
import { type Counts, countsOfGo, countsOfJest, marked, NOTHING } from './support/counts.ts';
import { verify } from './verify.ts';

export interface Part {
  readonly name: string;
  /** Where its tests are: a part is skipped only when this is absent. */
  readonly tests: string;
  /** How many test clusters it plays on: one file at a time on each. */
  readonly clusters?: number;
  /**
   * `binaries`: those a cluster is made of; one on its way is waited for, since two builds at once would only hinder each
   * other. `packages`: programs of Debian, real SSH clients and PostgreSQL among them; clusters have them, too. `quiet`:
   * nothing else of ours on the machine.
   */
  readonly needs?: 'binaries' | 'packages' | 'quiet';
  /** Has more to do under GANTRY_SOAK=1: `make soak` runs these. */
  readonly isLong?: boolean;
  readonly run: (surroundings: Surroundings) => Promise<Counts>;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Ends the part early: the person at the terminal had enough. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

export const PARTS: readonly Part[] = [
  { name: 'verify', tests: 'contract', run: verified },
  { name: 'agent', tests: 'agent', needs: 'packages', run: go('agent') },
  { name: 'unit', tests: 'contract', needs: 'packages', run: jest(['unit', 'web-unit', 'faults-unit', 'house'], 2) },
  { name: 'fuzz', tests: 'test/fuzz', needs: 'packages', run: fuzzed },
  { name: 'integration', tests: 'test/integration', needs: 'binaries', run: jest(['integration']) },
  { name: 'stories', tests: 'test/stories', isLong: true, ...onClusters(2, 'stories') },
  { name: 'web', tests: 'test/web', ...onClusters(2, 'web') },
  { name: 'scale', tests: 'test/scale', isLong: true, ...onClusters(1, 'scale') },
  { name: 'faults', tests: 'test/faults/scenarios', isLong: true, ...onClusters(2, 'faults') },
  { name: 'machine', tests: 'test/machine', needs: 'quiet', run: jest(['machine']) },
];

// Anywhere but in CI one has work in progress: then only what verifying itself changes is wrong.
async function verified(): Promise<Counts> {
  return { ...NOTHING, ...(await verify({ clean: Boolean(process.env.CI) })) };
}

/** So many examples, however fast the machine is, and the same each time: `make fuzz` looks further. */
async function fuzzed(surroundings: Surroundings): Promise<Counts> {
  const env = { ...surroundings.env, FUZZ_SECONDS: '', FUZZ_SEED: '1' };
  const { code } = await runCommand(process.execPath, ['test/fuzz/run.ts'], { ...surroundings, env, shown: true });
  return code === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

function go(folder: string): Part['run'] {
  return async (surroundings) => {
    const { code, stdout, stderr } = await runCommand('go', ['test', '-json', './...'], {
      ...surroundings,
      cwd: folder,
    });
    if (code !== 0) console.log(stderr, outputOf(stdout));
    return marked(countsOfGo(stdout), code);
  };
}

const outputOf = (events: string): string =>
  events
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): string => JSON.parse(line).Output ?? '')
    .join('');

export const RESULTS = '.run/results';

function onClusters(clusters: number, group: string): Pick<Part, 'clusters' | 'run'> {
  return { clusters, run: jest([group], clusters) };
}

/** One file at a time, unless files have nothing in common; of those that play on a cluster, each worker has one to itself. */
function jest(groups: readonly string[], atOnce = 1): Part['run'] {
  return async (surroundings) => {
    const file = `${RESULTS}/${groups[0]}.json`;
    await rm(file, { force: true });
    const { code } = await runCommand(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--no-warnings',
        '--import=./test/support/end-with-jest.ts',
        'node_modules/jest/bin/jest.js',
        `--maxWorkers=${atOnce}`,
        '--json',
        `--outputFile=${file}`,
        '--selectProjects',
        ...groups,
      ],
      { ...surroundings, shown: true },
    );
    const result = await readFile(file, 'utf8').catch(() => undefined);
    return marked(result === undefined ? NOTHING : countsOfJest(JSON.parse(result)), code);
  };
}
