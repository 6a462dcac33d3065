// The places of a topology's objects: dagre's layers, from what uses to what is used, for each part that hangs together. Pure.

import { graphlib, layout } from '@dagrejs/dagre';

/** The connections without names and load: only these decide where everything stands. */
export interface Structure {
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

export interface Placed {
  id: string;
  x: number;
  y: number;
}

interface Part {
  placed: Placed[];
  width: number;
  height: number;
}

export const NODE_SIZE = { width: 200, height: 56 };
const GAPS = { rankdir: 'LR', ranksep: 140, nodesep: 16 };
/** Above so many objects of one part the layers are found by their depth alone: dagre's usual way takes seconds. */
const MOST_BALANCED = 200;
/** A node with more outgoing lines would tie together parts that otherwise have nothing in common: it stands left of all. */
const MOST_LINES = 30;
const ASPECT = 1.6;

export function layoutOf({ nodes, edges }: Structure): Placed[] {
  const leaving = Map.groupBy(edges, ([from]) => from);
  const entered = new Set(edges.map(([, to]) => to));
  const hubs = nodes.filter((id) => !entered.has(id) && (leaving.get(id)?.length ?? 0) > MOST_LINES);
  const inner = edges.filter(([from]) => !hubs.includes(from));
  const related = new Set(inner.flat());
  const placed = pack([
    ...partsOf(inner).map(placePart),
    gridOf(nodes.filter((id) => !related.has(id) && !hubs.includes(id))),
  ]);
  const left = -(NODE_SIZE.width + GAPS.ranksep);
  return [...placed, ...hubs.map((id, at) => ({ id, x: left, y: at * (NODE_SIZE.height + GAPS.nodesep) }))];
}

/** The edges of each part that hangs together. */
function partsOf(edges: Structure['edges']): Structure['edges'][] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Everything on the way leads there at once from now on.
    for (let at = id; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const [from, to] of edges) {
    const [one, other] = [rootOf(from), rootOf(to)];
    if (one !== other) parents.set(one, other);
  }
  return [...Map.groupBy(edges, ([from]) => rootOf(from)).values()];
}

function placePart(edges: Structure['edges']): Part {
  const graph = new graphlib.Graph();
  const ids = [...new Set(edges.flat())];
  graph.setGraph(ids.length > MOST_BALANCED ? { ...GAPS, ranker: 'longest-path' } : GAPS);
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { ...NODE_SIZE });
  for (const [from, to] of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const placed = ids.map((id) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { id, x: x - NODE_SIZE.width / 2, y: y - NODE_SIZE.height / 2 };
  });
  return { placed, width, height };
}

/** Those that have nothing to do with others. */
function gridOf(ids: readonly string[]): Part {
  const [across, down] = [NODE_SIZE.width + GAPS.nodesep, NODE_SIZE.height + GAPS.nodesep];
  const columns = Math.max(4, Math.ceil(Math.sqrt((ids.length * down * ASPECT) / across)));
  return {
    placed: ids.map((id, at) => ({ id, x: (at % columns) * across, y: Math.floor(at / columns) * down })),
    width: Math.min(columns, ids.length) * across,
    height: Math.ceil(ids.length / columns) * down,
  };
}

/** In rows, the parts of a row beside each other; the last part begins a row of its own. */
function pack(parts: readonly Part[]): Placed[] {
  const gap = NODE_SIZE.height;
  const area = parts.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = Math.max(Math.sqrt(area * ASPECT), ...parts.map(({ width }) => width));
  const alone = parts.at(-1);
  const rows = [...parts.slice(0, -1)].sort((one, other) => other.height - one.height);
  const all: Placed[] = [];
  let [left, top, tallest] = [0, 0, 0];
  for (const part of alone ? [...rows, alone] : rows) {
    if (left > 0 && (part === alone || left + part.width > widest)) [left, top, tallest] = [0, top + tallest + gap, 0];
    for (const { id, x, y } of part.placed) all.push({ id, x: left + x, y: top + y });
    left += part.width + gap;
    tallest = Math.max(tallest, part.height);
  }
  return all;
}
