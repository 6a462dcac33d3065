// Jobs in Kueue's queue, for real: let in up to the pool's capacity, whole gangs or nobody, the urgent first, and where placeOf says
// that they are. The Pods run on simulated nodes; Kueue, the operator and the API server are the real ones.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import {
  GPU_RESOURCE,
  LABEL,
  LOCAL_QUEUE,
  OPERATOR_ACCOUNT,
  PLATFORM_NAMESPACE,
  priorityClassOf,
  QUEUE_COHORT,
  QUEUE_GROUP,
} from '@gantry/contract/names.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startKueue } from '../../hack/kueue/start-kueue.ts';
import { stopProcess } from '../../hack/process.ts';
import { type Place, placeOf, QUEUE_API, WORKLOAD } from '../../operator/src/kueue.ts';
import { cachesOf } from '../../operator/src/testing/caches-of.ts';
import { eventually } from '../support/eventually.ts';
import { type Stage, setStage, type Tenant } from './stage.ts';

const MODEL = 'NVIDIA-L40S';
/** Two simulated nodes of four. */
const CARDS = 8;
const IMAGE = 'registry.gantry.internal/official/busybox:1.36';

const stage = setStage('--probe-every=24h', '--queue=kueue');

type BatchJob = KubeObject & { spec: { suspend?: boolean }; status?: { active?: number } };
type Queued = KubeObject & { spec: { resourceGroups: { flavors: Flavor[] }[] } };
interface Flavor {
  name: string;
  resources: { name: string; nominalQuota: string }[];
}

interface Wish {
  priority?: 'Low' | 'Normal' | 'High';
  workers?: number;
  gpus?: number;
}

const jobOf = (namespace: string, name: string, { priority = 'Normal', workers = 1, gpus = 4 }: Wish) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    namespace,
    labels: {
      [`${QUEUE_GROUP}/queue-name`]: LOCAL_QUEUE,
      [`${QUEUE_GROUP}/priority-class`]: priorityClassOf(priority),
    },
  },
  spec: {
    suspend: true,
    completionMode: 'Indexed',
    completions: workers,
    parallelism: workers,
    backoffLimit: 0,
    template: {
      metadata: { labels: { [LABEL.kind]: 'Job', [LABEL.organization]: namespace.slice('org-'.length) } },
      spec: {
        restartPolicy: 'Never',
        priorityClassName: 'gantry-tenant',
        ...(gpus > 0 && { nodeSelector: { [LABEL.gpuModel]: MODEL } }),
        tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists', effect: 'NoSchedule' }],
        containers: [
          {
            name: 'worker',
            image: IMAGE,
            resources: {
              requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi', [GPU_RESOURCE]: String(gpus) },
              limits: { [GPU_RESOURCE]: String(gpus) },
            },
          },
        ],
      },
    },
  },
});

const list = async <T extends KubeObject>(kind: string, { namespace }: Tenant): Promise<T[]> => {
  const answer = await stage().kubectl.get<{ apiVersion: string; kind: string; items: T[] }>(kind, '-n', namespace);
  return answer?.items ?? [];
};
/** The probe of a new organisation's network may still be there beside them. */
const workersIn = async (tenant: Tenant) =>
  (await list('pods', tenant)).filter(({ metadata }) => metadata.labels?.[LABEL.kind] === 'Job');
const submit = async (tenant: Tenant, name: string, wish: Wish = {}): Promise<string> => {
  await stage().kubectl.must(['create', '-f', '-'], jobOf(tenant.namespace, name, wish));
  // Kueue orders by whole seconds: the next one is younger.
  return eventually(`Kueue knows ${name}`, async () => {
    const found = (await list('workloads', tenant)).find(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.name === name),
    );
    const made = Date.parse(found?.metadata.creationTimestamp ?? '');
    return found && Date.now() >= made + 1000 ? found.metadata.ownerReferences?.[0]?.uid : undefined;
  });
};
const end = (tenant: Tenant, ...names: string[]) =>
  stage().kubectl.must(['delete', 'job', '-n', tenant.namespace, '--cascade=foreground', ...names]);
