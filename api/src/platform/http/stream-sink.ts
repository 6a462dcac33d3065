// A stream's bytes onto its socket. The answer has no length and no chunks: it ends with the connection. So all readers of the
// same event are written the same buffer, and nothing is copied or counted per reader.
import type { ServerResponse } from 'node:http';
import type { Sink } from './stream-client.ts';

/** Probes of an idle connection by the kernel; one that is not idle has heartbeats under way. */
const KEEP_ALIVE_MS = 30_000;

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies that gather answers would hold events back.
  'x-accel-buffering': 'no',
  connection: 'close',
};

export class ResponseSink implements Sink {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  write(chunk: Buffer): void {
    const { socket, headersSent } = this.#res;
    if (!socket || socket.destroyed) return;
    if (!headersSent) {
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      socket.setNoDelay(true);
      this.#res.removeHeader('transfer-encoding');
      this.#res.writeHead(200, HEAD);
      this.#res.flushHeaders();
    }
    socket.write(chunk);
  }

  get backlog(): number {
    return this.#res.socket?.writableLength ?? 0;
  }

  get taken(): number {
    const { socket } = this.#res;
    return socket ? socket.bytesWritten - socket.writableLength : 0;
  }

  end(): void {
    this.#res.end();
  }

  destroy(): void {
    this.#res.destroy();
  }
}
