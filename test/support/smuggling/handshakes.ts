// Handshakes of a WebSocket that make a relay and a program disagree whether the protocol is switched, and a program's answers to them.
// Bytes in Latin-1.
import type { HostileAnswer } from './answers.ts';
import type { Form, Sender } from './forms.ts';

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const SWITCH: readonly string[] = ['Connection: Upgrade', 'Upgrade: websocket'];
const VERSION = 'Sec-WebSocket-Version: 13';

interface Handshake {
  method?: string;
  version?: string;
  lines?: readonly string[];
}

export const handshakeOf = (
  { path, host, credentials }: Sender,
  { method = 'GET', version = '1.1', lines = [...SWITCH, VERSION, KEY] }: Handshake = {},
): string => [`${method} ${path} HTTP/${version}`, `Host: ${host}`, ...credentials, ...lines, '', ''].join('\r\n');

/** A request that a program or another visitor must never see as one of theirs. */
const next = ({ path, host, marker }: Sender) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Marker: ${marker}\r\n\r\n`;
const asked = (...lines: readonly string[]) => [...SWITCH, VERSION, KEY, ...lines];

/** Each is followed by a request. */
const FOLLOWED: Readonly<Record<string, Handshake>> = {
  'a sound one': {},
  'a version that the program refuses': { lines: [...SWITCH, 'Sec-WebSocket-Version: 7', KEY] },
  'two versions': { lines: [...SWITCH, VERSION, 'Sec-WebSocket-Version: 7', KEY] },
  'no version': { lines: [...SWITCH, KEY] },
  'no key': { lines: [...SWITCH, VERSION] },
  'two keys': { lines: asked(KEY) },
  'a POST': { method: 'POST' },
  'a HEAD': { method: 'HEAD' },
  'an OPTIONS': { method: 'OPTIONS' },
  'HTTP/1.0': { version: '1.0' },
  'HTTP/2.0': { version: '2.0' },
  'a protocol that nobody knows': { lines: ['Connection: Upgrade', 'Upgrade: x', VERSION, KEY] },
  'no protocol': { lines: ['Connection: Upgrade', 'Upgrade:', VERSION, KEY] },
  h2c: { lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'] },
  'h2c beside it': { lines: ['Connection: Upgrade', 'Upgrade: websocket, h2c', VERSION, KEY] },
  'h2c in another line': { lines: [...SWITCH, 'Upgrade: h2c', VERSION, KEY] },
  'SPDY, as kubectl once asked': { lines: ['Connection: Upgrade', 'Upgrade: SPDY/3.1'] },
  'a blank around the protocol': { lines: ['Connection: Upgrade', 'Upgrade:  websocket ', VERSION, KEY] },
  'a protocol with a version': { lines: ['Connection: Upgrade', 'Upgrade: websocket/13', VERSION, KEY] },
  'a connection that also closes': { lines: ['Connection: close, Upgrade', 'Upgrade: websocket', VERSION, KEY] },
  'a connection that names the host': { lines: ['Connection: Upgrade, host', 'Upgrade: websocket', VERSION, KEY] },
  'a connection that names the key': {
    lines: ['Connection: Upgrade, sec-websocket-key, sec-websocket-version', 'Upgrade: websocket', VERSION, KEY],
  },
  'a connection that names nothing of it': { lines: ['Connection: keep-alive', 'Upgrade: websocket', VERSION, KEY] },
  'a connection in two lines': { lines: ['Connection: keep-alive', ...SWITCH, VERSION, KEY] },
  'extensions that nobody knows': { lines: asked('Sec-WebSocket-Extensions: x; y="z"') },
  'a wish to be told to continue': { lines: asked('Expect: 100-continue') },
  'a length of nothing': { lines: asked('Content-Length: 0') },
  'a length': { lines: asked('Content-Length: 20') },
  'two lengths': { lines: asked('Content-Length: 0', 'Content-Length: 20') },
  'a length that Connection names': {
    lines: ['Connection: Upgrade, content-length', 'Upgrade: websocket', VERSION, KEY, 'Content-Length: 20'],
  },
  'a length in another spelling': { lines: asked('Content_Length: 20') },
  chunks: { lines: asked('Transfer-Encoding: chunked') },
  'chunks and a length': { lines: asked('Transfer-Encoding: chunked', 'Content-Length: 20') },
  'a coding that nobody knows': { lines: asked('Transfer-Encoding: xchunked') },
};

export const HANDSHAKES: Readonly<Record<string, Form>> = Object.fromEntries(
  Object.entries(FOLLOWED).map(([name, handshake]) => [
    `a handshake: ${name}`,
    { bytes: (sender: Sender) => handshakeOf(sender, handshake) + next(sender) },
  ]),
);

const EVIL = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL';
const says = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');
const switched = (...lines: readonly string[]) =>
  says('HTTP/1.1 101 Switching Protocols', ...lines, 'Connection: Upgrade');

/** `EVIL` must reach nobody but the one whose handshake was answered. */
export const SWITCHES: Readonly<Record<string, HostileAnswer>> = {
  'a switch with bytes behind it': { pieces: [switched('Upgrade: websocket') + EVIL] },
  'a switch with bytes after it': { pieces: [switched('Upgrade: websocket'), '', EVIL] },
  'a switch that ends': { pieces: [switched('Upgrade: websocket'), EVIL], closes: true },
  'a switch to another protocol': { pieces: [switched('Upgrade: h2c') + EVIL] },
  'a switch to nothing': { pieces: [switched() + EVIL] },
  'a switch with a length': { pieces: [switched('Upgrade: websocket', 'Content-Length: 2') + EVIL] },
  'a switch in chunks': { pieces: [switched('Upgrade: websocket', 'Transfer-Encoding: chunked') + EVIL] },
  'a switch that names nothing': {
    pieces: [says('HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket') + EVIL],
  },
  'a refusal': { pieces: [says('HTTP/1.1 426 Upgrade Required', 'Content-Length: 0') + EVIL] },
  'a refusal, and more later': { pieces: [says('HTTP/1.1 426 Upgrade Required', 'Content-Length: 0'), '', EVIL] },
  'a refusal that speaks of a switch': {
    pieces: [says('HTTP/1.1 426 No', 'Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 0') + EVIL],
  },
  'an answer': { pieces: [`${says('HTTP/1.1 200 OK', 'Content-Length: 2')}ok${EVIL}`] },
  'an answer without end': { pieces: [says('HTTP/1.1 200 OK') + EVIL] },
  'an answer that speaks of a switch': {
    pieces: [says('HTTP/1.1 200 OK', 'Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 0') + EVIL],
  },
  'continue, then a switch': { pieces: [says('HTTP/1.1 100 Continue') + switched('Upgrade: websocket') + EVIL] },
  'continue and no more': { pieces: [says('HTTP/1.1 100 Continue')], closes: true },
  'a switch in HTTP/1.0': {
    pieces: [says('HTTP/1.0 101 Switching', 'Upgrade: websocket', 'Connection: Upgrade') + EVIL],
  },
  'nothing at all': { pieces: [], closes: true },
  'no HTTP': { pieces: [`SSH-2.0-OpenSSH_9.2\r\n${EVIL}`], closes: true },
};