const running = async (tenant: Tenant): Promise<string[]> =>
  (await list<BatchJob>('job.batch', tenant))
    .filter(({ spec, status }) => spec.suspend === false && (status?.active ?? 0) > 0)
    .map(({ metadata }) => metadata.name)
    .sort();
const runs = (tenant: Tenant, ...names: string[]) =>
  eventually(`${names} run`, async () => {
    expect(await running(tenant)).toEqual(names.sort());
    return true;
  });

/** As the operator's cache has it. */
async function places(
  tenant: Tenant,
  uids: Readonly<Record<string, string>>,
): Promise<Record<string, Place | undefined>> {
  const keep = WORKLOAD.keep as NonNullable<typeof WORKLOAD.keep>;
  const caches = cachesOf(new Map([[WORKLOAD, (await list('workloads', tenant)).map(keep)]]));
  return Object.fromEntries(Object.entries(uids).map(([name, uid]) => [name, placeOf(uid, caches)]));
}

const cardsOf = async ({ kubectl }: Stage): Promise<number> => {
  const cohort = await kubectl.get<Queued>(`cohorts.${QUEUE_GROUP}`, QUEUE_COHORT);
  const flavor = cohort?.spec.resourceGroups[0]?.flavors.find(({ name }) => name.endsWith('nvidia-l40s'));
  return Number(flavor?.resources.find(({ name }) => name === GPU_RESOURCE)?.nominalQuota ?? -1);
};

