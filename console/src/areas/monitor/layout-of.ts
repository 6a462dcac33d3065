// Where the objects of a topology stand: dagre's layers, from what uses to what is used. Pure.

import { graphlib, layout } from '@dagrejs/dagre';
import type { TopologyView } from '@gantry/contract/http/monitor.ts';

export interface Placed {
  id: string;
  x: number;
  y: number;
}

export const NODE_SIZE = { width: 200, height: 56 };
const GAPS = { rankdir: 'LR', ranksep: 140, nodesep: 16 };
/** Objects without relations stand below the others, so many beside each other. */
const COLUMNS = 4;

export function layoutOf({ nodes, edges }: TopologyView): Placed[] {
  const related = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const graph = new graphlib.Graph();
  graph.setGraph(GAPS);
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) if (related.has(id)) graph.setNode(id, { ...NODE_SIZE });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const placed = nodes.flatMap(({ id }) => {
    if (!related.has(id)) return [];
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [{ id, x: x - NODE_SIZE.width / 2, y: y - NODE_SIZE.height / 2 }];
  });
  const top = placed.reduce((lowest, { y }) => Math.max(lowest, y + 2 * NODE_SIZE.height), 0);
  const alone = nodes.filter(({ id }) => !related.has(id));
  return [
    ...placed,
    ...alone.map(({ id }, at) => ({
      id,
      x: (at % COLUMNS) * (NODE_SIZE.width + GAPS.nodesep),
      y: top + Math.floor(at / COLUMNS) * (NODE_SIZE.height + GAPS.nodesep),
    })),
  ];
}
