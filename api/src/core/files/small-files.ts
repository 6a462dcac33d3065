// Files of a single small piece: they are stored under their digest at once, without an upload in pieces, a copy and a removal. What two
// send at once has two digests, so that neither can exchange the other's bytes.
import { createHash } from 'node:crypto';
import { BodyBroken, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { type Blobs, Gone, NotNow } from './blobs.ts';
import type { FileRow } from './files.ts';
import type { Pieces } from './pieces.ts';

/** It is in memory while it is stored. */
const SMALL_BYTES = 1024 * 1024;

type Piece = Parameters<Pieces['append']>[2];

/** Takes pieces as `Pieces` does. */
export class SmallFiles implements Pick<Pieces, 'append'> {
  readonly #pieces: Pick<Pieces, 'append' | 'elsewhere'>;
  readonly #blobs: Blobs;

  constructor(pieces: Pick<Pieces, 'append' | 'elsewhere'>, blobs: Blobs) {
    this.#pieces = pieces;
    this.#blobs = blobs;
  }

  async append(store: ObjectStore, file: FileRow, piece: Piece): Promise<number> {
    const { offset, size } = piece;
    // Git's own hash of a file is asked where pieces are joined.
    const isSmall = offset === 0 && size === file.sizeBytes && size <= SMALL_BYTES && file.wantedGitSha1 === null;
    if (!isSmall || file.uploadId !== null) return this.#pieces.append(store, file, piece);
    const body = piece.body instanceof Uint8Array ? piece.body : await wholeOf(piece.body, size);
    const digest = createHash('sha256').update(body).digest('hex');
    // One that its source calls otherwise fails with its version, as a large one does.
    const isKept = (file.wantedSha256 ?? digest) === digest && (await this.#keep(file, digest, body));
    return isKept ? size : this.#pieces.append(store, file, { ...piece, body });
  }

  /** Whether it is stored: not while what is needed is just being removed. */
  async #keep(file: FileRow, digest: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#blobs.keepBytes(file, digest, bytes);
      return true;
    } catch (error) {
      if (error instanceof Gone) return this.#pieces.elsewhere(file);
      if (error instanceof NotNow) return false;
      throw error;
    }
  }
}

/** Throws BodyBroken unless it has just this size. */
async function wholeOf(body: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > size) break;
    }
  } catch (error) {
    throw new BodyBroken('the piece broke off', { cause: error });
  }
  if (length !== size) throw new BodyBroken('the piece broke off');
  return Buffer.concat(chunks);
}
