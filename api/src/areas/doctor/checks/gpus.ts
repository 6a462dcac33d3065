// GPUs as nodes offer and label them, what measures them, and the queue that hands them to jobs.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type Found, namesIn } from '@gantry/contract/doctor.ts';
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import { DOCTOR_NAMESPACE, GPU_RESOURCE, LABEL, QUEUE_GROUP } from '@gantry/contract/names.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { coreResource, type Resource } from '@gantry/kube/resource.ts';
import { CannotTell, type Check, found, wordsOf } from '../check.ts';
import { namesServed } from './kubernetes.ts';

const SECOND = 1000;
/** Set by GPU feature discovery, whether or not a device plugin offers the GPUs. */
const HAS_GPUS = 'nvidia.com/gpu.present';

const gpusOf = (node: Node, of: 'capacity' | 'allocatable'): number => Number(node.status?.[of]?.[GPU_RESOURCE] ?? 0);
const nameOf = ({ metadata }: Node): string => metadata.name;
const lacks = (label: string) => (node: Node) => !node.metadata.labels?.[label];

export const gpus: Check = {
  id: 'gpus',
  limitMs: 15 * SECOND,
  async look(around) {
    const nodes = await around.nodes();
    if (nodes.length === 0) throw new CannotTell('noNodes');
    const offering = nodes.filter((node) => gpusOf(node, 'capacity') > 0);
    const labelled = nodes.filter(
      (node) => gpusOf(node, 'capacity') === 0 && (!lacks(LABEL.gpuModel)(node) || !lacks(HAS_GPUS)(node)),
    );
    const sick = offering.filter((node) => gpusOf(node, 'allocatable') < gpusOf(node, 'capacity'));
    const unlabelled = [LABEL.gpuModel, LABEL.gpuMemory].flatMap((label): Found[] => {
      const names = offering.filter(lacks(label)).map(nameOf);
      return names.length > 0 ? [found('gpuLabelsMissing', { label, names: namesIn(names) })] : [];
    });
    const models = new Set(offering.flatMap(({ metadata }) => metadata.labels?.[LABEL.gpuModel] ?? []));
    const count = offering.reduce((sum, node) => sum + gpusOf(node, 'capacity'), 0);
    return [
      offering.length === 0
        ? found('gpusAbsent')
        : found('gpusFound', {
            count: `${count}`,
            nodes: `${offering.length}`,
            models: namesIn([...models]) || '–',
          }),
      ...unlabelled,
      ...(labelled.length > 0 ? [found('gpuPluginMissing', { names: namesIn(labelled.map(nameOf)) })] : []),
      ...(sick.length > 0 ? [found('gpusUnhealthy', { names: namesIn(sick.map(nameOf)) })] : []),
    ];
  },
};

const POD = coreResource('pods', 'Pod');

export const gpuAccess: Check = {
  id: 'gpuAccess',
  limitMs: 90 * SECOND,
  async look(around) {
    const offering = new Set((await around.nodes()).filter((node) => gpusOf(node, 'capacity') > 0).map(nameOf));
    if (offering.size === 0) return [found('noCards')];
    const probes = (await around.probedNodes()).filter(({ node }) => offering.has(node));
    const open = probes.filter(({ cards = 0 }) => cards > 0).map(({ node }) => node);
    const shut = probes.filter(({ cards }) => cards === 0);
    const pods = (await around.client.list(POD, { labelSelector: LABEL.organization })).items as Pod[];
    const unclosed = pods.filter((pod) => isUnclosed(pod) && offering.has(pod.spec?.nodeName ?? ''));
    const names = unclosed.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    return [
      ...(shut.length > 0 ? [found('cardsShut', { count: `${shut.length}` })] : []),
      ...(open.length > 0 ? [found('cardsOpen', { names: namesIn(open) })] : []),
      ...(open.length > 0 && names.length > 0 ? [found('podsUnclosed', { names: namesIn(names) })] : []),
    ];
  },
};

