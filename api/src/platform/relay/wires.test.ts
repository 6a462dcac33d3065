// A replica's answer is read as Node's client reads it, however its bytes are cut, or it is refused.
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '@gantry/kube/clock.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import type { AnswerHead } from './answer-frame.ts';
import { type Wire, Wires } from './wires.ts';

/** The outcome of an answer: its parts, or that it was refused or cut off. */
type Read = { status: number; headers: readonly string[]; body: string } | 'refused' | 'cut';

/** The replica's side of a connection. */
const wireOf = () => {
  const wire = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  wire.on('error', () => {});
  return wire;
};

/** Byte streams arrive in turns of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function say(wire: Duplex, parts: readonly Buffer[], isEnding: boolean): Promise<void> {
  for (const part of parts) {
    if (wire.destroyed) return;
    wire.push(part);
    await turn();
  }
  if (isEnding && !wire.destroyed) wire.push(null);
}

async function byUs(parts: readonly Buffer[], method: string, isEnding: boolean) {
  const wire = wireOf();
  const wires = new Wires({ host: '', port: 0 }, systemClock, (done) => done(null, wire));
  const { promise, resolve } = Promise.withResolvers<Read>();
  let head: AnswerHead | undefined;
  let body = '';
  wires.ask(
    {
      sent: () => {},
      head: (came, whole) => {
        head = came;
        body += whole ?? '';
      },
      content: (part) => {
        body += part.toString('latin1');
        return true;
      },
      end: () => resolve(head ? { status: head.status, headers: head.headers, body } : 'refused'),
      failed: () => resolve(head ? 'cut' : 'refused'),
    },
    'GET / HTTP/1.1\r\n\r\n',
    { isToHead: method === 'HEAD' },
  );
  await say(wire, parts, isEnding);
  if (!isEnding) setImmediate(() => setImmediate(() => wire.destroy()));
  const read = await promise;
  const isKept = !wire.destroyed;
  wires.destroy();
  return { read, isKept };
}

async function byNode(parts: readonly Buffer[], method: string, isEnding: boolean): Promise<Read> {
  const wire = wireOf();
  const { promise, resolve } = Promise.withResolvers<Read>();
  const asked = request({
    method,
    createConnection: () => wire as never,
    headers: { host: 'h' },
    maxHeaderSize: 65_536,
  });
  asked.on('error', () => resolve('refused'));
  asked.on('upgrade', () => resolve('refused'));
  asked.on('response', (answer: IncomingMessage) => {
    buffer(answer).then(
      (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: body.toString('latin1') }),
      () => resolve('cut'),
    );
  });
  asked.end();
  await turn();
  await say(wire, parts, isEnding);
  if (!isEnding) setImmediate(() => setImmediate(() => wire.destroy()));
  return promise;
}

const wholeOf = (read: Read): Read => (read === 'cut' ? 'refused' : read);

const framing = fc.constantFrom(
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 05',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'content-length:5',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'transfer-encoding: Chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Connection: close',
  'Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'X-A: b',
  'X-B:  c \t',
  'X-C:',
  ' folded: 1',
  'none',
);
const head = fc
  .tuple(
    fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200',
      'HTTP/1.0 200 OK',
      'HTTP/1.1 204 No',
      'HTTP/1.1 304 No',
      'HTTP/1.1 100 Continue',
      'HTTP/1.1 101 Switch',
      'HTTP/1.1 600 X',
      'HTTP/1.1 0200 OK',
      'HTTP/2 200 OK',
      'ICY 200 OK',
    ),
    fc.array(framing, { maxLength: 3 }),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n'),
  )
  .map(([line, headers, ending]) => [line, ...headers, '', ''].join(ending));
const chunk = fc.constantFrom(
  '5\r\nhello\r\n',
  '5;a=b\r\nhello\r\n',
  '5;a="b"\r\nhello\r\n',
  '5 \r\nhello\r\n',
  '05\r\nhello\r\n',
  '0x5\r\nhello\r\n',
  '5\nhello\r\n',
  '4\r\nhello\r\n',
  '6\r\nhello\r\n',
  '-1\r\n',
  'fffffffffffffffff\r\n',
  'A\r\n0123456789\r\n',
);
const chunked = fc
  .tuple(
    fc.array(chunk, { maxLength: 3 }),
    fc.constantFrom(
      '0\r\n\r\n',
      '00\r\n\r\n',
      '0\r\nX: y\r\n\r\n',
      '0\r\nContent-Length: 3\r\n\r\n',
      '0\r\nbad\r\n\r\n',
      '0\r\n',
      '',
      '0\n\n',
    ),
  )
  .map(([chunks, last]) => chunks.join('') + last);
const body = fc.oneof(
  chunked,
  fc.constantFrom('', 'hello', 'hello!', 'hell', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
);
const answer = fc
  .tuple(fc.array(head, { minLength: 1, maxLength: 2 }), body)
  .map(([heads, rest]) => heads.join('') + rest);
/** Whatever follows a head that answers HEAD is not of the answer: Node refuses both then, and we the connection. */
const exchange = fc.oneof(
  { weight: 4, arbitrary: answer.map((text) => ({ text, method: 'GET' })) },
  { weight: 1, arbitrary: head.map((text) => ({ text, method: 'HEAD' })) },
);
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 6 });

