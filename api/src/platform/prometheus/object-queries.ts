// PromQL for what objects use, by our own hand: names of objects and Pods come out of the cluster's caches. Pure.
//
// Whose a Pod or a node was, at each moment, two metrics of the gateway say (`areas/monitoring/owner-metrics.ts`): so the past of a name that somebody else
// had, or of a node that was another organisation's, is never shown.
import { MONITOR_KINDS, type MonitorType, type ObjectMetric } from '@gantry/contract/monitor/metrics.ts';
import { CARD_SERIES, cpuOfPods, MEMORY, memoryOfPods, type Over, ofCards, ofPods, select } from './measures.ts';

export const POD_OWNER = 'gantry_pod_owner';
export const NODE_OWNER = 'gantry_node_owner';

export interface Asked {
  namespace: string;
  type: MonitorType;
  /** Absent: all of the type. */
  objects?: readonly string[];
  stepMs: number;
}

const LEAST_RATE_MS = 60_000;
/** The most samples of a node in one step. */
const MOST_MOMENTS = 24;
const MIB = 2 ** 20;

/** The queries for a Pod's series and for a node's. */
interface Source {
  pod: Build;
  node: Build;
  /** How the Pods or cards of one object become one number. */
  together: 'sum' | 'avg' | 'max';
}
type Build = (matchers: readonly string[], window: string) => string;

const WHOLE_NODE = 'id="/"';
const NETWORK = 'interface!="lo"';
const rateIn =
  (window: string): Over =>
  (selector) =>
    `rate(${selector}[${window}])`;
const meanIn =
  (window: string): Over =>
  (selector) =>
    `avg_over_time(${selector}[${window}])`;

const nodeRate = (metric: string, matchers: readonly string[], window: string): string =>
  `sum by (node) (${rateIn(window)(select(metric, matchers))})`;
const counter = (metric: string): Pick<Source, 'pod' | 'node'> => ({
  pod: (matchers, window) => ofPods(metric, rateIn(window), matchers),
  node: (matchers, window) => nodeRate(metric, [...matchers, WHOLE_NODE], window),
});
/** A Pod's containers share its network. */
const network = (metric: string): Pick<Source, 'pod' | 'node'> => ({
  pod: (matchers, window) => `sum by (namespace, pod) (${rateIn(window)(select(metric, [...matchers, NETWORK]))})`,
  node: (matchers, window) => nodeRate(metric, [...matchers, WHOLE_NODE, NETWORK], window),
});
/** Which node a card is in, its exporter calls Hostname. */
const nodeOfCard = (series: string): string => `label_replace(${series}, "node", "$1", "Hostname", "(.+)")`;
/** A whole GPU, and one of its MIG instances, which all have its UUID. */
const CARD = 'UUID';
const PART = 'UUID, GPU_I_ID';
const card = (metric: string, of: string, factor = 1): Pick<Source, 'pod' | 'node'> => {
  const mean = (matchers: readonly string[], window: string) => ofCards(metric, meanIn(window), matchers);
  const times = factor === 1 ? '' : ` * ${factor}`;
  return {
    pod: (matchers, window) => `max by (namespace, pod, ${of}) (${mean(matchers, window)})${times}`,
    node: (matchers, window) => `max by (node, ${of}) (${nodeOfCard(mean(matchers, window))})${times}`,
  };
};

const SOURCES: Readonly<Record<ObjectMetric, Source>> = {
  cpu: {
    pod: (matchers, window) => cpuOfPods(rateIn(window), matchers),
    node: (matchers, window) => nodeRate('container_cpu_usage_seconds_total', [...matchers, WHOLE_NODE], window),
    together: 'sum',
  },
  memory: {
    pod: (matchers, window) => memoryOfPods(meanIn(window), matchers),
    node: (matchers, window) => `sum by (node) (${meanIn(window)(select(MEMORY, [...matchers, WHOLE_NODE]))})`,
    together: 'sum',
  },
  network_receive: { ...network('container_network_receive_bytes_total'), together: 'sum' },
  network_transmit: { ...network('container_network_transmit_bytes_total'), together: 'sum' },
  disk_read: { ...counter('container_fs_reads_bytes_total'), together: 'sum' },
  disk_write: { ...counter('container_fs_writes_bytes_total'), together: 'sum' },
  gpu: { ...card(CARD_SERIES.utilization, PART), together: 'avg' },
  gpu_memory: { ...card(CARD_SERIES.used, PART, MIB), together: 'sum' },
  gpu_temperature: { ...card(CARD_SERIES.temperature, CARD), together: 'max' },
  // That of the whole GPU, which its exporter repeats for each instance.
  gpu_power: { ...card(CARD_SERIES.power, CARD), together: 'sum' },
  gpu_cards: {
    pod: (matchers) => `count by (namespace, pod) (${select(CARD_SERIES.temperature, matchers)})`,
    node: (matchers) => `count by (node) (${nodeOfCard(select(CARD_SERIES.temperature, matchers))})`,
    together: 'sum',
  },
};

