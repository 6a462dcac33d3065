// The stream on a wire that a test controls: its events, and what happens when it ends.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Api } from '../client/api.ts';
import { type LiveEvent, type LiveState, LiveStream, RECONNECT_MS } from './live-stream.ts';

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  tell(text: string): void;
  end(): void;
}

const encoder = new TextEncoder();
let sent: Sent[];
let answer: () => Response | Promise<Response>;
let states: LiveState[];
let events: LiveEvent[];
let token: string | undefined;
let stream: LiveStream;
const realFetch = globalThis.fetch;

beforeEach(() => {
  jest.useFakeTimers();
  sent = [];
  states = [];
  events = [];
  token = 'abc';
  answer = () => new Response(null);
  globalThis.fetch = (async (url: string, { headers, signal }: RequestInit) => {
    let wire: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        wire = controller;
      },
    });
    signal?.addEventListener('abort', () => wire?.error(signal.reason));
    sent.push({
      url,
      headers: headers as Record<string, string>,
      tell: (text) => wire?.enqueue(encoder.encode(text)),
      end: () => wire?.close(),
    });
    const { status } = await answer();
    return status === 200
      ? new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
      : Response.json({ code: 1, error: 'x', message: 'It is over.' }, { status });
  }) as typeof fetch;
});

afterEach(() => {
  stream.stop();
  globalThis.fetch = realFetch;
  jest.useRealTimers();
});

function open(lastId?: string) {
  const api = new Api({
    token: () => token,
    language: 'ja',
    failures: { network: 'no network', timed_out: 'late', bad_answer: 'bad' },
  });
  stream = new LiveStream(
    {
      api,
      token: () => token,
      noToken: 'no valid user token provided',
      onEvent: (event) => events.push(event),
      onState: (state) => states.push(state),
    },
    lastId,
  );
  stream.start();
}

/** Lets everything in flight on the wire arrive. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await jest.advanceTimersByTimeAsync(0);
}

test('it asks with the session, the language and for all kinds, and tells what comes', async () => {
  open();
  await settled();
  expect(sent[0]?.url).toBe('/api/account/v1/messages?cursor=0&watch=*');
  expect(sent[0]?.headers).toMatchObject({
    'X-Token': 'abc',
    Authorization: 'Bearer abc',
    'Accept-Language': 'ja',
    Accept: 'text/event-stream',
  });
  expect(sent[0]?.headers).not.toHaveProperty('Last-Event-ID');
  sent[0]?.tell('id:1.e.1\ndata:{"un_read":2}\n\n');
  sent[0]?.tell('id:1.e.2\nevent:resource\ndata:{"id":"a"}\n\nid:1.e.2\nevent:reset\ndata:{"kinds":[]}\n\n');
  await settled();
  expect(states.map(({ status }) => status)).toEqual(['connecting', 'connected']);
  expect(events).toEqual([
    { name: 'message', data: { un_read: 2 }, id: '1.e.1' },
    { name: 'resource', data: { id: 'a' }, id: '1.e.2' },
    { name: 'reset', data: { kinds: [] }, id: '1.e.2' },
  ]);
});

test('without a token it says so and asks nobody', async () => {
  token = undefined;
  open();
  await settled();
  expect(states).toEqual([{ status: 'failed', error: 'no valid user token provided' }]);
  expect(sent).toEqual([]);
});

test('when it ends it comes back after three seconds, at its place', async () => {
  open('0.e.5');
  await settled();
  expect(sent[0]?.headers['Last-Event-ID']).toBe('0.e.5');
  sent[0]?.tell('id:1.e.9\ndata:{}\n\n');
  await settled();
  sent[0]?.end();
  await settled();
  expect(states.at(-1)?.status).toBe('failed');
  jest.advanceTimersByTime(RECONNECT_MS - 1);
  await settled();
  expect(sent).toHaveLength(1);
  jest.advanceTimersByTime(1);
  await settled();
  expect(sent[1]?.headers['Last-Event-ID']).toBe('1.e.9');
  expect(states.at(-1)).toEqual({ status: 'connected' });
});

test('no network is told as such, and tried again', async () => {
  answer = () => Promise.reject(new TypeError('failed to fetch'));
  open();
  await settled();
  expect(states.at(-1)).toEqual({ status: 'failed', error: 'no network' });
  answer = () => new Response(null);
  jest.advanceTimersByTime(RECONNECT_MS);
  await settled();
  expect(states.at(-1)).toEqual({ status: 'connected' });
});

test('where the session is over it does not come back', async () => {
  answer = () => new Response(null, { status: 401 });
  open();
  await settled();
  expect(states.at(-1)).toEqual({ status: 'failed', error: 'It is over.' });
  jest.advanceTimersByTime(10 * RECONNECT_MS);
  await settled();
  expect(sent).toHaveLength(1);
});

test('stopped on purpose it says nothing and does not come back', async () => {
  open();
  await settled();
  stream.stop();
  await settled();
  jest.advanceTimersByTime(10 * RECONNECT_MS);
  await settled();
  expect(states.map(({ status }) => status)).toEqual(['connecting', 'connected']);
  expect(sent).toHaveLength(1);
});
