// The lineage as a map to move about in. The lists below it say the same in words, lead to the same pages, and go on at the same nodes.
import type { LineageNodeView } from '@gantry/contract/areas/lineage/lineage.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useColorScheme } from '@mui/material/styles';
import {
  Background,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { NODE_SIZE } from '../graph/layout-of.ts';
import { useLayout } from '../graph/use-layout.ts';
import { usePartsWords } from '../use-parts-words.ts';
import { hiddenOf, type Way } from './lineage-graph.ts';
import { countText, nameOf, pageOf } from './lineage-words.ts';
import type { OpenedLineage } from './use-lineage-graph.ts';

const MAP_PX = 480;

interface ThingData extends Record<string, unknown> {
  name: string;
  second: string;
  isOwn: boolean;
  isGone: boolean;
  hidden: Record<Way, number>;
  show(way: Way): void;
}

export function LineageMap({ opened }: { opened: OpenedLineage }) {
  const t = usePartsWords();
  const go = useNavigate();
  const { mode, systemMode } = useColorScheme();
  const { graph, own, at, show } = opened;
  const [flow, setFlow] = useState<Pick<ReactFlowInstance, 'setCenter' | 'getZoom'>>();
  const structure = useMemo(
    () => ({
      nodes: [...graph.nodes.keys()],
      edges: graph.edges.map(({ from, to }) => [from, to] as const),
    }),
    [graph],
  );
  const { places, hasFailed } = useLayout(structure);
  // Everything has moved: the node at which somebody went on is where they look.
  useEffect(() => {
    const place = at === undefined ? undefined : places?.get(at);
    if (!flow || !place) return;
    const [x, y] = [place.x + NODE_SIZE.width / 2, place.y + NODE_SIZE.height / 2];
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  }, [flow, places, at]);
  const things = [...graph.nodes.values()].flatMap((node): Node<ThingData>[] => {
    const place = places?.get(node.key);
    if (!place) return [];
    return [
      {
        ...{ id: node.key, type: 'thing', position: { x: place.x, y: place.y } },
        data: {
          ...{ name: nameOf(t, node), second: secondOf(t, node) },
          ...{ isOwn: own.has(node.key), isGone: node.gone_time !== null },
          hidden: { up: hiddenOf(graph, node, 'up'), down: hiddenOf(graph, node, 'down') },
          show: (way) => show(node, way),
        },
      },
    ];
  });
  const lines = graph.edges.map(({ from, to }) => ({ id: `${from} ${to}`, source: from, target: to }));
  if (hasFailed) return <Alert severity="info">{t('lineage.noMap')}</Alert>;
  if (!places) return <Skeleton variant="rounded" height={MAP_PX} />;
  return (
    <Box aria-hidden sx={{ height: MAP_PX, mb: 3, border: '1px solid', borderColor: 'divider', borderRadius: 1 }}>
      <ReactFlow
        nodes={things}
        edges={lines}
        nodeTypes={NODE_TYPES}
        onInit={setFlow}
        colorMode={(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.05}
        // Only the visible ones of thousands of things are in the page.
        onlyRenderVisibleElements
        onNodeClick={(_, { id }) => {
          const page = pageOf(graph.nodes.get(id) as LineageNodeView);
          if (page !== undefined && !own.has(id)) void go(page);
        }}
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

const secondOf = (t: ReturnType<typeof usePartsWords>, { kind, gone_time: gone }: LineageNodeView): string =>
  gone === null ? t(`lineage.kinds.${kind}`) : `${t(`lineage.kinds.${kind}`)} · ${t('lineage.isGone')}`;

/** Where lines end; nobody draws any. */
const HIDDEN = { opacity: 0 };
const TEXT = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function Thing({ data: { name, second, isOwn, isGone, hidden, show } }: NodeProps<Node<ThingData>>) {
  return (
    <Box
      title={name}
      sx={{
        ...{ ...NODE_SIZE, boxSizing: 'border-box', px: 1, py: 0.5, borderRadius: 1, cursor: 'pointer' },
        ...{ bgcolor: 'background.paper', color: isGone ? 'text.secondary' : 'text.primary' },
        border: isOwn ? 2 : 1,
        borderColor: isOwn ? 'primary.main' : 'divider',
        borderStyle: isGone ? 'dashed' : 'solid',
        fontSize: 13,
      }}
    >
      <Handle type="target" position={Position.Left} style={HIDDEN} />
      <Box sx={{ ...TEXT, textDecoration: isGone ? 'line-through' : 'none' }}>{name}</Box>
      <Box sx={{ ...TEXT, fontSize: 11, color: 'text.secondary' }}>{second}</Box>
      <More way="up" count={hidden.up} onShow={show} />
      <More way="down" count={hidden.down} onShow={show} />
      <Handle type="source" position={Position.Right} style={HIDDEN} />
    </Box>
  );
}

const NODE_TYPES = { thing: Thing };
/** It lies over the node's edge, on the side where more will be. */
const BUTTON_PX = 22;
const SIDES = { up: { left: -BUTTON_PX / 2 }, down: { right: -BUTTON_PX / 2 } } as const;

function More({ way, count, onShow }: { way: Way; count: number; onShow(way: Way): void }) {
  if (count === 0) return null;
  return (
    <Box
      component="button"
      // The map is hidden from the keyboard: the lists have the same buttons.
      tabIndex={-1}
      className="nopan"
      onClick={(event: { stopPropagation(): void }) => {
        event.stopPropagation();
        onShow(way);
      }}
      sx={{
        ...{
          position: 'absolute',
          bottom: -BUTTON_PX / 2,
          ...SIDES[way],
          minWidth: BUTTON_PX,
          height: BUTTON_PX,
          px: 0.5,
        },
        ...{ border: 1, borderColor: 'primary.main', borderRadius: BUTTON_PX / 2, cursor: 'pointer' },
        ...{ bgcolor: 'background.paper', color: 'primary.main', fontSize: 11 },
      }}
    >
      {`+${countText(count)}`}
    </Box>
  );
}
