import { expect, test } from '@jest/globals';
import { POOL_RULES, placingOf, type Taint } from './placement.ts';
import { type CardNode, suitedTo } from './suited-nodes.ts';

const STRANGE: Taint = { key: 'dedicated', effect: 'NoSchedule' };
type Named = CardNode & { name: string };
const node = (name: string, more: Partial<CardNode> = {}): Named => ({
  name,
  isReady: true,
  isCordoned: false,
  taints: [],
  host: undefined,
  organizations: new Set(),
  model: 'H100',
  gpus: 8,
  ...more,
});
const NODES = [
  node('free'),
  node('small', { gpus: 1 }),
  node('cordoned', { isCordoned: true }),
  node('tainted', { taints: [STRANGE] }),
  node('taken', { organizations: new Set(['other']) }),
  node('hosts', { host: 'uid', model: 'B200' }),
  node('other', { model: 'L40S' }),
  node('plain', { model: undefined, gpus: 0 }),
];
const H100 = (count: number) => ({ model: 'H100', count });

test.each<[string, ReturnType<typeof H100> | undefined, string | undefined, string[], string[], string[]]>([
  [
    'cards: open nodes of the model, of whichever number of cards',
    H100(8),
    undefined,
    ['H100', 'L40S'],
    ['free', 'small', 'cordoned', 'tainted', 'taken'],
    ['free', 'small'],
  ],
  ['a model that only a host has: none', { model: 'B200', count: 1 }, undefined, ['H100', 'L40S'], [], []],
  ['cards of its own host: those of that alone', { model: 'B200', count: 1 }, 'uid', ['B200'], ['hosts'], ['hosts']],
  [
    'no card: every open node',
    undefined,
    undefined,
    ['H100', 'L40S'],
    ['free', 'small', 'cordoned', 'tainted', 'taken', 'other', 'plain'],
    ['free', 'small', 'other', 'plain'],
  ],
])('what asks for %s', (_, gpu, host, models, ofModel, open) => {
  const found = suitedTo(NODES, gpu, placingOf({ gpu }, host, 'acme', POOL_RULES));
  const names = (rooms: readonly Named[]) => rooms.map(({ name }) => name);
  expect([found.models, names(found.ofModel), names(found.open)]).toEqual([models, ofModel, open]);
  expect(found.closed).toBeUndefined();
});

test('it is closed where every node with enough cards is, whatever smaller ones are', () => {
  const closed = NODES.filter(({ name }) => name === 'small' || name === 'cordoned');
  const [many, one] = [8, 1].map((count) =>
    suitedTo(closed, H100(count), placingOf({ gpu: H100(count) }, undefined, 'acme', POOL_RULES)),
  );
  expect(many?.closed?.message).toContain('they are cordoned');
  expect(one?.closed).toBeUndefined();
});

test('a node that the object itself keeps off is not open', () => {
  const placing = placingOf({ gpu: H100(8) }, undefined, 'acme', POOL_RULES);
  const [free] = NODES;
  const found = suitedTo([free as Named], H100(8), placing, ({ name }) => name === 'free');
  expect([found.models, found.open, found.closed === undefined]).toEqual([['H100'], [], false]);
});
