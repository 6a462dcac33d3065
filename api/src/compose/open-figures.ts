// The figures of objects, over the gateway's caches and the kubelets behind the API server.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { KUBELET_SUMMARY, LABEL } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { Figures, type Limits, type MeasuredKind } from '../figures/figures.ts';
import { figureRoutes } from '../http/figure-routes.ts';
import type { Served } from '../http/serve.ts';
import type { Cluster } from '../kube/open-cluster.ts';
import { NODE, POD } from '../kube/resources.ts';

export interface OpenFigures {
  routes: readonly Served[];
  latest: Figures['latest'];
  usedNow: Figures['usedNow'];
  start(): void;
  stop(): void;
}

interface OpenFiguresParts {
  client: Pick<Cluster['client'], 'rawBytes'>;
  cache: Pick<Cluster['cache'], 'get' | 'list' | 'reader'>;
  kinds: Pick<Cluster['kinds'], 'findHere'>;
  clock: Clock;
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void };
}

/** Less than a step. */
const ASK_MS = 10_000;
/** 250 Pods of ten containers and volumes each take about half of that. */
const MOST_BYTES = 8 * 1024 * 1024;

export function openFigures({ client, cache, kinds, clock, log }: OpenFiguresParts): OpenFigures {
  const figures = new Figures({
    kinds: (Object.values(KINDS) as readonly KindFacts[]).filter((facts): facts is MeasuredKind =>
      Boolean(facts.api?.figures),
    ),
    list: (kind) => cache.list(kind),
    find: (kind, namespace, name) => kinds.findHere(kind, namespace, name),
    podAt(namespace, name) {
      const pod = cache.reader.get(POD, namespace, name) as Pod | undefined;
      const node = pod?.spec?.nodeName;
      return pod && node && !isTerminal(pod) ? { uid: pod.metadata.uid ?? '', node, limits: limitsOf(pod) } : undefined;
    },
    nodeAt(name) {
      const node = cache.reader.get(NODE, undefined, name) as Node | undefined;
      return node && { host: node.metadata.labels?.[LABEL.nodeHost], limits: { ...roomOf(node), root: null } };
    },
    ownBytesOf: (namespace, disk) => cache.get<DataDisk>(dataDisk, namespace, disk)?.status?.usage?.ownBytes ?? 0,
    async ask(node, signal) {
      const path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy${KUBELET_SUMMARY}`;
      const answer = await client.rawBytes(path, { limitMs: ASK_MS, mostBytes: MOST_BYTES, signal });
      return answer.toString('utf8');
    },
    clock,
    log,
  });
  return {
    routes: figureRoutes({ figures }),
    latest: (...args) => figures.latest(...args),
    usedNow: (facts, object) => figures.usedNow(facts, object),
    start: () => figures.start(),
    stop: () => figures.stop(),
  };
}

/** Of all its containers; null if one of them has none. */
function limitsOf({ spec }: Pod): Limits {
  const sum = (resource: string) => {
    const limits = (spec?.containers ?? []).map(({ resources }) => resources?.limits?.[resource]);
    return limits.includes(undefined) ? null : limits.reduce((all, limit) => all + quantity(limit), 0);
  };
  return { cpu: sum('cpu'), memory: sum('memory'), root: sum('ephemeral-storage') };
}

const roomOf = ({ status }: Node) => ({
  cpu: amountOf(status?.allocatable?.cpu),
  memory: amountOf(status?.allocatable?.memory),
});
const amountOf = (text: string | undefined): number | null => (text === undefined ? null : quantity(text));
