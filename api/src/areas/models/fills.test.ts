// Which nodes are filled, for whom, and when none is.
import { expect, test } from '@jest/globals';
import { type FillNode, type FillWish, planFills } from './fills.ts';

const node = (name: string, more: Partial<FillNode> = {}): FillNode => ({
  name,
  has: false,
  lists: 0,
  roomBytes: 100,
  ...more,
});
const wish = (key: string, more: Partial<FillWish> = {}): FillWish => ({
  key,
  organization: 'acme',
  bytes: 50,
  wanted: 2,
  filling: undefined,
  nodes: [node('a', { has: true }), node('b')],
  ...more,
});
const never = () => false;

test.each<[string, FillWish[], Record<string, string>]>([
  ['one that may have replicas on two nodes gets the second', [wish('x')], { x: 'b' }],
  ['one whose replicas are on one node at most gets none', [wish('x', { wanted: 1 })], {}],
  ['one that is stopped gets none', [wish('x', { wanted: 0, filling: 'b' })], {}],
  [
    'the node with more room comes first',
    [wish('x', { nodes: [node('a'), node('b', { roomBytes: 101 })] })],
    { x: 'b' },
  ],
  ['what would take more than half of the room is left', [wish('x', { bytes: 51 })], {}],
  ['a node without a cache is left', [wish('x', { nodes: [node('b', { roomBytes: 0 })] })], {}],
  ['a node that has many lists of the organisation is left', [wish('x', { nodes: [node('b', { lists: 8 })] })], {}],
  ['what goes on goes on, with less room too', [wish('x', { filling: 'b', bytes: 99 })], { x: 'b' }],
  ['what has arrived is over', [wish('x', { filling: 'a' })], { x: 'b' }],
  [
    'a node that replicas may go to no longer is left',
    [wish('x', { filling: 'gone', nodes: [node('c', { has: true })] })],
    {},
  ],
  [
    'an organisation has one at a time, and what goes on is it',
    [wish('x', { nodes: [node('b')] }), wish('y', { filling: 'c', nodes: [node('c')] })],
    { y: 'c' },
  ],
  [
    'a node has one at a time',
    [wish('x', { nodes: [node('b')] }), wish('y', { organization: 'foe', nodes: [node('b')] })],
    { x: 'b' },
  ],
  [
    'two at a time are all',
    ['one', 'two', 'three'].map((each) => wish(each, { organization: each, nodes: [node(each)] })),
    { one: 'one', two: 'two' },
  ],
])('%s', (_, wishes, expected) => {
  expect(Object.fromEntries(planFills(wishes, never))).toEqual(expected);
});

test('a node where it failed lately is left, whether it goes on there or not', () => {
  const isGivenUp = (key: string, name: string) => key === 'x' && name === 'b';
  expect(planFills([wish('x')], isGivenUp).size).toBe(0);
  expect(planFills([wish('x', { filling: 'b' })], isGivenUp).size).toBe(0);
  expect(planFills([wish('y')], isGivenUp).get('y')).toBe('b');
});
