// How the organisation's objects hang together: what runs on which host, what mounts which disk, and how many requests reach it.

import type { TopologyView as Topology } from '@gantry/contract/areas/monitoring/monitor.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MONITOR_TYPES } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Suspense, useCallback } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.ts';
import { objectPath } from '../../parts/object-path.ts';
import { Section } from '../../parts/section.tsx';
import { metricsPage } from './object-link.tsx';
import type { DrawnNode } from './topology-groups.ts';
import { TopologyTable } from './topology-table.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const TopologyMap = lazyPart(() => import('./topology-map.tsx'), 'TopologyMap');
const MAP_PX = 480;
const EVERY_MS = 30_000;
const LEAST_RATE = 0.01;
type Node = Topology['nodes'][number];
type Edge = Topology['edges'][number];
const CLIENTS = 'clients';
/** Types without metrics of their own. */
const isOtherType = (type: string): type is 'disk' | 'alias' | 'replica' => ['disk', 'alias', 'replica'].includes(type);

export function TopologyView() {
  const t = useMonitorWords();
  const go = useNavigate();
  const { data, error, refetch } = useCall(CALLS.getTopology, {}, { everyMs: EVERY_MS });
  const typeOf = useCallback(
    (type: string) =>
      type === CLIENTS
        ? '–'
        : isOtherType(type)
          ? t(`topology.${type}`)
          : t(`types.${MONITOR_TYPES.find((one) => one === type) ?? 'instance'}`),
    [t],
  );
  const nameOf = useCallback(({ type, name }: Node) => (type === CLIENTS ? t('topology.clients') : name), [t]);
  const labelOf = useCallback(
    (node: DrawnNode) =>
      node.type === CLIENTS
        ? nameOf(node)
        : `${node.count > 1 ? t('topology.group', { smart_count: node.count }) : shortNameOf(node)}\n${typeOf(node.type)}`,
    [t, nameOf, typeOf],
  );
  const rateOf = useCallback(
    ({ relation, flow }: Edge) => {
      if (relation !== 'calls') return t('topology.unmeasured');
      if (!flow) return t('topology.unknownRate');
      const exact = flow.requests / flow.seconds;
      const rate = exact > 0 && exact < LEAST_RATE ? `<${LEAST_RATE}` : `${Math.round(100 * exact) / 100}`;
      const text = t('topology.rate', { rate, smart_count: exact });
      if (flow.errors === 0) return text;
      return t('topology.errors', {
        rate: text,
        percent: Math.max(1, Math.round((100 * flow.errors) / flow.requests)),
      });
    },
    [t],
  );
  const relationOf = useCallback(
    (edge: Edge, name: string) => `${t(`topology.relations.${edge.relation}`)} ${name} (${rateOf(edge)})`,
    [t, rateOf],
  );
  // A line of the map has room for a few words; the page says once that other traffic is not measured.
  const shortOf = (edge: Edge) => (edge.relation === 'calls' ? rateOf(edge) : t(`topology.relations.${edge.relation}`));
  return (
    <>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows rows={3} height={MAP_PX / 3} />
        )
      ) : data.nodes.length === 0 ? (
        <EmptyState title={t('topology.none')} />
      ) : (
        <>
          <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
            {t('topology.hint')}
          </Typography>
          <Suspense fallback={<Skeleton variant="rounded" height={MAP_PX} />}>
            <TopologyMap
              topology={data}
              labelOf={labelOf}
              textOf={shortOf}
              onOpen={(node) => {
                const path = pathOf(node);
                if (path !== undefined) void go(path);
              }}
            />
          </Suspense>
          <Section title={t('overview.objects')}>
            <TopologyTable topology={data} nameOf={nameOf} typeOf={typeOf} pathOf={pathOf} relationOf={relationOf} />
          </Section>
        </>
      )}
    </>
  );
}

/** The name as short as the map has room for: replicas differ in the end of their names, and the table has all of it. */
const shortNameOf = ({ type, name }: Pick<Node, 'type' | 'name'>): string =>
  type === 'replica' ? `…${name.split('-').slice(-2).join('-')}` : name;

/** Its metrics, and of a replica those of what it serves; of a disk, which has none, its page. */
function pathOf({ id, type }: Pick<Node, 'id' | 'type'>): string | undefined {
  const name = id.slice(type.length + 1);
  const [owner, object = ''] = type === 'replica' ? name.split('/') : [type, name];
  const known = MONITOR_TYPES.find((one) => one === owner);
  if (known) return metricsPage(known, object);
  if (type === 'alias') return '/model/alias';
  return type === 'disk' ? objectPath(`DataDisk/${name}`) : undefined;
}
