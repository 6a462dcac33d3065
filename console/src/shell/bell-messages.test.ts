import type { Message, MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import { describe, expect, test } from '@jest/globals';
import {
  joined,
  listed,
  type Messages,
  saysEnd,
  unreadOf,
  withAllRead,
  withPushed,
  withRead,
} from './bell-messages.ts';

const message = (id: string, is_read = false): Message => ({
  id,
  title: id,
  content: '',
  create_time: '2026-01-01T00:00:00Z',
  is_read,
});
const page = (data: readonly Message[], rest: Partial<MessagePage> = {}): MessagePage => ({
  data: [...data],
  un_read: data.filter(({ is_read }) => !is_read).length,
  next_cursor: 'c1',
  has_more: false,
  ...rest,
});
const messages = (...pages: MessagePage[]): Messages => ({ pages, pageParams: pages.map(() => '0') });
const ids = (of: Messages) => listed(of).map(({ id }) => id);

test('what happens to one object in turns is one line, and another between them is not', () => {
  const about = (id: string, object?: string): Message => ({
    ...message(id),
    ...(object !== undefined && { object: { kind: 'gpuhosts', id: object } }),
  });
  const lines = joined([
    about('f', 'h1'),
    about('e', 'h1'),
    about('d', 'h2'),
    about('c'),
    about('b'),
    about('a', 'h1'),
  ]);
  expect(lines.map((line) => line.map(({ id }) => id))).toEqual([['f', 'e'], ['d'], ['c'], ['b'], ['a']]);
});

test('when all are read none is counted, here and where the stream says so', () => {
  const before = messages(page([message('b')], { un_read: 2 }), page([message('a')], { un_read: 2 }));
  for (const after of [withAllRead(before), withPushed(before, page([], { un_read: 0 }))]) {
    expect(listed(after).map(({ is_read }) => is_read)).toEqual([true, true]);
    expect(unreadOf(after)).toBe(0);
  }
});

describe('messages from the stream', () => {
  const before = messages(page([message('b'), message('a')], { has_more: true, next_cursor: 'c7' }));

  test('a new message is on top and counted, and the list goes on where it did', () => {
    const after = withPushed(before, page([message('c')], { un_read: 3, has_more: true, next_cursor: 'c9' }));
    expect(ids(after)).toEqual(['c', 'b', 'a']);
    expect(unreadOf(after)).toBe(3);
    expect(after.pages[0]).toMatchObject({ has_more: true, next_cursor: 'c7' });
  });

  test('the first page told once more adds nothing, and says what was read elsewhere', () => {
    const after = withPushed(before, page([message('b', true), message('a')], { un_read: 1 }));
    expect(listed(after).map(({ id, is_read }) => [id, is_read])).toEqual([
      ['b', true],
      ['a', false],
    ]);
    expect(unreadOf(after)).toBe(1);
  });

  test('a page of nothing brings another count', () => {
    expect(unreadOf(withPushed(before, page([], { un_read: 9 })))).toBe(9);
  });
});

describe('reading', () => {
  const before = messages(
    page([message('c')], { un_read: 2 }),
    page([message('b', true), message('a')], { un_read: 2 }),
  );

  test('an unread message is marked and no longer counted, on whichever page', () => {
    const after = withRead(before, ['a']);
    expect(unreadOf(after)).toBe(1);
    expect(listed(after).find(({ id }) => id === 'a')?.is_read).toBe(true);
  });

  test('a message that was read, or is not there, changes nothing', () => {
    expect(withRead(before, ['b'])).toBe(before);
    expect(withRead(before, ['z'])).toBe(before);
  });
});

test('a message on two pages is one line', () => {
  expect(ids(messages(page([message('b'), message('a')]), page([message('a')])))).toEqual(['b', 'a']);
});

test.each([
  [9, false, false],
  [10, false, true],
  [10, true, false],
  [25, false, true],
])('of %i messages, more to come: %s, the end is said: %s', (count, hasMore, isSaid) => {
  expect(saysEnd(count, hasMore)).toBe(isSaid);
});
