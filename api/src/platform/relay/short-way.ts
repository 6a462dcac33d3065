// A short way for plain requests: a connection is read here as long as each piece that comes is one whole plain request for which
// somebody answers. With the first one that is not, the connection goes to Node's server for good, and that request with it.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { MOST_PLAIN_BYTES, type PlainRequest, readPlainRequest } from './plain-request.ts';

/** The sink of a request's answer; Node's ServerResponse is one. */
export interface Reply {
  shouldKeepAlive: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly statusCode: number;
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  /** False: `drain` follows. */
  write(part: Buffer): boolean;
  end(text: string, encoding: 'latin1'): unknown;
  destroy(): unknown;
  once(event: 'close' | 'drain', run: () => void): unknown;
}

export type ComingPlain = PlainRequest & Pick<IncomingMessage, 'socket'>;

/** False: Node's server shall see to it. */
type AnswersPlain = (req: ComingPlain, reply: Reply) => boolean;

/** As Node's server of `serve-http.ts` has it. */
interface ShortWayLimits {
  firstByteMs: number;
  idleMs: number;
}

/** Puts itself before the server's own reading of connections. The server ends these as it does its own. */
export function layShortWay(server: Server, answers: AnswersPlain, limits: ShortWayLimits): void {
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  const own = server.listeners(event);
  server.removeAllListeners(event);
  const ways = new Set<ShortWay>();
  const end = (isMeant: (way: ShortWay) => boolean, name: 'closeIdleConnections' | 'closeAllConnections') => {
    const others = server[name].bind(server);
    server[name] = () => {
      for (const way of ways) if (isMeant(way)) way.end();
      others();
    };
  };
  end((way) => way.isIdle, 'closeIdleConnections');
  end(() => true, 'closeAllConnections');
  server.on(event, (socket: Socket) => {
    const way = new ShortWay(socket, { server, answers, limits }, (isOver) => {
      ways.delete(way);
      if (!isOver) for (const run of own) run.call(server, socket);
    });
    ways.add(way);
  });
}

interface ShortWayParts {
  server: Server;
  answers: AnswersPlain;
  limits: ShortWayLimits;
}

class ShortWay {
  readonly #socket: Socket;
  readonly #parts: ShortWayParts;
  readonly #leave: (isOver: boolean) => void;
  #reply: ShortReply | undefined;
  /** Bytes that came before the last answer was out. */
  #early: Buffer | undefined;
  #isFirst = true;

