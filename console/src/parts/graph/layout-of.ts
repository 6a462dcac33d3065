// The places of a graph's nodes: dagre's layers in the direction of the edges, for each part that hangs together. Pure.

import { graphlib, layout } from '@dagrejs/dagre';

/** The edges without what they say: only these decide where everything stands. */
export interface Structure {
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [from: string, to: string])[];
  /** A node that nothing leads to and that more edges leave would tie together what else has nothing in common: it stands left of all. */
  readonly mostLines?: number;
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
/** Above so many nodes of one part the layers are found by their depth alone: dagre's usual way takes seconds. */
const MOST_BALANCED = 200;
/** Above so many layers that lines cross in one part, dagre takes minutes: the lines that cross any decide nothing there. */
const MOST_CROSSED = 1_000;
const ASPECT = 1.6;

export function layoutOf({ nodes, edges, mostLines = Number.POSITIVE_INFINITY }: Structure): Placed[] {
  const leaving = Map.groupBy(edges, ([from]) => from);
  const entered = new Set(edges.map(([, to]) => to));
  const hubs = nodes.filter((id) => !entered.has(id) && (leaving.get(id)?.length ?? 0) > mostLines);
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
  for (const [from, to] of shortOf(edges)) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const placed = ids.map((id) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { id, x: x - NODE_SIZE.width / 2, y: y - NODE_SIZE.height / 2 };
  });
  return { placed, width, height };
}

/** All edges, unless too many layers are crossed; then those from one layer to the next, by which each has its depth still. */
function shortOf(edges: Structure['edges']): Structure['edges'] {
  const depths = depthsIn(edges);
  const spanOf = ([from, to]: Structure['edges'][number]) => (depths.get(from) ?? 0) - (depths.get(to) ?? 0);
  const crossed = edges.reduce((sum, edge) => sum + Math.max(0, spanOf(edge) - 1), 0);
  return crossed > MOST_CROSSED ? edges.filter((edge) => spanOf(edge) <= 1) : edges;
}

/** How many edges the longest way from each node to an end has, as dagre counts them too. Nodes of circles have none. */
function depthsIn(edges: Structure['edges']): ReadonlyMap<string, number> {
  const into = Map.groupBy(edges, ([, to]) => to);
  const left = new Map([...Map.groupBy(edges, ([from]) => from)].map(([from, of]) => [from, of.length]));
  const depths = new Map([...into.keys()].filter((id) => !left.has(id)).map((id) => [id, 0]));
  // A list goes on with what is added to it meanwhile.
  const ends = [...depths.keys()];
  for (const id of ends)
    for (const [from] of into.get(id) ?? []) {
      depths.set(from, Math.max(depths.get(from) ?? 0, (depths.get(id) ?? 0) + 1));
      const others = (left.get(from) ?? 0) - 1;
      left.set(from, others);
      if (others === 0) ends.push(from);
    }
  return depths;
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
