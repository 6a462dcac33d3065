// The parts of `make test`: one row is one part, with its own time and counts. Parts of a lane run in this order.
import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { GO_ENV } from '../hack/go-env.ts';
import { seedOf } from './faults/crash-points.ts';
import { type FileOutcome, filesOfGo, filesOfJest, NOTHING, type Outcome, outcomeOf } from './runner/outcome.ts';
import type { Played } from './runner/play-parts.ts';
import { filesInTurn, isOver } from './runner/turns.ts';
import { type Ended, runCommand } from './support/command.ts';
import { endingWithUs } from './support/ending-with-us.ts';

export interface Part extends Played {
  /** The folder of its tests: a part is skipped only when this is absent. */
  readonly tests: string;
  /** How many test clusters it plays on: one file at a time on each. */
  readonly clusters?: number;
  /**
   * `binaries`: a cluster's binaries; a running build is waited for, because two builds at once would only slow each other.
   * `packages`: Debian programs, real SSH clients and PostgreSQL among them; clusters have them too.
   */
  readonly needs?: 'binaries' | 'packages';
  /** Has more to do under GANTRY_SOAK=1: `make soak` runs these. */
  readonly isLong?: boolean;
  /** All that this run plays of it, or these files. */
  readonly run: (surroundings: Surroundings, ...files: readonly string[]) => Promise<Outcome>;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Ends the part early: the person at the terminal had enough. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** Lines worth reading while it runs. */
  readonly heard: (text: string) => void;
}

/** The niceness of the busy lane: stories have time limits, and go first if both lanes want the processor. */
const BUSY = 5;

export const PARTS: readonly Part[] = [
  { name: 'verify', lane: 'busy', tests: 'contract', run: verified },
  { name: 'agent', lane: 'busy', tests: 'agent', needs: 'packages', repeats: true, run: go('agent') },
  // Builds an object store of its own.
  { name: 'registry', lane: 'busy', tests: 'hack/bin/registry', repeats: true, run: go('hack/bin/registry') },
  // A third of its time it waits for PostgreSQL and for programs that it starts.
  {
    name: 'api',
    lane: 'busy',
    tests: 'api',
    needs: 'packages',
    repeats: true,
    run: inTurns('api/src', jest(['api'], { atOnce: 2, niceness: BUSY })),
  },
  {
    name: 'unit',
    lane: 'busy',
    tests: 'contract',
    needs: 'packages',
    repeats: true,
    run: jest(['unit', 'faults-unit', 'house'], { niceness: BUSY }),
  },
  { name: 'web-unit', lane: 'busy', tests: 'console', repeats: true, run: jest(['web-unit'], { niceness: BUSY }) },
  { name: 'fuzz', lane: 'busy', tests: 'test/fuzz', needs: 'packages', run: fuzzed },
  {
    name: 'integration',
    lane: 'busy',
    tests: 'test/integration',
    needs: 'binaries',
    repeats: true,
    run: inTurns('test/integration', jest(['integration'], { atOnce: 2 })),
  },
  onClusters(2, { name: 'stories', tests: 'test/stories' }),
  onClusters(2, { name: 'web', tests: 'test/web' }),
  onClusters(2, { name: 'faults', tests: 'test/faults/scenarios' }),
  // Counts what a life costs: a busy machine shows more of its steps one by one, and each is a write.
  {
    ...onClusters(1, { name: 'scale', tests: 'test/scale' }),
    ...{ lane: 'alone', run: oneInTurn('scale', jest(['scale'])) },
  },
  // Measures how long the gateway's loop is blocked: nothing else of ours may have the processor.
  { name: 'api-timed', lane: 'alone', tests: 'api', needs: 'packages', repeats: true, run: jest(['api-timed']) },
  {
    name: 'machine',
    lane: 'alone',
    tests: 'test/machine',
    isLong: true,
    repeats: true,
    run: oneInTurn('machine', jest(['machine'])),
  },
];

export const RESULTS = '.run/results';

interface Command {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Output for machines is not heard. */
  readonly isSilent?: boolean;
  readonly niceness?: number;
}

/** Ends with all that it has started: at its limit, when the run is given up, and when we are gone. */
function command(surroundings: Surroundings, line: readonly string[], options: Command = {}): Promise<Ended> {
  const { env, cwd, isSilent = false, niceness = BUSY } = options;
  const [file, args] = endingWithUs('nice', ['-n', `${niceness}`, ...line]);
  const { heard, limitMs, signal } = surroundings;
  return runCommand(file, args, {
    limitMs,
    signal,
    killAfterMs: 10_000,
    env: { ...surroundings.env, ...env },
    ...(cwd !== undefined && { cwd }),
    ...(!isSilent && { heard }),
  });
}

