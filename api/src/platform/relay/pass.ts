// One request on its way to a replica and the answer on its way back: bytes as they come, neither faster than the other side takes
// them. Once the visitor leaves, the replica is told; once the replica dies, the visitor is.
import type { IncomingMessage } from 'node:http';
import type { AnswerHead } from './answer-frame.ts';
import { answerHeaders, type Coming, requestHead, type Visitor } from './heads.ts';
import { type Framing, framingOf } from './passing-headers.ts';
import type { Reply } from './short-way.ts';
import type { Replica, Upstream } from './upstream.ts';
import type { Asker, Wire } from './wires.ts';

/** RFC 9110, 9.2.2: asked twice, they do as asked once. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** As nginx logs it: nobody was there for an answer. */
export const LEFT = 499;

export interface Passed {
  status: number;
  bytes: number;
  bytesIn: number;
  replica: string;
}

export interface PassParts {
  upstream: Pick<Upstream, 'pick' | 'avoid'>;
  ownCookie: string;
  visitor: Visitor;
  monotonic: () => number;
  /** Nothing was answered, and nothing will be. */
  refuse: () => void;
  /** Called once, whatever became of it. */
  done: (passed: Passed) => void;
}

export class Pass implements Asker {
  readonly #req: Coming;
  readonly #res: Reply;
  readonly #parts: PassParts;
  readonly #framing: Framing;
  /** With a body that came whole. */
  readonly #request: string;
  /** A body that is still to come. */
  readonly #stream: IncomingMessage | undefined;
  #replica: Replica;
  #wire: Wire | undefined;
  /** Something has gone to the replica. */
  #isSent = false;
  #isOver = false;
  /** The replica, until the visitor has taken what is there. */
  #isHeldBack = false;
  #tries = 0;
  #bytes = 0;
  #bytesIn = 0;
  #stopSending: (() => void) | undefined;

  constructor(req: Coming, res: Reply, replica: Replica, parts: PassParts) {
    this.#req = req;
    this.#res = res;
    this.#parts = parts;
    this.#replica = replica;
    this.#framing = framingOf(req);
    const head = requestHead(req, parts.visitor, this.#framing);
    if ('whole' in req) {
      this.#request = head + req.whole;
      this.#bytesIn = req.whole.length;
    } else {
      this.#request = head;
      if (this.#framing) this.#stream = req;
    }
    res.once('close', () => this.#closed());
    this.#go(replica, false);
  }

  #go(replica: Replica, isFresh: boolean): void {
    this.#replica = replica;
    this.#tries++;
    this.#isSent = false;
    replica.inFlight++;
    const isToHead = this.#req.method === 'HEAD';
    // A program that has not read the body, or says one to HEAD, would have it mixed up with what is somebody else's.
    const isLast = this.#framing !== undefined || isToHead;
    this.#wire = replica.wires.ask(this, this.#request, { isToHead, isFresh, isLast });
  }

  sent(wire: Wire): void {
    this.#isSent = true;
    if (this.#stream) this.#sendBody(this.#stream, wire);
  }

  /** Framed anew, as fast as the replica takes it. */
  #sendBody(req: IncomingMessage, wire: Wire): void {
    const to = wire.body();
    const isChunked = this.#framing === 'chunks';
    const more = () => void req.resume();
    const write = (part: Buffer) => {
      this.#bytesIn += part.length;
      to.cork();
      if (isChunked) to.write(`${part.length.toString(16)}\r\n`, 'latin1');
      to.write(part);
      if (isChunked) to.write('\r\n', 'latin1');
      to.uncork();
      if (to.writableNeedDrain) req.pause();
    };
    const sent = () => {
      this.#stopSending?.();
      if (isChunked) to.write('0\r\n\r\n', 'latin1');
      wire.bodySent();
    };
    this.#stopSending = () => {
      this.#stopSending = undefined;
      req.off('data', write).off('end', sent);
      to.off('drain', more);
      // A body that nobody wants any more must not hold up the connection.
      req.resume();
    };
    to.on('drain', more);
    req.on('error', () => {});
    req.on('data', write).once('end', sent);
  }

  head(head: AnswerHead, whole: string | undefined): void {
    const res = this.#res;
    // Whoever is answered before all is said may go on for ever: the next request comes over another connection.
    if (this.#stream?.complete === false) res.shouldKeepAlive = false;
    res.writeHead(head.status, answerHeaders(head, this.#parts.ownCookie));
    if (whole !== undefined) {
      this.#bytes = whole.length;
      res.end(whole, 'latin1');
      return;
    }
    // A stream may have nothing to say yet: its reader learns at once that it has begun.
    if (head.body !== 'length') setImmediate(() => this.#flush());
  }

  content(part: Buffer): boolean {
    this.#bytes += part.length;
    // The bytes are somebody else's once this returns.
    if (this.#res.write(Buffer.from(part))) return true;
    if (!this.#isHeldBack) {
      this.#isHeldBack = true;
      this.#res.once('drain', () => {
        this.#isHeldBack = false;
        this.#wire?.resume();
      });
    }
    return false;
  }

  end(): void {
    this.#wire = undefined;
    this.#stopSending?.();
    if (!this.#res.writableEnded) this.#res.end('', 'latin1');
    this.#over(this.#res.statusCode);
  }

  failed(_error: Error, wasKept: boolean): void {
    const { upstream, monotonic, refuse } = this.#parts;
    this.#wire = undefined;
    this.#stopSending?.();
    if (this.#isOver) return;
    if (this.#res.headersSent) {
      // Half an answer must not look whole.
      this.#over(this.#res.statusCode);
      this.#res.destroy();
      return;
    }
    const now = monotonic();
    const mayRepeat = this.#mayRepeat();
    if (mayRepeat && wasKept) {
      // Its program closed a connection that nobody used, just as somebody did.
      this.#replica.inFlight--;
      this.#go(this.#replica, true);
      return;
    }
    upstream.avoid(this.#replica, now);
    const other = mayRepeat ? upstream.pick(now, this.#replica) : undefined;
    if (other) {
      this.#replica.inFlight--;
      this.#go(other, false);
      return;
    }
    this.#over(502);
    refuse();
  }

  /**
   * A request that has not reached a replica may go to another one, and so may one that has the same effect when it comes twice; bodies are
   * not kept.
   */
  #mayRepeat(): boolean {
    if (this.#tries > 1) return false;
    return !this.#isSent || (!this.#framing && IDEMPOTENT.has(this.#req.method ?? ''));
  }

  #flush(): void {
    const res = this.#res;
    if (!this.#isOver && !res.writableEnded && this.#bytes === 0) res.flushHeaders();
  }

  #closed(): void {
    if (this.#isOver) return;
    this.#over(this.#res.headersSent ? this.#res.statusCode : LEFT);
    this.#stopSending?.();
    this.#wire?.destroy();
  }

  #over(status: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#replica.inFlight--;
    this.#parts.done({ status, bytes: this.#bytes, bytesIn: this.#bytesIn, replica: this.#replica.pod });
  }
}
