// What is known of a lineage, from the answers about one thing and about others that somebody went on at. Pure.
import {
  type LineageNodeView,
  type LineageView,
  MOST_COUNTED,
  MOST_NODES,
} from '@gantry/contract/areas/lineage/lineage.ts';

export type Way = 'up' | 'down';

export interface Answered {
  view: LineageView;
  /** In which ways it has all neighbours of the things that it is about. */
  ways: readonly Way[];
}

export interface LineageGraph {
  nodes: ReadonlyMap<string, LineageNodeView>;
  edges: readonly { from: string; to: string }[];
  /** By the key of a node. */
  sources: ReadonlyMap<string, readonly LineageNodeView[]>;
  uses: ReadonlyMap<string, readonly LineageNodeView[]>;
  /** `up <key>`: all neighbours are here. */
  whole: ReadonlySet<string>;
  /** An answer had too much, or there is no room for more. */
  isCut: boolean;
  isFull: boolean;
}

/** The first answer is about the page's own thing, and the newest: what it says of a node holds. */
export function graphOf(answers: readonly Answered[]): LineageGraph {
  const known = new Map<string, LineageNodeView>();
  for (const { view } of answers) for (const node of view.nodes) if (!known.has(node.key)) known.set(node.key, node);
  const nodes = new Map([...known].slice(0, MOST_NODES));
  const whole = new Set(
    answers.flatMap(({ view, ways }) =>
      view.nodes.flatMap(({ key, level }) => (level === 0 ? ways.map((way) => `${way} ${key}`) : [])),
    ),
  );
  const edges = new Map<string, { from: string; to: string }>();
  for (const { view } of answers)
    for (const edge of view.edges) {
      const [from, to] = [view.nodes[edge.from]?.key ?? '', view.nodes[edge.to]?.key ?? ''];
      if (nodes.has(from) && nodes.has(to)) edges.set(`${from} ${to}`, { from, to });
    }
  const all = [...edges.values()];
  const found = (keys: readonly string[]) => keys.flatMap((key) => nodes.get(key) ?? []);
  const by = (own: 'from' | 'to', other: 'from' | 'to') =>
    new Map([...Map.groupBy(all, (edge) => edge[own])].map(([key, of]) => [key, found(of.map((edge) => edge[other]))]));
  return {
    ...{ nodes, edges: all, whole, sources: by('to', 'from'), uses: by('from', 'to') },
    isCut: known.size > nodes.size || answers.some(({ view }) => view.more),
    isFull: nodes.size >= MOST_NODES,
  };
}

/** How many neighbours of a node can be shown besides those that are; MOST_COUNTED stands for that or more. */
export function hiddenOf(graph: LineageGraph, node: LineageNodeView, way: Way): number {
  const { whole, isFull, sources, uses } = graph;
  // What belongs to others has no name by which to ask.
  if (isFull || node.id === null || whole.has(`${way} ${node.key}`)) return 0;
  const count = way === 'up' ? node.sources : node.uses;
  if (count >= MOST_COUNTED) return MOST_COUNTED;
  return Math.max(0, count - ((way === 'up' ? sources : uses).get(node.key)?.length ?? 0));
}

export interface Related {
  node: LineageNodeView;
  /** How many steps it is away. */
  distance: number;
}

/** Nodes by how they are related to the page's own thing: those that it came from, those that came from it, and all others. */
export function relatedIn(
  graph: LineageGraph,
  own: ReadonlySet<string>,
): Record<'from' | 'became' | 'beside', Related[]> {
  const { nodes, sources, uses } = graph;
  const up = distancesIn(own, (key) => sources.get(key) ?? []);
  const down = distancesIn(own, (key) => uses.get(key) ?? []);
  const both = distancesIn(own, (key) => [...(sources.get(key) ?? []), ...(uses.get(key) ?? [])]);
  const rows = (distances: ReadonlyMap<string, number>, isOne: (key: string) => boolean) =>
    [...nodes.values()]
      .flatMap((node) => {
        const distance = distances.get(node.key) ?? 0;
        return distance > 0 && isOne(node.key) ? [{ node, distance }] : [];
      })
      .toSorted((one, other) => one.distance - other.distance || isGone(one) - isGone(other) || newest(one, other));
  return {
    from: rows(up, () => true),
    became: rows(down, (key) => !up.has(key)),
    beside: rows(both, (key) => !up.has(key) && !down.has(key)),
  };
}

const isGone = ({ node }: Related): number => (node.gone_time === null ? 0 : 1);
const newest = ({ node: one }: Related, { node: other }: Related): number =>
  (other.create_time ?? '').localeCompare(one.create_time ?? '');

function distancesIn(
  own: ReadonlySet<string>,
  next: (key: string) => readonly LineageNodeView[],
): ReadonlyMap<string, number> {
  const distances = new Map([...own].map((key) => [key, 0]));
  // A map goes on with what is added to it meanwhile.
  for (const [key, distance] of distances)
    for (const { key: found } of next(key)) if (!distances.has(found)) distances.set(found, distance + 1);
  return distances;
}
