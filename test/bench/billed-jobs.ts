// Row Q3: a thousand jobs of twenty organisations, submitted at once, with billing and without: how many a second are done, and
// what billing costs the gateway.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { MODELS } from '../../hack/kwok/nodes.ts';
import { clientOf } from '../scale/fleet.ts';
import { simulateNodes } from '../scale/simulated-nodes.ts';
import { makeTenant, type Tenant } from '../scale/tenant.ts';
import { eventually } from '../support/eventually.ts';
import { ARMS, type Billing, cpuSeconds, gatewayOf } from './billed-lives.ts';
import { names } from './company.ts';
import type { Pair } from './measure.ts';
import { startMeasuredPostgres } from './measured-postgres.ts';
import { type Stage, sized } from './stage.ts';

const ORGANIZATIONS = 20;
const OF_EACH = sized(50);
const MANY = ORGANIZATIONS * OF_EACH;
/** Cards of each organisation: most of its jobs wait in the queue. */
const CARDS = 10;
const NODES = Math.ceil((ORGANIZATIONS * CARDS) / MODELS.h100.perNode);
const WIDTH = 32;
const MINUTE = 60_000;
const JOBS = resourceOf(job);

export interface BilledJobs {
  /** Jobs done per second; `peer` without billing. */
  readonly speed: readonly Pair[];
  /** The gateway's CPU for each, with billing. */
  readonly cpuMs: readonly number[];
}

interface Arm {
  readonly perSecond: number;
  readonly cpuMs: number;
}

export async function billedJobs(stage: Stage): Promise<BilledJobs> {
  const removeNodes = await simulateNodes(stage.kubeconfig, 'h100', NODES);
  const many = 10_000;
  const quota = { gpus: CARDS, cores: many, memoryGi: many, jobs: many };
  const operator = await stage.operator('--credit-gate=off');
  const tenants = await Promise.all(names('paid', ORGANIZATIONS).map((name) => makeTenant(stage, name, quota))).finally(
    () => operator.close(),
  );
  const postgres = await startMeasuredPostgres();
  try {
    const arms: Record<Billing, Arm[]> = { on: [], off: [] };
    for (const [at, billing] of ARMS.entries()) {
      const databaseUrl = await postgres.createDatabase(`arm${at}`);
      arms[billing].push(await play(stage, tenants, billing, databaseUrl));
    }
    return {
      speed: arms.on.map(({ perSecond }, at) => ({ ours: perSecond, peer: arms.off[at]?.perSecond ?? Number.NaN })),
      cpuMs: arms.on.map(({ cpuMs }) => cpuMs),
    };
  } finally {
    const last = await stage.operator('--credit-gate=off');
    const released = await gatewayOf(stage, 'off', await postgres.createDatabase('last'));
    // An operator that goes on after a failure would never let the bench end.
    try {
      await Promise.all(tenants.map((tenant) => tenant.remove()));
    } finally {
      await released.close();
      await last.close();
      await postgres.end();
    }
    await removeNodes();
  }
}

async function play(stage: Stage, tenants: readonly Tenant[], billing: Billing, databaseUrl: string): Promise<Arm> {
  const operator = await stage.operator(`--credit-gate=${billing === 'on' ? 'required' : 'off'}`);
  const gateway = await gatewayOf(stage, billing, databaseUrl);
  const client = clientOf(stage.kubeconfig);
  const stop = new AbortController();
  const caches = new Caches([JOBS], {
    client,
    clock: systemClock,
    report: { failed: () => {}, stumbled: () => {}, corrected: () => {} },
  });
  const submit = async (name: string, namespace: string) => void (await client.create(JOBS, manifest(name, namespace)));
  const done = (count: number) =>
    eventually(
      `${count} jobs are done`,
      () => caches.list(JOBS).filter(isDone).length >= count || undefined,
      20 * MINUTE,
    );
  try {
    await caches.start(stop.signal);
    // A new gateway's first-time work is not part of the rush.
    for (const { namespace } of tenants) await submit('first', namespace);
    await done(tenants.length);
    const before = await cpuSeconds(gateway);
    const began = performance.now();
    await inParallel(
      names('rush', OF_EACH).flatMap((name) => tenants.map(({ namespace }) => ({ name, namespace }))),
      WIDTH,
      ({ name, namespace }) => submit(name, namespace),
    );
    await done(tenants.length + MANY);
    const ms = performance.now() - began;
    const arm = {
      perSecond: (MANY * 1000) / ms,
      cpuMs: ((await cpuSeconds(gateway)) - before) * (1000 / MANY),
    };
    console.log(`billing ${billing}: ${JSON.stringify(arm)}`);
    await emptied(client, caches);
    return arm;
  } finally {
    stop.abort();
    await gateway.close();
    await operator.close();
  }
}

async function emptied(client: ReturnType<typeof clientOf>, caches: Caches): Promise<void> {
  await inParallel([...caches.list(JOBS)], WIDTH, async ({ apiVersion, kind, metadata: { name, namespace, uid } }) => {
    await client.delete(JOBS, {
      apiVersion,
      kind,
      name,
      uid: uid ?? '',
      ...(namespace !== undefined && { namespace }),
    });
  });
  await eventually('all jobs are gone', () => caches.list(JOBS).length === 0 || undefined, 15 * MINUTE);
}

const manifest = (name: string, namespace: string): KubeObject => {
  const spec: Partial<Job['spec']> = {
    image: 'library/busybox:1.36',
    command: ['sleep', '0.2'],
    workers: 1,
    gpu: { model: MODELS.h100.product, count: 1 },
    cores: 1,
    memoryGi: 1,
  };
  return { apiVersion: API_VERSION, kind: job.kind, metadata: { name, namespace }, spec } as KubeObject;
};

const isDone = (object: KubeObject): boolean => (object as Job).status?.phase === 'succeeded';
