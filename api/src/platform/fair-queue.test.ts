import { expect, test } from '@jest/globals';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** Work that ends when it is told to. */
function held(queue: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const put = (key: string, lane: string, name = key) =>
    queue.put({
      key,
      lane,
      run: () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(key, resolve));
      },
    });
  const end = async (key: string) => {
    ends.get(key)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, put, end };
}

test('one that puts much has its share, and delays nobody else', async () => {
  const { begun, put, end } = held(new FairQueue({ atOnce: 3, ofOneLane: 2 }));
  for (const key of ['a1', 'a2', 'a3', 'a4']) void put(key, 'a');
  void put('b1', 'b');
  void put('b2', 'b');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  await end('a2');
  await end('b1');
  expect(begun.slice(3).sort()).toEqual(['a3', 'a4', 'b2']);
});

test('everything has its turn, however much a lane puts', async () => {
  const { begun, put, end } = held(new FairQueue({ atOnce: 1, ofOneLane: 1 }));
  for (const key of ['a1', 'a2', 'a3']) void put(key, 'a');
  for (const key of ['b1', 'b2', 'b3']) void put(key, 'b');
  for (let at = 0; at < 6; at++) await end(begun[at] as string);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'b3']);
});

test('of one key the newest waits, never runs twice at a time, and the one whose place it takes is done', async () => {
  const { begun, put, end } = held(new FairQueue({ atOnce: 4, ofOneLane: 4 }));
  void put('a', 'x', 'first');
  const second = put('a', 'x', 'second');
  void put('a', 'x', 'third');
  await second;
  expect(begun).toEqual(['first']);
  await end('a');
  expect(begun).toEqual(['first', 'third']);
});

test('what fails tells whoever put it, and makes room', async () => {
  const queue = new FairQueue({ atOnce: 1, ofOneLane: 1 });
  const failed = queue.put({ key: 'a', lane: 'x', run: () => Promise.reject(new Error('broken')) });
  const next = queue.put({ key: 'b', lane: 'x', run: async () => undefined });
  await expect(failed).rejects.toThrow('broken');
  await next;
});

test('a lane that is full refuses more, others do not, and what ends makes room', async () => {
  const { put, end } = held(new FairQueue({ atOnce: 2, ofOneLane: 1, mostOfLane: 2, most: 4 }));
  void put('a1', 'a');
  void put('a2', 'a');
  await expect(put('a3', 'a')).rejects.toBeInstanceOf(QueueFull);
  void put('b1', 'b');
  void put('c1', 'c');
  await expect(put('d1', 'd')).rejects.toBeInstanceOf(QueueFull);
  await end('a1');
  void put('a4', 'a');
  await expect(put('a5', 'a')).rejects.toBeInstanceOf(QueueFull);
});

test('who goes leaves the line, and its place is free', async () => {
  const queue = new FairQueue({ atOnce: 1, ofOneLane: 1, mostOfLane: 2, most: 4 });
  const { begun, put, end } = held(queue);
  void put('a1', 'a');
  const gone = new AbortController();
  const left = queue.put({ key: 'a2', lane: 'a', signal: gone.signal, run: async () => void begun.push('a2') });
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  void put('a3', 'a');
  await end('a1');
  expect(begun).toEqual(['a1', 'a3']);
  await expect(
    queue.put({ key: 'a4', lane: 'a', signal: gone.signal, run: async () => void begun.push('a4') }),
  ).rejects.toThrow('gone');
});
