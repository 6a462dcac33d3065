// `make test`: runs the parts in two lanes, with one set of clusters for all that need one, and says how many tests passed. The
// clusters start while the first parts run and are gone at the end, however the end comes.
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { installTestPackages } from '../hack/debian-packages.ts';
import { seedOf } from './faults/crash-points.ts';
import { PARTS, type Part, RESULTS } from './parts.ts';
import { closingTable, prefixed, rowLine } from './runner/closing-table.ts';
import type { FileOutcome, Outcome } from './runner/outcome.ts';
import { playParts, type Row, totalOf } from './runner/play-parts.ts';
import { lastTurnEnd, turnsEnd } from './runner/turns.ts';
import { clusterCommand, kubeconfigOfTest, TEST_CLUSTERS } from './support/test-cluster.ts';

const MINUTE = 60_000;
const startedMs = Date.now();
/** The time limit of a part: on a machine with others on it the unit tests take 40 minutes. */
const LIMIT_MS = (process.env.GANTRY_SOAK ? 600 : 55) * MINUTE;

/** For `.ci/run`; absent while no run has come to its end. */
const VERDICT = `${RESULTS}/verdict`;
/** Both outputs of files that were repeated. */
const REPEATS = `${RESULTS}/repeats`;
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(REPEATS, { recursive: true });

const names = process.argv.slice(2);
const strangers = names.filter((name) => !PARTS.some((part) => part.name === name));
if (strangers.length > 0) {
  console.error(`no such part: ${strangers.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const isWanted = ({ name, isLong = false }: Part) =>
  names.length > 0 ? names.includes(name) : isLong || !process.env.GANTRY_SOAK;
const wanted = PARTS.filter(isWanted).filter(({ name, tests }) => {
  if (!existsSync(tests)) console.log(`skipped: ${name}, there is no ${tests}`);
  return existsSync(tests);
});

// The same for all parts, even across midnight.
const seed = seedOf(process.env, new Date());
console.log(`GANTRY_SEED=${seed} repeats this run's turns and draws`);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

const clusters = TEST_CLUSTERS.slice(0, Math.max(...wanted.map(({ clusters = 0 }) => clusters)));
// Before a cluster starts, which looks for the same packages: apt does not run twice at a time.
const lacking =
  clusters.length > 0 || wanted.some(({ needs }) => needs === 'packages')
    ? await installTestPackages().catch(String)
    : undefined;

/** The first that did not start; undefined when all did. */
const starting = bringUp(clusters);
let takingDown: Promise<unknown> | undefined;

const env = {
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
  GANTRY_SEED: `${seed}`,
  ...(!process.env.GANTRY_SOAK && {
    GANTRY_TURNS_END: `${turnsEnd(startedMs)}`,
    GANTRY_LAST_TURN_END: `${lastTurnEnd(startedMs)}`,
  }),
  ...(clusters.length > 0 && { GANTRY_TEST_KUBECONFIG: clusters.map(kubeconfigOfTest).join(':') }),
};

/** Each of the two parts under way has ports of its own among those that tests take; a part has at most two of Jest's workers. */
const firstWorkers = [0, 2];

const rows = await playAll();
const { passed, failed } = totalOf(rows);
const verdict = `${passed} passed, ${failed} failed`;
console.log(`\n${closingTable(rows, REPEATS)}\n`);
if (stop.signal.aborted) console.log('stopped before the end');
console.log(verdict);
writeFileSync(VERDICT, `${verdict}\n`);
process.exitCode = failed > 0 || stop.signal.aborted ? 1 : 0;

async function playAll(): Promise<readonly Row[]> {
  const ended = (row: Row) => console.log(`\n${rowLine(row)}\n`);
  try {
    return await playParts(wanted, { ready, play, renew, repeated, ended, say: console.log, signal: stop.signal });
  } finally {
    await takeDown();
  }
}

/** Its whole output is also in a separate file. */
async function play(part: Part, file?: string): Promise<Outcome> {
  const shown = prefixed(part.name, (text) => process.stdout.write(text));
  const heard = (text: string) => {
    appendFileSync(`${RESULTS}/${part.name}.txt`, text);
    shown.heard(text);
  };
  const first = firstWorkers.shift() ?? 0;
  const surroundings = {
    env: { ...env, GANTRY_FIRST_WORKER: `${first}` },
    signal: stop.signal,
    limitMs: LIMIT_MS,
    heard,
  };
  return part.run(surroundings, ...(file === undefined ? [] : [file])).finally(() => {
    firstWorkers.push(first);
    shown.end();
  });
}

async function ready({ name, lane, needs, clusters = 0 }: Part): Promise<void> {
  if (lane === 'alone' && clusters === 0) await takeDown();
  if (needs === 'packages' && lacking !== undefined) throw new Error(`${name}: ${lacking}`);
  if (clusters === 0 && needs !== 'binaries') return;
  const failed = await starting;
  if (failed !== undefined && clusters > 0) throw new Error(`${name}: the cluster "${failed}" did not start`);
}

/**
 * A failed file may leave anything behind, some of it being deleted: its cluster is made anew. A single file runs on the first
 * one.
 */
async function renew({ clusters: count = 0 }: Part): Promise<void> {
  const [first] = clusters;
  if (count === 0 || first === undefined) return;
  await inCluster('down', first);
  const failed = await bringUp([first]);
  if (failed !== undefined) throw new Error(`the cluster "${failed}" did not start`);
}

function repeated({ name }: Part, tries: readonly FileOutcome[]): void {
  for (const [index, { name: file, output }] of tries.entries())
    writeFileSync(`${REPEATS}/${name}-${file.replaceAll(/[^\w.-]+/g, '-')}.${index + 1}.txt`, output);
}

/** One after the other: the first builds parts that the next one needs. */
async function bringUp(names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    if ((await inCluster('up', name, stop.signal)) !== 0) return name;
  }
  return undefined;
}

async function inCluster(what: 'up' | 'down', name: string, signal?: AbortSignal): Promise<number> {
  const shown = prefixed(name, (text) => process.stdout.write(text));
  const { code } = await clusterCommand(what, name, { heard: shown.heard, ...(signal && { signal }) });
  shown.end();
  return code;
}

/** Once. GANTRY_KEEP=1 leaves the clusters for the next run. */
async function takeDown(): Promise<void> {
  if (process.env.GANTRY_KEEP) return;
  await starting;
  takingDown ??= Promise.all(clusters.map((name) => inCluster('down', name)));
  await takingDown;
}
