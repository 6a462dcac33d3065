// The bytes of a file of a ready version, whole or a range of them.
import type { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import { blobKey, demandStore, orAway } from '../../core/files/stored-objects.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Models } from './models.ts';

export interface Download {
  body: Readable;
  digest: string;
  size: number;
  /** Both ends are in it; absent: all. */
  range?: { from: number; to: number } | undefined;
}

export class Downloads {
  readonly #parts: { models: Models; store: ObjectStore | undefined };

  constructor(parts: { models: Models; store: ObjectStore | undefined }) {
    this.#parts = parts;
  }

  /** `range` as the header has it; one that is not understood is ignored, as RFC 9110 says. Throws range_outside. */
  async open(
    caller: Caller,
    of: { id: string; version: string; path: string },
    { range: asked, signal }: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download> {
    const { models } = this.#parts;
    const { digest, size } = await models.file(caller, of);
    const store = demandStore(this.#parts.store);
    const range = rangeOf(asked, size);
    const body = await orAway(store.read(blobKey(digest), range, signal));
    if (!range || range.from === 0) await models.countDownload(of.id);
    return { body, digest, size, range };
  }
}

function rangeOf(asked: string | undefined, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to) throw problem('range_outside');
  return { from, to };
}
