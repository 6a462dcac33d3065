// How an organisation's objects hang together: the hosts that they run on, the disks that they mount, and the requests that the
// gateways pass on to them, by an alias and to a replica, which are the only traffic that is counted. Pure.

import type { FlowView, TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import type { FlowCount, Flowing, Load } from '../../platform/relay/traffic-store.ts';

export type Listed = KubeObject & {
  spec: { displayName?: string; host?: unknown; disks?: readonly { name: string }[]; publish?: unknown };
  status?: { phase?: string; pods?: readonly { name: string; phase: string; part?: number }[] };
};
type TopologyType = MonitorType | 'disk';
type Edge = TopologyView['edges'][number];
type Node = TopologyView['nodes'][number];

const CLIENTS = { id: 'clients', type: 'clients', name: 'clients', phase: null };

/** Its requests come by us. */
const IS_CALLED: Readonly<Partial<Record<TopologyType, (object: Listed) => boolean>>> = {
  service: ({ spec }) => spec.publish !== undefined,
  deployment: () => true,
};

export interface Row {
  type: TopologyType;
  objects: readonly Listed[];
}

export interface Flows {
  /** `of`: by uid, of those with requests in the last hour; undefined where that is not known. */
  counted: { seconds: number; of: ReadonlyMap<string, Pick<Flowing, 'inFlight' | 'perSecond' | 'flows'>> } | undefined;
  /** The organisation's. */
  aliases: readonly { name: string; targets: readonly { deployment: string }[] }[];
}

/** Uids of what can have requests. */
export const calledIn = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ type, objects }) =>
    objects.filter((object) => IS_CALLED[type]?.(object)).map(({ metadata }) => metadata.uid ?? ''),
  );

export function topologyOf(rows: readonly Row[], flows: Flows): TopologyView {
  const nodes = rows.flatMap(({ type, objects }) =>
    objects.map(({ metadata: { name }, spec, status }) => {
      return { id: `${type}/${name}`, type, name: spec.displayName ?? name, phase: status?.phase ?? null };
    }),
  );
  const known = new Set(nodes.map(({ id }) => id));
  const uses = rows.flatMap(({ type, objects }) =>
    objects.flatMap(({ metadata, spec: { host, disks = [] } }) => {
      const edge = { from: `${type}/${metadata.name}`, requests_per_second: null };
      return [
        ...(typeof host === 'string' ? [{ ...edge, to: `host/${host}`, relation: 'runsOn' as const }] : []),
        ...disks.map(({ name }) => ({ ...edge, to: `disk/${name}`, relation: 'mounts' as const })),
      ];
    }),
  );
  const aliases = flows.aliases.map(({ name, targets }) => ({
    name,
    targets: new Set(targets.map(({ deployment }) => deployment).filter((target) => known.has(`deployment/${target}`))),
  }));
  const called = rows.flatMap(({ type, objects }) =>
    objects.filter((object) => IS_CALLED[type]?.(object)).map((object) => ({ type, object })),
  );
  const parts = called.map(({ type, object }) => calledPart(type, object, { ...flows, aliases }));
  const named = aliases.map(({ name }) => aliasPart(name, parts));
  const all = [...named, ...parts];
  return {
    nodes: [...(parts.length > 0 ? [CLIENTS] : []), ...nodes, ...all.flatMap((part) => part.nodes)],
    edges: [...all.flatMap((part) => part.edges), ...uses.filter(({ to }) => known.has(to))],
  };
}

interface Part {
  nodes: Node[];
  edges: Edge[];
}

/** Requests to one, straight or by an alias, and on to its replicas. */
function calledPart(
  type: TopologyType,
  { metadata: { name, uid = '' }, status }: Listed,
  {
    counted,
    aliases,
  }: { counted: Flows['counted']; aliases: readonly { name: string; targets: ReadonlySet<string> }[] },
): Part {
  const id = `${type}/${name}`;
  const load = counted?.of.get(uid);
  const flowOf = (isOf: (flow: FlowCount) => boolean): FlowView | null =>
    counted ? sumOf((load?.flows ?? []).filter(isOf), counted.seconds) : null;
  const calls = (from: string, to: string, flow: FlowView | null, rate: number | null = null): Edge => ({
    ...{ from, to, relation: 'calls', requests_per_second: rate, flow },
  });
  const via =
    type === 'deployment' ? aliases.filter(({ targets }) => targets.has(name)).map((alias) => alias.name) : [];
  const replicas = (status?.pods ?? []).filter(({ part }) => part === undefined);
  const replicaId = (pod: string) => `replica/${id}/${pod}`;
  return {
    nodes: replicas.map(({ name: pod, phase }) => ({ id: replicaId(pod), type: 'replica', name: pod, phase })),
    edges: [
      // An alias that is gone has no node: what came by it is counted here.
      calls(
        CLIENTS.id,
        id,
        flowOf((flow) => !via.includes(flow.via)),
        counted ? rateOf(load) : null,
      ),
      ...via.map((alias) =>
        calls(
          `alias/${alias}`,
          id,
          flowOf((flow) => flow.via === alias),
        ),
      ),
      ...replicas.map(({ name: pod }) =>
        calls(
          id,
          replicaId(pod),
          flowOf((flow) => flow.replica === pod),
        ),
      ),
    ],
  };
}

/** The calls of an alias are the ones that it passes on. */
function aliasPart(name: string, parts: readonly Part[]): Part {
  const id = `alias/${name}`;
  const on = parts.flatMap(({ edges }) => edges.filter(({ from }) => from === id).map(({ flow }) => flow ?? null));
  const known = on.filter((flow) => flow !== null);
  const [first] = known;
  const flow = first && known.length === on.length ? sumOf(known, first.seconds) : null;
  if (on.length === 0) return { nodes: [], edges: [] };
  return {
    nodes: [{ id, type: 'alias', name, phase: null }],
    edges: [{ from: CLIENTS.id, to: id, relation: 'calls', requests_per_second: null, flow }],
  };
}

const sumOf = (flows: readonly Pick<FlowView, 'requests' | 'errors'>[], seconds: number): FlowView => ({
  seconds,
  requests: flows.reduce((sum, { requests }) => sum + requests, 0),
  errors: flows.reduce((sum, { errors }) => sum + errors, 0),
});

/** To a tenth. While a gateway with some of them is not heard, nobody knows how many there are. */
function rateOf(load: Pick<Load, 'inFlight' | 'perSecond'> | undefined): number | null {
  if (!load) return 0;
  return load.inFlight === undefined ? null : Math.round(10 * load.perSecond) / 10;
}
