// How an organisation's objects hang together, with the requests that are counted.
import { expect, test } from '@jest/globals';
import { calledIn, type Listed, type Row, topologyOf } from './topology-of.ts';

const object = (name: string, spec: object = {}): Listed =>
  ({ metadata: { name, uid: `uid-${name}` }, spec }) as Listed;
const ROWS: Row[] = [
  { type: 'instance', objects: [object('dev', { host: 'big', disks: [{ name: 'data' }, { name: 'gone' }] })] },
  { type: 'service', objects: [object('web', { publish: { port: 80 } }), object('inner')] },
  { type: 'deployment', objects: [object('llm')] },
  { type: 'host', objects: [object('big')] },
  { type: 'disk', objects: [object('data', { displayName: 'my data' })] },
];
const edges = (loads: Parameters<typeof topologyOf>[1]) =>
  topologyOf(ROWS, loads).edges.map(
    ({ from, to, relation, requests_per_second: rate }) => `${from} ${relation} ${to}: ${rate}`,
  );
const USES = ['instance/dev runsOn host/big: null', 'instance/dev mounts disk/data: null'];

test('published services and models have requests, and what is not measured has no figure', () => {
  expect(calledIn(ROWS)).toEqual(['uid-web', 'uid-llm']);
  expect(edges(new Map([['uid-web', { inFlight: 3, perSecond: 2.46 }]]))).toEqual([
    'clients calls service/web: 2.5',
    'clients calls deployment/llm: 0',
    ...USES,
  ]);
});

test('a rate that nobody knows is none, and not zero', () => {
  const unknown = ['clients calls service/web: null', 'clients calls deployment/llm: null', ...USES];
  expect(edges(undefined)).toEqual(unknown);
  expect(
    edges(
      new Map([
        ['uid-web', { inFlight: undefined, perSecond: 4 }],
        ['uid-llm', { inFlight: undefined, perSecond: 0 }],
      ]),
    ),
  ).toEqual(unknown);
});

test('whoever calls stands among the objects where something can be called', () => {
  expect(topologyOf(ROWS, undefined).nodes.map(({ id }) => id)[0]).toBe('clients');
  expect(topologyOf(ROWS.slice(3), undefined).nodes.map(({ name }) => name)).toEqual(['big', 'my data']);
});
