// Files of models on their way out, which are counted.
import { type Download, isBegun, openDownload } from '../../core/files/send-file.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Models } from './models.ts';

export class Downloads {
  readonly #parts: { models: Models; blobs: StoredBlobs | undefined };

  constructor(parts: { models: Models; blobs: StoredBlobs | undefined }) {
    this.#parts = parts;
  }

  /** Throws not_found, range_outside. */
  async open(
    caller: Caller,
    of: { id: string; version: string; path: string },
    asked: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download> {
    const { models, blobs } = this.#parts;
    const download = await openDownload(blobs, await models.file(caller, of), asked);
    if (isBegun(download)) await models.countDownload(of.id);
    return download;
  }
}
