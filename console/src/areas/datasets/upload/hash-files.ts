// SHA-256 of files, in a worker: the page stays usable while gigabytes are read.

/** It changed, or is gone, since it was chosen. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export type Hashed = { readonly digest: string } | { readonly failed: string };

export interface Hasher {
  /** One after the other. Rejects with Unreadable. */
  hash(file: Blob): Promise<string>;
  close(): void;
}

export function openHasher(): Hasher {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  const waiting: PromiseWithResolvers<string>[] = [];
  worker.onmessage = ({ data }: MessageEvent<Hashed>) => {
    const next = waiting.shift();
    if ('digest' in data) next?.resolve(data.digest);
    else next?.reject(new Unreadable(data.failed));
  };
  worker.onerror = ({ message }) => {
    for (const each of waiting.splice(0)) each.reject(new Error(message));
  };
  return {
    hash(file) {
      const answer = Promise.withResolvers<string>();
      waiting.push(answer);
      worker.postMessage(file);
      return answer.promise;
    },
    close: () => worker.terminate(),
  };
}
