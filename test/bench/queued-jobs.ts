// Row Q1: Kueue's own baseline workload at a tenth of its size, once as Jobs of ours, once as the same batch/v1 Jobs given to Kueue
// directly, in the same queues.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { type Resource, resourceOf } from '@gantry/kube/resource.ts';
import { MODELS } from '../../hack/kwok/nodes.ts';
import { clientOf } from '../scale/fleet.ts';
import { simulateNodes } from '../scale/simulated-nodes.ts';
import { makeTenant, type Tenant } from '../scale/tenant.ts';
import { eventually } from '../support/eventually.ts';
import type { Pair } from './measure.ts';
import { type Stage, sized } from './stage.ts';

/** As their generator's cohort: six queues of 20 cards each, with three sizes of work (test/performance/scheduler of Kueue). */
const QUEUES = 6;
const CARDS_OF_EACH = 20;
const CARDS_PER_NODE = 8;
const SIZES = [
  { name: 'small', count: sized(175), cards: 1, seconds: '0.2', priority: 'Low' },
  { name: 'medium', count: sized(50), cards: 5, seconds: '0.5', priority: 'Normal' },
  // Twenty cards do not fit on one node.
  { name: 'large', count: sized(25), cards: 5, workers: 4, seconds: '1', priority: 'High' },
] as const;
const IMAGE = 'library/busybox:1.36';
const PAIRS = 2;
const WIDTH = 32;
const MINUTE = 60_000;

export interface QueuedJobs {
  /** Workloads per second. */
  readonly speed: readonly Pair[];
  /** The share of the cards in use, while there is work. */
  readonly used: readonly Pair[];
  readonly cpuMs: readonly number[];
}

interface Arm {
  readonly perSecond: number;
  readonly used: number;
  readonly cpuMs: number;
}

const BATCH: Resource = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };

/** The work of one queue, in the order of its creation: the sizes mixed. */
function workOf(round: string) {
  const all = SIZES.flatMap((size) =>
    Array.from({ length: size.count }, (_, index) => ({
      name: `${size.name}-${round}-${index}`,
      at: (index + 1) / size.count,
      size,
    })),
  );
  return all.sort((a, b) => a.at - b.at);
}
type Work = ReturnType<typeof workOf>[number];

const specOf = ({ size }: Work): Partial<Job['spec']> => ({
  image: IMAGE,
  command: ['sleep', size.seconds],
  workers: 'workers' in size ? size.workers : 1,
  gpu: { model: MODELS.h100.product, count: size.cards },
  cores: 1,
  memoryGi: 1,
  priority: size.priority,
});

export async function queuedJobs(stage: Stage): Promise<QueuedJobs> {
  const removeNodes = await simulateNodes(stage.kubeconfig, 'h100', (QUEUES * CARDS_OF_EACH) / CARDS_PER_NODE);
  const operator = await stage.operator('--credit-gate=off');
  const many = 10_000;
  const quota = { gpus: 100 + CARDS_OF_EACH, cores: many, memoryGi: many, jobs: many };
  const tenants = await Promise.all(
    Array.from({ length: QUEUES }, (_, index) => makeTenant(stage, `queue-${index}`, quota)),
  );
  try {
    const template = await templateOf(stage, tenants[0] as Tenant);
    const arms: Record<'ours' | 'peer', Arm[]> = { ours: [], peer: [] };
    for (const [round, who] of Array.from({ length: PAIRS }, (_, pair) =>
      pair % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const),
    )
      .flat()
      .entries()) {
      const before = await operator.metrics();
      const { perSecond, used } = await played(stage, tenants, who, `${round}`, template);
      const cpuMs = (((await operator.metrics()).cpuSeconds - before.cpuSeconds) * 1000) / total();
      arms[who].push({ perSecond, used, cpuMs });
      console.log(`${who}: ${perSecond.toFixed(2)} workloads/s, ${(used * 100).toFixed(1)} % of the cards`);
    }
    const pairs = (of: (arm: Arm) => number): Pair[] =>
      arms.ours.map((arm, at) => ({ ours: of(arm), peer: of(arms.peer[at] as Arm) }));
    return {
      speed: pairs(({ perSecond }) => perSecond),
      used: pairs(({ used }) => used),
      cpuMs: arms.ours.map(({ cpuMs }) => cpuMs),
    };
  } catch (error) {
    // Later steps may fail for the same reason, and would be all that is reported.
    console.error('the jobs were not played:', error);
    throw error;
  } finally {
    // A tenant that cannot be removed fails the row; an operator that goes on would never let the bench end.
    await Promise.all(tenants.map((tenant) => tenant.remove())).finally(() => operator.close());
    await removeNodes();
  }
}

const total = (): number => QUEUES * SIZES.reduce((sum, { count }) => sum + count, 0);

