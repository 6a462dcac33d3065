// Where nodes stand.
import { expect, test } from '@jest/globals';
import { layoutOf, NODE_SIZE, type Placed, type Structure } from './layout-of.ts';

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
    mostLines: 30,
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

test('where lines cross many layers, those from one layer to the next decide: each node stands right of its sources', () => {
  const chain = count(60).map((at) => `n${at}`);
  const edges = chain.flatMap((to, at) =>
    chain.slice(Math.max(0, at - 40), at).map((from): [string, string] => [from, to]),
  );
  const placed = new Map(layoutOf({ nodes: chain, edges }).map((one) => [one.id, one]));
  const columns = chain.map((id) => placed.get(id)?.x ?? Number.NaN);
  expect(columns).toEqual(columns.toSorted((one, other) => one - other));
  expect(new Set(columns).size).toBe(chain.length);
});

test('a circle with many crossings ends', () => {
  const nodes = count(50).map((at) => `n${at}`);
  const edges = nodes.flatMap((from, at) =>
    [1, 20, 33].map((step): [string, string] => [from, nodes[(at + step) % 50] ?? '']),
  );
  const all = [...edges, ...count(100).map((at): [string, string] => ['n0', `leaf${at}`])];
  expect(layoutOf({ nodes: [...nodes, ...count(100).map((at) => `leaf${at}`)], edges: all })).toHaveLength(150);
});

test('what was made of one node stands right of it, however much that is', () => {
  const leaves = count(300).map((at) => `leaf${at}`);
  const placed = layoutOf({ nodes: ['root', ...leaves], edges: leaves.map((leaf) => ['root', leaf] as const) });
  const root = placed.find(({ id }) => id === 'root');
  expect(placed.filter(({ x }) => x > (root?.x ?? 0))).toHaveLength(leaves.length);
  expect(overlapIn(placed)).toBeUndefined();
});
