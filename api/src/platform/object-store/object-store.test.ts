// A store that accepts whatever is sent and says nothing, or stops sending or reading, or has lost an upload. The clock is stepped: on a
// busy machine even a sound store takes any time.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import { ANSWER_MS, BodyBroken, ObjectStore, StoreAway, UploadLost } from './object-store.ts';

const KEYS = { bucket: 'models', region: 'us-east-1', accessKey: 'a', secretKey: 's' };
/** More than any buffer between two programs takes. */
const LARGE_BYTES = 32 << 20;
let server: Server;
let clock: SteppedClock;
let store: ObjectStore;

beforeEach(async () => {
  server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  clock = new SteppedClock();
  store = new ObjectStore({ url: `http://127.0.0.1:${port}`, ...KEYS }, clock);
});
afterEach(() => {
  store.close();
  server.closeAllConnections();
  server.close();
});

test('downloads that nobody reads leave the platform its own connections', async () => {
  server.removeAllListeners('request');
  let begun = 0;
  server.on('request', (req, res) => {
    if (req.method !== 'GET') return void res.end();
    begun++;
    // More than any buffer takes, so that it ends only if it is read.
    res.writeHead(200, { 'content-length': 1e9 }).write(Buffer.alloc(1024 * 1024));
  });
  await Promise.all(Array.from({ length: 60 }, () => store.download('a')));
  expect(begun).toBe(60);
  await store.put('b', Buffer.from('b'));
});

/** How a call ends that waits for its store, and not before its limit. */
async function given(call: Promise<unknown>): Promise<unknown> {
  let end: { how: unknown } | undefined;
  const over = (how: unknown) => {
    end = { how };
  };
  void call.then(over, over);
  await eventually('it waits for the store', () => clock.waitingMs.length > 0);
  await clock.step(ANSWER_MS - 1);
  expect(end).toBeUndefined();
  return (
    await eventually('it is over', async () => {
      await clock.step(ANSWER_MS);
      return end;
    })
  ).how;
}

const piece = { number: 1, size: 1, body: Buffer.from('b') };
test.each<[string, () => Promise<unknown>]>([
  ['put', () => store.put('a', Buffer.from('b'))],
  ['begin', () => store.begin('a')],
  ['putPiece', () => store.putPiece('a', 'u', piece)],
  ['putPiece of a stream', () => store.putPiece('a', 'u', { ...piece, body: Readable.from([piece.body]) })],
  ['join', () => store.join('a', 'u', () => true)],
  ['giveUp', () => store.giveUp('a', 'u')],
  ['size', () => store.size('a')],
  ['read', () => store.read('a')],
  ['remove', () => store.remove('a')],
])('%s does not wait for it for ever', async (_, call) => {
  const refused = await given(call());
  expect(refused).toBeInstanceOf(StoreAway);
  expect((refused as StoreAway).message).toBe('the object store does not answer');
  expect(clock.waitingMs).toEqual([]);
});

/** Pieces of a body, and how many of them were taken. */
function body(most: number) {
  const taken = { pieces: 0 };
  const pieces = async function* () {
    for (; taken.pieces < most; taken.pieces++) yield Buffer.alloc(65_536);
  };
  return { taken, pieces: Readable.from(pieces(), { objectMode: false }) };
}

test('a store that stops reading in the middle of a piece is given up, and the piece can be sent again', async () => {
  let isReading = false;
  server.removeAllListeners('request');
  server.on('request', async (request, answer: ServerResponse) => {
    if (!isReading) return;
    for await (const _ of request);
    answer.writeHead(200, { etag: '"e"' }).end();
  });
  const of = { number: 1, size: LARGE_BYTES };
  const { taken, pieces } = body(LARGE_BYTES / 65_536);
  const sending = store.putPiece('a', 'u', { ...of, body: pieces });
  // It takes what its buffers hold, and nothing after that.
  let [before, same] = [0, 0];
  await eventually('it stops reading', async () => {
    await setImmediate();
    same = taken.pieces > 0 && taken.pieces === before ? same + 1 : 0;
    before = taken.pieces;
    return same > 5;
  });
  expect(taken.pieces).toBeLessThan(LARGE_BYTES / 65_536);
  expect(await given(sending)).toEqual(new StoreAway('the object store does not answer'));
  isReading = true;
  await store.putPiece('a', 'u', { ...of, body: body(LARGE_BYTES / 65_536).pieces });
});

test('whoever sends a piece slowly is waited for, and a piece whose sender fails has broken off', async () => {
  const speak = Promise.withResolvers<void>();
  const slow = async function* () {
    yield Buffer.from('b');
    await speak.promise;
    throw new Error('gone');
  };
  const sending = store
    .putPiece('a', 'u', { number: 1, size: 2, body: Readable.from(slow(), { objectMode: false }) })
    .catch((error: unknown) => error);
  await eventually(
    'it is sent',
    () => new Promise((resolve) => server.getConnections((_, count) => resolve(count > 0))),
  );
  await clock.step(10 * ANSWER_MS);
  speak.resolve();
  expect(await sending).toBeInstanceOf(BodyBroken);
});

test('an object of which no more comes is given up, and one whose reader is slow is not', async () => {
  const bytes = Buffer.alloc(LARGE_BYTES, 'x');
  let sent = 2;
  server.removeAllListeners('request');
  server.on('request', (_, answer) => {
    answer.writeHead(200, { 'content-length': bytes.length });
    answer.write(bytes.subarray(0, sent));
  });
  const silent = await store.read('a');
  const chunks = silent[Symbol.asyncIterator]();
  await chunks.next();
  expect(await given(chunks.next())).toEqual(new StoreAway('the object store stopped sending'));
  sent = bytes.length;
  let length = 0;
  for await (const chunk of await store.read('a')) {
    if (length === 0) await clock.step(4 * ANSWER_MS);
    length += chunk.length;
  }
  expect(length).toBe(bytes.length);
});

test.each([
  ['its reader leaves it', (read: Readable) => void read.destroy()],
  ['its call is called off', (_: Readable, gone: AbortController) => gone.abort()],
])('an object that the store is silent about is closed as soon as %s', async (_, leave) => {
  const closed = Promise.withResolvers<void>();
  server.removeAllListeners('request');
  server.on('request', (_, answer) => {
    answer.writeHead(200, { 'content-length': 9 });
    answer.write('a');
    answer.once('close', () => closed.resolve());
  });
  const gone = new AbortController();
  const read = await store.download('a', undefined, gone.signal);
  const ended = once(read, 'close').catch(() => undefined);
  const chunks = read[Symbol.asyncIterator]();
  await chunks.next();
  const waiting = chunks.next().catch(() => undefined);
  leave(read, gone);
  await Promise.all([ended, waiting, closed.promise]);
  expect(clock.waitingMs).toEqual([]);
});

test('an upload that the store does not know any more is lost, and not only away', async () => {
  server.removeAllListeners('request');
  server.on('request', (_, answer) => {
    answer.writeHead(404, { 'content-type': 'application/xml' });
    answer.end('<Error><Code>NoSuchUpload</Code></Error>');
  });
  await expect(store.putPiece('a', 'u', piece)).rejects.toBeInstanceOf(UploadLost);
  await expect(store.join('a', 'u', () => true)).resolves.toBeUndefined();
});
