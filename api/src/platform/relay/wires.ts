// The connections to one replica. Each carries one request at a time and is kept for the next one, if the answer ended where both
// sides say it did. Written for the many small requests: the replica's bytes are looked at where they were read.
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@gantry/kube/clock.ts';
import { type AnswerHead, BadAnswer, ChunkReader, MOST_HEAD_BYTES, readAnswerHead } from './answer-frame.ts';

/** Until the first byte of an answer, and between two of its parts: models may think for long. A stream may last for ever. */
const IDLE_MS = 600_000;
const CONNECT_MS = 5_000;
/** Less than the five seconds after which Node's own servers close a connection that nobody uses. */
const KEEP_MS = 4_000;
/** The margin by which a connection is dropped before the time that the replica states: its closing may already be under way. */
const KEEP_MARGIN_MS = 1_000;
const SWEEP_MS = 1_000;
const READ_BYTES = 64 * 1024;
/** An answer up to this size is passed on as one piece. */
const MOST_WHOLE_BYTES = 16 * 1024;

/** Whoever asked. `end` and `failed` come once, one of them. */
export interface Asker {
  /** The connection stands, and the head of the request is on its way. */
  sent(wire: Wire): void;
  /** `whole`: all of the body, in Latin-1; `end` follows at once. */
  head(head: AnswerHead, whole: string | undefined): void;
  /** False: no more until `resume`. The bytes are there during the call alone. */
  content(part: Buffer): boolean;
  end(): void;
  /** `wasKept`: over a connection that had carried others, before a byte of the answer. */
  failed(error: Error, wasKept: boolean): void;
}

export interface How {
  isToHead?: boolean;
  /** Over a new connection. */
  isFresh?: boolean;
  /** Its connection carries no other request after it. */
  isLast?: boolean;
}

/** Opens a connection in another way than over TCP. */
export type Through = (done: (error: Error | null, socket?: Duplex) => void) => void;

export class Wires {
  readonly #connect: (wire: Wire) => void;
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  /** The one used last is the last. */
  readonly #idle: Wire[] = [];
  readonly #all = new Set<Wire>();
  #isClosed = false;
  #isSwept = false;

  /** To a TCP port, or over what `through` opens. */
  constructor(to: { host: string; port: number }, clock: Pick<Clock, 'monotonic' | 'after'>, through?: Through) {
    this.#clock = clock;
    this.#connect = through ? (wire) => connectThrough(wire, through) : (wire) => connectTcp(wire, to);
  }

  /** `head`: of the request, in Latin-1. */
  ask(asker: Asker, head: string, how: How = {}): Wire {
    const kept = how.isFresh ? undefined : this.#idle.pop();
    const wire = kept ?? new Wire(this);
    wire.begin(asker, head, how);
    if (!kept) {
      this.#all.add(wire);
      this.#connect(wire);
    }
    return wire;
  }

