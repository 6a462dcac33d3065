// Changes and what is shown of them: details, lists, answers in flight, and dependent reads.

import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type InfiniteData, InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { keyOf } from '../client/use-api.tsx';
import { LiveCache } from './live-cache.ts';

const view = (id: string, phase: string) => ({ id, phase, create_time: '2026-01-01T00:00:00Z' });
const listOf = (...items: object[]) => ({ items, page: 1, size: 10, total: items.length, totalPages: 1, extra: {} });
const event = (id: string, phase: string, version: string): ResourceEvent => ({
  kind: 'GpuInstance',
  id,
  type: 'put',
  view: view(id, phase),
  version,
});

const LIST = keyOf(CALLS.listInstances, {});
const ONE = keyOf(CALLS.getInstance, { params: { id: 'a' } });
const WALLET = keyOf(CALLS.getWalletBalances, {});

let client: QueryClient;
let cache: LiveCache;
/** Frames happen when a test says so. */
let frames: (() => void)[];
const closers: (() => void)[] = [];

const frame = () => {
  for (const flush of frames.splice(0)) flush();
};

/** A page that shows a read; `reads` counts how often it was asked for. */
function shows(queryKey: readonly unknown[], answer: () => unknown) {
  const state = { reads: 0 };
  const queryFn = async () => {
    state.reads++;
    return await answer();
  };
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY });
  closers.push(observer.subscribe(() => {}));
  return state;
}
const shown = (queryKey: readonly unknown[]) => client.getQueryData(queryKey);
const settle = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  jest.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  frames = [];
  cache = new LiveCache(client, (flush) => {
    frames.push(flush);
    return () => {};
  });
});

afterEach(() => {
  cache.stop();
  for (const close of closers.splice(0)) close();
  client.clear();
  jest.useRealTimers();
});

describe('a change', () => {
  test('shows in the detail and in the list, with the next frame and without a read', async () => {
    const list = shows(LIST, () => listOf(view('a', 'running'), view('b', 'running')));
    const one = shows(ONE, () => view('a', 'running'));
    await settle();
    cache.take(event('a', 'stopping', '5'));
    expect(shown(ONE)).toMatchObject({ phase: 'running' });
    frame();
    expect(shown(ONE)).toMatchObject({ phase: 'stopping' });
    expect(shown(LIST)).toMatchObject({ items: [{ phase: 'stopping' }, { id: 'b', phase: 'running' }] });
    await jest.advanceTimersByTimeAsync(60_000);
    expect([list.reads, one.reads]).toEqual([1, 1]);
  });

  test('a hundred in one frame are written once, the newest of each', async () => {
    shows(LIST, () => listOf(view('a', 'running')));
    await settle();
    let writes = 0;
    closers.push(client.getQueryCache().subscribe(({ type }) => void (type === 'updated' && writes++)));
    for (let version = 1; version <= 100; version++) cache.take(event('a', `phase ${version}`, `${version}`));
    frame();
    expect(shown(LIST)).toMatchObject({ items: [{ phase: 'phase 100' }] });
    expect(writes).toBe(1);
  });

  test('rows that did not change stay the same objects, and one change does not make an old answer fresh', async () => {
    shows(LIST, () => listOf(view('a', 'running'), view('b', 'running')));
    await settle();
    client.getQueryCache().find({ queryKey: LIST })?.invalidate();
    const readAt = client.getQueryState(LIST)?.dataUpdatedAt;
    const before = shown(LIST) as { items: object[] };
    await jest.advanceTimersByTimeAsync(5);
    cache.take(event('a', 'stopped', '5'));
    frame();
    expect((shown(LIST) as { items: object[] }).items[1]).toBe(before.items[1]);
    expect(client.getQueryState(LIST)).toMatchObject({ dataUpdatedAt: readAt, isInvalidated: true });
  });

  test('an older one that comes later is passed over; of two alike the later counts', async () => {
    shows(ONE, () => view('a', 'running'));
    await settle();
    cache.take(event('a', 'stopped', '10'));
    cache.take(event('a', 'stopping', '9'));
    frame();
    expect(shown(ONE)).toMatchObject({ phase: 'stopped' });
    cache.take(event('a', 'told again', '10'));
    frame();
    expect(shown(ONE)).toMatchObject({ phase: 'told again' });
  });

  test('lists of another organisation are not touched', async () => {
    const other = keyOf(CALLS.getInstance, { params: { id: 'b' } });
    shows(other, () => view('b', 'running'));
    await settle();
    cache.take(event('a', 'stopped', '5'));
    frame();
    expect(shown(other)).toMatchObject({ id: 'b', phase: 'running' });
  });

  test('a deleted object leaves the list, and its page asks the server once more', async () => {
    shows(LIST, () => listOf(view('a', 'running'), view('b', 'running')));
    const one = shows(ONE, () => view('a', 'running'));
    await settle();
    cache.take({ kind: 'GpuInstance', id: 'a', type: 'delete', version: '6' });
    frame();
    expect(shown(LIST)).toMatchObject({ items: [{ id: 'b' }], total: 1 });
    await settle();
    expect(one.reads).toBe(2);
  });

  test('an answer that was under way does not undo it', async () => {
    let answer: (value: unknown) => void = () => {};
    shows(ONE, () => new Promise((resolve) => (answer = resolve)));
    await settle();
    cache.take(event('a', 'running', '7'));
    frame();
    answer(view('a', 'starting'));
    await settle();
    frame();
    expect(shown(ONE)).toMatchObject({ phase: 'running' });
  });

  test('an answer that began later is believed', async () => {
    let phase = 'running';
    shows(ONE, () => view('a', phase));
    await settle();
    cache.take(event('a', 'stopping', '7'));
    frame();
    phase = 'stopped';
    await jest.advanceTimersByTimeAsync(1);
    await client.refetchQueries({ queryKey: ONE });
    frame();
    expect(shown(ONE)).toMatchObject({ phase: 'stopped' });
  });

  test('data that nobody looks at is read when somebody does', async () => {
    client.setQueryData(LIST, listOf(view('a', 'running')));
    cache.take(event('a', 'stopped', '5'));
    frame();
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(true);
  });
});

