// A stream that passes on another one's bytes: in order and whole, no faster than they are read, and without closing what it reads.
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { turns } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { PassedOn, type Watch } from './passed-on.ts';

const CHUNK = 65_536;
const COUNT = 100;

/** Different chunks, and how many of them were taken. */
function source() {
  const taken = { chunks: 0 };
  const chunks = function* () {
    for (; taken.chunks < COUNT; taken.chunks++) yield Buffer.alloc(CHUNK, taken.chunks);
  };
  return { taken, body: Readable.from(chunks(), { objectMode: false }) };
}

/** What a watch is told, without what comes. */
function watched(): { told: string[]; came: number[]; watch: Watch } {
  const [told, came]: [string[], number[]] = [[], []];
  const watch: Watch = {
    wants: () => told.push('wants'),
    came: ({ length }) => came.push(length),
    full: () => told.push('full'),
    ended: (isWhole) => told.push(isWhole ? 'whole' : 'left'),
  };
  return { told, came, watch };
}

const all = Buffer.concat(Array.from({ length: COUNT }, (_, at) => Buffer.alloc(CHUNK, at)));

test('all bytes come in their order, and each is shown once', async () => {
  const { told, came, watch } = watched();
  expect((await buffer(new PassedOn(source().body, watch))).equals(all)).toBe(true);
  expect(came.reduce((sum, length) => sum + length, 0)).toBe(all.length);
  expect([told[0], told.at(-1)]).toEqual(['wants', 'whole']);
});

test('nothing is read before it is wanted, nor more than its buffer holds while nobody reads', async () => {
  const { taken, body } = source();
  const { told, watch } = watched();
  const passed = new PassedOn(body, watch);
  await turns();
  expect([taken.chunks, told]).toEqual([0, []]);
  passed.read(0);
  await turns();
  expect(taken.chunks).toBeGreaterThan(0);
  expect(taken.chunks).toBeLessThan(5);
  expect(told).toEqual(['wants', 'full']);
  expect((await buffer(passed)).equals(all)).toBe(true);
});

test('its reader leaves it, and its source stays open for another', async () => {
  const { taken, body } = source();
  const { told, watch } = watched();
  const passed = new PassedOn(body, watch);
  await once(passed, 'readable');
  passed.destroy();
  await once(passed, 'close');
  const before = taken.chunks;
  await turns();
  expect([body.destroyed, taken.chunks, told.at(-1)]).toEqual([false, before, 'left']);
  let rest = 0;
  for await (const chunk of body) rest += (chunk as Buffer).length;
  expect(rest).toBeGreaterThan(all.length - 5 * CHUNK);
});

describe('what it is piped into', () => {
  /** Keeps what is written, and says so when it may go. */
  function slow() {
    const written: { chunk: Buffer; done: (error?: Error) => void }[] = [];
    const to = new Writable({ write: (chunk, _, done) => void written.push({ chunk, done }), highWaterMark: CHUNK });
    return { written, to };
  }

  test('takes as fast as it can, and the memory of a chunk is freed once it is written', async () => {
    const { taken, body } = source();
    const { written, to } = slow();
    new PassedOn(body).pipe(to);
    await turns();
    const before = taken.chunks;
    await turns();
    expect([taken.chunks, written.length]).toEqual([before, 1]);
    expect(before).toBeLessThan(8);
    for (let at = 0; at < COUNT; at++) {
      expect([...new Set(written[at]?.chunk)]).toEqual([at]);
      written[at]?.done();
      await turns();
      expect(written[at]?.chunk.buffer.byteLength).toBe(0);
    }
    expect(to.writableFinished).toBe(true);
  });

  test('may get chunks that share their memory, which stays', async () => {
    const shared = Buffer.alloc(2 * CHUNK, 'x');
    const { written, to } = slow();
    new PassedOn(Readable.from([shared.subarray(0, CHUNK)], { objectMode: false })).pipe(to);
    await turns();
    written[0]?.done();
    await once(to, 'finish');
    expect(shared.every((byte) => byte === 'x'.charCodeAt(0))).toBe(true);
    expect(shared).toHaveLength(2 * CHUNK);
  });

  test('closes early, and the source is left open', async () => {
    const { body } = source();
    const { to } = slow();
    const { told, watch } = watched();
    const passed = new PassedOn(body, watch);
    passed.pipe(to);
    await turns();
    to.destroy();
    await turns();
    expect([passed.destroyed, body.destroyed, told.at(-1)]).toEqual([true, false, 'left']);
  });
});

describe('a source that', () => {
  const ends: [string, (body: Readable) => void, string][] = [
    ['fails', (body) => body.destroy(new Error('gone')), 'gone'],
    ['is closed in the middle', (body) => body.destroy(), 'it ended early'],
  ];
  test.each(ends)('%s makes its reader fail', async (_, end, message) => {
    const { told, watch } = watched();
    const body = new Readable({ read: () => undefined });
    body.push('a');
    const read = buffer(new PassedOn(body, watch));
    await turns();
    end(body);
    await expect(read).rejects.toThrow(message);
    expect(told).toEqual(['wants', 'left']);
  });

  test.each(ends)('%s before anybody reads it makes its reader fail', async (_, end, message) => {
    const body = new Readable({ read: () => undefined }).on('error', () => undefined);
    end(body);
    await turns();
    await expect(buffer(new PassedOn(body))).rejects.toThrow(message);
  });

  test('has ended before anybody reads it is empty', async () => {
    const body = Readable.from([]);
    body.resume();
    await once(body, 'end');
    expect(await buffer(new PassedOn(body))).toHaveLength(0);
  });
});
