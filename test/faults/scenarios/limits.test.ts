// Fault 18: a hundred starts at once at the edge of a quota, and credit that ends for all of them while they start. Who waits says by
// which numbers, and what was paid for again runs to its end. Money is never exceeded by one. Cards are, by one at most, about once
// in 100 Pods: Kubernetes counts a quota in its API server and again in a controller, whose cache may be a moment behind.
import { CREDIT_QUOTA, GPU_RESOURCE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { Billing } from '../../stories/billing.ts';
import { eventually } from '../../support/eventually.ts';
import { isSoak } from '../../support/soak.ts';
import { ALONE, setArena } from './arena.ts';
import { holdOf, PAID } from './invariants.ts';
import type { Observed, Subject } from './subject.ts';

const GPUS = 4;
const QUOTA = { quota: { gpus: GPUS, cores: 1000, memoryGi: 1000, storageGi: 10, instances: 10 } };
/** The excess that a miscount of a moment may cause. */
const SLACK = 1;
const PATIENCE_MS = 240_000;
/** The API server learns of a new quota from a watch, as anybody does: until then it lets Pods in. */
const QUOTA_KNOWN_WITHIN_MS = 5_000;
/** Jobs and services at once: a hundred starts in the long run. */
const CROWD = isSoak ? { jobs: 98, services: 2 } : { jobs: 18, services: 2 };

const arena = setArena(ALONE, '--credit-gate=required');

/** The most cards that Pods of the namespace held at one time. */
function mostHeld(namespace: string): number {
  const held = new Map<string, number>();
  let most = 0;
  const isOf = ({ metadata }: Pod) => metadata.namespace === namespace;
  for (const { object, isGone } of arena().pods.sightings(isOf)) {
    const { uid = '' } = object.metadata;
    const isOver = isGone || object.status?.phase === 'Failed' || object.status?.phase === 'Succeeded';
    held.set(uid, isOver ? 0 : Number(object.spec?.containers[0]?.resources?.requests?.[GPU_RESOURCE] ?? 0));
    most = Math.max(
      most,
      [...held.values()].reduce((sum, gpus) => sum + gpus, 0),
    );
  }
  return most;
}

const asBilled = <T extends Observed>({ path, now }: Subject<T>) => {
  if (!now) throw new Error(`${path} was never seen`);
  return { path, now, generation: now.metadata.generation ?? 0 };
};

/** A crowd in an organisation of its own, each with credit. */
async function crowd(name: string, counts: { jobs: number; services: number; seconds: number }) {
  const organization = arena().freshName(name);
  const namespace = await arena().organization(organization, QUOTA);
  const billing = new Billing(arena().cluster);
  const many = <One>(count: number, make: (index: number) => One) => Array.from({ length: count }, (_, at) => make(at));
  const jobs = many(counts.jobs, (index) => arena().job(`job-${index}`, namespace));
  const services = many(counts.services, (index) => arena().service(`svc-${index}`, namespace));
  const all: readonly Subject<Observed>[] = [...jobs, ...services] as unknown as Subject<Observed>[];
  await Promise.all([
    ...jobs.map((job) => job.create({ command: ['sleep', String(counts.seconds)] })),
    ...services.map((service) => service.create({ replicas: 1 })),
  ]);
  const pay = async () => {
    await eventually('all are seen', () => all.every(({ now }) => now !== undefined));
    await Promise.all(all.map((one) => billing.reserves(asBilled(one))));
  };
  return { organization, namespace, billing, jobs, services, all, pay };
}

test('many jobs and services at once hold what the quota has, and each job has its turn', async () => {
  const { jobs, namespace, organization, pay } = await crowd('edge', { ...CROWD, seconds: 1 });
  await pay();
  const told = await Promise.race(
    jobs.map((job) => job.becomes('told', ({ status }) => status?.reason === 'InQueue', PATIENCE_MS)),
  );
  expect(told.status?.message).toMatch(/^Position \d+ in the queue; \d+ GPUs are requested ahead/);
  await Promise.all(jobs.map((job) => job.reaches('succeeded', PATIENCE_MS)));
  expect(mostHeld(namespace)).toBeGreaterThanOrEqual(GPUS);
  expect(mostHeld(namespace)).toBeLessThanOrEqual(GPUS + SLACK);
  for (const job of jobs) holdOf(job, PAID);
  await arena().removeOrganization(organization);
}, 300_000);

test('credit that ends for all while they start ends all, starts none, and lets each run when it is back', async () => {
  const { all, jobs, services, namespace, organization, billing, pay } = await crowd('broke', { ...CROWD, seconds: 3 });
  await pay();
  await eventually('some run', () => jobs.some(({ living }) => living.length > 0), PATIENCE_MS);
  await billing.saysInCredit(organization, false);
  await Promise.all(
    all.filter(({ now }) => now?.status?.phase !== 'succeeded').map((one) => billing.findsNoCredit(asBilled(one))),
  );
  const quota = await eventually('the namespace is closed', () =>
    arena().get(`/api/v1/namespaces/${namespace}/resourcequotas/${CREDIT_QUOTA}`),
  );
  await eventually('nothing runs', () => all.every(({ living }) => living.length === 0), PATIENCE_MS);
  const closedAt = quota.metadata.creationTimestamp ?? '';
  const bornAt = all.flatMap(({ pods }) => pods.map(({ object }) => object.metadata.creationTimestamp ?? ''));
  const isLate = (at: string) => Date.parse(at) > Date.parse(closedAt) + QUOTA_KNOWN_WITHIN_MS;
  expect(bornAt.filter(isLate)).toEqual([]);
  // A Pod is gone before its end is written down.
  const hasOpen = ({ now }: Subject<Observed>) => now?.status?.intervals?.some(({ to }) => to === undefined) ?? false;
  await eventually('every interval has ended', () => !all.some(hasOpen));
  for (const { now } of all)
    if (now?.status?.phase !== 'succeeded') expect(now?.status?.message).toMatch(/0\.34 USD available/);

  await billing.saysInCredit(organization, true);
  await Promise.all(services.map((service) => service.wish({ power: 'Stopped' })));
  await pay();
  await Promise.all(jobs.map((job) => job.reaches('succeeded', PATIENCE_MS)));
  expect(mostHeld(namespace)).toBeLessThanOrEqual(GPUS + SLACK);
  for (const one of all) holdOf(one, PAID);
  await arena().removeOrganization(organization);
}, 400_000);
