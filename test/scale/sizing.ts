// The command line behind "By number of instances" in charts/gantry/SIZING.md: what operator, gateway, PostgreSQL, API server and etcd
// use while so many instances run on simulated nodes, at rest and while they start. GANTRY_STAGE names the cluster.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gatewayFlags } from '../../hack/gateway.ts';
import { findProcess } from '../../hack/process.ts';
import { type Company, emptied, names, SIMULATED, withCompany } from '../bench/company.ts';
import { onStage, type Stage } from '../bench/stage.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { startPostgres } from '../support/postgres-server.ts';

const MINUTE = 60_000;
const TICKS_PER_SECOND = 100;
const GPUS_PER_NODE = 8;
/** The scheduler compares each volume with every node, and the volume controller waits longer the more claims wait: see `test/bench`. */
const MOST_NODES = 130;
const WAVE = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' } },
});
const sizes = positionals.map(Number);
if (sizes.length === 0 || sizes.some((size) => !(size > 0)))
  throw new Error('node test/scale/sizing.ts [--seconds=60] 100 1000: how many instances run, from few to many');
const restMs = Number(values.seconds) * 1_000;

interface Usage {
  readonly cpuSeconds: number;
  /** Proportional: what processes share is counted once. */
  readonly mib: number;
}
type Usages = ReadonlyMap<string, Usage>;

/** A program and how its processes are found. */
type Programs = Readonly<Record<string, () => Promise<readonly number[]>>>;

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

async function usageOf(pids: readonly number[]): Promise<Usage> {
  // A process that ends meanwhile, such as a worker of PostgreSQL, uses nothing any longer.
  const all = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const stat = (await read('stat')).replace(/^.*\) /, '').split(' ');
      const [, kib = '0'] = /^Pss: +(\d+) kB$/m.exec(await read('smaps_rollup')) ?? [];
      return {
        cpuSeconds: sumOf(stat.slice(11, 15).map(Number)) / TICKS_PER_SECOND,
        mib: Number(kib) / 1024,
      };
    }),
  );
  return { cpuSeconds: sumOf(all.map(({ cpuSeconds }) => cpuSeconds)), mib: sumOf(all.map(({ mib }) => mib)) };
}

const look = async (programs: Programs): Promise<Usages> =>
  new Map(
    await Promise.all(
      Object.entries(programs).map(async ([name, pids]) => [name, await usageOf(await pids())] as const),
    ),
  );

/** Processes of the cluster, which started without us. */
const ofCluster =
  ({ place }: Stage, name: string) =>
  async (): Promise<readonly number[]> => {
    const found = await findProcess(place, name);
    if (!found) throw new Error(`${name} does not run`);
    return [found.pid];
  };

const started = (pid: number | undefined): readonly number[] => (pid === undefined ? [] : [pid]);

async function rowsOf(programs: Programs, { fleet }: Company, size: number): Promise<readonly string[]> {
  const missing = size - fleet.instances().length;
  const before = await look(programs);
  const began = performance.now();
  const all = names(`size-${size}`, missing);
  for (let at = 0; at < missing; at += WAVE) {
    await fleet.create(all.slice(at, at + WAVE), SIMULATED);
    await fleet.reached('running', size - missing + Math.min(at + WAVE, missing), 30 * MINUTE);
  }
  const startSeconds = (performance.now() - began) / 1_000;
  const running = await look(programs);
  // Whatever follows the start comes to its end.
  await sleep(restMs / 2);
  const resting = await look(programs);
  await sleep(restMs);
  const after = await look(programs);
  const millicores = (name: string, from: Usages, to: Usages, seconds: number) =>
    Math.round((1_000 * ((to.get(name)?.cpuSeconds ?? 0) - (from.get(name)?.cpuSeconds ?? 0))) / seconds);
  const starts = `${(missing / startSeconds).toFixed(1)} a second`;
  return Object.keys(programs).map((name) => {
    const cells = [
      ...[`${size}`, name, `${millicores(name, resting, after, restMs / 1_000)}m`],
      ...[
        `${millicores(name, before, running, startSeconds)}m (${starts})`,
        `${Math.round(after.get(name)?.mib ?? 0)}Mi`,
      ],
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

await onStage(async (stage) => {
  const most = Math.max(...sizes);
  const isLarge = most > MOST_NODES * GPUS_PER_NODE;
  const nodes = isLarge
    ? { nodes: 5, gpusPerNode: Math.ceil(most / 5) + 10 }
    : { nodes: Math.ceil(most / GPUS_PER_NODE) };
  const needs = { name: 'sizing', instances: most + 10, ...nodes };
  const postgres = await startPostgres({ fsync: true });
  const gateway = await GatewayProcess.start(stage, {
    databaseUrl: await postgres.createDatabase('gantry'),
    flags: await gatewayFlags(stage.place),
  });
  try {
    await withCompany(stage, needs, async (company) => {
      const programs: Programs = {
        operator: async () => started(company.operator.pid()),
        gateway: async () => started(gateway.pid()),
        PostgreSQL: async () => postgres.pids(),
        'API server': ofCluster(stage, 'kube-apiserver'),
        etcd: ofCluster(stage, 'etcd'),
      };
      console.log(
        '| Instances | Program | CPU at rest | CPU while they start | Memory at rest |\n|---|---|---|---|---|',
      );
      for (const size of sizes) console.log((await rowsOf(programs, company, size)).join('\n'));
      if (!isLarge) await emptied(company.fleet);
    });
  } finally {
    await gateway.close();
    await postgres.end();
  }
});
