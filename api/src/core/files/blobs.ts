// Bytes under their digest, and what becomes of those that no file of any owner names. A blob is marked before its object is removed,
// and its row goes last: whoever needs it meanwhile waits, and stores it again.
import { and, eq, exists, isNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { blobs, droppedUploads, files } from '../../platform/db/schema/files.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { FileRow } from './files.ts';
import { blobKey, fileKey, objectOf } from './stored-objects.ts';

/** The owner was deleted meanwhile. */
export class Gone extends Error {}
/** The store is just removing what is needed: it is stored again afterwards. */
export class NotNow extends Error {}

type BlobRow = typeof blobs.$inferSelect;

const MOST_SWEPT = 100;
/** Of a store that is away, all are refused. */
const MOST_REFUSALS = 2;
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

  /**
   * A file that has arrived in pieces, and was hashed. Its object is the blob's from now on, or the sweep removes it where the store has
   * equal bytes: how long this takes tells nobody whether others have them. Throws NotNow, Gone.
   */
  async keep(file: FileRow, digest: string): Promise<void> {
    const { db, clock } = this.#parts;
    const isMine = await db.transaction(async (tx) => {
      const { storedAt } = await this.#locked(tx, digest, file.sizeBytes);
      // Not one that came again meanwhile.
      const isSame = sql`${files.uploadId} is not distinct from ${file.uploadId}`;
      const isKept = await this.#kept(tx, file, digest, isArriving(file), isSame);
      const isBlob = isKept && storedAt === null;
      if (isBlob)
        await tx
          .update(blobs)
          .set({ object: fileKey(file.id), storedAt: new Date(clock.now()) })
          .where(eq(blobs.digest, digest));
      // The sweep may have looked before its pieces were joined.
      const isOver = isKept ? !isBlob : (await tx.$count(files, isArriving(file))) === 0;
      if (isOver) await tx.insert(droppedUploads).values({ fileId: file.id }).onConflictDoNothing();
      return isKept;
    });
    if (!isMine) throw new Gone();
  }

  /** A file of which nothing has arrived, by its bytes. Throws as `keep` does, Gone also if pieces of it come meanwhile. */
  async keepBytes(file: FileRow, digest: string, bytes: Uint8Array): Promise<void> {
    const { db, store } = this.#parts;
    await this.#stored(file, digest, () => store.put(blobKey(digest), bytes));
    const isMine = await db.transaction(async (tx) => {
      const isKept = await this.#kept(tx, file, digest, eq(files.digest, digest), isNull(files.uploadId));
      // The sweep may have looked before the object was there.
      if (!isKept) await tx.insert(blobs).values({ digest, sizeBytes: file.sizeBytes }).onConflictDoNothing();
      return isKept;
    });
    if (!isMine) throw new Gone();
  }

  async #stored(file: FileRow, digest: string, put: () => Promise<void>): Promise<void> {
    const { db, clock } = this.#parts;
    const blob = await db.transaction(async (tx) => {
      const row = await this.#locked(tx, digest, file.sizeBytes);
      // From here on nothing removes it.
      const [mine] = await tx.update(files).set({ digest }).where(isArriving(file)).returning();
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

  /** Within a transaction: nothing removes it meanwhile. Throws NotNow. */
  async #locked(tx: Sql, digest: string, sizeBytes: number): Promise<BlobRow> {
    await tx.insert(blobs).values({ digest, sizeBytes }).onConflictDoNothing();
    const [row] = await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
    if (!row || row.removingAt) throw new NotNow();
    return row;
  }

  async #kept(tx: Sql, file: FileRow, digest: string, ...still: SQL[]): Promise<boolean> {
    const kept = await tx
      .update(files)
      .set({ digest, keptAt: new Date(this.#parts.clock.now()), uploadId: null, receivedBytes: file.sizeBytes })
      .where(and(eq(files.id, file.id), ...still))
      .returning({ id: files.id });
    return kept.length > 0;
  }

  /**
   * Removes what was given up, and blobs that no file has any more. In any order, and past a few that the store refuses, which hold up no
   * others. Throws the last refusal.
   */
  async sweep(): Promise<void> {
    const { sql: db } = this.#parts.db;
    const refusals: unknown[] = [];
    const past = async (removal: Promise<void>) => {
      await removal.catch((error: unknown) => refusals.push(error));
      if (refusals.length > MOST_REFUSALS) throw refusals.at(-1);
    };
    const anyOrder = sql`random()`;
    for (const dropped of await db.select().from(droppedUploads).orderBy(anyOrder).limit(MOST_SWEPT))
      await past(this.#drop(dropped));
    const unused = await db.select().from(blobs).where(this.#isUnused(db)).orderBy(anyOrder).limit(MOST_SWEPT);
    for (const { digest } of unused) await past(this.#remove(digest));
    if (refusals.length > 0) throw refusals.at(-1);
  }

  async #drop({ fileId, uploadId }: typeof droppedUploads.$inferSelect): Promise<void> {
    const { db, store } = this.#parts;
    const key = fileKey(fileId);
    if (uploadId !== null) await store.giveUp(key, uploadId);
    // It is over, so that it becomes no blob from here on. But it may be one already, which other files have.
    if ((await db.sql.$count(blobs, eq(blobs.object, key))) === 0) await store.remove(key);
    await db.sql.delete(droppedUploads).where(eq(droppedUploads.fileId, fileId));
  }

  async #remove(digest: string): Promise<void> {
    const { db, clock, store } = this.#parts;
    const at = clock.now();
    const mine = await db.transaction(async (tx) => {
      // A file that takes it up holds this row meanwhile: it is asked again what is unused afterwards.
      await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
      const marked = await tx
        .update(blobs)
        .set({ removingAt: new Date(at), storedAt: null })
        .where(and(eq(blobs.digest, digest), this.#isUnused(tx)))
        .returning();
      return marked[0];
    });
    if (!mine || clock.now() - at > REMOVES_WITHIN_MS) return;
    await store.remove(objectOf(mine));
    // Equal bytes that came as a small file at the same time.
    if (mine.object !== null) await store.remove(blobKey(digest));
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

const isArriving = ({ id }: FileRow): SQL =>
  and(eq(files.id, id), eq(files.state, 'arriving'), isNull(files.keptAt)) as SQL;
