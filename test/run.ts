// `make test`: runs the parts one after the other, with one cluster for all that need it, and says how many tests passed.
// The cluster starts while the first parts run and is gone at the end, however the end comes.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { installTestPackages } from '../hack/debian-packages.ts';
import { layout } from '../hack/layout.ts';
import { PARTS, type Part, RESULTS } from './parts.ts';
import { type Counts, NOTHING, sum } from './support/counts.ts';
import { clusterCommand, TEST_CLUSTER } from './support/test-cluster.ts';

const MINUTE = 60_000;
const LIMIT_MS = (process.env.GANTRY_SOAK ? 600 : 25) * MINUTE;

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

// Before the cluster starts, which looks for the same packages: apt does not run twice at a time.
const lacking = wanted.some(({ needs }) => needs === 'packages')
  ? await installTestPackages().catch(String)
  : undefined;

const starting = wanted.some(({ needs }) => needs === 'cluster')
  ? clusterCommand('up', { shown: true, signal: stop.signal })
  : undefined;
let takingDown: ReturnType<typeof clusterCommand> | undefined;

const { kubeconfig } = layout(TEST_CLUSTER.name, TEST_CLUSTER.nodes);
const env = {
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
  ...(starting && { GANTRY_TEST_KUBECONFIG: kubeconfig }),
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

/** Resolves with whether the part can run at all; waiting for the cluster counts as nobody's time. */
async function prepared({ needs }: Part): Promise<boolean> {
  if (needs === 'quiet') await takeDown();
  if (needs === 'packages' && lacking !== undefined) {
    console.log(lacking);
    return false;
  }
  if (needs !== 'cluster' && needs !== 'binaries') return true;
  const ended = await starting;
  if (ended === undefined || ended.code === 0) return true;
  console.log(`the cluster "${TEST_CLUSTER.name}" did not start`);
  return needs !== 'cluster';
}

/** Once. GANTRY_KEEP=1 leaves the cluster for the next run. */
async function takeDown(): Promise<void> {
  if (starting === undefined || process.env.GANTRY_KEEP) return;
  await starting;
  takingDown ??= clusterCommand('down', { shown: true });
  await takingDown;
}

function line({ name, passed, failed, skipped, seconds }: Row): string {
  const columns = [`${passed} passed`, `${failed} failed`, skipped > 0 ? `${skipped} skipped` : ''];
  return `${name.padEnd(12)} ${columns.map((text) => text.padStart(12)).join('')} ${seconds.toFixed(1).padStart(9)} s`;
}
