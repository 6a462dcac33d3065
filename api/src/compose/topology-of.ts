// How an organisation's objects hang together: the hosts that they run on, the disks that they mount, and the requests that reach them
// by the platform, which are the only traffic that it counts. Pure.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { TopologyView } from '@gantry/contract/http/monitor.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import type { Load } from '../published/traffic-store.ts';

export type Listed = KubeObject & {
  spec: { displayName?: string; host?: unknown; disks?: readonly { name: string }[]; publish?: unknown };
  status?: { phase?: string };
};
type TopologyType = MonitorType | 'disk';

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

/** Uids of what can have requests. */
export const calledIn = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ type, objects }) =>
    objects.filter((object) => IS_CALLED[type]?.(object)).map(({ metadata }) => metadata.uid ?? ''),
  );

/** `loads`: by uid, of those with requests in the last hour; undefined where that is not known. */
export function topologyOf(
  rows: readonly Row[],
  loads: ReadonlyMap<string, Pick<Load, 'inFlight' | 'perSecond'>> | undefined,
): TopologyView {
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
  const calls = rows.flatMap(({ type, objects }) =>
    objects
      .filter((object) => IS_CALLED[type]?.(object))
      .map(({ metadata: { name, uid = '' } }) => ({
        from: CLIENTS.id,
        to: `${type}/${name}`,
        relation: 'calls' as const,
        requests_per_second: loads ? rateOf(loads.get(uid)) : null,
      })),
  );
  return {
    nodes: [...(calls.length > 0 ? [CLIENTS] : []), ...nodes],
    edges: [...calls, ...uses.filter(({ to }) => known.has(to))],
  };
}

/** To a tenth. While a gateway with some of them is not heard, nobody knows how many there are. */
function rateOf(load: Pick<Load, 'inFlight' | 'perSecond'> | undefined): number | null {
  if (!load) return 0;
  return load.inFlight === undefined ? null : Math.round(10 * load.perSecond) / 10;
}
