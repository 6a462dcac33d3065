// How the organisation's objects hang together: what runs on which host, and what mounts which disk.
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

export function TopologyPage() {
  const t = useMonitorWords();
  const { data, error, refetch } = useCall(CALLS.getTopology, {}, { everyMs: EVERY_MS });
  const typeOf = useCallback(
    (type: string) =>
      type === 'disk' ? t('topology.disk') : t(`types.${MONITOR_TYPES.find((one) => one === type) ?? 'instance'}`),
    [t],
  );
  const labelOf = useCallback(({ type, name }: Node) => `${name}\n${typeOf(type)}`, [typeOf]);
  const relationOf = (relation: TopologyView['edges'][number]['relation']) => t(`topology.relations.${relation}`);
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
            <TopologyMap topology={data} labelOf={labelOf} relationOf={relationOf} />
          </Suspense>
          <Section title={t('overview.objects')}>
            <PlainTable
              label={t('overview.objects')}
              rows={data.nodes}
              keyOf={({ id }) => id}
              columns={[
                { label: t('overview.object'), cell: (node) => <NodeLink node={node} /> },
                { label: t('overview.type'), cell: ({ type }) => typeOf(type) },
                {
                  label: t('topology.related'),
                  cell: ({ id }) =>
                    edges
                      .get(id)
                      ?.map(({ to, relation }) => `${relationOf(relation)} ${names.get(to) ?? to}`)
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
  const known = MONITOR_TYPES.find((one) => one === type);
  return known ? <ObjectLink type={known} id={id.slice(known.length + 1)} name={name} /> : name;
}
