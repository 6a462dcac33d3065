// The drawn part of a topology: every object, or, if there are hundreds, one for all objects with the same connections. Pure.
import type { FlowView, TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';

type Node = TopologyView['nodes'][number];
type Edge = TopologyView['edges'][number];

export interface DrawnNode extends Node {
  /** How many objects it stands for. */
  count: number;
}
export interface Drawn {
  nodes: readonly DrawnNode[];
  edges: readonly Edge[];
}

/** Up to so many objects all are drawn. */
const MOST_DRAWN = 150;
/** Up to so many objects that are alike are drawn each by itself. */
const MOST_ALIKE = 8;
export const isGroup = (id: string): boolean => id.startsWith('group/');

/** `opened`: groups whose objects are drawn each by itself. */
export function drawnOf({ nodes, edges }: TopologyView, opened: ReadonlySet<string>): Drawn {
  if (nodes.length <= MOST_DRAWN) return { nodes: nodes.map((node) => ({ ...node, count: 1 })), edges };
  const groups = groupsIn({ nodes, edges });
  const stands = new Map<string, string>();
  const drawn: DrawnNode[] = [];
  for (const [key, members] of groups) {
    const [first] = members;
    if (!first) continue;
    if (members.length <= MOST_ALIKE || opened.has(key)) {
      for (const node of members) drawn.push({ ...node, count: 1 });
      continue;
    }
    for (const { id } of members) stands.set(id, key);
    drawn.push({ id: key, type: first.type, name: key, phase: null, count: members.length });
  }
  const between = Map.groupBy(edges, ({ from, to, relation }) =>
    JSON.stringify([stands.get(from) ?? from, stands.get(to) ?? to, relation]),
  );
  return {
    nodes: drawn,
    edges: [...between].map(([key, alike]) => {
      const [from, to, relation] = JSON.parse(key) as [string, string, Edge['relation']];
      return { from, to, relation, requests_per_second: sumOf(alike), flow: flowOf(alike) };
    }),
  };
}

/** Null where one of them is not known. */
function sumOf(edges: readonly Edge[]): number | null {
  const rates = edges.flatMap(({ requests_per_second: rate }) => (rate === null ? [] : [rate]));
  return rates.length < edges.length ? null : Math.round(10 * rates.reduce((sum, rate) => sum + rate, 0)) / 10;
}

/** Null where one of them is not known. */
function flowOf(edges: readonly Edge[]): FlowView | null {
  const flows = edges.flatMap(({ flow }) => flow ?? []);
  const [first] = flows;
  if (!first || flows.length < edges.length) return null;
  return {
    seconds: first.seconds,
    requests: flows.reduce((sum, { requests }) => sum + requests, 0),
    errors: flows.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** Callers: an object that only one of them calls is not that caller's own. */
const CALLERS: ReadonlySet<string | undefined> = new Set(['clients', 'alias']);

/**
 * By key: objects of one type that use the same, and that the same use. What only one object uses belongs to that object, as
 * its own disk does, and its replicas: such are alike where their objects are.
 */
function groupsIn({ nodes, edges }: TopologyView): Map<string, Node[]> {
  const [from, to] = [Map.groupBy(edges, (edge) => edge.from), Map.groupBy(edges, (edge) => edge.to)];
  const typeOf = new Map(nodes.map(({ id, type }) => [id, type]));
  const isOwn = (id: string) => to.get(id)?.length === 1 && !from.has(id);
  const keyOf = ({ id, type }: Pick<Node, 'id' | 'type'>): string => {
    const uses = (from.get(id) ?? []).map((edge) =>
      [edge.relation, isOwn(edge.to) ? `own ${typeOf.get(edge.to)}` : edge.to].join(' '),
    );
    const used = (to.get(id) ?? []).map((edge) => `${edge.from} ${edge.relation}`);
    return `group/${type}/${[...new Set([...uses, ...used])].sort().join(',')}`;
  };
  return Map.groupBy(nodes, (node) => {
    const [user] = to.get(node.id) ?? [];
    if (!isOwn(node.id) || user === undefined || CALLERS.has(typeOf.get(user.from))) return keyOf(node);
    return `group/${node.type}/of ${keyOf({ id: user.from, type: typeOf.get(user.from) ?? '' })}`;
  });
}
