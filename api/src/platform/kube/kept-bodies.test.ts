import { expect, test } from '@jest/globals';
import { KeptBodies } from './kept-bodies.ts';

function counted(most: number) {
  const kept = new KeptBodies(most);
  const made: string[] = [];
  return {
    made,
    ask: (name: string, length = 1) =>
      kept.of(name, () => {
        made.push(name);
        return Buffer.alloc(length);
      }),
  };
}

test('a body is made once', () => {
  const { ask, made } = counted(10);
  expect(ask('a')).toBe(ask('a'));
  expect(made).toEqual(['a']);
});

test('the one asked for longest ago makes room', () => {
  const { ask, made } = counted(2);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) ask(name);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a body that has no room at all is not kept, and takes nobody else’s', () => {
  const { ask, made } = counted(2);
  for (const name of ['a', 'b']) ask(name);
  expect(ask('large', 3)).toHaveLength(3);
  for (const name of ['a', 'b']) ask(name);
  ask('large', 3);
  expect(made).toEqual(['a', 'b', 'large', 'large']);
});
