// A WebSocket of a tenant's program: its handshake is passed on, then bytes both ways, neither faster than the other side takes
// them. What the program answers in place of a handshake is a status without a body.
import { type Agent, type IncomingMessage, request, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { cleanHeaders } from './clean-answer.ts';

/** Closes `socket` whatever happens. */
export function passUpgrade(
  { method, url, headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { agent, ownCookie }: { agent: Agent; ownCookie: string },
): void {
  const asked = request({ agent, method, path: url, headers });
  const end = () => {
    asked.destroy();
    socket.destroy();
  };
  socket.once('close', () => asked.destroy());
  asked.on('error', end);
  asked.once('response', (answer) => {
    const status = STATUS_CODES[answer.statusCode ?? 0] && (answer.statusCode ?? 0) >= 200 ? answer.statusCode : 502;
    // Of no use to the page that asked, and it may be endless.
    answer.destroy();
    socket.end(headOf(status ?? 502, { connection: 'close', 'content-length': '0' }));
  });
  asked.once('upgrade', (answer, inside, first) => {
    const passed = cleanHeaders(answer.headers, ownCookie);
    inside.on('error', end);
    if (answer.headers.upgrade?.toLowerCase() !== 'websocket') {
      inside.destroy();
      socket.end(headOf(502, { connection: 'close', 'content-length': '0' }));
      return;
    }
    socket.write(headOf(101, { ...passed, connection: 'Upgrade', upgrade: 'websocket' }));
    if (first.length > 0) inside.unshift(first);
    if (head.length > 0) socket.unshift(head);
    pipeline(inside, socket, inside, () => {
      inside.destroy();
      socket.destroy();
    });
  });
  asked.end();
}

function headOf(status: number, headers: Readonly<Record<string, string | string[]>>): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
