// What forwarding HTTP to another server has in common: connection-level headers stop here, and after a protocol switch bytes go
// both ways.
import { type IncomingMessage, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';

export type Headers = Record<string, string | string[]>;

/** RFC 9110, 7.6.1. A relay frames bodies anew: a body whose end two parties see differently is request smuggling. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Without those that concern the connection, and those that Node reads and would refuse to write. */
export function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const named = [headers.connection ?? ''].flat().flatMap((text) => text.split(','));
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())]);
  const clean: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.has(name) && isWritable(name, value)) clean[name] = value;
  }
  return clean;
}

function isWritable(name: string, value: string | string[]): boolean {
  try {
    validateHeaderName(name);
    for (const one of [value].flat()) validateHeaderValue(name, one);
    return true;
  } catch {
    return false;
  }
}

/** The arguments of Node's `upgrade` event of a request. */
export interface Switched {
  answer: IncomingMessage;
  inside: Duplex;
  first: Buffer;
}

/** Answers the handshake, then passes bytes both ways, neither faster than the other side takes them. Closes both. */
export function joinSwitched(
  { answer, inside, first }: Switched,
  socket: Duplex,
  head: Buffer,
  headers: Readonly<Headers>,
): void {
  socket.write(headOf(101, { ...headers, connection: 'Upgrade', upgrade: answer.headers.upgrade ?? '' }));
  if (first.length > 0) inside.unshift(first);
  if (head.length > 0) socket.unshift(head);
  pipeline(inside, socket, inside, () => {
    inside.destroy();
    socket.destroy();
  });
}

export function headOf(status: number, headers: Readonly<Headers>): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
