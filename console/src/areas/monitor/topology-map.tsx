// The topology as a map to move about in. The table beside it says the same in words.
import type { TopologyView } from '@gantry/contract/http/monitor.ts';
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { Background, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import { layoutOf, NODE_SIZE } from './layout-of.ts';

interface TopologyMapProps {
  topology: TopologyView;
  labelOf: (node: TopologyView['nodes'][number]) => string;
  textOf: (edge: TopologyView['edges'][number]) => string;
}

export function TopologyMap({ topology, labelOf, textOf }: TopologyMapProps) {
  const { mode, systemMode } = useColorScheme();
  const nodes = useMemo(() => {
    const places = new Map(layoutOf(topology).map((placed) => [placed.id, placed]));
    return topology.nodes.map((node) => ({
      id: node.id,
      position: places.get(node.id) ?? { x: 0, y: 0 },
      data: { label: labelOf(node) },
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      style: { ...NODE_SIZE, overflow: 'hidden', whiteSpace: 'pre-line' as const },
    }));
  }, [topology, labelOf]);
  const edges = topology.edges.map((edge) => ({
    id: `${edge.from} ${edge.to} ${edge.relation}`,
    source: edge.from,
    target: edge.to,
    label: textOf(edge),
  }));
  return (
    <Box aria-hidden sx={{ height: 480, mb: 2, border: '1px solid', borderColor: 'divider', borderRadius: 1 }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        colorMode={(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.1}
        // Of thousands only those that are seen are in the page.
        onlyRenderVisibleElements
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
