// A caller's objects and how they are connected. Without SQL the page has everything but requests and aliases.
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import type { TrafficStore } from '../../platform/relay/traffic-store.ts';
import { MONITORED } from './owner-metrics.ts';
import { calledIn, type Flows, type Listed, type Row, topologyOf } from './topology-of.ts';

export async function readTopology(
  cache: Pick<WatchCache, 'list'>,
  traffic: Pick<TrafficStore, 'flows'>,
  aliases: { list(organizationId: string): Promise<Flows['aliases']> },
  { organization: { id, namespace } }: Pick<Caller, 'organization'>,
): Promise<ReturnType<typeof topologyOf>> {
  const rows = Object.entries({ ...MONITORED, disk: dataDisk }).map(([type, facts]) => ({
    type: type as Row['type'],
    objects: cache.list<Listed>(facts).filter(({ metadata }) => metadata.namespace === namespace),
  }));
  const [counted, named] = await Promise.all([
    traffic.flows(calledIn(rows)).catch(() => undefined),
    aliases.list(id).catch(() => []),
  ]);
  return topologyOf(rows, { counted, aliases: named });
}
