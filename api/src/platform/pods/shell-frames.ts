// Decodes the output of `agent shell` (agent/ssh/shell.go). The tenant is root in the container and may have replaced the agent:
// anything but the agent's frames is refused, and at most one header and one number are kept between two messages.

export const DATA = 0;
const TAKEN = 3;
const EXIT = 4;
const HELLO = 5;
const MOVED = 7;
export const HEADER_BYTES = 5;
const NUMBER_BYTES = 4;
export const MOST_FRAME_BYTES = 64 * 1024;
export const MOST_EXIT_CODE = 255;
/** The most bytes that the agent shows again. */
const MOST_SHOWN_AGAIN = 256 * 1024;

export interface FrameEvents {
  /** A part of a frame, in order; never empty. */
  onData(bytes: Buffer): void;
  /** So many bytes of input have reached the terminal. Refuses more than were sent by throwing BadFrame. */
  onTaken(bytes: number): void;
  /** 0 to 255; nothing follows. */
  onExit(code: number): void;
  /** For a kept shell, whose first frame it is: so many bytes that were shown before come first. */
  onHello?(bytes: number): void;
  /** For a kept shell: somebody else attached. Nothing follows. */
  onMoved?(): void;
}

/** The program in the container does not speak as the agent does. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

export class ShellFrames {
  readonly #events: FrameEvents;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  readonly #number = Buffer.alloc(NUMBER_BYTES);
  #headerBytes = 0;
  #length = 0;
  /** Bytes left of the payload. */
  #left = 0;
  #isOver = false;
  #isGreeted: boolean;

  constructor(events: FrameEvents) {
    this.#events = events;
    this.#isGreeted = !events.onHello;
  }

  /** Throws BadFrame; nothing may be passed in after that. */
  take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#isOver) throw new BadFrame('a frame follows the last');
      if (this.#headerBytes < HEADER_BYTES) {
        const copied = bytes.copy(this.#header, this.#headerBytes, at);
        this.#headerBytes += copied;
        at += copied;
        if (this.#headerBytes < HEADER_BYTES) return;
        this.#begin();
      }
      const payload = bytes.subarray(at, at + this.#left);
      at += payload.length;
      this.#continue(payload);
      this.#left -= payload.length;
      if (this.#left === 0) this.#finish();
    }
  }

  #begin(): void {
    const kind = this.#header[0];
    this.#left = this.#length = this.#header.readUInt32BE(1);
    const isSized =
      kind === DATA ? this.#length <= MOST_FRAME_BYTES : this.#length === (kind === MOVED ? 0 : NUMBER_BYTES);
    const isPlain = kind === DATA || kind === TAKEN || kind === EXIT;
    const isKept = kind === MOVED || (kind === HELLO && !this.#isGreeted);
    if (!isPlain && !(isKept && this.#events.onHello)) throw new BadFrame(`frame of unknown kind ${kind}`);
    if (!this.#isGreeted && kind !== HELLO) throw new BadFrame(`frame of kind ${kind} before HELLO`);
    if (!isSized) throw new BadFrame(`frame of kind ${kind} with a payload of ${this.#length} bytes`);
  }

  #continue(payload: Buffer): void {
    if (this.#header[0] !== DATA) payload.copy(this.#number, this.#length - this.#left);
    else if (payload.length > 0) this.#events.onData(payload);
  }

  #finish(): void {
    this.#headerBytes = 0;
    const value = this.#number.readUInt32BE(0);
    const kind = this.#header[0];
    if (kind === TAKEN) this.#events.onTaken(value);
    else if (kind === EXIT) {
      if (value > MOST_EXIT_CODE) throw new BadFrame(`exit code ${value}`);
      this.#isOver = true;
      this.#events.onExit(value);
    } else if (kind === HELLO) {
      if (value > MOST_SHOWN_AGAIN) throw new BadFrame(`${value} bytes are shown again`);
      this.#isGreeted = true;
      this.#events.onHello?.(value);
    } else if (kind === MOVED) {
      this.#isOver = true;
      this.#events.onMoved?.();
    }
  }
}
