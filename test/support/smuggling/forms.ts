// Requests of a visitor that make two servers disagree about where a request ends, or make a relay drop what it needs to know. Each form is
// bytes in Latin-1, with the sender's marker in all that might be taken for another request.

/** A visitor as one relay wants to be asked. */
export interface Sender {
  /** A request with a body is one of these. */
  method: string;
  path: string;
  host: string;
  /** Lines that let the visitor in. */
  credentials: readonly string[];
  /** The body that the relay passes on. */
  body: string;
  marker: string;
}

export interface Form {
  bytes: (sender: Sender) => string;
  /** The relay may wait for the rest. */
  isUnfinished?: boolean;
}

const lines = (...all: readonly string[]): string => [...all, '', ''].join('\r\n');
const headOf = ({ path, host, credentials }: Sender, method: string, headers: readonly string[], version = '1.1') =>
  lines(`${method} ${path} HTTP/${version}`, `Host: ${host}`, ...credentials, ...headers);

/** The beginning of a request that takes in whatever follows, and a whole one. */
const begun = ({ path, host, marker }: Sender) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Marker: ${marker}`;
const whole = (sender: Sender) => `${begun(sender)}\r\n\r\n`;
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunksOf = (...texts: readonly string[]) => `${texts.map(chunkOf).join('')}0\r\n\r\n`;

/** Names that no client's Connection may take out: framing, end to end, and what only the gateway says. */
export const NOT_TO_BE_NAMED = [
  ...['content-length', 'host', 'transfer-encoding', 'cookie', 'authorization', 'content-type', 'accept', 'origin'],
  ...['range', 'user-agent', 'cache-control', 'content-encoding', 'if-match', 'sec-fetch-site', 'referer'],
  ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-token', 'expect'],
] as const;

/** Further header lines of a body that ends where its length says. */
const BESIDE_A_LENGTH: readonly string[] = [
  ...NOT_TO_BE_NAMED.map((name) => `Connection: ${name}`),
  ...NOT_TO_BE_NAMED.map((name) => `Connection: keep-alive, ${name.toUpperCase()}`),
  'Connection: close, content-length',
  'Connection: content-length, content-length',
  'Connection: ,content-length,',
  'Connection: content-length;q=1',
  'Connection: "content-length"',
  'Connection: keep-alive\r\nConnection: content-length',
  'Proxy-Connection: content-length',
  'Keep-Alive: content-length',
  'Content_Length: 0',
  'Content.Length: 0',
  'Transfer_Encoding: chunked',
  'Transfer_Encoding: identity',
  'X-Content-Length: 0',
  'TE: chunked',
  'TE: trailers',
  'Trailer: Content-Length',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Connection: Upgrade\r\nUpgrade: tcp',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
];

/** Header lines of a body in chunks that say more, or say it otherwise. `CL` stands for a length that ends in the midst of it. */
const BESIDE_CHUNKS: readonly string[] = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: CL',
  'Content-Length: CL\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 0',
  'Transfer-Encoding: chunked\r\nConnection: transfer-encoding',
  'Transfer-Encoding: chunked\r\nConnection: close, transfer-encoding',
  'Transfer-Encoding: chunked, identity\r\nContent-Length: CL',
  'Transfer-Encoding: identity, chunked\r\nContent-Length: CL',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: CL',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: CL',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked\r\nContent-Length: CL',
  'Transfer-Encoding: chunkedx\r\nContent-Length: CL',
  'Transfer-Encoding: "chunked"\r\nContent-Length: CL',
  'Transfer-Encoding: chunked;a=b\r\nContent-Length: CL',
  'Transfer-Encoding: identity\r\nContent-Length: CL',
  'Transfer-Encoding:\r\nContent-Length: CL',
  'Transfer-Encoding:  chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked\r\nContent-Length: CL',
  'Transfer-Encoding: \x00chunked\r\nContent-Length: CL',
  'Transfer-Encoding: chunked \r\nContent-Length: CL',
  'Transfer-Encoding: ,chunked\r\nContent-Length: CL',
  'Transfer-Encoding : chunked\r\nContent-Length: CL',
  ' Transfer-Encoding: chunked\r\nContent-Length: CL',
  'X: y\nTransfer-Encoding: chunked\r\nContent-Length: CL',
  'X: y\rTransfer-Encoding: chunked\r\nContent-Length: CL',
  'X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: CL',
  'Transfer-Encoding:\r\n chunked\r\nContent-Length: CL',
  'Transfer\u0000-Encoding: chunked\r\nContent-Length: CL',
  'Transfer_Encoding: chunked\r\nContent-Length: CL',
];

const LENGTHS: readonly string[] = [
  'Content-Length: N\r\nContent-Length: 0',
  'Content-Length: 0\r\nContent-Length: N',
  'Content-Length: N\r\nContent-Length: N',
  'Content-Length: N, N',
  'Content-Length: 0, N',
  'Content-Length: N,0',
  'Content-Length: +N',
  'Content-Length: -N',
  'Content-Length: 0xN',
  'Content-Length: 0N',
  'Content-Length: N ',
  'Content-Length:N',
  'Content-Length: N.0',
  'Content-Length: Ne0',
  'Content-Length: "N"',
  'Content-Length: N;a',
  'Content-Length: N N',
  'Content-Length: \x00N',
  'Content-Length:',
  'Content-Length:\r\n N',
  'Content-Length: 0\r\n N',
  'Content-Length : N',
  ' Content-Length: N',
  'X: y\r\n Content-Length: N',
  'X: y\nContent-Length: N',
  'X: y\rContent-Length: N',
  'Content-Length: 18446744073709551616',
  'Content-Length: 99999999999999999999',
  'Content_Length: N',
];

/** Ways of writing a body in chunks. `S` is the text that would be the next request. */
const CHUNKS: Readonly<Record<string, string>> = {
  'an extension': '1;a=b\r\nx\r\n0\r\n\r\n',
  'an extension in quotes': '1;a="b"\r\nx\r\n0\r\n\r\n',
  'an extension with a bare newline': '1;\nx\r\n0\r\n\r\nS',
  'an extension with another size': '1;\n50\r\nx\r\n0\r\n\r\nS',
  'a size with a sign': '+1\r\nx\r\n0\r\n\r\nS',
  'a negative size': '-1\r\nx\r\n0\r\n\r\nS',
  'a size in 0x': '0x1\r\nx\r\n0\r\n\r\nS',
  'a size with an underscore': '1_0\r\nx\r\n0\r\n\r\nS',
  'a size of 64 bits and more': '10000000000000001\r\nx\r\n0\r\n\r\nS',
  'a size of 32 bits and more': '100000001\r\nx\r\n0\r\n\r\nS',
  'a size with many zeros': '00000000000000001\r\nx\r\n0\r\n\r\n',
  'a size after a blank': ' 1\r\nx\r\n0\r\n\r\nS',
  'a size before a blank': '1 \r\nx\r\n0\r\n\r\nS',
  'a size that is none': 'z\r\nx\r\n0\r\n\r\nS',
  'no size': '\r\nx\r\n0\r\n\r\nS',
  'bare newlines': '1\nx\n0\n\nS',
  'a bare return': '1\rx\r\n0\r\n\r\nS',
  'a chunk longer than its size': '1\r\nxS\r\n0\r\n\r\n',
  'no newline after a chunk': '1\r\nx0\r\n\r\nS',
  'two bytes in place of the newline after a chunk': '1\r\nxyz0\r\n\r\nS',
  'a bare newline after a chunk': '1\r\nx\n0\r\n\r\nS',
  'a last chunk of many zeros': '1\r\nx\r\n0000\r\n\r\n',
  'a trailer': '1\r\nx\r\n0\r\nX-Trailer: y\r\n\r\n',
  'a trailer that frames': '1\r\nx\r\n0\r\nContent-Length: 99\r\nTransfer-Encoding: identity\r\n\r\n',
  'a trailer of ours': '1\r\nx\r\n0\r\nX-Forwarded-For: 6.6.6.6\r\nHost: evil\r\n\r\n',
  'a trailer that is none': '1\r\nx\r\n0\r\nS\r\n\r\n',
  'a trailer with a bare newline': '1\r\nx\r\n0\r\nX: y\n\nS',
};

const HEADS: Readonly<Record<string, (sender: Sender) => string>> = {
  'a name of no letters': (s) => headOf(s, 'GET', [`: ${s.marker}`]),
  'a NUL in a name': (s) => headOf(s, 'GET', ['X\x00Y: 1']),
  'a NUL in a value': (s) => headOf(s, 'GET', ['X: a\x00b']),
  'a bare newline in a value': (s) => headOf(s, 'GET', [`X: a\n\n${begun(s)}`]),
  'a bare return in a value': (s) => headOf(s, 'GET', [`X: a\r\r${begun(s)}`]),
  'bare newlines alone': (s) => headOf(s, 'GET', []).replaceAll('\r\n', '\n'),
  'a line that is no header': (s) => headOf(s, 'GET', ['nothing']),
  'a folded line': (s) => headOf(s, 'GET', ['X: a', ` ${begun(s).replace(/\r\n.*/s, '')}`]),
  'a first line that is folded': (s) => headOf(s, 'GET', []).replace('\r\nHost', '\r\n X: y\r\nHost'),
  'two hosts': (s) => headOf(s, 'GET', ['Host: evil.example']),
  'two hosts in one': (s) => headOf({ ...s, host: `${s.host}, evil.example` }, 'GET', []),
  'the absolute form of another host': (s) => headOf({ ...s, path: `http://evil.example${s.path}` }, 'GET', []),
  'the absolute form of this host': (s) => headOf({ ...s, path: `http://${s.host}${s.path}` }, 'GET', []),
  'a path with a blank': (s) => headOf({ ...s, path: `${s.path} HTTP/1.1 x` }, 'GET', []),
  'a path with a tab': (s) => headOf({ ...s, path: `${s.path}\tx` }, 'GET', []),
  'a path with a return': (s) => headOf({ ...s, path: `${s.path}\rx` }, 'GET', []),
  'a fragment': (s) => headOf({ ...s, path: `${s.path}#x` }, 'GET', []),
  'the form of an authority': (s) => headOf({ ...s, path: s.host }, 'CONNECT', []),
  'a star': (s) => headOf({ ...s, path: '*' }, 'OPTIONS', []),
  TRACE: (s) => headOf(s, 'TRACE', []),
  'a method in small letters': (s) => headOf(s, 'get', []),
  'a method that nobody knows': (s) => headOf(s, 'SMUGGLE', []),
  'HTTP/1.0': (s) => headOf(s, 'GET', [], '1.0'),
  'HTTP/1.0 that stays': (s) => headOf(s, 'GET', ['Connection: keep-alive'], '1.0'),
  'HTTP/1.0 in chunks': (s) =>
    headOf(s, s.method, ['Transfer-Encoding: chunked', 'Connection: keep-alive'], '1.0') + chunksOf(s.body) + whole(s),
  'HTTP/0.9': (s) => `GET ${s.path}\r\n${whole(s)}`,
  'HTTP/1.2': (s) => headOf(s, 'GET', [], '1.2'),
  'HTTP/2.0': (s) => headOf(s, 'GET', [], '2.0'),
  'HTTP/11.1': (s) => headOf(s, 'GET', [], '11.1'),
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'empty lines first': (s) => `\r\n\r\n${headOf(s, 'GET', [])}`,
  'a byte order mark first': (s) => `\xef\xbb\xbf${headOf(s, 'GET', [])}`,
  'a header of 70 kB': (s) => headOf(s, 'GET', [`X: ${'a'.repeat(70_000)}`]),
  'three thousand headers before the length': (s) =>
    headOf(s, s.method, [
      ...Array.from({ length: 3_000 }, (_, at) => `X-${at}: y`),
      `Content-Length: ${s.body.length}`,
    ]) + s.body,
};

