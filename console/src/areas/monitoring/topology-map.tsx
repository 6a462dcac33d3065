// The topology as a map to move about in. The table below it says the same in words, and leads to the same pages.
import type { TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useColorScheme } from '@mui/material/styles';
import { Background, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo, useState } from 'react';
import { NODE_SIZE } from '../../parts/graph/layout-of.ts';
import { useLayout } from '../../parts/graph/use-layout.ts';
import { type DrawnNode, drawnOf, isGroup } from './topology-groups.ts';
import { useMonitorWords } from './use-monitor-words.ts';

const MAP_PX = 480;
/** What calls more objects, as clients do, stands beside them all. */
const MOST_LINES = 30;

/** In pixels, by the power of ten of the requests a second: a thousand are five times as wide as one in a minute. */
const widthOf = ({ flow }: TopologyView['edges'][number]): number =>
  flow && flow.requests > 0 ? Math.min(6, Math.max(1, 3 + Math.log10(flow.requests / flow.seconds))) : 1;

interface TopologyMapProps {
  topology: TopologyView;
  labelOf: (node: DrawnNode) => string;
  textOf: (edge: TopologyView['edges'][number]) => string;
  onOpen: (node: DrawnNode) => void;
}

export function TopologyMap({ topology, labelOf, textOf, onOpen }: TopologyMapProps) {
  const t = useMonitorWords();
  const { mode, systemMode } = useColorScheme();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const drawn = useMemo(() => drawnOf(topology, opened), [topology, opened]);
  const { places, hasFailed } = useLayout({
    nodes: drawn.nodes.map(({ id }) => id),
    edges: drawn.edges.map(({ from, to }) => [from, to]),
    mostLines: MOST_LINES,
  });
  const nodes = useMemo(
    () =>
      drawn.nodes.flatMap((node) => {
        const place = places?.get(node.id);
        if (!place) return [];
        return {
          id: node.id,
          position: { x: place.x, y: place.y },
          data: { label: labelOf(node), node },
          sourcePosition: Position.Right,
          targetPosition: Position.Left,
          style: {
            ...NODE_SIZE,
            ...{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre' as const, cursor: 'pointer' },
            ...(isGroup(node.id) && { borderWidth: 3, borderStyle: 'double' as const }),
          },
        };
      }),
    [drawn, places, labelOf],
  );
  const edges = drawn.edges.map((edge) => ({
    id: `${edge.from} ${edge.to} ${edge.relation}`,
    source: edge.from,
    target: edge.to,
    label: textOf(edge),
    style: { strokeWidth: widthOf(edge) },
  }));
  if (hasFailed) return <Alert severity="info">{t('topology.noMap')}</Alert>;
  if (!places) return <Skeleton variant="rounded" height={MAP_PX} />;
  return (
    <Box aria-hidden sx={{ height: MAP_PX, mb: 2, border: '1px solid', borderColor: 'divider', borderRadius: 1 }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        colorMode={(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.05}
        // Only the visible ones of thousands of objects are in the page.
        onlyRenderVisibleElements
        onNodeClick={(_, { id, data: { node } }) =>
          isGroup(id) ? setOpened((former) => new Set([...former, id])) : onOpen(node)
        }
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
      >
        <Background />
      </ReactFlow>
    </Box>
  );
}
