// The collected records of deployments, as those who manage their organisation list, read and delete them. They outlive their deployment.
import type { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, count, desc, eq, gte, isNotNull, max, min, type SQL, sql, sum } from 'drizzle-orm';
import { demandStore, orAway } from '../../../core/files/stored-objects.ts';
import { type MadeNode, recordGone } from '../../../core/lineage/lineage-rows.ts';
import { readableOf } from '../../../platform/called-off.ts';
import { type CursorPage, type CursorRows, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { collectedFiles } from '../../../platform/db/schema/collected.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import type { ObjectStore } from '../../../platform/object-store/object-store.ts';

export type CollectedRow = typeof collectedFiles.$inferSelect;

export interface CollectedSet {
  deployment: string;
  exists: boolean;
  files: number;
  records: number;
  leftOut: number;
  sizeBytes: number;
  firstAt: Date;
  lastAt: Date;
}

export interface CollectedParts {
  db: Database;
  clock: { now(): number };
  store: ObjectStore | undefined;
  /** Whether the organisation has such a deployment. */
  exists(organizationId: string, deployment: string): boolean;
}

/** The store's key of a file. */
export const collectedKey = ({
  organizationId,
  deployment,
  id,
}: Pick<CollectedRow, 'organizationId' | 'deployment' | 'id'>) =>
  `collected/${organizationId}/${deployment}/${id}.jsonl`;

/** All that deployments of one name have collected, in the lineage. */
export const collectedNode = (organizationId: string, deployment: string): MadeNode => ({
  ...{ organizationId, kind: 'collected', ref: deployment, version: null, uid: `${organizationId}/${deployment}` },
  ...{ digest: '', name: deployment, managersOnly: true },
});

const COLUMNS = { id: collectedFiles.id, lastAt: collectedFiles.lastAt };

interface Asked {
  organizationId: string;
  deployment: string;
  /** The id of one file; all of them where absent. */
  file?: string | undefined;
}

export class Collected {
  readonly #parts: CollectedParts;

  constructor(parts: CollectedParts) {
    this.#parts = parts;
  }

  /** By deployment, the one with the newest first. */
  async sets(organizationId: string): Promise<CollectedSet[]> {
    const { db, exists } = this.#parts;
    const { deployment, records, leftOut, sizeBytes, firstAt, lastAt } = collectedFiles;
    const rows = await db.sql
      .select({
        deployment,
        files: count(),
        records: sum(records).mapWith(Number),
        leftOut: sum(leftOut).mapWith(Number),
        sizeBytes: sum(sizeBytes).mapWith(Number),
        firstAt: min(firstAt),
        lastAt: max(lastAt),
      })
      .from(collectedFiles)
      .where(and(eq(collectedFiles.organizationId, organizationId), isReadable(db)))
      .groupBy(deployment)
      .orderBy(desc(max(lastAt)));
    return rows.map((row) => ({
      ...row,
      firstAt: row.firstAt ?? new Date(0),
      lastAt: row.lastAt ?? new Date(0),
      exists: exists(organizationId, row.deployment),
    }));
  }

  /** The newest first. Throws not_found for a deployment that there is not, and never was one that collected. */
  async files(asked: Asked, page: CursorPage): Promise<CursorRows<CollectedRow>> {
    const { db, exists } = this.#parts;
    const own = whereOf(asked) as SQL;
    const found = await cursorPage(
      db.sql,
      { table: collectedFiles, columns: COLUMNS, own, where: and(own, isReadable(db)), sort: ['lastAt', 'DESC'] },
      page,
      db.sql.select().from(collectedFiles).$dynamic(),
      ({ id }) => id,
    );
    if (found.total === 0 && !exists(asked.organizationId, asked.deployment))
      throw problem('not_found', { what: asked.deployment });
    return found;
  }

  /** All files that were asked for as one, the oldest first. Throws not_found. */
  async open(asked: Asked, signal: AbortSignal): Promise<{ size: number; body: Readable }> {
    const rows = await this.#found(asked, isReadable(this.#parts.db));
    const store = demandStore(this.#parts.store);
    // The first is asked for before anything is answered, so that a store that is away is told.
    const [first, ...others] = rows;
    const begun = await orAway(store.download(collectedKey(first as CollectedRow), undefined, signal));
    async function* bytes(gone: AbortSignal): AsyncGenerator<Uint8Array> {
      gone.addEventListener('abort', () => begun.destroy());
      yield* begun;
      for (const row of others)
        yield* await store.download(collectedKey(row), undefined, AbortSignal.any([signal, gone]));
    }
    return { size: rows.reduce((all, { sizeBytes }) => all + sizeBytes, 0), body: readableOf(bytes) };
  }

  /** Each file by itself, the oldest first. Throws not_found. */
  rows(asked: Asked): Promise<CollectedRow[]> {
    return this.#found(asked, isReadable(this.#parts.db));
  }

  /** Reads one of them, from an offset on. Throws StoreAway. */
  read(row: CollectedRow, from: number, signal: AbortSignal): Promise<Readable> {
    return demandStore(this.#parts.store).read(collectedKey(row), { from, to: row.sizeBytes - 1 }, signal);
  }

  /** Throws not_found. A file whose object is gone is deleted like any other, and so is one that a gateway has only begun. */
  async remove(asked: Asked): Promise<void> {
    const rows = await this.#found(asked, isOfThisLife(this.#parts.db));
    const store = demandStore(this.#parts.store);
    for (const row of rows) {
      await orAway(store.remove(collectedKey(row)));
      await this.#parts.db.sql.delete(collectedFiles).where(eq(collectedFiles.id, row.id));
    }
    const { db, clock } = this.#parts;
    const { organizationId, deployment } = asked;
    await db.transaction(async (tx) => {
      if ((await tx.$count(collectedFiles, whereOf({ organizationId, deployment }))) > 0) return;
      await recordGone(tx, collectedNode(organizationId, deployment), new Date(clock.now()));
    });
  }

  async #found(asked: Asked, which: SQL | undefined): Promise<CollectedRow[]> {
    const rows = await this.#parts.db.sql
      .select()
      .from(collectedFiles)
      .where(and(whereOf(asked), which))
      .orderBy(asc(collectedFiles.lastAt), asc(collectedFiles.id));
    if (rows.length === 0) throw problem('not_found', { what: asked.file ?? asked.deployment });
    return rows;
  }
}

const whereOf = ({ organizationId, deployment, file }: Asked) =>
  and(
    eq(collectedFiles.organizationId, organizationId),
    eq(collectedFiles.deployment, deployment),
    file === undefined ? sql`true` : eq(collectedFiles.id, file),
  );

/** An organisation that inherits a deleted one's name does not get its collected records. */
const isOfThisLife = ({ sql: connection }: Database) =>
  gte(
    collectedFiles.lastAt,
    connection
      .select({ createdAt: organizations.createdAt })
      .from(organizations)
      .where(eq(organizations.id, collectedFiles.organizationId)),
  );

const isReadable = (db: Database) => and(isNotNull(collectedFiles.storedAt), isOfThisLife(db));