/** The batch/v1 Job that the operator makes of one of ours, without what ties it to that. */
async function templateOf({ kubectl }: Stage, { namespace }: Tenant): Promise<object> {
  const first = { ...workOf('first')[0], name: 'first' } as Work;
  await kubectl.must(['create', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: job.kind,
    metadata: { name: 'first', namespace },
    // A finished job is cleared away, perhaps before it has been looked at.
    spec: { ...specOf(first), command: ['sleep', '3600'] },
  });
  const made = await eventually(
    'the operator made a batch Job',
    async () =>
      (await kubectl.get<KubeObject & { spec: object }>('job.batch', 'first-1', '--namespace', namespace)) ?? undefined,
    4 * MINUTE,
  );
  await kubectl.must(['delete', job.plural, 'first', '--namespace', namespace, '--timeout=240s']);
  return made;
}

interface Template {
  readonly metadata: { readonly labels?: Record<string, string> };
  readonly spec: { readonly template: { readonly metadata?: object; readonly spec: { containers: object[] } } };
}

async function played(
  { kubeconfig }: Stage,
  tenants: readonly Tenant[],
  who: 'ours' | 'peer',
  round: string,
  template: object,
): Promise<Omit<Arm, 'cpuMs'>> {
  const client = clientOf(kubeconfig);
  const followed = who === 'ours' ? resourceOf(job) : BATCH;
  const stop = new AbortController();
  const caches = new Caches([followed], {
    client,
    clock: systemClock,
    report: { failed: () => {}, stumbled: () => {}, corrected: () => {} },
  });
  await caches.start(stop.signal);
  const done = new Set<string>();
  let cardMs = 0;
  caches.onChange(followed, ({ after }) => {
    if (!after || !isDone(after)) return;
    done.add(after.metadata.uid ?? '');
  });
  try {
    const work = workOf(`${who}${round}`);
    const began = performance.now();
    await inParallel(
      work.flatMap((one) => tenants.map(({ namespace }) => ({ one, namespace }))),
      WIDTH,
      async ({ one, namespace }) => {
        await client.create(
          followed,
          who === 'ours' ? oursOf(one, namespace) : peersOf(one, namespace, template as Template),
        );
        const { size } = one;
        cardMs += size.cards * ('workers' in size ? size.workers : 1) * Number(size.seconds) * 1000;
      },
    );
    await eventually('all work is done', () => done.size >= total() || undefined, 30 * MINUTE);
    const ms = performance.now() - began;
    return { perSecond: (total() * 1000) / ms, used: cardMs / (ms * QUEUES * CARDS_OF_EACH) };
  } finally {
    for (const { namespace } of tenants)
      await inParallel(
        caches.list(followed, namespace).filter(({ metadata }) => metadata.name.includes(`-${who}${round}-`)),
        WIDTH,
        async (one) => {
          await client.delete(followed, {
            apiVersion: one.apiVersion,
            kind: one.kind,
            name: one.metadata.name,
            namespace,
            uid: one.metadata.uid ?? '',
            propagation: 'Background',
          });
        },
      );
    stop.abort();
  }
}

const isDone = (object: KubeObject): boolean => {
  const { status } = object as { status?: { phase?: string; conditions?: { type: string; status: string }[] } };
  return (
    status?.phase === 'succeeded' ||
    (status?.conditions?.some(({ type, status: is }) => type === 'Complete' && is === 'True') ?? false)
  );
};

const oursOf = (one: Work, namespace: string) => ({
  apiVersion: API_VERSION,
  kind: job.kind,
  metadata: { name: one.name, namespace },
  spec: specOf(one),
});

/** The same Pods in the same queue, and nobody of ours behind them. */
function peersOf(one: Work, namespace: string, { metadata, spec }: Template) {
  const { size } = one;
  const workers = 'workers' in size ? size.workers : 1;
  const [container] = spec.template.spec.containers;
  const cards = { 'nvidia.com/gpu': `${size.cards}` };
  const resources = (container as { resources: { requests: object; limits: object } }).resources;
  const labels = Object.entries(metadata.labels ?? {}).filter(([name]) => name.startsWith('kueue.x-k8s.io/'));
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: one.name,
      namespace,
      labels: {
        ...Object.fromEntries(labels),
        'kueue.x-k8s.io/priority-class': `gantry-${size.priority.toLowerCase()}`,
      },
    },
    spec: {
      suspend: true,
      completionMode: 'Indexed',
      completions: workers,
      parallelism: workers,
      backoffLimit: 0,
      template: {
        metadata: { labels: { [LABEL.organization]: namespace.slice(4) } },
        spec: {
          ...spec.template.spec,
          containers: [
            {
              ...container,
              command: ['sleep', size.seconds],
              resources: {
                requests: { ...resources.requests, ...cards },
                limits: { ...resources.limits, ...cards },
              },
            },
          ],
        },
      },
    },
  };
}
