// A request that is read at a glance has the same fields from Node's parser, byte for byte, or is left to it.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { readPlainRequest } from './plain-request.ts';

interface Read {
  method: string | undefined;
  url: string | undefined;
  rawHeaders: string[];
  body: string;
}

let heard: Promise<Read>[] = [];
const server: Server = createServer((req: IncomingMessage, res) => {
  heard.push(
    buffer(req).then(
      (body) => ({ method: req.method, url: req.url, rawHeaders: req.rawHeaders, body: body.toString('latin1') }),
      () => ({ method: 'CUT', url: '', rawHeaders: [], body: '' }),
    ),
  );
  req.once('end', () => res.end());
});
server.maxHeadersCount = 0;
server.on('clientError', (_error, socket) => {
  heard.push(Promise.resolve({ method: 'REFUSED', url: '', rawHeaders: [], body: '' }));
  socket.destroy();
});
afterAll(() => void server.closeAllConnections());

/** All requests that Node's parser finds in these bytes, those among them that it refuses or waits for more of. */
async function byNode(bytes: Buffer): Promise<Read[]> {
  heard = [];
  const wire = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  wire.on('error', () => {});
  server.emit('connection', wire);
  wire.push(bytes);
  // All of its events have their turn; a message that is not whole by then is cut off.
  for (let turns = 0; turns < 4; turns++) await new Promise((resolve) => setImmediate(resolve));
  wire.push(null);
  await new Promise((resolve) => wire.once('close', resolve));
  return Promise.all(heard);
}

const token = fc.constantFrom('x-a', 'Accept', 'user-agent', 'Cookie', 'X_y', '__proto__', 'constructor');
const framing = fc.constantFrom(
  'Accept: */*',
  'Accept-Language: en',
  'Content-Length: 0',
  'Content-Length: 3',
  'content-length: +3',
  'Content-Length: 03',
  'Content-Length:3',
  'Content-Length: 3, 3',
  'Content-Length : 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'transfer-encoding: identity',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Host: h',
  ' folded: 1',
  'nothing',
  ': empty',
  'x-b:',
  'x-c: \t',
);
const value = fc.string({
  unit: fc.constantFrom('a', 'B', '0', ' ', '\t', ':', ',', '\u0000', '\r', '\n', '\x7f', 'é'),
});
const header = fc.oneof(
  framing,
  fc.tuple(token, fc.constantFrom(': ', ':', ' :', ':  ', ':\t'), value).map((parts) => parts.join('')),
);
const requestLine = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'get', 'G'),
    fc.constantFrom(' ', '  ', '\t'),
    fc.constantFrom('/', '/a?b=%20#c', '*', 'http://h/', '/é', '/a b', '//h/'),
    fc.constantFrom(' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.2', ' http/1.1', ''),
  )
  .map((parts) => parts.join(''));
const newline = fc.oneof({ weight: 20, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', '\r\r\n'));
const body = fc.constantFrom('', '', 'abc', 'abcd', 'ab', '0\r\n\r\n', '\r\n', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
const request = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom('GET / HTTP/1.1', 'POST /x HTTP/1.1') }, requestLine),
    newline,
    fc.array(header, { maxLength: 5 }),
    newline,
    body,
  )
  .map(
    ([line, ending, headers, last, rest]) =>
      ['Host: h', ...headers].reduce((text, one) => `${text}${ending}${one}`, line) + ending + last + rest,
  );

describe('a request read at a glance', () => {
  test('is the one whole message that Node finds, with the same headers and body', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(request, async (text) => {
        const plain = readPlainRequest(text);
        if (!plain) return;
        taken++;
        const { method, url, rawHeaders, whole } = plain;
        expect(await byNode(Buffer.from(text, 'latin1'))).toEqual([{ method, url, rawHeaders, body: whole }]);
      }),
      { numRuns: 5_000 },
    );
    // A reader that takes nothing would agree with everybody.
    expect(taken).toBeGreaterThan(100);
  });

  test.each(
    Object.entries({
      'a browser’s': 'GET /a?b=1 HTTP/1.1\r\nHost: h\r\nUser-Agent: x\r\nConnection: keep-alive\r\n\r\n',
      'one with its body': 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok',
    }),
  )('may be %s', (_name, text) => {
    expect(readPlainRequest(text)).toBeDefined();
  });

  test.each(
    Object.entries({
      'half of one': 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nok',
      'two of them': 'GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n',
      'one with a length and chunks':
        'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'one with two lengths': 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
      'one with a body that its method does not have': 'GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok',
      'one without a host': 'GET / HTTP/1.1\r\nx: h\r\n\r\n',
      'one with two hosts': 'GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n',
      'one that ends its connection': 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
      'one that switches': 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'one with a folded header': 'GET / HTTP/1.1\r\nHost: h\r\nx: 1\r\n 2\r\n\r\n',
      'one with a bare newline': 'GET / HTTP/1.1\nHost: h\r\n\r\n',
    }),
  )('is not %s', (_name, text) => {
    expect(readPlainRequest(text)).toBeUndefined();
  });
});
