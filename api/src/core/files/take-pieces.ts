// Pieces of files as people send them: whether one is the next, and how many somebody sends at once. What arrives is passed on to the
// store as it comes.
import { addAbortSignal, Readable } from 'node:stream';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { BodyBroken } from '../../platform/object-store/object-store.ts';
import { PassedOn } from '../../platform/passed-on.ts';
import type { FileRow } from './files.ts';
import type { StoredFiles } from './stored-files.ts';
import { demandStore, orAway } from './stored-objects.ts';

export interface PieceProgress {
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

export type TakeParts = Pick<StoredFiles, 'store' | 'pieces' | 'piecesAtOnce'>;

export class TakePieces {
  readonly #stored: TakeParts;
  constructor(stored: TakeParts) {
    this.#stored = stored;
  }

  /**
   * Nothing of the body is read before the piece is known to be the next one. Throws upload_offset, model_piece_size,
   * upload_not_understood, too_many_requests, transfer_too_slow, transfer_gave_way and what `look` does.
   */
  async take(caller: Caller, { file, offset, length, body, look }: SentPiece): Promise<PieceProgress> {
    const store = demandStore(this.#stored.store);
    if (offset !== file.receivedBytes) throw problem('upload_offset', { offset: file.receivedBytes });
    const size = Math.min(PIECE_BYTES, file.sizeBytes - offset);
    if (length !== size || size === 0) throw problem('model_piece_size', { path: file.path, offset, wanted: size });
    return this.#stored.piecesAtOnce.within(caller, undefined, async (rate) => {
      const sent = addAbortSignal(rate.signal, new PassedOn(body, rate.watch()));
      // It may fail while nobody reads it.
      sent.on('error', () => {});
      const append = async () => {
        const passedOn = look && offset === 0 ? await lookedAt(sent, look) : sent;
        return this.#stored.pieces.append(store, file, { offset, size, body: passedOn });
      };
      const next = await orAway(append()).catch((error: unknown) => {
        throw error instanceof BodyBroken ? problem('upload_not_understood', { detail: error.message }) : error;
      });
      return { offset: next, complete: next === file.sizeBytes };
    });
  }
}

export const isWhole = ({ receivedBytes, sizeBytes }: FileRow): boolean => receivedBytes === sizeBytes;

export const progressOf = (file: FileRow): PieceProgress => ({ offset: file.receivedBytes, complete: isWhole(file) });

/** The same body, of which the beginning was looked at. */
async function lookedAt(body: Readable, look: (head: Uint8Array) => void): Promise<Readable> {
  const chunks = body.iterator({ destroyOnReturn: false });
  let head = Buffer.alloc(0);
  while (head.length < LOOKED_AT) {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new BodyBroken('the piece broke off', { cause: error });
    });
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  look(head.subarray(0, LOOKED_AT));
  const all = async function* () {
    yield head;
    yield* chunks;
  };
  return Readable.from(all(), { objectMode: false });
}
