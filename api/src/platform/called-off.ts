// Waiting that ends with a signal, whether or not what is waited for knows of it: an answer that others wait for too, a source that is
// silent, a stream that nobody reads any more.
import { Readable } from 'node:stream';

/** The same promise. Rejects with the signal's reason once it is aborted. */
export function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** The same chunks. Throws the signal's reason once it is aborted, also while the next one is waited for. */
export async function* chunksUntil<T>(signal: AbortSignal, chunks: AsyncIterable<T>): AsyncGenerator<T> {
  const each = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value, done } = await until(signal, each.next());
      if (done) return;
      yield value;
    }
  } finally {
    const ended = each.return?.();
    // A source that is silent ends when it speaks, or by a signal of its own.
    if (signal.aborted) ended?.catch(() => undefined);
    else await ended;
  }
}

/**
 * A stream of these bytes, read no further than it is taken. `gone` aborts as soon as the stream is destroyed: a generator alone would
 * learn it from its source's next chunk.
 */
export function readableOf(make: (gone: AbortSignal) => AsyncIterable<Uint8Array>): Readable {
  const gone = new AbortController();
  const stream = Readable.from(make(gone.signal), { objectMode: false, highWaterMark: 0 });
  const { _destroy } = stream;
  stream._destroy = (error, done) => {
    gone.abort(error ?? new Error('nobody reads the stream any more'));
    _destroy.call(stream, error, done);
  };
  return stream;
}
