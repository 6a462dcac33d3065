// When a topology is laid out: once for each structure.
import { beforeEach, expect, jest, test } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { Placed, Structure } from './layout-of.ts';
import type { Drawn } from './topology-groups.ts';

const layoutAside = jest.fn<(structure: Structure) => Promise<Placed[]>>();
jest.unstable_mockModule('./layout-aside.ts', () => ({ layoutAside }));
const { useLayout } = await import('./use-layout.ts');

beforeEach(() => {
  layoutAside.mockReset();
  layoutAside.mockImplementation(async ({ nodes }) => nodes.map((id, at) => ({ id, x: at, y: 0 })));
});
const drawn = (rate: number, name: string, ...ids: string[]): Drawn => ({
  nodes: ids.map((id) => ({ id, type: 'service', name, phase: name, count: 1 })),
  edges: [{ from: 'a', to: 'b', relation: 'calls', requests_per_second: rate }],
});

test('new rates, names and states lay nothing out again; a new object does, and the former places stay meanwhile', async () => {
  const { result, rerender } = renderHook((one: Drawn) => useLayout(one), { initialProps: drawn(1, 'one', 'a', 'b') });
  await waitFor(() => expect(result.current.places?.size).toBe(2));
  for (const rate of [2, 3, 4]) rerender(drawn(rate, `name ${rate}`, 'a', 'b'));
  expect(layoutAside).toHaveBeenCalledTimes(1);
  rerender(drawn(4, 'four', 'a', 'b', 'c'));
  expect(result.current.places?.size).toBe(2);
  await waitFor(() => expect(result.current.places?.size).toBe(3));
  expect(layoutAside).toHaveBeenCalledTimes(2);
});

test('where no worker can run the map says so', async () => {
  layoutAside.mockRejectedValue(new Error('no worker'));
  const { result } = renderHook(() => useLayout(drawn(1, 'one', 'a', 'b')));
  await waitFor(() => expect(result.current.hasFailed).toBe(true));
});
