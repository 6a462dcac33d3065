import { expect, test } from '@jest/globals';
import { layoutOf, NODE_SIZE } from './layout-of.ts';

const node = (id: string) => ({ id, type: 'instance', name: id, phase: null });

test('what uses stands left of what is used, no two objects overlap, and those without relations stand below', () => {
  const nodes = ['a', 'b', 'c', 'alone', 'lonely'].map(node);
  const placed = layoutOf({
    nodes,
    edges: [
      { from: 'a', to: 'c', relation: 'mounts', requests_per_second: null },
      { from: 'b', to: 'c', relation: 'mounts', requests_per_second: null },
    ],
  });
  const at = new Map(placed.map((one) => [one.id, one]));
  expect(placed).toHaveLength(nodes.length);
  expect(at.get('a')?.x).toBeLessThan(at.get('c')?.x ?? 0);
  expect(at.get('alone')?.y).toBeGreaterThan(Math.max(...['a', 'b', 'c'].map((id) => at.get(id)?.y ?? 0)));
  for (const one of placed)
    for (const other of placed)
      if (one !== other)
        expect(Math.abs(one.x - other.x) >= NODE_SIZE.width || Math.abs(one.y - other.y) >= NODE_SIZE.height).toBe(
          true,
        );
});
