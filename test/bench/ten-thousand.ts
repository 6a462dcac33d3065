// Ten thousand running instances, so ten thousand Pods and as many claims: rows A3, A6 and the other half of A4.
import { eventually } from '../support/eventually.ts';
import { type Company, emptied, names, SIMULATED, withCompany } from './company.ts';
import { Sightings } from './sightings.ts';
import { type Stage, sized } from './stage.ts';
import { isWrite } from './write-budget.ts';

const MANY = sized(10_000);
/**
 * Few and large: for each Pod the scheduler compares every volume with every node, and with a hundred nodes it placed two Pods a
 * second.
 */
const NODES = 5;
const GPUS_PER_NODE = sized(2_100);
/**
 * So many are started at a time. Kubernetes' volume controller looks at one claim after the other, and at every waiting one again
 * each 15 seconds: with nine thousand it bound two a second, and the scheduler gave up on most Pods after ten minutes.
 */
const WAVE = 500;
const TIMES = 3;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

export interface TenThousand {
  readonly residentMib: number;
  readonly resyncWrites: number;
  /** From the start of the process, or from the signal to the previous one, to the Pod of an instance created meanwhile. */
  readonly restartMs: readonly number[];
  readonly afterTermMs: readonly number[];
  readonly afterKillMs: readonly number[];
}

export async function tenThousand(stage: Stage): Promise<TenThousand> {
  const needs = { name: 'many', instances: MANY + 100, nodes: NODES, gpusPerNode: GPUS_PER_NODE };
  return withCompany(stage, needs, async (company) => {
    const { operator, fleet } = company;
    const sightings = new Sightings(company);
    const all = names('many', MANY);
    for (let at = 0; at < MANY; at += WAVE) {
      await fleet.create(all.slice(at, at + WAVE), SIMULATED);
      await fleet.reached('running', Math.min(at + WAVE, MANY), 10 * MINUTE);
    }
    const restartMs = await repeated(() => restart(company, sightings));
    const resyncWrites = await writesOfResync(company);
    const residentMib = (await operator.metrics()).residentBytes / 2 ** 20;
    const afterTermMs = await repeated(() => takeOver(stage, company, sightings, 'SIGTERM'));
    const afterKillMs = await repeated(() => takeOver(stage, company, sightings, 'SIGKILL'));
    const found = { residentMib, resyncWrites, restartMs, afterTermMs, afterKillMs };
    // Half an hour is not lost because what follows fails.
    console.log(JSON.stringify(found));
    await emptied(fleet).catch((error: unknown) => console.error('not emptied:', error));
    return found;
  });
}

async function writesOfResync({ operator }: Company): Promise<number> {
  const before = await operator.metrics();
  operator.resync();
  await eventually(
    'every instance was looked at',
    async () => (await operator.metrics()).reconciles('GpuInstance') - before.reconciles('GpuInstance') >= MANY,
    MINUTE,
  );
  const requests = (await operator.metrics()).requestsSince(before);
  return requests.filter(isWrite).reduce((sum, { count }) => sum + count, 0);
}

async function repeated(once: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) times.push(await once());
  return times;
}

let late = 0;
const lateName = () => `late-${late++}`;

async function restart({ operator, fleet }: Company, sightings: Sightings): Promise<number> {
  await operator.terminate(30 * SECOND);
  const name = lateName();
  await fleet.createOne(name, SIMULATED);
  const began = performance.now();
  await operator.restart();
  return (await sightings.podOf(name, MINUTE)) - began;
}

/** The leader is ended while a standby waits; afterwards the standby is gone and the old one leads again. */
async function takeOver(
  stage: Stage,
  { operator, fleet }: Company,
  sightings: Sightings,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<number> {
  const standby = await stage.operator();
  const name = lateName();
  const began = performance.now();
  const ended = signal === 'SIGTERM' ? operator.terminate(30 * SECOND) : operator.kill();
  await fleet.createOne(name, SIMULATED);
  const seen = await sightings.podOf(name, MINUTE);
  await ended;
  await standby.terminate(30 * SECOND);
  await standby.close();
  await operator.restart();
  return seen - began;
}