/** One series for each object, labelled `object`. */
export const objectQuery = (metric: ObjectMetric, asked: Asked): string => query(metric, asked, 'object');
/** The label that tells the parts of objects of a type apart. */
export const partLabel = (type: MonitorType): 'node' | 'pod' => (type === 'host' ? 'node' : 'pod');
/** One series for each Pod of the objects, or for each node of hosts. */
export const partQuery = (metric: ObjectMetric, asked: Asked): string => query(metric, asked, partLabel(asked.type));

function query(metric: ObjectMetric, { namespace, type, objects, stepMs }: Asked, by: string): string {
  const source = SOURCES[metric];
  const ours = `namespace="${name(namespace)}"`;
  const which = [
    ours,
    `kind="${MONITOR_KINDS[type]}"`,
    ...(objects ? [`object=~"${objects.map(name).join('|')}"`] : []),
  ];
  const stepS = Math.max(LEAST_RATE_MS, stepMs) / 1_000;
  if (type !== 'host') {
    // A Pod's name is one object's: a long step shows it even if it has ended meanwhile.
    const owner = `max by (namespace, pod, object) (last_over_time(${select(POD_OWNER, which)}[${stepS}s]))`;
    const used = source.pod([ours], `${stepS}s`);
    return `${source.together} by (${by}) (${used} * on (namespace, pod) group_left (object) ${owner})`;
  }
  // A node is one organisation's after another's: only moments at which it was ours are put together.
  const owner = `max by (node, object) (${select(NODE_OWNER, which)})`;
  const moment = `${source.together} by (${by}) (${source.node([], `${LEAST_RATE_MS / 1_000}s`)} * on (node) group_left (object) ${owner})`;
  const everyS = Math.max(LEAST_RATE_MS / 1_000, Math.round(stepS / MOST_MOMENTS));
  return stepMs <= LEAST_RATE_MS ? moment : `avg_over_time((${moment})[${stepS}s:${everyS}s])`;
}

/** A name that Kubernetes admits: none of its letters but the dot means anything in a regular expression. */
function name(text: string): string {
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(text)) throw new Error(`"${text}" is no name of an object`);
  return text.replaceAll('.', '\\\\.');
}

/** Every card, or part of one, that a container of the organisation holds, as it is now; `metric` is one of DCGM's. */
export function cardsQuery(metric: string, namespace: string): string {
  const ours = `namespace="${name(namespace)}"`;
  const owner = `max by (namespace, pod, kind, object) (${POD_OWNER}{${ours}})`;
  const now = ofCards(metric, (selector) => selector, [ours]);
  const labels = `${PART}, GPU_I_PROFILE, gpu, Hostname, modelName, pod, container, kind, object`;
  return `max by (${labels}) (${now} * on (namespace, pod) group_left (kind, object) ${owner})`;
}

/**
 * How busy the cards of all replicas of an object are together, in percent of one replica's; no series while one of so many `pods` has
 * no value. Of a replica on several `nodes`, each with a Pod, the mean counts.
 */
export function replicasGpuQuery(
  { namespace, kind, object }: { namespace: string; kind: string; object: string },
  { pods, nodes }: { pods: number; nodes: number },
): string {
  const ours = `namespace="${name(namespace)}"`;
  const owner = `max by (pod) (${POD_OWNER}{${ours},kind="${kind}",object="${name(object)}"})`;
  const used = ofCards(CARD_SERIES.utilization, meanIn('1m'), [ours]);
  const each = `avg by (pod) (${used}) * on (pod) ${owner}`;
  return `sum(${each}) / ${nodes} and (count(${each}) == ${pods})`;
}
