// A WebSocket of a service: its handshake is passed to a replica, then bytes both ways.
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { cleanHeaders } from './clean-answer.ts';
import { requestHeaders, type Visitor } from './heads.ts';
import { LEFT, type Passed } from './pass.ts';
import { headOf, joinSwitched } from './relay.ts';
import type { Replica } from './upstream.ts';

const HANDSHAKE_MS = 60_000;

export interface SocketParts {
  replica: Replica;
  ownCookie: string;
  visitor: Visitor;
  /** Called once, when the socket has closed. */
  done: (passed: Passed) => void;
}

/** Closes `socket` whatever happens. */
export function passSocket(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { replica, ownCookie, visitor, done }: SocketParts,
): void {
  let status = LEFT;
  replica.inFlight++;
  const refuse = (code: number) => {
    status = code;
    socket.end(headOf(code, { connection: 'close', 'content-length': '0' }));
  };
  const counted = req.socket;
  const before = { read: counted.bytesRead, written: counted.bytesWritten };
  socket.once('close', () => {
    asked.destroy();
    replica.inFlight--;
    const { bytesRead, bytesWritten } = counted;
    done({ status, bytes: bytesWritten - before.written, bytesIn: bytesRead - before.read, replica: replica.pod });
  });
  const upgrade = ['connection', 'Upgrade', 'upgrade', req.headers.upgrade ?? ''];
  const asked = request({
    host: replica.ip,
    port: replica.port,
    agent: replica.agent,
    method: 'GET',
    path: req.url,
    headers: [...requestHeaders(req, visitor), ...upgrade],
    timeout: HANDSHAKE_MS,
  });
  asked.once('timeout', () => asked.destroy(new Error('no answer to the handshake')));
  asked.on('error', () => (status === LEFT && socket.writable ? refuse(502) : socket.destroy()));
  asked.once('response', (answer) => {
    const { statusCode = 0 } = answer;
    // Useless to the page that asked, and possibly endless.
    answer.destroy();
    refuse(statusCode >= 200 && statusCode <= 599 ? statusCode : 502);
  });
  asked.once('upgrade', (answer, inside, first) => {
    inside.on('error', () => socket.destroy());
    inside.setTimeout(0);
    if (answer.headers.upgrade?.toLowerCase() !== 'websocket') {
      inside.destroy();
      refuse(502);
      return;
    }
    status = 101;
    joinSwitched({ answer, inside, first }, socket, head, cleanHeaders(answer.headers, ownCookie));
  });
  asked.end();
}
