import { expect, test } from '@jest/globals';
import { layoutOf, NODE_SIZE, type Placed, type Structure } from './layout-of.ts';
import { drawnOf, isGroup } from './topology-groups.ts';

/** A pair of objects of which each covers a part of the other; found by columns, so that thousands are soon looked through. */
function overlapIn(placed: readonly Placed[]): [Placed, Placed] | undefined {
  const sorted = [...placed].sort((one, other) => one.x - other.x || one.y - other.y);
  for (const [at, one] of sorted.entries())
    for (let next = at + 1; next < sorted.length; next++) {
      const other = sorted[next] as Placed;
      if (other.x - one.x >= NODE_SIZE.width) break;
      if (Math.abs(other.y - one.y) < NODE_SIZE.height) return [one, other];
    }
  return undefined;
}

test('what uses stands left of what is used, no two objects overlap, and those without relations stand below', () => {
  const nodes = ['a', 'b', 'c', 'alone', 'lonely'];
  const edges = [['a', 'c'] as const, ['b', 'c'] as const];
  const placed = layoutOf({ nodes, edges });
  const at = new Map(placed.map((one) => [one.id, one]));
  expect(placed).toHaveLength(nodes.length);
  expect(at.get('a')?.x).toBeLessThan(at.get('c')?.x ?? 0);
  expect(at.get('alone')?.y).toBeGreaterThan(Math.max(...['a', 'b', 'c'].map((id) => at.get(id)?.y ?? 0)));
  expect(overlapIn(placed)).toBeUndefined();
});

const count = (length: number) => Array.from({ length }, (_, at) => at);

test('3,000 objects in 500 parts that one caller reaches do not overlap', () => {
  const parts = count(500).map((part) => count(6).map((at) => `${part}/${at}`));
  const structure: Structure = {
    nodes: ['clients', ...parts.flat()],
    edges: parts.flatMap(([first = '', ...others]) => [
      ['clients', first] as const,
      ...others.map((other) => [first, other] as const),
    ]),
  };
  const placed = layoutOf(structure);
  expect(new Set(placed.map(({ id }) => id))).toEqual(new Set(structure.nodes));
  expect(overlapIn(placed)).toBeUndefined();
});

const edge = { relation: 'runsOn' as const, requests_per_second: null };
const node = (type: string, id: string) => ({ id: `${type}/${id}`, type, name: id, phase: null });
/** Instances with a disk of their own, on ten hosts; services that are called; jobs that use nothing. */
const busy = {
  nodes: [
    node('clients', 'x'),
    ...count(10).map((at) => node('host', `${at}`)),
    ...count(1000).flatMap((at) => [node('instance', `${at}`), node('disk', `${at}`)]),
    ...count(40).map((at) => node('service', `${at}`)),
    ...count(950).map((at) => node('job', `${at}`)),
  ],
  edges: [
    ...count(1000).flatMap((at) => [
      { ...edge, from: `instance/${at}`, to: `host/${at % 10}` },
      { ...edge, from: `instance/${at}`, to: `disk/${at}`, relation: 'mounts' as const },
    ]),
    ...count(40).map((at) => ({
      from: 'clients/x',
      to: `service/${at}`,
      relation: 'calls' as const,
      requests_per_second: 0.5,
    })),
  ],
};

test('thousands of objects are drawn as groups of those that hang together alike', () => {
  const { nodes, edges } = drawnOf(busy, new Set());
  expect(nodes.reduce((sum, one) => sum + one.count, 0)).toBe(busy.nodes.length);
  const counts = (type: string) => nodes.filter((one) => one.type === type).map((one) => one.count);
  expect(counts('host')).toEqual(count(10).map(() => 1));
  expect(counts('instance')).toEqual(count(10).map(() => 100));
  expect(counts('disk')).toEqual(count(10).map(() => 100));
  expect([counts('service'), counts('job')]).toEqual([[40], [950]]);
  expect(edges).toHaveLength(10 + 10 + 1);
  expect(edges.find(({ relation }) => relation === 'calls')?.requests_per_second).toBe(20);
  const known = new Set(nodes.map(({ id }) => id));
  expect(edges.filter(({ from, to }) => !known.has(from) || !known.has(to))).toEqual([]);
});

test('replicas of services that are alike are one group, which says what reaches all of them', () => {
  const ids = count(200).map((at) => `${at}`);
  const calls = (from: string, to: string, requests: number | undefined) => ({
    ...{ from, to, relation: 'calls' as const, requests_per_second: null },
    flow: requests === undefined ? null : { seconds: 240, requests, errors: 1 },
  });
  const web = (unknown?: string) => ({
    nodes: [node('clients', 'x'), ...ids.flatMap((id) => [node('service', id), node('replica', id)])],
    edges: ids.flatMap((id) => [
      calls('clients/x', `service/${id}`, 2),
      calls(`service/${id}`, `replica/${id}`, id === unknown ? undefined : 2),
    ]),
  });
  const { nodes, edges } = drawnOf(web(), new Set());
  expect(nodes.map(({ type, count: many }) => `${type} ${many}`)).toEqual(['clients 1', 'service 200', 'replica 200']);
  const all = { seconds: 240, requests: 400, errors: 200 };
  expect(edges.map(({ flow }) => flow)).toEqual([all, all]);
  expect(drawnOf(web('7'), new Set()).edges.map(({ flow }) => flow)).toEqual([all, null]);
});

test('an opened group shows its objects, and few objects are never grouped', () => {
  const group = drawnOf(busy, new Set()).nodes.find(({ type }) => type === 'instance')?.id ?? '';
  expect(isGroup(group)).toBe(true);
  const { nodes } = drawnOf(busy, new Set([group]));
  expect(nodes.filter(({ type, count: many }) => type === 'instance' && many === 1)).toHaveLength(100);
  const few = { nodes: busy.nodes.slice(-100), edges: [] };
  expect(drawnOf(few, new Set()).nodes).toEqual(few.nodes.map((one) => ({ ...one, count: 1 })));
});
