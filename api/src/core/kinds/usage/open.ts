// The usage of objects, over the gateway's caches of each cluster and the kubelets behind its API server.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { KUBELET_SUMMARY, LABEL, PLATFORM_NAMESPACE, USAGE_ACCOUNT } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import type { Served } from '../../../platform/http/serve.ts';
import { NODE, POD } from '../../../platform/kube/resources.ts';
import type { Cluster } from '../open-cluster.ts';
import { isPlaced } from '../placed.ts';
import { type Limits, type MeasuredKind, ObjectUsage, type ObjectUsageParts } from './usage.ts';
import { objectUsageRoutes } from './usage-routes.ts';

export interface OpenObjectUsage {
  routes: readonly Served[];
  latest: ObjectUsage['latest'];
  usedNow: ObjectUsage['usedNow'];
  start(): void;
  stop(): void;
}

/** A cluster whose kubelets are asked. */
interface Measured {
  client: { as(user: string): Pick<Cluster['client'], 'rawBytes'> };
  cache: Pick<Cluster['cache'], 'get' | 'list' | 'reader'>;
}

interface OpenObjectUsageParts extends Measured {
  /** Other clusters in which objects of ours are, and whose each is there. */
  places: readonly (Measured & { isOurs(namespace: string): boolean })[];
  /** That has an object; ours if none does. Throws unavailable. */
  clusterOf: (kind: { kind: string }, namespace: string, name: string) => Pick<Measured, 'cache'>;
  clock: Clock;
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void };
}

/** Less than a step. */
const USAGE_USER = `system:serviceaccount:${PLATFORM_NAMESPACE}:${USAGE_ACCOUNT}`;
const ASK_MS = 10_000;
/** 250 Pods of ten containers and volumes each take about half of that. */
const MOST_BYTES = 8 * 1024 * 1024;

export function openObjectUsage({
  client,
  cache,
  places,
  clusterOf,
  clock,
  log,
}: OpenObjectUsageParts): OpenObjectUsage {
  const kinds = (Object.values(KINDS) as readonly KindFacts[]).filter((facts): facts is MeasuredKind =>
    Boolean(facts.api?.usage),
  );
  const usageOf = (one: Measured, measured: readonly MeasuredKind[], list: ObjectUsageParts['list']) =>
    new ObjectUsage({ ...askedOf(one), kinds: measured, list, clock, log });
  const own = usageOf({ client, cache }, kinds, (kind) => cache.list(kind));
  const away = new Map(
    places.map(({ isOurs, ...one }) => {
      const list: ObjectUsageParts['list'] = (kind) =>
        one.cache.list<KubeObject>(kind).filter(({ metadata }) => isOurs(metadata.namespace ?? ''));
      return [one.cache, usageOf(one, kinds.filter(isPlaced), list)];
    }),
  );
  const all = [own, ...away.values()];
  return {
    routes: objectUsageRoutes({
      usage: {
        read(caller, facts, id, wanted) {
          const there = away.get(clusterOf(facts, caller.organization.namespace, id).cache);
          return (there ?? own).read(caller, facts, id, wanted);
        },
      },
    }),
    latest: (...args) => own.latest(...args),
    usedNow: (facts, object) => own.usedNow(facts, object),
    start() {
      for (const one of all) one.start();
    },
    stop() {
      for (const one of all) one.stop();
    },
  };
}

/** The facts that a cluster's caches and kubelets know. */
const askedOf = ({
  client,
  cache,
}: Measured): Pick<ObjectUsageParts, 'find' | 'podAt' | 'nodeAt' | 'ownBytesOf' | 'ask'> => ({
  find: (kind, namespace, name) => cache.get(kind, namespace, name),
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
    const answer = await client.as(USAGE_USER).rawBytes(path, { limitMs: ASK_MS, mostBytes: MOST_BYTES, signal });
    return answer.toString('utf8');
  },
});

/** The limits of all its containers together; null if one of them has none. */
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
