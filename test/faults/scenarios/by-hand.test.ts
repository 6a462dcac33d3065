// Fault 9: somebody deletes or edits what the operator made. It is put back; a home that held work never is, in silence.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { FINALIZER, LABEL, LOCAL_QUEUE, servedChildName, WORKERS_SERVICE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ALONE, type Arena, setArena } from './arena.ts';
import { endsPaid, endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';
import { allHold, EXACT, FOREIGN_IMAGE } from './invariants.ts';
import { serves } from './service-scenarios.ts';
import type { Subject } from './subject.ts';

const arena = setArena(ALONE);

const podPath = ({ namespace, pod }: Instance, name = `/${pod.metadata.name}`): string =>
  `/api/v1/namespaces/${namespace}/pods${name}`;

/** Manual changes to the Pod of a running instance; all of them end its container. */
const HANDS: Readonly<Record<string, (arena: Arena, instance: Instance) => Promise<unknown>>> = {
  'deletes it': (arena, instance) => arena.call({ method: 'DELETE', path: podPath(instance) }),
  'deletes it without grace': (arena, instance) =>
    arena.call({ method: 'DELETE', path: `${podPath(instance)}?gracePeriodSeconds=0` }),
  'sets its deadline': (arena, instance) => arena.patch(podPath(instance), { spec: { activeDeadlineSeconds: 1 } }),
};

test.each(Object.entries(HANDS))('a Pod that somebody touches is followed by the next run: %s', async (_, hand) => {
  const instance = arena().instance('handled');
  await instance.create();
  await instance.reaches('running');
  const { uid } = instance.pod.metadata;
  await hand(arena(), instance);
  await instance.becomes('running again', ({ status }) => status?.phase === 'running' && status.run?.seq === 2);
  console.log(`next Pod ${followedAfterMs(instance, uid)} ms after the old one was gone`);
  await endsWell(instance, arena());
});

// As a create would that left a leader before it lost its Lease, and was long on its way: nothing can refuse it.
test('a Pod of an earlier run that appears late gets no node, and is taken away', async () => {
  const instance = arena().instance('late');
  await instance.create();
  await instance.reaches('running');
  const first = instance.pod;
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');
  await instance.wish({ power: 'Running' });
  await instance.reaches('running');
  const { uid } = instance.pod.metadata;

  const late = await arena().call<Pod>({ method: 'POST', path: podPath(instance, ''), body: asCreated(first) });
  const sightings = () => instance.pods.filter(({ object }) => object.metadata.uid === late.metadata.uid);
  await arena().pods.until(
    () => `${first.metadata.name} is gone again`,
    () => sightings().at(-1)?.isGone,
    30_000,
  );
  expect(sightings().map(({ object }) => object.spec?.nodeName)).toEqual(sightings().map(() => undefined));
  expect(instance.now?.status?.run?.seq).toBe(2);
  expect(instance.pod.metadata.uid).toBe(uid);
  await instance.end();
  allHold(instance, EXACT);
});

/** The object as it was sent when it was created. */
function asCreated({ apiVersion, kind, metadata, spec }: Pod): object {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const { nodeName: _, ...rest } = spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations, finalizers, ownerReferences },
    spec: rest,
  };
}

/** By the observer's clock. */
function followedAfterMs({ pods }: Instance, uid: string | undefined): number {
  const gone = pods.find(({ object, isGone }) => isGone && object.metadata.uid === uid);
  const next = pods.find(({ object }) => object.metadata.uid !== uid);
  return Math.round((next?.at ?? Number.NaN) - (gone?.at ?? Number.NaN));
}

test('a home that somebody deletes is missed, and made anew only when asked for', async () => {
  const instance = arena().instance('homeless');
  const home = `/api/v1/namespaces/${instance.namespace}/persistentvolumeclaims/${instance.name}-home`;
  await instance.create();
  await instance.reaches('running');
  await arena().call({ method: 'DELETE', path: home });
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');
  await eventually('the home is gone with its last user', async () => !(await arena().get(home)));

  await instance.wish({ power: 'Running' });
  expect((await instance.reaches('failed')).status?.reason).toBe('HomeLost');
  expect(await arena().get(home)).toBeUndefined();
  await instance.wish({ rebootCount: 1 });
  await instance.reaches('running');
  await endsWell(instance, arena());
});

const workerOf = ({ living }: Subject<Job>): string => living[0]?.metadata.name ?? '';
const at = ({ namespace }: { namespace: string }, group: string, plural: string, name: string): string =>
  `/${group}/namespaces/${namespace}/${plural}/${name}`;
const batchOf = (job: Subject<Job>): string => at(job, 'apis/batch/v1', 'jobs', `${job.name}-1`);