/** Requests whose body is told, and which many programs read without one. */
const BODILESS = ['GET', 'HEAD', 'OPTIONS', 'DELETE'] as const;

const withLength = (sender: Sender, method: string, headers: readonly string[], body: string): string =>
  headOf(sender, method, [...headers, `Content-Length: ${body.length}`]) + body;

export const FORMS: Readonly<Record<string, Form>> = Object.fromEntries<Form>([
  // Bytes after a whole request are the next one of the same visitor.
  ['nothing special', { bytes: (s) => headOf(s, 'GET', []) }],
  ['a body', { bytes: (s) => withLength(s, s.method, [], s.body) }],
  [
    'requests in a row',
    { bytes: (s) => headOf(s, 'GET', []) + withLength(s, s.method, [], s.body) + headOf(s, 'GET', []) },
  ],
  ['a body that reads like a request', { bytes: (s) => withLength(s, s.method, [], begun(s)) }],
  ['a body that is a request', { bytes: (s) => withLength(s, s.method, [], whole(s)) }],
  ['a body that is not there', { bytes: (s) => headOf(s, s.method, ['Content-Length: 10']), isUnfinished: true }],
  ['half a body', { bytes: (s) => headOf(s, s.method, ['Content-Length: 1000']) + begun(s), isUnfinished: true }],
  [
    'chunks without an end',
    { bytes: (s) => `${headOf(s, s.method, ['Transfer-Encoding: chunked'])}${chunkOf(begun(s))}`, isUnfinished: true },
  ],
  ['half a head', { bytes: (s) => begun(s), isUnfinished: true }],
  ...BODILESS.flatMap((method): [string, Form][] => [
    [`${method} with a body`, { bytes: (s) => withLength(s, method, [], begun(s)) }],
    [`${method} with chunks`, { bytes: (s) => headOf(s, method, ['Transfer-Encoding: chunked']) + chunksOf(begun(s)) }],
    [
      `${method} whose length Connection names`,
      { bytes: (s) => withLength(s, method, ['Connection: content-length'], begun(s)) },
    ],
  ]),
  ...BESIDE_A_LENGTH.flatMap((beside): [string, Form][] => [
    [
      `a length with ${JSON.stringify(beside)}`,
      { bytes: (s) => withLength(s, s.method, [beside, 'Cookie: own=1', 'Accept: */*'], begun(s)) },
    ],
    [
      `no body with ${JSON.stringify(beside)}`,
      { bytes: (s) => headOf(s, 'GET', [beside, 'Cookie: own=1', 'Accept: */*']) },
    ],
  ]),
  ...BESIDE_CHUNKS.map((beside): [string, Form] => [
    `chunks with ${JSON.stringify(beside)}`,
    {
      bytes: (s) =>
        headOf(s, s.method, [beside.replace('CL', `${chunkOf(s.body).length}`)]) + chunksOf(s.body) + begun(s),
      isUnfinished: true,
    },
  ]),
  ...LENGTHS.map((lengths): [string, Form] => [
    `lengths ${JSON.stringify(lengths)}`,
    {
      bytes: (s) => headOf(s, s.method, [lengths.replaceAll('N', `${s.body.length}`)]) + s.body + begun(s),
      isUnfinished: true,
    },
  ]),
  ...Object.entries(CHUNKS).map(([name, chunks]): [string, Form] => [
    `chunks: ${name}`,
    {
      bytes: (s) => headOf(s, s.method, ['Transfer-Encoding: chunked']) + chunks.replaceAll('S', begun(s)),
      isUnfinished: true,
    },
  ]),
  ...Object.entries(HEADS).map(([name, bytes]): [string, Form] => [name, { bytes, isUnfinished: true }]),
]);