// Anywhere but in CI one has work in progress: then only what verifying itself changes is wrong.
async function verified(surroundings: Surroundings): Promise<Outcome> {
  const line = [process.execPath, 'test/verify.ts', ...(process.env.CI ? ['--clean'] : [])];
  const { code, stdout } = await command(surroundings, line);
  const lines = stdout.split('\n');
  const failures = lines.filter((text) => text.startsWith('FAILED '));
  const passed = lines.filter((text) => text.startsWith('ok ')).length;
  const counts = { passed, failed: failures.length, skipped: 0 };
  return outcomeOf([{ name: 'test/verify.ts', seconds: 0, counts, output: stdout, failures }], code);
}

/** So many examples, however fast the machine is, and the same each time: `make fuzz` looks further. */
async function fuzzed(surroundings: Surroundings): Promise<Outcome> {
  const env = { FUZZ_SECONDS: '', FUZZ_SEED: '1' };
  const { code } = await command(surroundings, [process.execPath, 'test/fuzz/run.ts'], { env });
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { counts, files: [] };
}

/** A repeat is no answer out of Go's cache. */
function go(folder: string): Part['run'] {
  return async (surroundings, file) => {
    const line = ['go', 'test', '-json', ...(file === undefined ? ['./...'] : ['-count=1', file])];
    const { code, stdout, stderr } = await command(surroundings, line, { cwd: folder, isSilent: true, env: GO_ENV });
    const files = filesOfGo(stdout);
    if (code !== 0)
      surroundings.heard(
        `${stderr}${files
          .filter(isBroken)
          .map(({ output }) => output)
          .join('')}`,
      );
    return outcomeOf(files, code);
  };
}

const isBroken = ({ counts }: FileOutcome) => counts.failed > 0;

function onClusters(clusters: number, { name, tests }: Pick<Part, 'name' | 'tests'>): Part {
  const run = inTurns(tests, jest([name], { atOnce: clusters }));
  return { name, tests, lane: 'waiting', clusters, isLong: true, repeats: true, run };
}

/** The files whose turn it is, where some of a folder take turns; all of them in the long run. */
function inTurns(folder: string, run: Part['run']): Part['run'] {
  return (surroundings, ...files) =>
    files.length > 0 || process.env.GANTRY_SOAK
      ? run(surroundings, ...files)
      : run(surroundings, ...filesInTurn(folder, seedOf(surroundings.env, new Date())));
}

/** One of its files, which another with the next seed; all of them in the long run. */
function oneInTurn(group: string, run: Part['run']): Part['run'] {
  return (surroundings, file) => {
    const files = globSync(`test/${group}/*.test.ts`).sort();
    const seed = seedOf(surroundings.env, new Date());
    if (file !== undefined || process.env.GANTRY_SOAK) return run(surroundings, file);
    if (isOver(surroundings.env.GANTRY_LAST_TURN_END, Date.now())) {
      surroundings.heard(`left out, the time for turns is over: ${group}\n`);
      return Promise.resolve({ counts: { ...NOTHING, skipped: 1 }, files: [] });
    }
    surroundings.heard(`one of ${files.join(', ')}, as GANTRY_SEED=${seed} picks\n`);
    return run(surroundings, ...files.filter((_, index) => index === seed % files.length));
  };
}

/** One file at a time, unless files have nothing in common; of those that play on a cluster, each worker has one to itself. */
function jest(groups: readonly string[], { atOnce = 1, niceness = 0 } = {}): Part['run'] {
  return async (surroundings, ...files) => {
    const [file] = files.length === 1 ? files : [];
    const results = `${RESULTS}/${[groups[0], file && basename(file)].filter(Boolean).join('.')}.json`;
    await rm(results, { force: true });
    const { code, stdout, stderr } = await command(
      surroundings,
      [
        process.execPath,
        '--experimental-vm-modules',
        // Node frees no module of a file that has been played: the unit tests alone come to four gigabytes.
        '--max-old-space-size=8192',
        '--no-warnings',
        '--import=./test/support/end-with-jest.ts',
        'node_modules/jest/bin/jest.js',
        `--maxWorkers=${atOnce}`,
        '--json',
        `--outputFile=${results}`,
        ...(files.length === 0 ? [] : ['--runTestsByPath', ...files]),
        '--selectProjects',
        ...groups,
      ],
      { niceness },
    );
    const text = await readFile(results, 'utf8').catch(() => undefined);
    return outcomeOf(
      text === undefined ? [] : filesOfJest(JSON.parse(text), `${stdout}${stderr}`, process.cwd()),
      code,
    );
  };
}
