// The bytes of one stream as another. No chunk is copied, and none costs a promise or a timer: what is watched are the turns from waiting
// for the source to waiting for the reader.
import { Readable } from 'node:stream';

/** Is told in this order: `wants`, then any number of `came`, then `full` and all again, or `ended`. */
export interface Watch {
  /** The reader wants bytes: the source is waited for. */
  wants?(): void;
  came?(chunk: Uint8Array): void;
  /** The reader is waited for. */
  full?(): void;
  /** All has come, or the stream was left: nothing is waited for any more. */
  ended?(isWhole: boolean): void;
}

/**
 * Leaves its source open, whatever becomes of it: who sends a body that is not read to its end gets an answer. An end that comes too early
 * and a source that fails destroy it.
 */
export class PassedOn extends Readable {
  readonly #source: Readable;
  readonly #watch: Watch;
  #isWanted = false;
  #isBegun = false;
  #isWhole = false;

  constructor(source: Readable, watch: Watch = {}) {
    super();
    this.#source = source;
    this.#watch = watch;
    source.on('end', this.#end).on('error', this.#fail).on('close', this.#close);
    if (source.destroyed && !source.readableEnded) this.destroy(source.errored ?? new Error(BROKE_OFF));
  }

  /**
   * Into what sends it away: a chunk's memory is freed as soon as it is written. Until a collection it would be garbage beside a heap of
   * 150 MB, and each 64 MB of it would cost a collection of all that.
   */
  override pipe<To extends NodeJS.WritableStream>(to: To): To {
    this.on('data', (chunk: Uint8Array) => {
      const isTaken = to.write(chunk, (error) => {
        if (!error) free(chunk);
      });
      if (!isTaken) this.pause();
    });
    to.on('drain', () => this.resume()).once('close', () => this.destroy());
    this.once('end', () => to.end());
    return to;
  }

  override _read(): void {
    if (this.#isWanted || this.#isWhole) return;
    this.#isWanted = true;
    this.#watch.wants?.();
    if (this.#source.readableEnded) {
      this.#end();
      return;
    }
    if (!this.#isBegun) this.#source.on('data', this.#take);
    this.#isBegun = true;
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.off('data', this.#take).off('end', this.#end).off('error', this.#fail).off('close', this.#close);
    if (!this.#isWhole) {
      if (this.#isBegun) this.#source.pause();
      this.#watch.ended?.(false);
    }
    done(error);
  }

  readonly #take = (chunk: Uint8Array): void => {
    this.#watch.came?.(chunk);
    if (this.push(chunk)) return;
    this.#isWanted = false;
    this.#source.pause();
    this.#watch.full?.();
  };

  readonly #end = (): void => {
    if (this.#isWhole) return;
    this.#isWhole = true;
    this.#watch.ended?.(true);
    this.push(null);
  };

  readonly #fail = (error: Error): void => void this.destroy(error);

  readonly #close = (): void => {
    if (!this.#isWhole) this.destroy(new Error(BROKE_OFF));
  };
}

const BROKE_OFF = 'it ended early';

/** One that shares its memory with others leaves it to them. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
