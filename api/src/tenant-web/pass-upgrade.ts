// A WebSocket of a tenant's program: its handshake is passed on, then bytes both ways, neither faster than the other side takes
// them. What the program answers in place of a handshake is a status without a body.
import { type Agent, type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { headOf, joinSwitched } from '../relay.ts';
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
    // Useless to the page that asked, and possibly endless.
    answer.destroy();
    socket.end(headOf(status ?? 502, { connection: 'close', 'content-length': '0' }));
  });
  asked.once('upgrade', (answer, inside, first) => {
    inside.on('error', end);
    if (answer.headers.upgrade?.toLowerCase() !== 'websocket') {
      inside.destroy();
      socket.end(headOf(502, { connection: 'close', 'content-length': '0' }));
      return;
    }
    joinSwitched({ answer, inside, first }, socket, head, cleanHeaders(answer.headers, ownCookie));
  });
  asked.end();
}
