// Bytes under their digest, and what becomes of those that no file of any owner names. A blob is marked before its object is removed,
// and its row goes last: whoever needs it meanwhile waits, and stores it again.
import { and, eq, exists, isNull, lt, notExists, or, type SQL } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { blobs, droppedUploads, files } from '../../platform/db/schema/files.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { FileRow } from './files.ts';
import { blobKey, stagingKey } from './stored-objects.ts';

/** The owner was deleted meanwhile. */
export class Gone extends Error {}
/** The store is just removing what is needed: it is stored again afterwards. */
export class NotNow extends Error {}

const MOST_SWEPT = 100;
/**
 * A sweeper that was stopped between its mark and the removal does not remove after the first; another takes its marks up after the
 * second. So a removal that comes late finds no blob that was stored again.
 */
const REMOVES_WITHIN_MS = 60_000;
const TAKEN_UP_AFTER_MS = 300_000;

interface BlobsParts {
  db: Database;
  clock: { now(): number };
  store: ObjectStore;
}

export class Blobs {
  readonly #parts: BlobsParts;

  constructor(parts: BlobsParts) {
    this.#parts = parts;
  }

  /** What lies in the staging area. What the store has already is not stored twice. Throws NotNow, Gone. */
  async keep(file: FileRow, digest: string): Promise<void> {
    const { db, store } = this.#parts;
    await this.#stored(file, digest, () => store.copy(stagingKey(file.id), blobKey(digest), file.sizeBytes));
    const isMine = await db.transaction(async (tx) => {
      const isKept = await this.#kept(tx, file, eq(files.digest, digest));
      // The sweep may have looked before the copy was there.
      if (!isKept) await tx.insert(blobs).values({ digest, sizeBytes: file.sizeBytes }).onConflictDoNothing();
      await tx.insert(droppedUploads).values({ fileId: file.id }).onConflictDoNothing();
      return isKept;
    });
    await this.#drop({ fileId: file.id, uploadId: null });
    if (!isMine) throw new Gone();
  }

  /** A file of which nothing has arrived, by its bytes. Throws as `keep` does, Gone also if pieces of it come meanwhile. */
  async keepBytes(file: FileRow, digest: string, bytes: Uint8Array): Promise<void> {
    const { db, store } = this.#parts;
    await this.#stored(file, digest, () => store.put(blobKey(digest), bytes));
    const isMine = await db.transaction(async (tx) => {
      const isKept = await this.#kept(tx, file, eq(files.digest, digest), isNull(files.uploadId));
      if (!isKept) await tx.insert(blobs).values({ digest, sizeBytes: file.sizeBytes }).onConflictDoNothing();
      return isKept;
    });
    if (!isMine) throw new Gone();
  }

  async #stored(file: FileRow, digest: string, put: () => Promise<void>): Promise<void> {
    const { db, clock } = this.#parts;
    const blob = await db.transaction(async (tx) => {
      await tx.insert(blobs).values({ digest, sizeBytes: file.sizeBytes }).onConflictDoNothing();
      const [row] = await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
      if (!row || row.removingAt) throw new NotNow();
      // From here on nothing removes it.
      const [mine] = await tx
        .update(files)
        .set({ digest })
        .where(and(eq(files.id, file.id), eq(files.state, 'arriving'), isNull(files.keptAt)))
        .returning();
      if (!mine) throw new Gone();
      return row;
    });
    if (blob.storedAt) return;
    await put();
    // While nothing named it, it may have been removed, and its row made anew for another file.
    const isNamed = exists(
      db.sql
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.id, file.id), eq(files.digest, digest))),
    );
    await db.sql
      .update(blobs)
      .set({ storedAt: new Date(clock.now()) })
      .where(and(eq(blobs.digest, digest), isNull(blobs.removingAt), isNamed));
  }

  async #kept(tx: Sql, file: FileRow, ...still: SQL[]): Promise<boolean> {
    const kept = await tx
      .update(files)
      .set({ keptAt: new Date(this.#parts.clock.now()), uploadId: null, receivedBytes: file.sizeBytes })
      .where(and(eq(files.id, file.id), ...still))
      .returning({ id: files.id });
    return kept.length > 0;
  }

  /** Removes what was given up, and blobs that no file has any more. */
  async sweep(): Promise<void> {
    const { sql: db } = this.#parts.db;
    for (const dropped of await db.select().from(droppedUploads).limit(MOST_SWEPT)) await this.#drop(dropped);
    const unused = await db.select().from(blobs).where(this.#isUnused(db)).limit(MOST_SWEPT);
    for (const { digest } of unused) await this.#remove(digest);
  }

  async #drop({ fileId, uploadId }: typeof droppedUploads.$inferSelect): Promise<void> {
    const { db, store } = this.#parts;
    if (uploadId !== null) await store.giveUp(stagingKey(fileId), uploadId);
    await store.remove(stagingKey(fileId));
    await db.sql.delete(droppedUploads).where(eq(droppedUploads.fileId, fileId));
  }

  async #remove(digest: string): Promise<void> {
    const { db, clock, store } = this.#parts;
    const at = clock.now();
    const isMine = await db.transaction(async (tx) => {
      // A file that takes it up holds this row meanwhile: it is asked again what is unused afterwards.
      await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
      const marked = await tx
        .update(blobs)
        .set({ removingAt: new Date(at), storedAt: null })
        .where(and(eq(blobs.digest, digest), this.#isUnused(tx)))
        .returning();
      return marked.length > 0;
    });
    if (!isMine || clock.now() - at > REMOVES_WITHIN_MS) return;
    await store.remove(blobKey(digest));
    await db.sql.delete(blobs).where(and(eq(blobs.digest, digest), eq(blobs.removingAt, new Date(at))));
  }

  #isUnused(db: Sql) {
    const tooOld = new Date(this.#parts.clock.now() - TAKEN_UP_AFTER_MS);
    return and(
      or(isNull(blobs.removingAt), lt(blobs.removingAt, tooOld)),
      notExists(db.select({ digest: files.digest }).from(files).where(eq(files.digest, blobs.digest))),
    );
  }
}
