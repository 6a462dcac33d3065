// A listening server with limits on what a client may cost before any code of ours sees its request.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode, problemSentence, statusOf } from '@gantry/contract/http/problem.ts';
import { OWN_HEADERS } from './own-headers.ts';

/** Three JSON texts of two thousand characters in a query, escaped. The one limit of headers: see below. */
const HEADER_BYTES = 64 * 1024;
/** A client that sends its headers byte by byte is cut off; of bodies the frame says how long they may take. */
const HEADERS_WITHIN_MS = 10_000;
const HANDSHAKE_WITHIN_MS = 10_000;
const IDLE_MS = 65_000;
const FINISH_WITHIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 100;

/** The same for what `relay/short-way.ts` reads. */
export const SHORT_WAY_LIMITS = { firstByteMs: HEADERS_WITHIN_MS, idleMs: IDLE_MS };

export interface Serving {
  url: string;
  server: Server;
  /** Accepts nothing new, waits for running calls, and cuts them off after ten seconds. */
  stop(): Promise<void>;
}

interface Place {
  host: string;
  port: number;
  /** PEM; without it a proxy in front ends TLS. */
  tls?: { cert: string; key: string } | undefined;
}

/** Rejects if it cannot listen on the address, or the certificate is invalid. */
export async function serveHttp(listener: RequestListener, { host, port, tls }: Place): Promise<Serving> {
  const limits = {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server: Server = tls
    ? createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_WITHIN_MS }, listener)
    : createServer(limits, listener);
  // Node silently drops headers beyond a count, even the one that frames the body: forwarding such a request would take the body
  // for the next request.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const at = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `${tls ? 'https' : 'http'}://${at}:${(server.address() as AddressInfo).port}`,
        server,
        stop: () => stop(server),
      });
    });
  });
}

/** A handler that takes a handshake says so; otherwise the socket is closed. */
export type TakesUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Around an event nobody else catches: without this, a handshake that `take` stumbles over would end the process. */
export function takeUpgrades(server: Server, take: TakesUpgrade, onFault: (error: unknown) => void): void {
  server.on('upgrade', (req, socket, head) => {
    // A client that leaves early is no failure, whether or not anybody has taken its socket by then.
    socket.on('error', () => {});
    try {
      if (!take(req, socket, head)) socket.destroy();
    } catch (error) {
      socket.destroy();
      onFault(error);
    }
  });
}

async function stop(server: Server): Promise<void> {
  // A kept-alive connection becomes idle with its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearInterval(idle);
  clearTimeout(late);
}

const REFUSALS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
};

/** A request that the parser refuses has no language; it still gets the envelope. */
function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  // Like Node: nothing is written into an answer that has begun.
  const { _httpMessage: answering } = socket as Duplex & { _httpMessage?: { _headerSent?: boolean } };
  // Nothing can be written without a TLS handshake.
  const isOfHttp = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!isOfHttp || !socket.writable || answering?._headerSent) return void socket.destroy();
  const name = REFUSALS[code] ?? 'malformed_request';
  const requestId = randomUUID();
  const args = { seconds: HEADERS_WITHIN_MS / 1000 };
  const message = problemSentence(name, 'en', args);
  const body = JSON.stringify({ code: PROBLEMS[name], error: name, message, request_id: requestId });
  const status = statusOf(name);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      ...Object.entries(OWN_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
