// The topology in words: each object, and what it uses. Only the rows in sight are in the page.
import type { TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { Hint } from '@gantry/ui/widgets/hint.tsx';
import MuiLink from '@mui/material/Link';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useMonitorWords } from './use-monitor-words.ts';

type Node = TopologyView['nodes'][number];
/** The most names of what one object uses; the others are in its hint. */
const MOST_NAMED = 3;

interface TopologyTableProps {
  topology: TopologyView;
  /** As the map names them. */
  nameOf: (node: Node) => string;
  typeOf: (type: string) => string;
  pathOf: (node: Node) => string | undefined;
  relationOf: (edge: TopologyView['edges'][number], name: string) => string;
}

export function TopologyTable({ topology: { nodes, edges }, nameOf, typeOf, pathOf, relationOf }: TopologyTableProps) {
  const t = useMonitorWords();
  const columns = useMemo((): readonly Column<Node>[] => {
    const names = new Map(nodes.map(({ id, name }) => [id, name]));
    const uses = Map.groupBy(edges, ({ from }) => from);
    const usedBy = (id: string) => uses.get(id)?.map((edge) => relationOf(edge, names.get(edge.to) ?? edge.to)) ?? [];
    return [
      {
        id: 'object',
        label: t('overview.object'),
        width: 'minmax(10rem, 1fr)',
        cell: (node) => {
          const path = pathOf(node);
          return path === undefined ? (
            nameOf(node)
          ) : (
            <MuiLink component={Link} to={path}>
              {nameOf(node)}
            </MuiLink>
          );
        },
      },
      { id: 'type', label: t('overview.type'), width: '12rem', cell: ({ type }) => typeOf(type) },
      {
        id: 'related',
        label: t('topology.related'),
        width: 'minmax(14rem, 2fr)',
        cell: ({ id }) => {
          const all = usedBy(id);
          const named = all.slice(0, MOST_NAMED).join(', ');
          const more = all.length - MOST_NAMED;
          if (more <= 0) return named || '–';
          return (
            <Hint title={all.slice(0, 50).join(', ')}>
              <span>{`${named}, ${t('topology.more', { smart_count: more })}`}</span>
            </Hint>
          );
        },
      },
    ];
  }, [t, nodes, edges, nameOf, typeOf, pathOf, relationOf]);
  return (
    <DataTable
      label={t('overview.objects')}
      columns={columns}
      list={{
        items: nodes,
        ...{ total: nodes.length, isLoading: false, isLoadingMore: false, hasMore: false, error: null },
        ...{ more: () => {}, again: () => {} },
      }}
      idOf={({ id }) => id}
      nameOf={nameOf}
    />
  );
}
