import { expect, test } from '@jest/globals';
import { closedSaid } from './closed-nodes.ts';
import { closedTo, type NodeStand, POOL_RULES, placingOf, type Taint, tolerates } from './placement.ts';

const CLOUD: Taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' };
const stand = (over: Partial<NodeStand> = {}): NodeStand => ({
  isReady: true,
  isCordoned: false,
  taints: [],
  host: undefined,
  organizations: new Set(),
  ...over,
});
const card = placingOf({ gpu: { count: 1 } }, undefined, 'acme', POOL_RULES);
const plain = placingOf({}, undefined, 'acme', POOL_RULES);

test.each<[string, Parameters<typeof tolerates>[0], boolean]>([
  ['its key alone, whatever the value and the effect', { key: CLOUD.key, operator: 'Exists' }, true],
  ['every taint, where it names none', { operator: 'Exists' }, true],
  ['an equal value', { key: CLOUD.key, value: 'present' }, true],
  ['no other value', { key: CLOUD.key, value: 'absent' }, false],
  ['no other effect', { key: CLOUD.key, operator: 'Exists', effect: 'NoExecute' }, false],
  ['no other key', { key: 'other', operator: 'Exists' }, false],
])('a toleration covers %s', (_, toleration, is) => {
  expect(tolerates(toleration, CLOUD)).toBe(is);
});

test.each<[string, NodeStand, typeof card, string | undefined]>([
  ["a cloud's GPU node takes what asks for a GPU", stand({ taints: [CLOUD] }), card, undefined],
  ['and nothing else', stand({ taints: [CLOUD] }), plain, 'tainted'],
  ['a cordon closes it', stand({ isCordoned: true }), card, 'cordoned'],
  ['an organisation alone there closes it to others', stand({ organizations: new Set(['other']) }), card, 'taken'],
  ['a host has its nodes for itself', stand({ host: 'uid' }), card, 'host'],
  [
    'a simulated node takes nothing where they are no pool',
    stand({ taints: [{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }] }),
    card,
    'tainted',
  ],
])('%s', (_, node, placing, is) => {
  expect(closedTo(node, placing)).toBe(is);
});

test('the causes are told apart, and counted where they differ', () => {
  const tainted = stand({ taints: [{ key: 'dedicated', effect: 'NoSchedule' }] });
  expect(closedSaid([tainted], card)?.message).toBe('their taints do not allow it (dedicated)');
  expect(closedSaid([stand({ isCordoned: true })], card)?.message).toContain('they are cordoned');
  expect(closedSaid([tainted, stand({ isReady: false })], card)?.message).toContain(
    'not ready: 1; cordoned: 0; with a',
  );
  expect(closedSaid([tainted, stand()], card)).toBeUndefined();
});
