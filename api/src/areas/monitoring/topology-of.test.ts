// How an organisation's objects hang together, with the requests that are counted.
import { expect, test } from '@jest/globals';
import { calledIn, type Flows, type Listed, type Row, topologyOf } from './topology-of.ts';

const object = (name: string, spec: object = {}): Listed =>
  ({ metadata: { name, uid: `uid-${name}` }, spec }) as Listed;
const ROWS: Row[] = [
  { type: 'instance', objects: [object('dev', { host: 'big', disks: [{ name: 'data' }, { name: 'gone' }] })] },
  { type: 'service', objects: [object('web', { publish: { port: 80 } }), object('inner')] },
  { type: 'deployment', objects: [object('llm')] },
  { type: 'host', objects: [object('big')] },
  { type: 'disk', objects: [object('data', { displayName: 'my data' })] },
];
const flow = (replica: string, requests: number, { via = '', errors = 0 } = {}) => ({ replica, via, requests, errors });
const load = (over: { inFlight?: number | undefined; perSecond?: number; flows?: ReturnType<typeof flow>[] } = {}) => ({
  ...{ inFlight: 0, perSecond: 0, flows: [], ...over },
});
const counted = (of: [uid: string, load: ReturnType<typeof load>][]) => ({ seconds: 240, of: new Map(of) });
const edges = (flows: Partial<Flows> = {}, rows = ROWS) =>
  topologyOf(rows, { counted: undefined, aliases: [], ...flows }).edges.map(
    ({ from, to, relation, requests_per_second: rate, flow: passed }) =>
      `${from} ${relation} ${to}: ${rate}${passed ? `, ${passed.requests} (${passed.errors})` : ''}`,
  );
const USES = ['instance/dev runsOn host/big: null', 'instance/dev mounts disk/data: null'];

test('published services and models have requests, and what is not measured has no value', () => {
  expect(calledIn(ROWS)).toEqual(['uid-web', 'uid-llm']);
  expect(edges({ counted: counted([['uid-web', load({ inFlight: 3, perSecond: 2.46 })]]) })).toEqual([
    'clients calls service/web: 2.5, 0 (0)',
    'clients calls deployment/llm: 0, 0 (0)',
    ...USES,
  ]);
});

test('a rate that nobody knows is none, and not zero', () => {
  expect(edges()).toEqual(['clients calls service/web: null', 'clients calls deployment/llm: null', ...USES]);
  const unheard = counted([
    ['uid-web', load({ inFlight: undefined, perSecond: 4 })],
    ['uid-llm', load({ inFlight: undefined })],
  ]);
  expect(edges({ counted: unheard }).slice(0, 2)).toEqual([
    'clients calls service/web: null, 0 (0)',
    'clients calls deployment/llm: null, 0 (0)',
  ]);
});

test('requests go by an alias to a model, and on to the replicas that answer', () => {
  const pods = [
    { name: 'llm-0', phase: 'ready' },
    { name: 'llm-0-1', phase: 'ready', part: 1 },
    { name: 'llm-1', phase: 'preparing' },
  ];
  const one = { ...object('llm'), status: { phase: 'running', pods } } as Listed;
  const rows: Row[] = [{ type: 'deployment', objects: [one, object('other')] }];
  const aliases = [
    { name: 'chat', targets: [{ deployment: 'llm' }, { deployment: 'llm' }, { deployment: 'gone' }] },
    { name: 'idle', targets: [{ deployment: 'llm' }, { deployment: 'other' }] },
    { name: 'lost', targets: [{ deployment: 'gone' }] },
  ];
  const flows = [
    flow('llm-0', 10, { errors: 1 }),
    flow('llm-0', 5, { via: 'chat' }),
    flow('', 2, { via: 'chat', errors: 2 }),
    // By an alias that is gone, and to a replica that is.
    flow('llm-7', 3, { via: 'removed' }),
  ];
  const all = counted([['uid-llm', load({ perSecond: 1, flows })]]);
  expect(edges({ counted: all, aliases }, rows)).toEqual([
    'clients calls alias/chat: null, 7 (2)',
    'clients calls alias/idle: null, 0 (0)',
    'clients calls deployment/llm: 1, 13 (1)',
    'alias/chat calls deployment/llm: null, 7 (2)',
    'alias/idle calls deployment/llm: null, 0 (0)',
    'deployment/llm calls replica/deployment/llm/llm-0: null, 15 (1)',
    'deployment/llm calls replica/deployment/llm/llm-1: null, 0 (0)',
    'clients calls deployment/other: 0, 0 (0)',
    'alias/idle calls deployment/other: null, 0 (0)',
  ]);
  expect(edges({ aliases }, rows)[0]).toBe('clients calls alias/chat: null');
  const { nodes } = topologyOf(rows, { counted: all, aliases });
  expect(nodes.map(({ id }) => id)).toEqual([
    ...['clients', 'deployment/llm', 'deployment/other', 'alias/chat', 'alias/idle'],
    ...['replica/deployment/llm/llm-0', 'replica/deployment/llm/llm-1'],
  ]);
});

test('whoever calls stands among the objects where something can be called', () => {
  const flows = { counted: undefined, aliases: [] };
  expect(topologyOf(ROWS, flows).nodes.map(({ id }) => id)[0]).toBe('clients');
  expect(topologyOf(ROWS.slice(3), flows).nodes.map(({ name }) => name)).toEqual(['big', 'my data']);
});