/** Whether the Pod is of a version that left the variable to the image: it stays so until its next start. */
const isUnclosed = ({ spec, status }: Pod): boolean =>
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed' &&
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(
    ({ env, resources }) =>
      resources?.limits?.[GPU_RESOURCE] === undefined &&
      !env?.some(({ name, value }) => name === NO_CARDS.name && value === NO_CARDS.value),
  );

const SERIES = 'DCGM_FI_DEV_GPU_UTIL';

export const gpuExporter: Check = {
  id: 'gpuExporter',
  limitMs: 20 * SECOND,
  async look({ nodes, client, countSeries }) {
    const offering = (await nodes()).filter((node) => gpusOf(node, 'capacity') > 0).map(nameOf);
    if (offering.length === 0) return [found('noGpuNodes')];
    const pods = (await client.list(coreResource('pods', 'Pod'), {})).items as Pod[];
    const exporters = pods.filter(isExporter);
    if (exporters.length === 0) return [found('exporterMissing')];
    const covered = new Set(exporters.filter(isReady).map(({ spec }) => spec?.nodeName));
    const away = offering.filter((name) => !covered.has(name));
    const unread = countSeries && (await unreadWhy(countSeries));
    return [
      away.length > 0
        ? found('exporterAway', { names: namesIn(away) })
        : found('exporterRuns', { nodes: `${offering.length}` }),
      ...(unread ? [found('exporterUnread', { why: unread })] : []),
    ];
  },
};

/** By its image: its labels differ between the GPU operator and its own chart. */
const isExporter = ({ spec }: Pod): boolean =>
  spec?.containers.some(({ image = '' }) => /(^|\/)dcgm-exporter([:@]|$)/.test(image)) ?? false;
const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

async function unreadWhy(countSeries: (query: string) => Promise<number>): Promise<string | undefined> {
  try {
    return (await countSeries(SERIES)) > 0 ? undefined : 'it answers with no series';
  } catch (error) {
    return wordsOf(error);
  }
}

const QUEUE_VERSION = 'v1beta2';
const QUEUE_KINDS = [
  'clusterqueues',
  'localqueues',
  'workloads',
  'resourceflavors',
  'cohorts',
  'workloadpriorityclasses',
];
const WORKLOAD: Resource = {
  group: QUEUE_GROUP,
  version: QUEUE_VERSION,
  plural: 'workloads',
  kind: 'Workload',
  namespaced: true,
};

export const jobQueue: Check = {
  id: 'jobQueue',
  limitMs: 20 * SECOND,
  async look({ client, isInstalled }) {
    const served = await namesServed(client, `/apis/${QUEUE_GROUP}/${QUEUE_VERSION}`);
    if (served.size === 0) return [found('queueAbsent')];
    const missing = QUEUE_KINDS.filter((name) => !served.has(name));
    if (missing.length > 0) return [found('queueIncomplete', { names: namesIn(missing) })];
    // Without a namespace to try it in, the API server would not come as far as the webhook.
    const silent = isInstalled ? await silentWhy(client) : undefined;
    return [silent === undefined ? found('queueRuns') : found('queueSilent', { why: silent })];
  },
};

const TRIED: KubeObject = {
  apiVersion: `${QUEUE_GROUP}/${QUEUE_VERSION}`,
  kind: 'Workload',
  metadata: { name: 'doctor', namespace: DOCTOR_NAMESPACE },
  spec: {
    active: false,
    podSets: [
      {
        name: 'main',
        count: 1,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c' }] } },
      },
    ],
  },
} as KubeObject;

/** Whatever the webhook says of it, it answered. */
async function silentWhy(client: { create: (...args: [Resource, KubeObject, { dryRun: 'All' }]) => Promise<unknown> }) {
  try {
    await client.create(WORKLOAD, TRIED, { dryRun: 'All' });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.message.includes('failed calling webhook')) return wordsOf(error);
    if (error instanceof ApiError && error.code === 422) return undefined;
    throw error;
  }
}
