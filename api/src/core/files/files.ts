// Rows of files: declared before their bytes come, ready or failed with their owner, and gone with it. Every owner's rows are written
// here, within the transaction that changes the owner.
import type { FileOwner } from '@gantry/contract/billing/storage.ts';
import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Sql } from '../../platform/db/open.ts';
import { blobs, droppedUploads, files } from '../../platform/db/schema/files.ts';
import { newId } from '../../platform/ids.ts';
import { demandRoom } from './quota.ts';

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

/**
 * Which files there will be. One whose SHA-256 the same organisation has stored already is there at once; what another organisation
 * has is never told by this. Within `lockOrganization`. Throws model_quota, organization_not_ready.
 */
export async function declareFiles(
  tx: Sql,
  owner: Owner,
  wanted: readonly WantedFile[],
  room: { quotaGi: number | undefined; at: Date },
): Promise<FileRow[]> {
  await addFiles(tx, owner, wanted, room);
  return filesOf(tx, owner);
}

/** Those alone: an owner of many files lists them in steps. */
export async function addFiles(
  tx: Sql,
  owner: Owner,
  wanted: readonly WantedFile[],
  { quotaGi, at }: { quotaGi: number | undefined; at: Date },
): Promise<void> {
  const has = await storedBy(tx, owner.organizationId, wanted);
  const isThere = ({ wantedSha256, sizeBytes }: WantedFile): boolean =>
    wantedSha256 != null && has.get(wantedSha256) === sizeBytes;
  const coming = wanted.filter((file) => !isThere(file)).reduce((all, { sizeBytes }) => all + sizeBytes, 0);
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

/** Sizes by digest, of those that the organisation has. The sweep waits until the transaction has ended. */
async function storedBy(
  tx: Sql,
  organizationId: string,
  wanted: readonly WantedFile[],
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

/** In the order of their paths. */
export const filesOf = (db: Sql, owner: Pick<Owner, 'kind' | 'id'>): Promise<FileRow[]> =>
  db.select().from(files).where(ofOwner(owner)).orderBy(asc(files.path));

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