/** Manual changes to what a running job of two workers has: `runs` is how many it then needs. */
const JOB_HANDS: Readonly<
  Record<string, { runs: 1 | 2; hand: (arena: Arena, job: Subject<Job>) => Promise<unknown> }>
> = {
  'deletes the batch Job': {
    runs: 2,
    hand: (arena, job) => arena.call({ method: 'DELETE', path: `${batchOf(job)}?propagationPolicy=Background` }),
  },
  'deletes the batch Job and leaves its Pods': {
    runs: 2,
    hand: (arena, job) => arena.call({ method: 'DELETE', path: `${batchOf(job)}?propagationPolicy=Orphan` }),
  },
  'deletes a worker': {
    runs: 2,
    hand: (arena, job) => arena.call({ method: 'DELETE', path: at(job, 'api/v1', 'pods', workerOf(job)) }),
  },
  'deletes a worker without grace': {
    runs: 2,
    hand: (arena, job) =>
      arena.call({ method: 'DELETE', path: `${at(job, 'api/v1', 'pods', workerOf(job))}?gracePeriodSeconds=0` }),
  },
  // Kueue makes another one, and lets the workers be.
  'deletes the Workload': {
    runs: 1,
    hand: async (arena, job) => {
      const workloads = 'apis/kueue.x-k8s.io/v1beta2';
      const own = async () =>
        (await arena.list<KubeObject>(`/${workloads}/namespaces/${job.namespace}/workloads`)).find(
          ({ metadata }) => metadata.ownerReferences?.[0]?.name === `${job.name}-1`,
        )?.metadata;
      const { name = '', uid } = (await eventually('it has a Workload', own)) ?? {};
      await arena.call({ method: 'DELETE', path: at(job, workloads, 'workloads', name) });
      await eventually('it has another Workload', async () => ((await own())?.uid ?? uid) !== uid, 60_000);
    },
  },
  'takes the labels off a worker': {
    runs: 1,
    hand: (arena, job) =>
      arena.patch(at(job, 'api/v1', 'pods', workerOf(job)), {
        metadata: { labels: { [LABEL.kind]: null, [LABEL.name]: null, [LABEL.run]: null } },
      }),
  },
  'takes the finalizers off a worker': {
    runs: 1,
    hand: (arena, job) =>
      arena.patch(at(job, 'api/v1', 'pods', workerOf(job)), { metadata: { finalizers: [TRACKING] } }),
  },
};
const TRACKING = 'batch.kubernetes.io/job-tracking';

test.each(Object.entries(JOB_HANDS))(
  'a job whose run somebody touches goes on, at no try of its own: %s',
  async (_, { runs, hand }) => {
    const job = arena().job(arena().freshName('job'));
    await job.create({ workers: 2 }, [FINALIZER.billing]);
    await job.reaches('running');
    await hand(arena(), job);
    const isWhole = () =>
      job.living.length === 2 &&
      job.living.every(
        ({ metadata, status }) =>
          status?.phase === 'Running' &&
          metadata.labels?.[LABEL.run] === String(runs) &&
          metadata.labels[LABEL.name] === job.name &&
          metadata.finalizers?.includes(FINALIZER.metered),
      );
    // Putting a label back changes nothing of the job: its Pods are looked at, too.
    await eventually('its workers are as they were', isWhole, 60_000);
    const again = await job.becomes(
      'running again',
      ({ status }) => status?.phase === 'running' && status.run?.seq === runs,
    );
    expect(again.status?.run).toMatchObject({ seq: runs });
    expect(again.status?.run?.failures ?? 0).toBe(0);
    expect(again.status?.excludedNodes ?? []).toEqual([]);
    await endsPaid(job, arena());
  },
);

const deploymentOf = (service: Subject<ContainerService>): string =>
  at(service, 'apis/apps/v1', 'deployments', servedChildName(service.name, 'ContainerService'));
const addressOf = (service: Subject<ContainerService>): string =>
  at(service, 'api/v1', 'services', servedChildName(service.name, 'ContainerService'));

