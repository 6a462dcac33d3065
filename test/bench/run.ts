// `make bench`: runs the rows one after the other on their own cluster, writes each result to results/<row>.json and prints a
// table. `make bench ROWS="A2 B1"` runs only those.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installTestPackages } from '../../hack/debian-packages.ts';
import type { Measure } from './measure.ts';
import { quietMachine } from './quiet-machine.ts';
import { figuresOf, writeResults } from './results-table.ts';
import { closeScenes, ROWS, WITHOUT_CLUSTER } from './rows.ts';
import { isRehearsal, onStage, type Stage } from './stage.ts';

const RESULTS = fileURLToPath(new URL('results', import.meta.url));
const machine = { cores: availableParallelism(), memoryGi: Math.round(totalmem() / 2 ** 30) };

const names = process.argv.slice(2);
const strangers = names.filter((name) => !(name in ROWS));
if (strangers.length > 0) {
  console.error(`no such row: ${strangers.join(', ')}; there are ${Object.keys(ROWS).join(', ')}`);
  process.exit(2);
}
const wanted = Object.entries(ROWS).filter(([name]) => names.length === 0 || names.includes(name));

await installTestPackages();

// An exit, unlike a signal's own end, takes the operators along. The cluster stays for the next run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const measures: Measure[] = [];
const failed: string[] = [];
const playAll = async (rows: typeof wanted, stage: Stage) => {
  try {
    for (const [name, play] of rows) {
      // A rehearsal writes no figure down, so it need not wait for the machine.
      const busy = isRehearsal ? 0 : await quietMachine(console.log);
      // The rows after it have scenes of their own.
      const found = await play(stage, busy).catch((error: unknown) => {
        console.error(`${name} was not played:`, error);
        failed.push(name);
        return [];
      });
      if (found.length === 0) continue;
      if (!isRehearsal) await write(name, found);
      console.log(found.map(line).join('\n'));
      measures.push(...found);
    }
  } finally {
    await closeScenes();
  }
};
const onCluster = wanted.filter(([name]) => !WITHOUT_CLUSTER.includes(name));
if (onCluster.length > 0) await onStage((stage) => playAll(onCluster, stage));
const elsewhere = wanted.filter(([name]) => WITHOUT_CLUSTER.includes(name));
// These look at no stage.
await playAll(elsewhere, {} as Stage);
console.log(`\n${[head(), ...measures.map(line)].join('\n')}`);
if (failed.length > 0) console.log(`not played: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 || measures.some(({ holds }) => holds === false) ? 1 : 0;

async function write(row: string, found: readonly Measure[]): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(
    `${RESULTS}/${row}.json`,
    `${JSON.stringify(
      found.map((measure) => ({ ...measure, machine, date })),
      null,
      2,
    )}\n`,
  );
  writeResults();
}

function head(): string {
  return columns('row', 'work', 'ours', 'peer', 'ratio', 'spread', 'target', 'holds');
}

function line(measure: Measure): string {
  return columns(measure.row, measure.work, ...figuresOf(measure));
}

function columns(row: string, work: string, ...figures: string[]): string {
  return [row.padEnd(4), work.padEnd(58), ...figures.map((figure, at) => figure.padStart(at === 0 ? 20 : 9))].join('');
}
