// When a graph is laid out: once for each structure.
import { beforeEach, expect, jest, test } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { Placed, Structure } from './layout-of.ts';

const layoutAside = jest.fn<(structure: Structure) => Promise<Placed[]>>();
jest.unstable_mockModule('./layout-aside.ts', () => ({ layoutAside }));
const { useLayout } = await import('./use-layout.ts');

beforeEach(() => {
  layoutAside.mockReset();
  layoutAside.mockImplementation(async ({ nodes }) => nodes.map((id, at) => ({ id, x: at, y: 0 })));
});
const graph = (...ids: string[]): Structure => ({ nodes: ids, edges: [['a', 'b']] });

test('the same nodes and edges lay nothing out again; a new node does, and the former places stay meanwhile', async () => {
  const { result, rerender } = renderHook((one: Structure) => useLayout(one), { initialProps: graph('a', 'b') });
  await waitFor(() => expect(result.current.places?.size).toBe(2));
  for (let again = 0; again < 3; again++) rerender(graph('a', 'b'));
  expect(layoutAside).toHaveBeenCalledTimes(1);
  rerender(graph('a', 'b', 'c'));
  expect(result.current.places?.size).toBe(2);
  await waitFor(() => expect(result.current.places?.size).toBe(3));
  expect(layoutAside).toHaveBeenCalledTimes(2);
});

test('where no worker can run the map says so', async () => {
  layoutAside.mockRejectedValue(new Error('no worker'));
  const { result } = renderHook(() => useLayout(graph('a', 'b')));
  await waitFor(() => expect(result.current.hasFailed).toBe(true));
});
