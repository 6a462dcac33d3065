// One shell over one WebSocket: bytes both ways, sizes, and its state. If the page cannot render as fast as output arrives, the
// shell is paused, because a page's socket accepts everything that is sent.
import type { TerminalRequest } from '@gantry/contract/areas/instances/terminal.ts';
import type { TerminalEnd, TerminalStatus } from '@gantry/contract/areas/instances/terminal-status.ts';

/** The part of WebSocket that is used. */
export interface TerminalSocket {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(event: 'open' | 'close', listen: () => void): void;
  addEventListener(event: 'message', listen: (event: { data: unknown }) => void): void;
}

export interface ShellState {
  readonly status: 'connecting' | TerminalStatus['status'];
  /** From the server, in the person's language. Undefined if the socket broke without a message. */
  readonly detail?: string;
  readonly reason?: TerminalEnd;
  readonly exitCode?: number;
  /** Set for a shell that outlives its page. */
  readonly session?: string;
  /** So many of the bytes that follow were shown before. */
  readonly shownBefore?: number;
  /** It was connected, and will be again. */
  readonly isAgain?: boolean;
}

interface ConnectionEvents {
  onState(state: ShellState): void;
  /** `drawn` is called when they have been. */
  onBytes(bytes: Uint8Array, drawn: () => void): void;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

const OPEN = 1;
/** One frame of input; the server takes up to 1 MiB. */
const FRAME_BYTES = 64 * 1024;
/** Shown bytes that are not drawn: beyond the first the shell is held back, from the second on read again. */
const MOST_WAITING = 1024 * 1024;
const FEW_WAITING = 256 * 1024;
const RESIZE_EVERY_MS = 100;
/** The largest size that the server accepts. */
const LARGEST_SIDE = 1000;

export class TerminalConnection {
  readonly #socket: TerminalSocket;
  readonly #events: ConnectionEvents;
  readonly #encoder = new TextEncoder();
  #state: ShellState = { status: 'connecting' };
  #waiting = 0;
  /** Bytes that were shown before and are still to come, or to be drawn. What they ask the screen was answered then. */
  #before = 0;
  #undrawnBefore = 0;
  #isHeld = false;
  #size: Size | undefined;
  #sentSize: Size | undefined;
  #resizeTimer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  constructor(socket: TerminalSocket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#sendSize());
    socket.addEventListener('message', ({ data }) => {
      if (this.#isGone) return;
      if (typeof data === 'string') this.#hear(data);
      else if (data instanceof ArrayBuffer) this.#take(new Uint8Array(data));
    });
    socket.addEventListener('close', () => this.#broke());
  }

  /** Typed or pasted text. */
  type(text: string): void {
    if (this.#undrawnBefore > 0) return;
    this.#send(this.#encoder.encode(text));
  }

  /** Bytes that are no text, such as reports of a mouse: one a character. */
  typeBytes(binary: string): void {
    if (this.#undrawnBefore > 0) return;
    this.#send(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  }

  /** However often it is called, the shell hears at once of the first and then of the latest. */
  resize({ cols, rows }: Size): void {
    this.#size = { cols: side(cols), rows: side(rows) };
    if (this.#resizeTimer !== undefined) return;
    this.#sendSize();
    this.#resizeTimer = setTimeout(() => {
      this.#resizeTimer = undefined;
      this.#sendSize();
    }, RESIZE_EVERY_MS);
  }

  /** Ends it without another word to the page. */
  close(): void {
    this.#isGone = true;
    clearTimeout(this.#resizeTimer);
    this.#socket.close();
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState !== OPEN) return;
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) this.#socket.send(bytes.subarray(at, at + FRAME_BYTES));
  }

  #ask(request: TerminalRequest): void {
    if (this.#socket.readyState === OPEN) this.#socket.send(JSON.stringify(request));
  }

  #sendSize(): void {
    const { cols, rows } = this.#size ?? {};
    if (cols === undefined || rows === undefined || this.#socket.readyState !== OPEN) return;
    if (cols === this.#sentSize?.cols && rows === this.#sentSize.rows) return;
    this.#sentSize = { cols, rows };
    this.#ask({ type: 'resize', cols, rows });
  }

  #hear(text: string): void {
    const reported = statusOf(text);
    if (!reported) return;
    this.#before = this.#undrawnBefore = reported.shown_before ?? 0;
    this.#become({
      status: reported.status,
      ...(reported.detail !== undefined && { detail: reported.detail }),
      ...(reported.reason !== undefined && { reason: reported.reason }),
      ...(reported.exit_code !== undefined && { exitCode: reported.exit_code }),
      ...(reported.session !== undefined && { session: reported.session }),
      ...(reported.shown_before !== undefined && { shownBefore: reported.shown_before }),
    });
  }

  #take(bytes: Uint8Array): void {
    const before = bytes.subarray(0, this.#before);
    this.#before -= before.length;
    if (before.length > 0) {
      this.#show(before, () => {
        this.#undrawnBefore -= before.length;
      });
    }
    if (bytes.length > before.length) this.#show(bytes.subarray(before.length));
  }

  #show(bytes: Uint8Array, isDrawn = () => {}): void {
    this.#waiting += bytes.length;
    if (!this.#isHeld && this.#waiting > MOST_WAITING) {
      this.#isHeld = true;
      this.#ask({ type: 'pause' });
    }
    this.#events.onBytes(bytes, () => {
      isDrawn();
      this.#waiting -= bytes.length;
      if (!this.#isHeld || this.#waiting > FEW_WAITING) return;
      this.#isHeld = false;
      this.#ask({ type: 'resume' });
    });
  }

  /** The server says how it ended before it closes; otherwise the network or the gateway is gone, or refused the handshake. */
  #broke(): void {
    clearTimeout(this.#resizeTimer);
    const { status } = this.#state;
    if (status === 'connecting') this.#become({ status: 'failed' });
    else if (status === 'connected') this.#become({ status: 'closed' });
  }

  #become(state: ShellState): void {
    if (this.#isGone) return;
    this.#state = state;
    this.#events.onState(state);
  }
}

const side = (cells: number): number => Math.min(LARGEST_SIDE, Math.max(1, Math.floor(cells)));

/** Undefined for what no status is: a later server may say more. */
function statusOf(text: string): TerminalStatus | undefined {
  try {
    const reported: Partial<TerminalStatus> = JSON.parse(text);
    return reported.type === 'status' && reported.status !== undefined ? (reported as TerminalStatus) : undefined;
  } catch {
    return undefined;
  }
}
