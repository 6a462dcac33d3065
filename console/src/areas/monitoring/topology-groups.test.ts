// Objects that are alike are drawn as one.
import { expect, test } from '@jest/globals';
import { drawnOf, isGroup } from './topology-groups.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);

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