/** Manual changes to what a service of two replicas has. */
const SERVICE_HANDS: Readonly<Record<string, (arena: Arena, service: Subject<ContainerService>) => Promise<unknown>>> =
  {
    'deletes the Deployment': (arena, service) => arena.call({ method: 'DELETE', path: deploymentOf(service) }),
    'deletes the Deployment and leaves its Pods': (arena, service) =>
      arena.call({ method: 'DELETE', path: `${deploymentOf(service)}?propagationPolicy=Orphan` }),
    'scales the Deployment': (arena, service) => arena.patch(deploymentOf(service), { spec: { replicas: 5 } }),
    'pauses the Deployment': (arena, service) =>
      arena.patch(deploymentOf(service), { spec: { paused: true, replicas: 1 } }),
    'puts another image into the Deployment': (arena, service) =>
      arena.patch(deploymentOf(service), {
        spec: { template: { spec: { containers: [{ name: 'main', image: FOREIGN_IMAGE, resources: {} }] } } },
      }),
    'deletes the ReplicaSet': async (arena, service) => {
      const { namespace, name } = service;
      const sets = await arena.list<KubeObject>(`/apis/apps/v1/namespaces/${namespace}/replicasets`);
      const own = sets.filter(({ metadata }) => metadata.labels?.[LABEL.name] === name);
      await Promise.all(
        own.map(({ metadata }) =>
          arena.call({ method: 'DELETE', path: at(service, 'apis/apps/v1', 'replicasets', metadata.name) }),
        ),
      );
    },
    'deletes a replica': (arena, service) =>
      arena.call({ method: 'DELETE', path: at(service, 'api/v1', 'pods', service.living[0]?.metadata.name ?? '') }),
    'takes the labels off a replica': (arena, service) =>
      arena.patch(at(service, 'api/v1', 'pods', service.living[0]?.metadata.name ?? ''), {
        metadata: { labels: { [LABEL.kind]: null, [LABEL.name]: null } },
      }),
    'deletes the Service': (arena, service) => arena.call({ method: 'DELETE', path: addressOf(service) }),
    'points the Service at others': (arena, service) =>
      arena.patch(addressOf(service), { spec: { selector: { [LABEL.name]: 'others' } } }),
  };

test.each(Object.entries(SERVICE_HANDS))(
  'a service whose children somebody touches is repaired: %s',
  async (_, hand) => {
    const service = arena().service(arena().freshName('svc'));
    const children = async () =>
      Promise.all(
        [deploymentOf(service), addressOf(service)].map(async (path) => {
          const { spec, metadata } = (await arena().get<Content & { spec: object }>(path)) ?? {};
          return { spec: { ...spec, clusterIP: '', clusterIPs: [] }, labels: metadata?.labels };
        }),
      );
    await service.create({ replicas: 2 }, [FINALIZER.billing]);
    await service.becomes('active', serves(2, 1));
    const wanted = await children();
    await hand(arena(), service);
    await eventually('its children are as they were', async () => expect(await children()).toEqual(wanted) ?? true);
    await service.becomes('active again', serves(2, 1));
    await eventually('it has its two replicas', () => service.living.length === 2);
    await endsPaid(service, arena());
  },
);

/** Objects in an organisation's namespace, with a manual change to each. */
const PARTS: Readonly<Record<string, { readonly path: string; readonly edit: object }>> = {
  'a quota': { path: 'api/v1/resourcequotas/compute', edit: { spec: { hard: { 'requests.cpu': '99999' } } } },
  // No longer among what the operator follows.
  'a quota that lost its label': {
    path: 'api/v1/resourcequotas/compute',
    edit: { metadata: { labels: { 'gantry.dev/organization': null } } },
  },
  'a limit': { path: 'api/v1/limitranges/limits', edit: { spec: { limits: [] } } },
  'a network policy': {
    path: 'apis/networking.k8s.io/v1/networkpolicies/tenant',
    edit: { spec: { policyTypes: ['Ingress'], egress: null } },
  },
  'the name by which workers find each other': {
    path: `api/v1/services/${WORKERS_SERVICE}`,
    edit: { spec: { publishNotReadyAddresses: false, selector: { [LABEL.kind]: 'Other' } } },
  },
  'a queue for jobs': {
    path: `apis/kueue.x-k8s.io/v1beta2/localqueues/${LOCAL_QUEUE}`,
    edit: { spec: { stopPolicy: 'HoldAndDrain' } },
  },
  'a binding': {
    path: 'apis/rbac.authorization.k8s.io/v1/rolebindings/gantry-tenant-owner',
    edit: { subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }] },
  },
};

test.each(Object.entries(PARTS))('%s of an organisation is put back when edited and when deleted', async (_, part) => {
  const { path, edit } = part;
  const at = placed(path, await arena().organization());
  const read = async () => withoutIdentity(await arena().get<Content>(at));
  const wanted = await read();
  await arena().patch(at, edit);
  await eventually('the edit is undone', async () => expect(await read()).toEqual(wanted) ?? true);
  await arena().call({ method: 'DELETE', path: at });
  await eventually('it is made again', async () => expect(await read()).toEqual(wanted) ?? true);
});

type Content = KubeObject & { status?: unknown };

const placed = (path: string, namespace: string): string => {
  const [plural, name] = path.split('/').slice(-2);
  return `/${path.split('/').slice(0, -2).join('/')}/namespaces/${namespace}/${plural}/${name}`;
};

function withoutIdentity(object: Content | undefined) {
  if (!object) return undefined;
  const { metadata, status: _, ...content } = object;
  const { name, labels, ownerReferences } = metadata;
  return { ...content, metadata: { name, labels, ownerReferences } };
}
