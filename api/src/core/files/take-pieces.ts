// Pieces of files as people send them: whether one is the next, and how many somebody sends at once. What arrives is passed on to the
// store as it comes.
import { Readable } from 'node:stream';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { BodyBroken } from '../../platform/object-store/object-store.ts';
import type { FileRow } from './files.ts';
import type { StoredFiles } from './stored-files.ts';
import { demandStore, orAway } from './stored-objects.ts';

export interface Standing {
  offset: number;
  complete: boolean;
}

interface SentPiece {
  file: FileRow;
  offset: number;
  /** What the body will have, as its sender says. */
  length: number;
  body: Readable;
  /** Looks at the first bytes of a file. Throws the problem of what is not taken. */
  look?: (head: Uint8Array) => void;
}

/** How much of a file is looked at before the rest of it is taken. */
const LOOKED_AT = 4096;
/** Of one person at a time. */
const MOST_PIECES = 8;

export class TakePieces {
  readonly #stored: Pick<StoredFiles, 'store' | 'pieces'>;
  readonly #held = new Map<string, number>();

  constructor(stored: Pick<StoredFiles, 'store' | 'pieces'>) {
    this.#stored = stored;
  }

  /**
   * Nothing of the body is read before the piece is known to be the next one. Throws upload_offset, model_piece_size,
   * upload_not_understood, too_many_requests and what `look` does.
   */
  async take(caller: Caller, { file, offset, length, body, look }: SentPiece): Promise<Standing> {
    const store = demandStore(this.#stored.store);
    if (offset !== file.receivedBytes) throw problem('upload_offset', { offset: file.receivedBytes });
    const size = Math.min(PIECE_BYTES, file.sizeBytes - offset);
    if (length !== size || size === 0) throw problem('model_piece_size', { path: file.path, offset, wanted: size });
    return this.#within(caller, async () => {
      const append = async () => {
        const passedOn = look && offset === 0 ? await lookedAt(body, look) : body;
        return this.#stored.pieces.append(store, file, { offset, size, body: passedOn });
      };
      const next = await orAway(append()).catch((error: unknown) => {
        throw error instanceof BodyBroken ? problem('upload_not_understood', { detail: error.message }) : error;
      });
      return { offset: next, complete: next === file.sizeBytes };
    });
  }

  async #within<T>({ account }: Caller, work: () => Promise<T>): Promise<T> {
    const held = this.#held.get(account.id) ?? 0;
    if (held >= MOST_PIECES) throw problem('too_many_requests', { seconds: 1 }, { retryAfterSeconds: 1 });
    this.#held.set(account.id, held + 1);
    try {
      return await work();
    } finally {
      const left = (this.#held.get(account.id) ?? 1) - 1;
      if (left === 0) this.#held.delete(account.id);
      else this.#held.set(account.id, left);
    }
  }
}

export const isWhole = ({ receivedBytes, sizeBytes }: FileRow): boolean => receivedBytes === sizeBytes;

export const standingOf = (file: FileRow): Standing => ({ offset: file.receivedBytes, complete: isWhole(file) });

/** The same body, of which the beginning was looked at. */
async function lookedAt(body: Readable, look: (head: Uint8Array) => void): Promise<Readable> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < LOOKED_AT) {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new BodyBroken('the piece broke off', { cause: error });
    });
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  look(head.subarray(0, LOOKED_AT));
  return Readable.from(
    (async function* () {
      yield head;
      for (;;) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield value;
      }
    })(),
    { objectMode: false },
  );
}
