// A listening server with limits on what a client may cost before any code of ours sees its request.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const MOST_HEADERS = 100;
/** Three JSON texts of two thousand characters in a query, escaped. */
const HEADER_BYTES = 64 * 1024;
/** A client that sends its headers byte by byte is cut off; of bodies the frame says how long they may take. */
const HEADERS_WITHIN_MS = 10_000;
const IDLE_MS = 65_000;
const FINISH_WITHIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 100;

export interface Serving {
  url: string;
  server: Server;
  /** Takes nothing new, waits for what is under way, and after ten seconds cuts it off. */
  stop(): Promise<void>;
}

/** Rejects when the address can not be listened on. */
export function serveHttp(listener: RequestListener, { host, port }: { host: string; port: number }): Promise<Serving> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: 1_000,
    },
    listener,
  );
  server.maxHeadersCount = MOST_HEADERS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const at = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${at}:${(server.address() as AddressInfo).port}`, server, stop: () => stop(server) });
    });
  });
}

/** Who takes a handshake says so; what nobody took is closed. */
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
  // A connection that is kept alive becomes idle with its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearInterval(idle);
  clearTimeout(late);
}