  /** Requests under way go on. */
  close(): void {
    this.#isClosed = true;
    for (const wire of this.#idle.splice(0)) wire.destroy();
  }

  destroy(): void {
    this.close();
    for (const wire of [...this.#all]) wire.destroy();
  }

  /** False: nobody will use it again. */
  keep(wire: Wire, keepSeconds: number | undefined): boolean {
    const keepMs = Math.min(KEEP_MS, (keepSeconds ?? KEEP_MS) * 1000 - KEEP_MARGIN_MS);
    if (this.#isClosed || keepMs <= 0) return false;
    wire.keptUntil = this.#clock.monotonic() + keepMs;
    this.#idle.push(wire);
    if (!this.#isSwept) {
      this.#isSwept = true;
      this.#clock.after(SWEEP_MS, () => this.#sweep());
    }
    return true;
  }

  forget(wire: Wire): void {
    this.#all.delete(wire);
    const at = this.#idle.indexOf(wire);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const wire of this.#idle.filter(({ keptUntil }) => keptUntil <= now)) wire.destroy();
    this.#isSwept = this.#idle.length > 0;
    if (this.#isSwept) this.#clock.after(SWEEP_MS, () => this.#sweep());
  }
}

/** Programs say once or twice that they have begun; each look at more of them is work. */
const MOST_INTERIMS = 16;

export class Wire {
  /** In monotonic milliseconds, while nobody uses it. */
  keptUntil = 0;
  readonly #wires: Wires;
  #socket: Duplex | undefined;
  #isConnected = false;
  #asker: Asker | undefined;
  #request = '';
  #isToHead = false;
  #isLast = false;
  #isSent = false;
  #wasUsed = false;
  /** A byte of the answer has come. */
  #isAnswered = false;
  /** Its socket is not read until `resume`. */
  #isHeld = false;
  /** The body of the request is still being sent. */
  #isSending = false;
  #head: AnswerHead | undefined;
  /** Heads that came before that of the answer. */
  #interims = 0;
  /** The beginning of a head that came in pieces. */
  #piece: Buffer | undefined;
  #left = 0;
  #chunks: ChunkReader | undefined;

  constructor(wires: Wires) {
    this.#wires = wires;
  }

  begin(asker: Asker, request: string, { isToHead = false, isLast = false }: How): void {
    this.#asker = asker;
    this.#isToHead = isToHead;
    this.#isLast = isLast;
    this.#isAnswered = false;
    this.#isSent = false;
    this.#head = undefined;
    this.#interims = 0;
    this.#request = request;
    if (!this.#isConnected) return;
    // Unread bytes that the replica sent unasked are read first: they would be taken for this request's answer.
    setImmediate(() => {
      if (this.#asker === asker) this.#send();
    });
  }

  /** The way to the replica; it is closed with the wire. Its bytes come to `take`. */
  opening(socket: Duplex): void {
    this.#socket = socket;
    socket.on('error', (error) => this.fail(error));
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.fail(new Error('the replica has closed the connection')));
    socket.on('timeout', () => this.fail(new Error('the replica does not go on')));
  }

  opened(): void {
    if (!this.#asker) return void this.destroy();
    this.#isConnected = true;
    this.#send();
  }

  #send(): void {
    this.#isSent = true;
    this.#socket?.write(this.#request, 'latin1');
    this.#request = '';
    this.#asker?.sent(this);
  }

  /** The stream for a body of the request. Until `bodySent` the answer's end ends the connection. */
  body(): Duplex {
    this.#isSending = true;
    return this.#socket as Duplex;
  }

  bodySent(): void {
    this.#isSending = false;
  }

  /** After others had their turn: a client often has room again before the read that filled it is over. */
  resume(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    setImmediate(() => this.#socket?.resume());
  }

  /** Bytes of the replica, there during the call alone. False: no more for now. */
  take(bytes: Buffer): boolean {
    const hasRoom = this.#heard(bytes);
    // Another read would follow a full one at once, and more, up to two megabytes: others have their turn before.
    if (hasRoom && bytes.length < READ_BYTES) return true;
    this.#isHeld = true;
    if (hasRoom) this.resume();
    return false;
  }

  /** False: its asker wants no more for now. */
  #heard(bytes: Buffer): boolean {
    const asker = this.#asker;
    if (!asker) {
      // Bytes that nobody has asked for would be taken for the next answer.
      this.destroy();
      return true;
    }
    if (!this.#isSent) {
      this.fail(new Error('the replica has said what nobody asked for'));
      return true;
    }
    this.#isAnswered = true;
    try {
      return this.#head ? this.#content(asker, this.#head, bytes) : this.#begins(asker, bytes);
    } catch (error) {
      this.fail(error as Error);
      return true;
    }
  }

  /** Nobody hears of it any more. */
  destroy(): void {
    this.#asker = undefined;
    this.#wires.forget(this);
    this.#socket?.destroy();
  }

  #begins(asker: Asker, came: Buffer): boolean {
    const bytes = this.#piece ? Buffer.concat([this.#piece, came]) : came;
    this.#piece = undefined;
    // Most answers are small: their text is all that is needed of them.
    const text = bytes.toString('latin1', 0, Math.min(bytes.length, MOST_HEAD_BYTES));
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) {
      if (bytes.length >= MOST_HEAD_BYTES) throw new BadAnswer('the head is too long');
      this.#piece = Buffer.from(bytes);
      return true;
    }
    const head = readAnswerHead(text.slice(0, end), this.#isToHead);
    const from = end + 4;
    if (head.status < 200) {
      this.#interim(head);
      return from === bytes.length || this.#begins(asker, bytes.subarray(from));
    }
    this.#head = head;
    this.#left = head.length;
    this.#chunks = head.body === 'chunks' ? new ChunkReader() : undefined;
    const rest = bytes.length - from;
    if (head.body === 'none' || (head.body === 'length' && rest >= head.length && rest <= MOST_WHOLE_BYTES)) {
      const to = head.body === 'none' ? from : from + head.length;
      asker.head(head, to <= text.length ? text.slice(from, to) : bytes.toString('latin1', from, to));
      this.#over(asker, head, to === bytes.length);
      return true;
    }
    asker.head(head, undefined);
    return rest === 0 || this.#asker !== asker || this.#content(asker, head, bytes.subarray(from));
  }

  /** The visitor has been told to continue. */
  #interim({ status, isKept }: AnswerHead): void {
    if (status === 101) throw new BadAnswer('the protocol was switched, and nobody asked for it');
    if (!isKept) throw new BadAnswer('a head before the answer ends the connection or has a body');
    if (++this.#interims > MOST_INTERIMS) throw new BadAnswer('only heads come, and no answer');
  }

  #content(asker: Asker, head: AnswerHead, bytes: Buffer): boolean {
    if (head.body === 'untilClose') return asker.content(bytes);
    let hasRoom = true;
    if (this.#chunks) {
      const chunks = this.#chunks;
      const taken = chunks.take(bytes, (part) => {
        if (this.#asker === asker) hasRoom = asker.content(part) && hasRoom;
      });
      if (this.#asker !== asker) return true;
      if (!chunks.isOver) return hasRoom;
      this.#over(asker, head, taken === bytes.length);
      return true;
    }
    const part = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= part.length;
    hasRoom = asker.content(part);
    if (this.#asker !== asker) return true;
    if (this.#left > 0) return hasRoom;
    this.#over(asker, head, part.length === bytes.length);
    return true;
  }

  /** `isClean`: nothing came after the answer. */
  #over(asker: Asker, { isKept, keepSeconds }: AnswerHead, isClean: boolean): void {
    this.#asker = undefined;
    this.#chunks = undefined;
    this.#head = undefined;
    this.#wasUsed = true;
    if (!isKept || !isClean || this.#isLast || this.#isSending || !this.#wires.keep(this, keepSeconds)) this.destroy();
    // Its reader may have asked for less speed.
    else this.resume();
    asker.end();
  }

  #ended(): void {
    const asker = this.#asker;
    if (asker && this.#head?.body === 'untilClose') {
      this.destroy();
      asker.end();
    } else this.fail(new Error('the replica has ended the connection'));
  }

  fail(error: Error): void {
    const asker = this.#asker;
    const wasKept = this.#wasUsed && !this.#isAnswered;
    this.destroy();
    asker?.failed(error, wasKept);
  }
}

/** Read by one socket at a time, and looked at before the next one is. */
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

function connectTcp(wire: Wire, { host, port }: { host: string; port: number }): void {
  const socket = connect({
    host,
    port,
    noDelay: true,
    onread: { buffer: readBuffer, callback: (count, buffer) => wire.take((buffer as Buffer).subarray(0, count)) },
  });
  wire.opening(socket);
  socket.setTimeout(CONNECT_MS);
  socket.once('connect', () => {
    socket.setTimeout(IDLE_MS);
    wire.opened();
  });
}

function connectThrough(wire: Wire, through: Through): void {
  through((error, socket) => {
    if (!socket) return void wire.fail(error ?? new Error('no connection'));
    wire.opening(socket);
    (socket as Partial<Pick<Socket, 'setTimeout'>>).setTimeout?.(IDLE_MS);
    socket.on('data', (bytes: Buffer) => {
      if (!wire.take(bytes)) socket.pause();
    });
    wire.opened();
  });
}
