// Files of models on their way out, which are counted.
import { type Download, isBegun, openDownload } from '../../core/files/send-file.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Models } from './models.ts';

export class Downloads {
  readonly #parts: { models: Models; store: ObjectStore | undefined };

  constructor(parts: { models: Models; store: ObjectStore | undefined }) {
    this.#parts = parts;
  }

  /** Throws not_found, range_outside. */
  async open(
    caller: Caller,
    of: { id: string; version: string; path: string },
    asked: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download> {
    const { models, store } = this.#parts;
    const download = await openDownload(store, await models.file(caller, of), asked);
    if (isBegun(download)) await models.countDownload(of.id);
    return download;
  }
}