  constructor(socket: Socket, parts: ShortWayParts, leave: (isOver: boolean) => void) {
    this.#socket = socket;
    this.#parts = parts;
    this.#leave = leave;
    socket.setTimeout(parts.limits.firstByteMs);
    socket.on('data', this.#take).on('end', this.#ended).on('error', this.#failed);
    socket.on('close', this.#closed).on('timeout', this.#timedOut).on('drain', this.#drained);
  }

  get isIdle(): boolean {
    return this.#reply === undefined;
  }

  end(): void {
    this.#socket.destroy();
  }

  /** The answer is out. */
  over(shouldKeepAlive: boolean): void {
    this.#reply = undefined;
    const early = this.#early;
    if (!shouldKeepAlive || !this.#parts.server.listening) this.#socket.destroySoon();
    else if (early) this.#giveBack(early);
    // Whoever asks on without reading the answers would have them kept here.
    else if (this.#socket.writableNeedDrain) this.#socket.pause();
  }

  readonly #take = (bytes: Buffer): void => {
    if (this.#reply) {
      // One after the other is for Node's server to see to.
      this.#early = this.#early ? Buffer.concat([this.#early, bytes]) : bytes;
      this.#socket.pause();
      return;
    }
    if (this.#isFirst) {
      this.#isFirst = false;
      this.#socket.setTimeout(this.#parts.limits.idleMs);
    }
    const plain = bytes.length > MOST_PLAIN_BYTES ? undefined : readPlainRequest(bytes.toString('latin1'));
    if (!plain) return void this.#giveBack(bytes);
    const { server, answers, limits } = this.#parts;
    const reply = new ShortReply(this, this.#socket, { isToHead: plain.method === 'HEAD', idleMs: limits.idleMs });
    reply.shouldKeepAlive = server.listening;
    this.#reply = reply;
    const req = plain as ComingPlain;
    req.socket = this.#socket;
    if (!answers(req, reply)) {
      this.#reply = undefined;
      this.#giveBack(bytes);
    }
  };

  #giveBack(bytes: Buffer): void {
    const socket = this.#socket;
    socket.off('data', this.#take).off('end', this.#ended).off('error', this.#failed);
    socket.off('close', this.#closed).off('timeout', this.#timedOut).off('drain', this.#drained);
    socket.setTimeout(0);
    socket.pause();
    socket.unshift(bytes);
    this.#leave(false);
    socket.resume();
  }

  // A server of Node's does not wait for what a client that has ended its side may still read either.
  readonly #ended = (): void => void this.#socket.destroy();
  readonly #failed = (): void => {};
  readonly #closed = (): void => {
    this.#leave(true);
    this.#reply?.closed();
  };
  readonly #timedOut = (): void => {
    if (!this.#reply) this.#socket.destroy();
  };
  readonly #drained = (): void => {
    if (this.#reply) this.#reply.drained();
    else this.#socket.resume();
  };
}

/** The statuses whose answers have no body. */
const isBare = (status: number): boolean => status === 204 || status === 304;

class ShortReply implements Reply {
  shouldKeepAlive = true;
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  readonly #way: ShortWay;
  readonly #socket: Socket;
  readonly #facts: { isToHead: boolean; idleMs: number };
  #head = '';
  #hasBody = true;
  #isChunked = false;
  #onClose: (() => void) | undefined;
  #onDrain: (() => void) | undefined;

  constructor(way: ShortWay, socket: Socket, facts: { isToHead: boolean; idleMs: number }) {
    this.#way = way;
    this.#socket = socket;
    this.#facts = facts;
  }

  writeHead(status: number, headers: string[]): void {
    this.statusCode = status;
    this.headersSent = true;
    this.#hasBody = !this.#facts.isToHead && !isBare(status);
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    let hasLength = false;
    let hasDate = false;
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] as string;
      text += `${name}: ${headers[at + 1]}\r\n`;
      if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true;
      else if (name.length === 4 && name.toLowerCase() === 'date') hasDate = true;
    }
    this.#isChunked = this.#hasBody && !hasLength;
    if (!hasDate) text += `Date: ${dateNow()}\r\n`;
    if (this.#isChunked) text += 'Transfer-Encoding: chunked\r\n';
    if (this.shouldKeepAlive)
      text += `Connection: keep-alive\r\nKeep-Alive: timeout=${this.#facts.idleMs / 1000}\r\n\r\n`;
    else text += 'Connection: close\r\n\r\n';
    this.#head = text;
  }

  flushHeaders(): void {
    if (this.#head === '') return;
    this.#socket.write(this.#head, 'latin1');
    this.#head = '';
  }

  write(part: Buffer): boolean {
    const socket = this.#socket;
    if (!this.#hasBody || socket.destroyed || part.length === 0) return true;
    socket.cork();
    this.flushHeaders();
    if (this.#isChunked) socket.write(`${part.length.toString(16)}\r\n`, 'latin1');
    socket.write(part);
    if (this.#isChunked) socket.write('\r\n', 'latin1');
    socket.uncork();
    return !socket.writableNeedDrain;
  }

  end(text: string, _encoding: 'latin1'): void {
    if (this.writableEnded) return;
    this.writableEnded = true;
    const body = this.#hasBody ? text : '';
    const last = this.#isChunked ? `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` : body;
    const out = this.#head + last;
    this.#head = '';
    if (out !== '' && !this.#socket.destroyed) this.#socket.write(out, 'latin1');
    this.#onClose = undefined;
    this.#way.over(this.shouldKeepAlive);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  once(event: 'close' | 'drain', run: () => void): void {
    if (event === 'close') this.#onClose = run;
    else this.#onDrain = run;
  }

  closed(): void {
    const run = this.#onClose;
    this.#onClose = undefined;
    run?.();
  }

  drained(): void {
    const run = this.#onDrain;
    this.#onDrain = undefined;
    run?.();
  }
}

let dateSecond = 0;
let dateText = '';
/** The Date header of this second. */
function dateNow(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(now).toUTCString();
  }
  return dateText;
}