describe('the next page of a list', () => {
  const PAGES = [...keyOf(CALLS.listInstances, {}), { pagesOf: 1 }];
  const page = (number: number, ...items: object[]) => ({ ...listOf(...items), page: number, total: 2, totalPages: 2 });
  const phases = () =>
    (shown(PAGES) as InfiniteData<{ items: Row[] }>).pages.flatMap(({ items }) => items.map(({ phase }) => phase));
  type Row = ReturnType<typeof view>;

  /** A list of a page that waits to be asked for the next one. */
  async function grows() {
    let answer: (page: unknown) => void = () => {};
    const observer = new InfiniteQueryObserver(client, {
      queryKey: PAGES,
      // A query that takes the signal is cancelled when it is no longer on screen.
      queryFn: ({ signal: _ }) => new Promise<unknown>((resolve) => (answer = resolve)),
      initialPageParam: 1,
      getNextPageParam: () => 2,
      staleTime: 30_000,
    });
    const look = () => {
      const leave = observer.subscribe(() => {});
      closers.push(leave);
      return leave;
    };
    const leave = look();
    await settle();
    answer(page(1, view('a', 'running')));
    await settle();
    return { more: () => void observer.fetchNextPage(), answer: (page: unknown) => answer(page), look, leave };
  }

  test('keeps what was told before it was asked for and is written later', async () => {
    const list = await grows();
    cache.take(event('a', 'stopped', '5'));
    await jest.advanceTimersByTimeAsync(1);
    list.more();
    frame();
    list.answer(page(2, view('b', 'running')));
    await settle();
    expect(phases()).toEqual(['stopped', 'running']);
  });

  test('called off when the list is left, lets it be read when somebody looks again', async () => {
    const list = await grows();
    list.more();
    await settle();
    cache.take(event('a', 'stopped', '5'));
    frame();
    list.leave();
    expect(phases()).toEqual(['running']);
    list.look();
    await settle();
    list.answer(page(1, view('a', 'stopped')));
    await settle();
    expect(phases()).toEqual(['stopped']);
  });
});

describe('reading again', () => {
  const FILTERED = keyOf(CALLS.listInstances, { query: { status: 'running' } });

  test('a filtered list is read once a second however much happens', async () => {
    const list = shows(FILTERED, () => listOf(view('a', 'running')));
    await settle();
    for (let tenth = 1; tenth <= 25; tenth++) {
      cache.take(event('a', 'running', `${tenth}`));
      frame();
      await jest.advanceTimersByTimeAsync(100);
    }
    // At once, after one second, and after two.
    expect(list.reads).toBe(1 + 3);
  });

  test('money and stock follow every five seconds at most', async () => {
    const wallet = shows(WALLET, () => ({}));
    await settle();
    for (let second = 1; second <= 11; second++) {
      cache.take(event('a', 'running', `${second}`));
      frame();
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(wallet.reads).toBe(1 + 3);
  });

  test('after a gap the lists of the kinds it was in are read again', async () => {
    const list = shows(LIST, () => listOf());
    const hosts = shows(keyOf(CALLS.listHosts, {}), () => listOf());
    await settle();
    cache.reset(['gpuinstances', 'messages']);
    await settle();
    expect([list.reads, hosts.reads]).toEqual([2, 1]);
    cache.reset();
    await jest.advanceTimersByTimeAsync(1000);
    expect([list.reads, hosts.reads]).toEqual([3, 2]);
  });
});
