// Row A7: instances of twenty organisations from nothing to running, with billing and without. What billing costs the gateway, and
// how long the stop of another tenant's instance takes meanwhile.
import { readFile, writeFile } from 'node:fs/promises';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { MODELS } from '../../hack/kwok/nodes.ts';
import { Fleet } from '../scale/fleet.ts';
import { simulateNodes } from '../scale/simulated-nodes.ts';
import { makeTenant, type Tenant } from '../scale/tenant.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { emptied, names, SIMULATED } from './company.ts';
import type { Pair } from './measure.ts';
import { type MeasuredPostgres, startMeasuredPostgres } from './measured-postgres.ts';
import { type Stage, sized } from './stage.ts';
import { median } from './statistics.ts';

const ORGANIZATIONS = 20;
const OF_EACH = sized(50);
const MANY = ORGANIZATIONS * OF_EACH;
const NODES = Math.ceil((MANY + 100) / MODELS.h100.perNode);
/** Instances of the other tenant that are stopped, one after the other: in a quiet cluster and during the rush. */
const STOPS = 3;
const WIDTH = 32;
/** Off, on, on, off: what grows over the run is on both alike. */
export const ARMS = ['off', 'on', 'on', 'off'] as const;
export type Billing = (typeof ARMS)[number];
const MINUTE = 60_000;
/** Enough for every organisation to run all of its instances for a year. */
const CREDIT = '--adopted-credit=9000000';

export interface BilledLives {
  /** Instances per second; `peer` without billing. */
  readonly speed: readonly Pair[];
  /** The gateway's CPU, with billing. */
  readonly cpuMs: readonly number[];
  readonly peakMib: readonly number[];
  /** The CPU of its database server, per instance. */
  readonly databaseCpuMs: readonly number[];
  /** Another tenant's stop, with billing: during the rush, and in a quiet cluster. */
  readonly stopMs: readonly Pair[];
}

interface Arm {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly peakMib: number;
  readonly databaseCpuMs: number;
  readonly stop: Pair;
}

export async function billedLives(stage: Stage): Promise<BilledLives> {
  const removeNodes = await simulateNodes(stage.kubeconfig, 'h100', NODES);
  const quota = { gpus: 1000, cores: 1000, memoryGi: 1000, storageGi: 1000, instances: 1000, disks: 1, hosts: 1 };
  const operator = await stage.operator();
  const tenants = await Promise.all(
    [...names('billed', ORGANIZATIONS), 'billed-neighbour'].map((name) => makeTenant(stage, name, quota)),
  ).finally(() => operator.close());
  const postgres = await startMeasuredPostgres();
  try {
    const arms: Record<'on' | 'off', Arm[]> = { on: [], off: [] };
    for (const [at, billing] of ARMS.entries()) {
      const databaseUrl = await postgres.createDatabase(`arm${at}`);
      arms[billing].push(await play(stage, tenants, { billing, databaseUrl, postgres }));
    }
    return {
      speed: arms.on.map(({ perSecond }, at) => ({ ours: perSecond, peer: arms.off[at]?.perSecond ?? Number.NaN })),
      cpuMs: arms.on.map(({ cpuMs }) => cpuMs),
      peakMib: arms.on.map(({ peakMib }) => peakMib),
      databaseCpuMs: arms.on.map(({ databaseCpuMs }) => databaseCpuMs),
      stopMs: arms.on.map(({ stop }) => stop),
    };
  } finally {
    const last = await stage.operator('--credit-gate=off');
    const released = await gatewayOf(stage, 'off', await postgres.createDatabase('last'));
    await Promise.all(tenants.map((tenant) => tenant.remove()));
    await released.close();
    await last.close();
    await postgres.end();
    await removeNodes();
  }
}

export async function gatewayOf(stage: Stage, billing: Billing, databaseUrl: string): Promise<GatewayProcess> {
  const flags = [...(await gatewayFlags(stage.place)), `--billing=${billing}`, CREDIT];
  return GatewayProcess.start(stage, { flags, databaseUrl });
}

interface Scene {
  readonly billing: Billing;
  readonly databaseUrl: string;
  readonly postgres: MeasuredPostgres;
}

async function play(stage: Stage, tenants: readonly Tenant[], { billing, databaseUrl, postgres }: Scene): Promise<Arm> {
  const operator = await stage.operator(`--credit-gate=${billing === 'on' ? 'required' : 'off'}`);
  const gateway = await gatewayOf(stage, billing, databaseUrl);
  const fleets = await Promise.all(tenants.map(({ namespace }) => Fleet.follow(stage.kubeconfig, namespace)));
  const [neighbour, ...crowd] = [...fleets].reverse() as [Fleet, ...Fleet[]];
  try {
    const stopped = names('stopped', 2 * STOPS);
    for (const name of stopped) await neighbour.createOne(name, SIMULATED);
    // A new gateway's first-time work is not part of the rush.
    for (const fleet of crowd) await fleet.createOne('first', SIMULATED);
    await neighbour.reached('running', stopped.length, 5 * MINUTE);
    await Promise.all(crowd.map((fleet) => fleet.reached('running', 1, 5 * MINUTE)));
    const peer = await stopMs(neighbour, stopped.slice(0, STOPS));

    await forgetPeak(gateway);
    const before = await cpuSeconds(gateway);
    const third = crowd[0] as Fleet;
    let ours = Number.NaN;
    const { ms, serverMs } = await postgres.cost(async () => {
      const rush = names('life', OF_EACH).flatMap((name) => crowd.map((fleet) => ({ fleet, name })));
      const created = inParallel(rush, WIDTH, async ({ fleet, name }) => {
        await fleet.createOne(name, SIMULATED);
      });
      await third.reached('running', Math.ceil(OF_EACH / 4), 10 * MINUTE);
      ours = await stopMs(neighbour, stopped.slice(STOPS));
      await created;
      await Promise.all(crowd.map((fleet) => fleet.reached('running', OF_EACH + 1, 15 * MINUTE)));
    });
    const arm = {
      perSecond: (MANY * 1000) / ms,
      cpuMs: ((await cpuSeconds(gateway)) - before) * (1000 / MANY),
      peakMib: await peakMib(gateway),
      databaseCpuMs: serverMs / MANY,
      stop: { ours, peer },
    };
    console.log(`billing ${billing}: ${JSON.stringify(arm)}`);
    // A thousand at once would keep the API server from answering within a client's time.
    await inParallel(fleets, 4, (fleet) => emptied(fleet));
    return arm;
  } finally {
    for (const fleet of fleets) fleet.close();
    await gateway.close();
    await operator.close();
  }
}

/** From the wish to the phase, the median. */
async function stopMs(fleet: Fleet, stopped: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const name of stopped) {
    const began = performance.now();
    await fleet.wishOne(name, 'ShutDown');
    await eventually(`${name} is shut down`, () => phaseOf(fleet, name) === 'shutDown', 5 * MINUTE);
    times.push(performance.now() - began);
  }
  return median(times);
}

const phaseOf = (fleet: Fleet, name: string): string | undefined =>
  fleet.instances().find(({ metadata }: GpuInstance) => metadata.name === name)?.status?.phase;

const TICKS_PER_SECOND = 100;

export async function cpuSeconds(gateway: GatewayProcess): Promise<number> {
  const stat = await readFile(`/proc/${gateway.pid()}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

/** Resets the kernel's peak: memory needed for a moment counts as needed. */
const forgetPeak = (gateway: GatewayProcess): Promise<void> => writeFile(`/proc/${gateway.pid()}/clear_refs`, '5');

async function peakMib(gateway: GatewayProcess): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid()}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
