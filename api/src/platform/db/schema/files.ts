// Files of models and datasets, whichever owns them. The bytes are in the object store, one object for each digest.
import { FILE_OWNERS, type FileOwner } from '@gantry/contract/billing/storage.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';
import { organizations } from './people.ts';

const bytes = (name: string) => bigint(name, { mode: 'number' });
const ownerKind = () => text('owner_kind', { enum: FILE_OWNERS }).$type<FileOwner>().notNull();

/** `arriving` takes room, `ready` takes room and is metered, `failed` has lost its bytes and takes neither. */
const FILE_STATES = ['arriving', 'ready', 'failed'] as const;

/**
 * What the store has by a SHA-256 (hexadecimal). A file refers to it before it is stored, so that nothing removes it meanwhile; one
 * that is being removed is not taken up again until it is gone.
 */
export const blobs = pgTable(
  'blobs',
  {
    digest: text('digest').primaryKey(),
    sizeBytes: bytes('size_bytes').notNull(),
    storedAt: time('stored_at'),
    /** The key of its object; absent where that is made of its digest. */
    object: text('object'),
    removingAt: time('removing_at'),
  },
  (table) => [index('blobs_removing').on(table.removingAt), uniqueIndex('blobs_object').on(table.object)],
);

export const files = pgTable(
  'files',
  {
    id: text('id').primaryKey(),
    ownerKind: ownerKind(),
    /** The version of the model or dataset. */
    ownerId: text('owner_id').notNull(),
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    path: text('path').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    state: text('state', { enum: FILE_STATES }).notNull().default('arriving'),
    /** How much has arrived: whole pieces, and the last one. */
    receivedBytes: bytes('received_bytes').notNull().default(0),
    /** The store's id of the unfinished upload; absent before its first piece and after its last. */
    uploadId: text('upload_id'),
    /** The store's number of the next piece: each try of one takes a number of its own. */
    nextPart: integer('next_part').notNull().default(1),
    /** The number of the last piece that arrived, and those before it whose pieces did not. */
    lastPart: integer('last_part').notNull().default(0),
    spoiledParts: integer('spoiled_parts').array().notNull().default(sql`'{}'`),
    /** Of its bytes as they came, where one gateway saw all of them. */
    arrivedSha256: text('arrived_sha256'),
    /** What its source says of it: other bytes are refused. */
    wantedSha256: text('wanted_sha256'),
    /** Of small files a hub only says git's own hash: SHA-1 with a header. */
    wantedGitSha1: text('wanted_git_sha1'),
    /** Which content is fetched: of a disk, that of its first byte; of a bucket, that of the list. Other content is refused. */
    sourceTag: text('source_tag'),
    /** What its source calls it, where that is not its path. */
    sourcePath: text('source_path'),
    digest: text('digest').references(() => blobs.digest),
    /** Its bytes are in the store under their digest. */
    keptAt: time('kept_at'),
  },
  (table) => [
    uniqueIndex('files_path').on(table.ownerKind, table.ownerId, table.path),
    index('files_digest').on(table.digest),
    index('files_org').on(table.organizationId),
  ],
);

/** Objects of files that were given up, which the store still has. */
export const droppedUploads = pgTable('dropped_uploads', {
  fileId: text('file_id').primaryKey(),
  uploadId: text('upload_id'),
});

/** What an organisation's files of one kind of owner took for an hour, and what that cost. */
export const storedHours = pgTable(
  'stored_hours',
  {
    hour: time('hour').notNull(),
    organizationId: text('org_id').notNull(),
    ownerKind: ownerKind(),
    bytes: bytes('bytes').notNull(),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** The transfer in the books; null for what costs nothing. */
    transferKey: text('transfer_key'),
  },
  (table) => [primaryKey({ columns: [table.hour, table.organizationId, table.ownerKind] })],
);
