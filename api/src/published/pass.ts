// One request on its way to a replica and the answer on its way back: bytes as they come, neither faster than the other side takes
// them. Once the visitor leaves, the replica is told; once the replica dies, the visitor is.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { answerHeaders, carefulHeaders, hasBody, requestHeaders, type Visitor } from './heads.ts';
import type { Replica, Upstream } from './upstream.ts';

/** RFC 9110, 9.2.2: asked twice, they do as asked once. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const GONE = new Error('the visitor has left');
/** As nginx logs it: nobody was there for an answer. */
export const LEFT = 499;

export interface Passed {
  status: number;
  bytes: number;
  bytesIn: number;
  replica: string;
}

export interface PassParts {
  upstream: Upstream;
  ownCookie: string;
  visitor: Visitor;
  monotonic: () => number;
  /** Nothing was answered, and nothing will be. */
  refuse: () => void;
  /** Called once, whatever became of it. */
  done: (passed: Passed) => void;
}

export class Pass implements Dispatcher.DispatchHandler {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #parts: PassParts;
  readonly #hasBody: boolean;
  readonly #headers: string[];
  #replica: Replica;
  #controller: Dispatcher.DispatchController | undefined;
  /** Something has gone to the replica. */
  #isSent = false;
  #isOver = false;
  #tries = 0;
  #bytes = 0;
  #bytesIn = 0;

  constructor(req: IncomingMessage, res: ServerResponse, replica: Replica, parts: PassParts) {
    this.#req = req;
    this.#res = res;
    this.#parts = parts;
    this.#replica = replica;
    this.#hasBody = hasBody(req);
    this.#headers = requestHeaders(req, parts.visitor);
    res.once('close', () => this.#closed());
    this.#go(replica);
  }

  #go(replica: Replica): void {
    this.#replica = replica;
    this.#tries++;
    this.#controller = undefined;
    this.#isSent = false;
    replica.inFlight++;
    const { method = 'GET', url = '/' } = this.#req;
    try {
      replica.pool.dispatch(
        {
          method: method as Dispatcher.HttpMethod,
          path: url,
          headers: this.#headers,
          body: this.#hasBody ? this.#req : null,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#isSent = true;
    if (this.#isOver) controller.abort(GONE);
  }

  onBodySent(chunk: Buffer): void {
    this.#bytesIn += chunk.length;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    const res = this.#res;
    if (status > 599) {
      controller.abort(new Error(`the replica answers with the status ${status}`));
      return;
    }
    const { ownCookie } = this.#parts;
    try {
      res.writeHead(status, answerHeaders(headers, ownCookie));
    } catch {
      // Node reads answers that it refuses to write.
      res.writeHead(status, carefulHeaders(headers, ownCookie));
    }
    // A stream may have nothing to say yet: its reader learns at once that it has begun.
    if (headers['content-length'] === undefined) setImmediate(() => this.#flush());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#res.write(chunk)) return;
    controller.pause();
    this.#res.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#res.end();
    this.#over(this.#res.statusCode);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, _error: Error): void {
    const { upstream, monotonic, refuse } = this.#parts;
    if (this.#isOver) return;
    if (this.#res.headersSent) {
      // Half an answer must not look whole.
      this.#over(this.#res.statusCode);
      this.#res.destroy();
      return;
    }
    const now = monotonic();
    upstream.avoid(this.#replica, now);
    const other = this.#mayRepeat() ? upstream.pick(now, this.#replica) : undefined;
    if (other) {
      this.#replica.inFlight--;
      this.#go(other);
      return;
    }
    this.#over(502);
    refuse();
  }

  /** What has not reached a replica may go to another one, and what changes nothing when it comes twice, too; of bodies nothing is kept. */
  #mayRepeat(): boolean {
    if (this.#tries > 1) return false;
    return !this.#isSent || (!this.#hasBody && IDEMPOTENT.has(this.#req.method ?? ''));
  }

  #flush(): void {
    const res = this.#res;
    if (!this.#isOver && !res.writableEnded && this.#bytes === 0) res.flushHeaders();
  }

  #closed(): void {
    if (this.#isOver) return;
    this.#over(this.#res.headersSent ? this.#res.statusCode : LEFT);
    this.#controller?.abort(GONE);
  }

  #over(status: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#replica.inFlight--;
    this.#parts.done({ status, bytes: this.#bytes, bytesIn: this.#bytesIn, replica: this.#replica.pod });
  }
}
