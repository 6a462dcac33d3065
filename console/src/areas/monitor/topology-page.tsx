// How the organisation's objects hang together: what runs on which host, what mounts which disk, and how many requests reach it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { TopologyView } from '@gantry/contract/http/monitor.ts';
import { MONITOR_TYPES } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense, useCallback } from 'react';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { ObjectLink } from './object-link.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const TopologyMap = lazy(() => import('./topology-map.tsx').then((module) => ({ default: module.TopologyMap })));
const MAP_PX = 480;
const EVERY_MS = 30_000;
type Node = TopologyView['nodes'][number];
type Edge = TopologyView['edges'][number];
const CLIENTS = 'clients';

export function TopologyPage() {
  const t = useMonitorWords();
  const { data, error, refetch } = useCall(CALLS.getTopology, {}, { everyMs: EVERY_MS });
  const typeOf = useCallback(
    (type: string) =>
      type === 'disk' ? t('topology.disk') : t(`types.${MONITOR_TYPES.find((one) => one === type) ?? 'instance'}`),
    [t],
  );
  const labelOf = useCallback(
    ({ type, name }: Node) => (type === CLIENTS ? t('topology.clients') : `${name}\n${typeOf(type)}`),
    [t, typeOf],
  );
  const relationOf = ({ relation }: Edge) => t(`topology.relations.${relation}`);
  const rateOf = ({ relation, requests_per_second: rate }: Edge) =>
    relation !== 'calls'
      ? t('topology.unmeasured')
      : rate === null
        ? t('topology.unknownRate')
        : t('topology.rate', { rate, smart_count: rate });
  // A line of the map has room for a few words; the page says once that other traffic is not measured.
  const shortOf = (edge: Edge) => (edge.relation === 'calls' ? rateOf(edge) : relationOf(edge));
  const names = new Map(data?.nodes.map(({ id, name }) => [id, name]));
  const edges = Map.groupBy(data?.edges ?? [], ({ from }) => from);
  return (
    <>
      <PageHeader title={t('topology.title')} lead={t('topology.lead')} />
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
          <Suspense fallback={<Skeleton variant="rounded" height={MAP_PX} />}>
            <TopologyMap topology={data} labelOf={labelOf} textOf={shortOf} />
          </Suspense>
          <Section title={t('overview.objects')}>
            <PlainTable
              label={t('overview.objects')}
              rows={data.nodes}
              keyOf={({ id }) => id}
              columns={[
                { label: t('overview.object'), cell: (node) => <NodeLink node={node} /> },
                { label: t('overview.type'), cell: ({ type }) => (type === CLIENTS ? '–' : typeOf(type)) },
                {
                  label: t('topology.related'),
                  cell: ({ id }) =>
                    edges
                      .get(id)
                      ?.map((edge) => `${relationOf(edge)} ${names.get(edge.to) ?? edge.to} (${rateOf(edge)})`)
                      .join(', ') ?? '–',
                },
              ]}
            />
          </Section>
        </>
      )}
    </>
  );
}

function NodeLink({ node: { id, type, name } }: { node: Node }) {
  const t = useMonitorWords();
  if (type === CLIENTS) return t('topology.clients');
  const known = MONITOR_TYPES.find((one) => one === type);
  return known ? <ObjectLink type={known} id={id.slice(known.length + 1)} name={name} /> : name;
}
