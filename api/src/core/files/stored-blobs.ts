// Bytes by their SHA-256, wherever the store has them: files that arrived in pieces stay where they arrived.
import type { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { blobs } from '../../platform/db/schema/files.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { objectOf } from './stored-objects.ts';

type Rest = [range?: { from: number; to: number }, signal?: AbortSignal];

/** Reads as an `ObjectStore` does, by digests instead of keys. */
export class StoredBlobs implements Pick<ObjectStore, 'read' | 'download' | 'size'> {
  readonly #parts: { db: Pick<Database, 'sql'>; store: Pick<ObjectStore, 'read' | 'download' | 'size'> };

  constructor(parts: { db: Pick<Database, 'sql'>; store: Pick<ObjectStore, 'read' | 'download' | 'size'> }) {
    this.#parts = parts;
  }

  async read(digest: string, ...rest: Rest): Promise<Readable> {
    return this.#parts.store.read(await this.keyOf(digest), ...rest);
  }

  async download(digest: string, ...rest: Rest): Promise<Readable> {
    return this.#parts.store.download(await this.keyOf(digest), ...rest);
  }

  async size(digest: string): Promise<number | undefined> {
    return this.#parts.store.size(await this.keyOf(digest));
  }

  /** The key of its object. */
  async keyOf(digest: string): Promise<string> {
    const [blob] = await this.#parts.db.sql.select().from(blobs).where(eq(blobs.digest, digest));
    return objectOf({ digest, object: blob?.object ?? null });
  }
}
