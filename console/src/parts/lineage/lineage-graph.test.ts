// What is known of a lineage from several answers: each node once, what can be opened at it, and how it is related to the page's thing.
import {
  type LineageNodeView,
  type LineageView,
  MOST_COUNTED,
  MOST_NODES,
} from '@gantry/contract/areas/lineage/lineage.ts';
import { expect, test } from '@jest/globals';
import { type Answered, graphOf, hiddenOf, relatedIn, type Way } from './lineage-graph.ts';

const time = '2026-11-29T00:00:00Z';
const node = (key: string, level: number, more: Partial<LineageNodeView> = {}): LineageNodeView => ({
  ...{ key, level, kind: 'model', name: key, digest: null, is_own: true, id: key, version: null },
  ...{ create_time: time, gone_time: null, sources: 0, uses: 0, ...more },
});
/** Edges as `from>to`. */
const answered = (nodes: readonly LineageNodeView[], edges: string, ways: readonly Way[], more = false): Answered => {
  const place = (key = '') => nodes.findIndex((one) => one.key === key);
  const view: LineageView = {
    ...{ nodes: [...nodes], more },
    edges: edges
      .split(' ')
      .filter(Boolean)
      .map((edge) => edge.split('>'))
      .map(([from, to]) => ({ from: place(from), to: place(to), time })),
  };
  return { view, ways };
};
const own = new Set(['own']);
const first = answered(
  [
    node('own', 0, { sources: 1, uses: 2 }),
    node('run', -1, { sources: 2, uses: 3 }),
    node('use', 1, { sources: 1 }),
    node('use2', 1),
  ],
  'run>own own>use own>use2',
  ['up', 'down'],
);
const keysOf = (graph: ReturnType<typeof graphOf>) =>
  Object.fromEntries(
    Object.entries(relatedIn(graph, own)).map(([name, rows]) => [
      name,
      rows.map(({ node: { key }, distance }) => `${key} ${distance}`),
    ]),
  );

test('one level each way is there first, and each node says how much more there is', () => {
  const graph = graphOf([first]);
  const hidden = (key: string) =>
    (['up', 'down'] as const).map((way) => hiddenOf(graph, graph.nodes.get(key) as LineageNodeView, way));
  expect(keysOf(graph)).toEqual({ from: ['run 1'], became: ['use 1', 'use2 1'], beside: [] });
  expect({ own: hidden('own'), run: hidden('run'), use: hidden('use') }).toEqual({
    own: [0, 0],
    run: [2, 2],
    use: [0, 0],
  });
});

test('what is opened at a node joins what is there; then nothing more can be opened at it in that way', () => {
  const upwards = answered([node('run', 0), node('base', -1), node('data', -1, { uses: 1 })], 'base>run data>run', [
    'up',
  ]);
  const graph = graphOf([first, upwards]);
  const run = graph.nodes.get('run') as LineageNodeView;
  expect(keysOf(graph)).toEqual({ from: ['run 1', 'base 2', 'data 2'], became: ['use 1', 'use2 1'], beside: [] });
  expect([hiddenOf(graph, run, 'up'), hiddenOf(graph, run, 'down')]).toEqual([0, 2]);
  // The page's own answer is the newest.
  expect(run).toMatchObject({ level: -1, sources: 2 });
  // What else the run has made came from the same, and is neither a source nor a use.
  const downwards = answered([node('run', 0), node('own', 1), node('other', 1)], 'run>own run>other', ['down']);
  expect(keysOf(graphOf([first, upwards, downwards])).beside).toEqual(['other 2']);
});

test('of as many as are counted, some more may be hidden until all are here; of others’ things none can be asked for', () => {
  const many = node('own', 0);
  const hub = node('hub', -1, { uses: MOST_COUNTED });
  const shelf = node('shelf', -1, { uses: 7, is_own: false, id: null });
  const graph = graphOf([answered([many, hub, shelf], 'hub>own shelf>own', ['up', 'down'])]);
  expect([hiddenOf(graph, hub, 'down'), hiddenOf(graph, shelf, 'down')]).toEqual([MOST_COUNTED, 0]);
});

test('circles end, and each node is listed once', () => {
  const graph = graphOf([answered([node('own', 0), node('a', -1), node('b', 1)], 'a>own own>b b>a', ['up', 'down'])]);
  expect(keysOf(graph)).toEqual({ from: ['a 1', 'b 2'], became: [], beside: [] });
});

test('of one distance what is there comes first, the newest before the older, and what is gone last', () => {
  const uses = [
    node('gone', 1, { gone_time: time, create_time: '2026-11-30T00:00:00Z' }),
    node('old', 1),
    node('new', 1, { create_time: '2026-11-30T00:00:00Z' }),
  ];
  const graph = graphOf([answered([node('own', 0), ...uses], 'own>gone own>old own>new', ['up', 'down'])]);
  expect(keysOf(graph).became).toEqual(['new 1', 'old 1', 'gone 1']);
});

test('no more nodes are taken than an answer has at most, and then nothing can be opened', () => {
  const all = Array.from({ length: MOST_NODES - 1 }, (_, at) => node(`n${at}`, 1, { uses: 1 }));
  const graph = graphOf([
    answered([node('own', 0), ...all], 'own>n0', ['up', 'down']),
    answered([node('n0', 0), node('late', 1)], 'n0>late', ['down']),
  ]);
  expect([graph.nodes.size, graph.nodes.has('late'), graph.isCut, graph.isFull]).toEqual([
    MOST_NODES,
    false,
    true,
    true,
  ]);
  expect(graph.edges).toEqual([{ from: 'own', to: 'n0' }]);
  expect(hiddenOf(graph, all[1] as LineageNodeView, 'down')).toBe(0);
  expect(graphOf([answered([node('own', 0)], '', ['up', 'down'], true)]).isCut).toBe(true);
});