describe('the queue', () => {
  let one: Tenant;
  let two: Tenant;
  beforeAll(async () => {
    // A run that broke off may have left it stopped.
    await startKueue(stage().cluster);
    [one, two] = await Promise.all([
      stage().organization('queue-one', { members: [{ account: 'ann', role: 'owner' }] }),
      stage().organization('queue-two'),
    ]);
    await eventually('both have a queue that takes jobs', async () => {
      for (const { namespace } of [one, two]) {
        const queue = await stage().kubectl.get<
          KubeObject & { apiVersion: string; status?: { conditions?: { status: string }[] } }
        >(`localqueues.${QUEUE_GROUP}`, LOCAL_QUEUE, '-n', namespace);
        expect(queue?.apiVersion).toBe(QUEUE_API);
        expect(queue?.status?.conditions?.[0]?.status).toBe('True');
      }
      return true;
    });
    await eventually('the cohort has the cards of the pool', async () => (await cardsOf(stage())) === CARDS);
  });
  afterAll(() => startKueue(stage().cluster));

  test('lets in what fits, the urgent before the early, and says where each is', async () => {
    const gang = await submit(one, 'gang', { gpus: 4, workers: 2 });
    await runs(one, 'gang');

    const low = await submit(one, 'low', { priority: 'Low', gpus: 4 });
    const early = await submit(one, 'early', { gpus: 4 });
    const late = await submit(one, 'late', { gpus: 2, workers: 2 });
    expect(await places(one, { gang, low, early, late })).toMatchObject({
      gang: { state: 'admitted', admittedAt: expect.any(String) },
      early: { state: 'pending', position: 1, aheadGpus: 0, aheadJobs: 0 },
      late: { state: 'pending', position: 2, aheadGpus: 4, aheadJobs: 1 },
      low: { state: 'pending', position: 3, aheadGpus: 8, aheadJobs: 2 },
    });

    await end(one, 'gang');
    await runs(one, 'early', 'late');
    await end(one, 'early');
    await runs(one, 'late', 'low');
    await end(one, 'late', 'low');
  });

  test('starts a gang whole or not at all, and follows what instances take', async () => {
    const dev = await one.instance('dev', { gpu: { model: MODEL, count: 4 } });
    await eventually('the instance has its cards', async () => (await cardsOf(stage())) === CARDS - 4);

    const gang = await submit(two, 'gang', { gpus: 3, workers: 2 });
    const small = await submit(two, 'small', { gpus: 1 });
    await runs(two, 'small');
    expect(await workersIn(two)).toHaveLength(1);
    expect(await places(two, { gang, small })).toMatchObject({
      gang: { state: 'pending', position: 1, isInadmissible: true },
      small: { state: 'admitted' },
    });

    await dev.wish({ power: 'ShutDown' });
    await runs(two, 'gang', 'small');
    expect(await workersIn(two)).toHaveLength(3);
    await end(two, 'gang', 'small');
  });

  test('an urgent job moves a less urgent one of its own organisation, and none of another', async () => {
    const low = await submit(one, 'low', { priority: 'Low', gpus: 4, workers: 2 });
    await runs(one, 'low');
    const other = await submit(two, 'other', { priority: 'High', gpus: 4 });
    expect(await places(two, { other })).toMatchObject({ other: { state: 'pending', isInadmissible: true } });
    expect(await running(one)).toEqual(['low']);

    await submit(one, 'urgent', { priority: 'High', gpus: 4 });
    await runs(one, 'urgent');
    await runs(two, 'other');
    const place = await eventually('it waits again', async () => {
      const { low: found } = await places(one, { low });
      return found?.state === 'pending' ? found : undefined;
    });
    expect(place).toMatchObject({ position: 1, evictedBecause: 'Preempted' });
    await end(one, 'urgent', 'low');
    await end(two, 'other');
  });

  test('work without a GPU is let in where no node is without one', async () => {
    const cores = await submit(two, 'cores', { gpus: 0 });
    await eventually('it is let in', async () => (await places(two, { cores })).cores?.state === 'admitted');
    await end(two, 'cores');
  });

  test('is nothing that members see, and the operator serves nobody another one’s', async () => {
    const { kubectl } = stage();
    const as = (account: string) => `--as=system:serviceaccount:${account}`;
    for (const what of ['workloads', 'localqueues', 'clusterqueues', 'cohorts', 'resourceflavors']) {
      const asked = ['auth', 'can-i', 'list', `${what}.${QUEUE_GROUP}`, '-n', one.namespace];
      expect((await kubectl.run([...asked, as(`${one.namespace}:ann`)])).stdout.trim()).toBe('no');
    }
    const operator = as(`${PLATFORM_NAMESPACE}:${OPERATOR_ACCOUNT}`);
    const queue = (name: string, namespaceSelector: object) => ({
      apiVersion: QUEUE_API,
      kind: 'ClusterQueue',
      metadata: { name },
      spec: { namespaceSelector },
    });
    const refusals = [
      [queue('strangers', {}), 'ClusterQueues named org-'],
      [queue('org-everybody', {}), 'serves its namespace alone'],
    ] as const;
    for (const [object, sentence] of refusals) {
      const { stderr } = await kubectl.run(['create', '--dry-run=server', '-f', '-', operator], object);
      expect(stderr).toContain(sentence);
    }
  });

  test('loses nothing while Kueue is down, and leaves other jobs alone', async () => {
    await submit(one, 'holds', { gpus: 2, workers: 4 });
    await runs(one, 'holds');
    const waits = await submit(two, 'waits', { gpus: 4 });
    await stopProcess(stage().cluster, 'kueue');

    const { spec, metadata, ...rest } = jobOf(two.namespace, 'plain', { gpus: 0 });
    await stage().kubectl.must(['create', '-f', '-'], {
      ...rest,
      metadata: { name: metadata.name, namespace: metadata.namespace },
      spec: { ...spec, suspend: false },
    });
    await runs(two, 'plain');
    const refused = await stage().kubectl.run(['create', '-f', '-'], jobOf(two.namespace, 'asks', {}));
    expect(refused.stderr).toContain('failed calling webhook');
    // Not in the foreground: what Kueue has of it goes once Kueue is back.
    await stage().kubectl.must(['delete', 'job', '-n', one.namespace, 'holds']);

    await startKueue(stage().cluster);
    await runs(two, 'plain', 'waits');
    expect((await places(two, { waits })).waits?.state).toBe('admitted');
    await end(two, 'plain', 'waits');
  });
});
