// Pieces of files on their way into the store, hashed as they pass. A piece that two send at once is stored twice under two numbers,
// and the one whose row was written first counts: what was hashed is what is joined, whatever a tenant sends meanwhile.
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { type ObjectStore, UploadLost } from '../../platform/object-store/object-store.ts';
import type { FileRow } from './files.ts';
import { fileKey } from './stored-objects.ts';

/** Of an upload, as S3 has it. */
const MOST_PARTS = 10_000;
/** Files that arrive at once; the hash of one more has to be taken from the store. */
const MOST_HASHES = 2000;
/** Between two turns of the loop. */
const HASHED_AT_ONCE = 1024 * 1024;

/**
 * The store's number of a piece. `claimed` is of this try alone, as long as enough numbers are left for the pieces after it; then
 * numbers are used again, and what is stored under them has to be read to be known.
 */
export function partFor({ claimed, last, after }: { claimed: number; last: number; after: number }): {
  number: number;
  isOwn: boolean;
} {
  const isOwn = claimed + after <= MOST_PARTS;
  return { number: isOwn ? claimed : last + 1, isOwn };
}

export class Pieces {
  readonly #parts: { db: Database };
  /** By upload: the hash of its bytes up to a place. Another gateway's are not here. */
  readonly #hashes = new Map<string, { sha256: Hash; at: number }>();

  constructor(parts: { db: Database }) {
    this.#parts = parts;
  }

  /** The piece at `offset`, which must be the next one. Resolves with where the file goes on. Throws upload_offset, not_found. */
  async append(
    store: ObjectStore,
    file: FileRow,
    { offset, size, body }: { offset: number; size: number; body: Readable | Uint8Array },
  ): Promise<number> {
    const { sql: db } = this.#parts.db;
    const uploadId = file.uploadId ?? (await this.#begun(store, file.id));
    const atOffset = and(eq(files.id, file.id), eq(files.receivedBytes, offset), eq(files.uploadId, uploadId));
    const [claim] = await db
      .update(files)
      .set({ nextPart: sql`${files.nextPart} + 1` })
      .where(atOffset)
      .returning({ next: files.nextPart, last: files.lastPart });
    if (!claim) return this.elsewhere(file);
    const end = offset + size;
    const after = Math.ceil((file.sizeBytes - end) / PIECE_BYTES);
    const { number, isOwn } = partFor({ claimed: claim.next - 1, last: claim.last, after });
    const sha256 = isOwn ? this.#hashAt(uploadId, offset) : undefined;
    const isWhole = body instanceof Uint8Array;
    if (sha256 && isWhole) await hashSlowly(sha256, body);
    const see = isWhole ? undefined : (chunk: Uint8Array) => void sha256?.update(chunk);
    try {
      await store.putPiece(fileKey(file.id), uploadId, { number, size, body, see });
    } catch (error) {
      if (!(error instanceof UploadLost)) throw error;
      await this.#forget(atOffset);
      return this.elsewhere(file);
    }
    const isLast = end === file.sizeBytes;
    const [moved] = await db
      .update(files)
      .set({
        receivedBytes: end,
        arrivedSha256: isLast ? (sha256?.copy().digest('hex') ?? null) : null,
        lastPart: number,
        spoiledParts: sql`${files.spoiledParts} || array(select generate_series(${files.lastPart} + 1, ${number}::integer - 1))`,
      })
      .where(atOffset)
      .returning({ received: files.receivedBytes });
    if (!moved) return this.elsewhere(file);
    this.#hashes.delete(uploadId);
    if (sha256 && !isLast) this.#remember(uploadId, { sha256, at: end });
    return moved.received;
  }

  /** As a copy: a piece that breaks off leaves what was before it. */
  #hashAt(uploadId: string, offset: number): Hash | undefined {
    if (offset === 0) return createHash('sha256');
    const known = this.#hashes.get(uploadId);
    return known?.at === offset ? known.sha256.copy() : undefined;
  }

  #remember(uploadId: string, hash: { sha256: Hash; at: number }): void {
    this.#hashes.set(uploadId, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > MOST_HASHES && oldest !== undefined) this.#hashes.delete(oldest);
  }

  /** Somebody else's piece was first, or the file is gone: throws upload_offset, not_found. */
  async elsewhere({ id, path }: FileRow): Promise<never> {
    const [now] = await this.#parts.db.sql.select().from(files).where(eq(files.id, id));
    if (!now) throw problem('not_found', { what: path });
    throw problem('upload_offset', { offset: now.receivedBytes });
  }

  /** What the store has lost comes again from the beginning; a late piece of an upload that was joined changes nothing. */
  async #forget(atOffset: SQL | undefined): Promise<void> {
    await this.#parts.db.sql
      .update(files)
      .set({ uploadId: null, receivedBytes: 0, arrivedSha256: null })
      .where(atOffset);
  }

  /** If two begin at once, one upload is used and the other given up. An upload whose file is gone is given up, too. */
  async #begun(store: ObjectStore, fileId: string): Promise<string> {
    const { sql: db } = this.#parts.db;
    const uploadId = await store.begin(fileKey(fileId));
    const [mine] = await db
      .update(files)
      .set({ uploadId, nextPart: 1, lastPart: 0, spoiledParts: [] })
      .where(and(eq(files.id, fileId), isNull(files.uploadId), isNull(files.keptAt), eq(files.state, 'arriving')))
      .returning({ id: files.id });
    if (mine) return uploadId;
    await store.giveUp(fileKey(fileId), uploadId);
    const [other] = await db.select().from(files).where(eq(files.id, fileId));
    if (!other?.uploadId) throw problem('not_found', { what: fileId });
    return other.uploadId;
  }
}

async function hashSlowly(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    await setImmediate();
  }
}
