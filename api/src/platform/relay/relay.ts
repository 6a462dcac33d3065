// Rules for forwarding HTTP to any other server: connection-level headers stop here, and after a protocol switch bytes go both ways.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { isWritable, namedIn, passesInAnswer } from './passing-headers.ts';

export type Headers = Record<string, string | string[]>;

/** The headers of an answer, from those that Node has read: without those that it would refuse to write. */
export function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>, status: number): Headers {
  const named = namedIn([headers.connection ?? []].flat().join(','));
  const clean: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !passesInAnswer(name, status, named)) continue;
    if ([value].flat().every((one) => isWritable(name, one))) clean[name] = value;
  }
  return clean;
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
