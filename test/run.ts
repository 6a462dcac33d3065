// `make test`: runs the parts one after the other, with one set of clusters for all that need one, and says how many tests
// passed. The clusters start while the first parts run and are gone at the end, however the end comes.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { installTestPackages } from '../hack/debian-packages.ts';
import { PARTS, type Part, RESULTS } from './parts.ts';
import { type Counts, NOTHING, sum } from './support/counts.ts';
import { clusterCommand, kubeconfigOfTest, TEST_CLUSTERS } from './support/test-cluster.ts';

const MINUTE = 60_000;
const LIMIT_MS = (process.env.GANTRY_SOAK ? 600 : 40) * MINUTE;

/** For `.ci/run`; absent while no run has come to its end. */
const VERDICT = `${RESULTS}/verdict`;
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

interface Row extends Counts {
  readonly name: string;
  readonly seconds: number;
}

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

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

const clusters = TEST_CLUSTERS.slice(0, Math.max(...wanted.map(({ clusters = 0 }) => clusters)));
// Before a cluster starts, which looks for the same packages: apt does not run twice at a time.
const lacking =
  clusters.length > 0 || wanted.some(({ needs }) => needs === 'packages')
    ? await installTestPackages().catch(String)
    : undefined;

/** The first that did not start; undefined when all did. */
const starting = bringUp();
let takingDown: Promise<unknown> | undefined;

const env = {
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
  ...(clusters.length > 0 && { GANTRY_TEST_KUBECONFIG: clusters.map(kubeconfigOfTest).join(':') }),
};

const rows: Row[] = [];
try {
  for (const part of wanted) {
    if (stop.signal.aborted) break;
    rows.push(await timed(part));
  }
} finally {
  await takeDown();
}

const total = sum(rows);
const verdict = `${total.passed} passed, ${total.failed} failed`;
console.log(`\n${rows.map(line).join('\n')}\n`);
if (stop.signal.aborted) console.log('stopped before the end');
console.log(verdict);
writeFileSync(VERDICT, `${verdict}\n`);
process.exitCode = total.failed > 0 || stop.signal.aborted ? 1 : 0;

async function timed(part: Part): Promise<Row> {
  const isReady = await prepared(part);
  console.log(`\n── ${part.name}`);
  const started = performance.now();
  const counts = isReady ? await part.run({ env, signal: stop.signal, limitMs: LIMIT_MS }) : { ...NOTHING, failed: 1 };
  const row = { name: part.name, ...counts, seconds: (performance.now() - started) / 1000 };
  console.log(line(row));
  return row;
}

/** Resolves with whether the part can run at all; waiting for a cluster counts as nobody's time. */
async function prepared({ needs, clusters = 0 }: Part): Promise<boolean> {
  if (needs === 'quiet') await takeDown();
  if (needs === 'packages' && lacking !== undefined) {
    console.log(lacking);
    return false;
  }
  if (clusters === 0 && needs !== 'binaries') return true;
  const lackingCluster = await starting;
  if (lackingCluster === undefined) return true;
  console.log(`the cluster "${lackingCluster}" did not start`);
  return clusters === 0;
}

/** One after the other: the first builds what the next is made of, too. */
async function bringUp(): Promise<string | undefined> {
  for (const name of clusters) {
    const { code } = await clusterCommand('up', name, { shown: true, signal: stop.signal });
    if (code !== 0) return name;
  }
  return undefined;
}

/** Once. GANTRY_KEEP=1 leaves the clusters for the next run. */
async function takeDown(): Promise<void> {
  if (process.env.GANTRY_KEEP) return;
  await starting;
  takingDown ??= Promise.all(clusters.map((name) => clusterCommand('down', name, { shown: true })));
  await takingDown;
}

function line({ name, passed, failed, skipped, seconds }: Row): string {
  const columns = [`${passed} passed`, `${failed} failed`, skipped > 0 ? `${skipped} skipped` : ''];
  return `${name.padEnd(12)} ${columns.map((text) => text.padStart(12)).join('')} ${seconds.toFixed(1).padStart(9)} s`;
}
