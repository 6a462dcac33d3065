// Rows of files: declared before their bytes come, ready or failed with their owner, and gone with it. Every owner's rows are written
// here, within the transaction that changes the owner.
import { setImmediate } from 'node:timers/promises';
import type { FileOwner } from '@gantry/contract/billing/storage.ts';
import { and, asc, eq, gt, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Sql } from '../../platform/db/open.ts';
import { datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { blobs, droppedUploads, files } from '../../platform/db/schema/files.ts';
import { newId } from '../../platform/ids.ts';
import { demandFew, demandRoom } from './quota.ts';

export type FileRow = typeof files.$inferSelect;

/** A version of a model or dataset, whose files these are. */
export interface Owner {
  kind: FileOwner;
  id: string;
  organizationId: string;
}

export interface WantedFile {
  path: string;
  sizeBytes: number;
  wantedSha256?: string | null;
  wantedGitSha1?: string | null;
  sourcePath?: string | null;
  sourceTag?: string | null;
}

const ofOwner = ({ kind, id }: Pick<Owner, 'kind' | 'id'>) => and(eq(files.ownerKind, kind), eq(files.ownerId, id));
const ofOwners = (kind: FileOwner, ids: readonly string[]) =>
  and(eq(files.ownerKind, kind), inArray(files.ownerId, [...ids]));

interface Room {
  quotaGi: number | undefined;
  at: Date;
  /** Whoever declares them manages the organisation: what is for those who manage is there for them, too. */
  isManager: boolean;
  /** Rows of the organisation; MOST_FILES where absent. */
  mostFiles?: number;
}

/**
 * Which files there will be. One whose SHA-256 the same organisation has stored already is there at once, where whoever declares it may
 * read it; what others have is never told by this. Within `lockOrganization`. Throws model_quota, too_many_files,
 * organization_not_ready.
 */
export async function declareFiles(
  tx: Sql,
  owner: Owner,
  wanted: readonly WantedFile[],
  room: Room,
): Promise<FileRow[]> {
  await addFiles(tx, owner, wanted, room);
  return filesOf(tx, owner);
}

/** Those alone: an owner of many files lists them in steps. */
export async function addFiles(
  tx: Sql,
  owner: Owner,
  wanted: readonly WantedFile[],
  { quotaGi, at, isManager, mostFiles }: Room,
): Promise<void> {
  const has = await storedBy(tx, owner.organizationId, wanted, isManager);
  const isThere = ({ wantedSha256, sizeBytes }: WantedFile): boolean =>
    wantedSha256 != null && has.get(wantedSha256) === sizeBytes;
  const coming = wanted.filter((file) => !isThere(file)).reduce((all, { sizeBytes }) => all + sizeBytes, 0);
  await demandFew(tx, owner.organizationId, wanted.length, mostFiles);
  await demandRoom(tx, owner.organizationId, coming, quotaGi);
  const rows = wanted.map((file) => {
    const stored = isThere(file);
    return {
      ...{ id: newId('fil'), ownerKind: owner.kind, ownerId: owner.id, organizationId: owner.organizationId },
      ...{ path: file.path, sizeBytes: file.sizeBytes },
      ...{ wantedSha256: file.wantedSha256 ?? null, wantedGitSha1: file.wantedGitSha1 ?? null },
      ...{ sourcePath: file.sourcePath ?? null, sourceTag: file.sourceTag ?? null },
      ...(stored
        ? { receivedBytes: file.sizeBytes, digest: file.wantedSha256, keptAt: at }
        : { receivedBytes: 0, digest: null, keptAt: null }),
    };
  });
  if (rows.length > 0) await tx.execute(insertRows(files, rows));
}

/**
 * Of datasets with something collected, of their tables (`<version>.table`), and of what tasks do for them (`<dataset>.work`): only those
 * who manage read them. A digest alone would open them to whoever knows it.
 */
const IS_FOR_MANAGERS = and(
  eq(files.ownerKind, 'dataset'),
  sql`exists (select from ${datasets} left join ${datasetVersions} on ${datasetVersions.datasetId} = ${datasets.id} where ${datasets.managersOnly} and ${datasets.organizationId} = ${files.organizationId} and split_part(${files.ownerId}, '.', 1) in (${datasets.id}, ${datasetVersions.id}))`,
) as SQL;

/** Sizes by digest, of those that the organisation has. The sweep waits until the transaction has ended. */
async function storedBy(
  tx: Sql,
  organizationId: string,
  wanted: readonly WantedFile[],
  isManager: boolean,
): Promise<ReadonlyMap<string, number>> {
  const digests = [...new Set(wanted.flatMap(({ wantedSha256 }) => wantedSha256 ?? []))];
  if (digests.length === 0) return new Map();
  const own = tx
    .select({ digest: files.digest })
    .from(files)
    .where(
      and(
        eq(files.organizationId, organizationId),
        isNotNull(files.keptAt),
        ...(isManager ? [] : [not(IS_FOR_MANAGERS)]),
        sql`${files.digest} in (select jsonb_array_elements_text(${JSON.stringify(digests)}::jsonb))`,
      ),
    );
  const rows = await tx
    .select({ digest: blobs.digest, size: blobs.sizeBytes })
    .from(blobs)
    .where(and(inArray(blobs.digest, own), isNotNull(blobs.storedAt), isNull(blobs.removingAt)))
    .orderBy(asc(blobs.digest))
    .for('share');
  return new Map(rows.map(({ digest, size }) => [digest, size]));
}

/** Between two turns of the loop: reading a row costs about 4 µs. */
const READ_AT_ONCE = 2_000;

/** In the order of their paths, some at a time: a version may have 20,000, and others have their turn in between. */
export async function filesOf(db: Sql, owner: Pick<Owner, 'kind' | 'id'>): Promise<FileRow[]> {
  const found: FileRow[] = [];
  for (let last: FileRow | undefined; ; last = found.at(-1)) {
    const rows = await db
      .select()
      .from(files)
      .where(and(ofOwner(owner), ...(last ? [gt(files.path, last.path)] : [])))
      .orderBy(asc(files.path))
      .limit(READ_AT_ONCE);
    found.push(...rows);
    if (rows.length < READ_AT_ONCE) return found;
    await setImmediate();
  }
}

/** By owner, in the order of their paths. */
export async function filesOfAll(
  db: Sql,
  kind: FileOwner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(files).where(ofOwners(kind, ids)).orderBy(asc(files.path));
  return Map.groupBy(rows, ({ ownerId }) => ownerId);
}

/** Whether every byte of every file is there. */
export const haveArrived = (owner: Pick<Owner, 'kind'> & { id: unknown }) =>
  sql`not exists (select from ${files} where ${files.ownerKind} = ${owner.kind} and ${files.ownerId} = ${owner.id} and ${files.receivedBytes} < ${files.sizeBytes})`;

/** From now on they are metered. */
export async function readyFiles(tx: Sql, owner: Pick<Owner, 'kind' | 'id'>): Promise<void> {
  await tx.update(files).set({ state: 'ready' }).where(ofOwner(owner));
}

/** Names and sizes stay, to say what failed; bytes go. */
export async function failFiles(tx: Sql, owner: Pick<Owner, 'kind' | 'id'>): Promise<void> {
  await rememberUploads(tx, owner.kind, [owner.id]);
  await tx
    .update(files)
    .set({ state: 'failed', digest: null, keptAt: null, uploadId: null, arrivedSha256: null, receivedBytes: 0 })
    .where(ofOwner(owner));
}

/** With their owners, whose rows are locked. What the store has of them is swept later. */
export async function removeFiles(tx: Sql, kind: FileOwner, ownerIds: readonly string[]): Promise<void> {
  if (ownerIds.length === 0) return;
  await rememberUploads(tx, kind, ownerIds);
  await tx.delete(files).where(ofOwners(kind, ownerIds));
}

/** Of files that were not kept yet. */
async function rememberUploads(tx: Sql, kind: FileOwner, ownerIds: readonly string[]): Promise<void> {
  const unkept = tx
    .select({ fileId: files.id, uploadId: files.uploadId })
    .from(files)
    .where(and(ofOwners(kind, ownerIds), isNull(files.keptAt), sql`${files.state} <> 'failed'`));
  await tx.insert(droppedUploads).select(unkept).onConflictDoNothing();
}