function cut(text: string, at: readonly number[]): Buffer[] {
  const ends = [...new Set([...at.filter((one) => one > 0 && one < text.length), text.length])].sort((a, b) => a - b);
  return ends.map((to, index) => Buffer.from(text.slice(ends[index - 1] ?? 0, to), 'latin1'));
}

describe('a replica’s answer', () => {
  test('is read as Node reads it, or refused', async () => {
    let agreed = 0;
    await fc.assert(
      fc.asyncProperty(exchange, cuts, fc.boolean(), async ({ text, method }, at, isEnding) => {
        const { read, isKept } = await byUs(cut(text, at), method, isEnding);
        if (read === 'refused' || read === 'cut') return;
        agreed++;
        let theirs = await byNode(cut(text, at), method, isEnding);
        // Node refuses an answer for what comes after it. We pass it on and end the connection.
        for (let to = 1; theirs === 'refused' && !isKept && to < text.length; to++)
          theirs = wholeOf(await byNode(cut(text.slice(0, to), []), method, false));
        expect(read).toEqual(theirs);
      }),
      { numRuns: 1_500 },
    );
    expect(agreed).toBeGreaterThan(100);
  });

  test.each(['Connection: close', 'Content-Length: 3', 'Transfer-Encoding: chunked'])(
    'is refused after an interim head with %s',
    async (line) => {
      const text = `HTTP/1.1 100 Continue\r\n${line}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`;
      expect((await byUs(cut(text, []), 'GET', false)).read).toBe('refused');
    },
  );

  test('is the same however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(answer, cuts, async (text, at) => {
        const whole = await byUs(cut(text, []), 'GET', true);
        const inPieces = await byUs(cut(text, at), 'GET', true);
        const isTold = (read: Read) => read !== 'refused' && read !== 'cut';
        expect(isTold(inPieces.read)).toBe(isTold(whole.read));
        if (isTold(whole.read)) expect(inPieces.read).toEqual(whole.read);
      }),
      { numRuns: 300 },
    );
  });

  test.each(
    Object.entries<[string, boolean]>({
      'that ends where it says': ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', true],
      'in chunks': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', true],
      'with bytes after it': ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok?', false],
      'with bytes after its last chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n?', false],
      'to HEAD that brings a body all the same': ['HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nok', false],
      'of HTTP/1.0': ['HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok', false],
      'that closes': ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok', false],
      'whose server waits a second': ['HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok', false],
    }),
  )('%s: whether its connection takes another request', async (_name, [text, is]) => {
    const wire = wireOf();
    const wires = new Wires({ host: '', port: 0 }, systemClock, (done) => done(null, wire));
    const { promise, resolve } = Promise.withResolvers<void>();
    const asker = {
      sent: (_wire: Wire) => {},
      head: () => {},
      content: () => true,
      end: resolve,
      failed: () => resolve(),
    };
    wires.ask(asker, 'GET / HTTP/1.1\r\n\r\n');
    wire.push(Buffer.from(text));
    await promise;
    expect(!wire.destroyed).toBe(is);
    wires.destroy();
  });
});
