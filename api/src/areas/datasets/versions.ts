// Versions of datasets as they are read: lists, files, bytes, and what one has otherwise than another.
import type {
  DatasetDifferenceView,
  DatasetFileView,
  DatasetVersionView,
} from '@gantry/contract/areas/datasets/datasets.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, lt, type SQL } from 'drizzle-orm';
import { filesOf } from '../../core/files/files.ts';
import { type Archive, openArchive } from '../../core/files/send-archive.ts';
import { type Download, isBegun, openDownload } from '../../core/files/send-file.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { type CursorPage, type CursorRows, cursorPage } from '../../platform/db/key-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { files } from '../../platform/db/schema/files.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { compareFiles } from './compare-files.ts';
import { countDownload, profilesOf, seenDataset, seenVersion, sumsOf, type VersionRow } from './dataset-rows.ts';
import { fileView, versionView } from './dataset-views.ts';

/** As a path of the API has it. */
export interface OfVersion {
  id: string;
  version: string;
}

const VERSIONS = { id: datasetVersions.number, number: datasetVersions.number };
const FILES = { id: files.path, path: files.path };

export class Versions {
  readonly #parts: { db: Database; blobs: StoredBlobs | undefined };

  constructor(parts: { db: Database; blobs: StoredBlobs | undefined }) {
    this.#parts = parts;
  }

  /** The newest first. Throws not_found. */
  async list(
    caller: Caller,
    id: string,
    page: CursorPage,
    language: Language,
  ): Promise<CursorRows<DatasetVersionView>> {
    const { sql: db } = this.#parts.db;
    const [dataset] = await db
      .select({ organizationId: datasets.organizationId })
      .from(datasets)
      .where(seenDataset(caller, id));
    if (!dataset) throw problem('not_found', { what: id });
    const isOwn = dataset.organizationId === caller.organization.id;
    const own = and(eq(datasetVersions.datasetId, id), ...(isOwn ? [] : [eq(datasetVersions.state, 'ready')])) as SQL;
    const { items, ...rest } = await cursorPage(
      db,
      { table: datasetVersions, columns: VERSIONS, own, sort: ['number', 'DESC'] },
      page,
      db.select().from(datasetVersions).$dynamic(),
      ({ number }) => number,
    );
    const sums = await sumsOf(db, items);
    const profiles = await profilesOf(db, items);
    return { items: items.map((row) => versionView(row, sums, { language, isOwn, profiles })), ...rest };
  }

  /** Throws not_found. */
  async get(caller: Caller, of: OfVersion, language: Language): Promise<DatasetVersionView> {
    const { sql: db } = this.#parts.db;
    const { version, isOwn } = await seenVersion(db, caller, of);
    const profiles = await profilesOf(db, [version]);
    return versionView(version, await sumsOf(db, [version]), { language, isOwn, profiles });
  }

  /** By their paths. Throws not_found. */
  async files(
    caller: Caller,
    of: OfVersion,
    { missing, ...page }: CursorPage & { missing?: 'true' | undefined },
  ): Promise<CursorRows<DatasetFileView>> {
    const { sql: db } = this.#parts.db;
    const { version } = await seenVersion(db, caller, of);
    const own = ofVersion(version);
    const where = missing ? (and(own, lt(files.receivedBytes, files.sizeBytes)) as SQL) : own;
    const { items, ...rest } = await cursorPage(
      db,
      { table: files, columns: FILES, own, where, sort: ['path', 'ASC'] },
      page,
      db.select().from(files).$dynamic(),
      ({ path }) => path,
    );
    return { items: items.map(fileView), ...rest };
  }

  /** Throws not_found, range_outside. */
  async open(
    caller: Caller,
    of: OfVersion & { path: string },
    asked: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download> {
    const { db, blobs } = this.#parts;
    const { version } = await seenVersion(db.sql, caller, of);
    const [file] = await db.sql
      .select({ digest: files.digest, size: files.sizeBytes })
      .from(files)
      .where(and(ofVersion(version), eq(files.path, of.path), eq(files.state, 'ready')));
    if (!file?.digest) throw problem('not_found', { what: of.path });
    const download = await openDownload(blobs, { digest: file.digest, size: file.size }, asked);
    if (isBegun(download)) await countDownload(db.sql, of.id);
    return download;
  }

  /** All of its files; `name` is what people call it. Throws not_found. */
  async archive(caller: Caller, of: OfVersion, signal: AbortSignal): Promise<{ archive: Archive; name: string }> {
    const { db, blobs } = this.#parts;
    const { dataset, version } = await seenVersion(db.sql, caller, of);
    if (version.state !== 'ready') throw problem('not_found', { what: of.version });
    const listed = await filesOf(db.sql, { kind: 'dataset', id: version.id });
    const packed = listed.map(({ path, sizeBytes, digest }) => ({ path, sizeBytes, digest: digest ?? '' }));
    const archive = await openArchive(blobs, packed, signal);
    await countDownload(db.sql, of.id);
    return { archive, name: `${dataset.name} ${version.number}` };
  }

  /** What `version` has otherwise than `other`. Throws not_found, dataset_not_ready. */
  async compare(caller: Caller, of: OfVersion, other: string): Promise<DatasetDifferenceView> {
    const { sql: db } = this.#parts.db;
    const { version } = await seenVersion(db, caller, of);
    const { version: base } = await seenVersion(db, caller, { ...of, version: other });
    const unready = [version, base].find(({ state }) => state !== 'ready');
    if (unready) throw problem('dataset_not_ready', { version: unready.number });
    const { sizeBytes, ...found } = await compareFiles(db, version.id, base.id);
    return {
      ...{ version: version.number, with: base.number, equal: version.digest === base.digest },
      ...{ ...found, size_bytes: sizeBytes },
      rows: version.rows === null || base.rows === null ? null : version.rows - base.rows,
    };
  }
}

const ofVersion = ({ id }: VersionRow): SQL => and(eq(files.ownerKind, 'dataset'), eq(files.ownerId, id)) as SQL;
