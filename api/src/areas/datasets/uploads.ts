// Versions that begin, and how those that are uploaded get their files: listed in steps, so that what the organisation has is not sent
// again; then sent in pieces; then completed. Each call may be made twice: one that begins a version, under the same key.
import type { Readable } from 'node:stream';
import { MOST_DATASET_FILES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import {
  type collectedImportBody,
  type datasetDiskBody,
  type datasetHubBody,
  type datasetS3Body,
  type fileListBody,
  MOST_DATASET_VERSIONS,
  type newVersionBody,
} from '@gantry/contract/areas/datasets/datasets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, count, eq, lt, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { addFiles, type FileRow } from '../../core/files/files.ts';
import { lockOrganization } from '../../core/files/quota.ts';
import { type Disks, demandDisk } from '../../core/files/sources/disks.ts';
import { s3Keys } from '../../core/files/sources/s3-keys.ts';
import { demandOutside } from '../../core/files/sources/s3-source.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import { demandStore } from '../../core/files/stored-objects.ts';
import { isWhole, type PieceProgress, progressOf, TakePieces } from '../../core/files/take-pieces.ts';
import { recordForManagers } from '../../core/lineage/lineage-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { type DatasetAsked, datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { files } from '../../platform/db/schema/files.ts';
import { type Caller, mayManage } from '../../platform/http/caller.ts';
import { idOf } from '../../platform/ids.ts';
import type { Collected } from '../models/collected/collected.ts';
import { lineageOf } from './dataset-node.ts';
import { IS_OF_VERSION, lockDataset, ownDataset, type VersionRow } from './dataset-rows.ts';
import { type AskedOf, type SourceParts, sourceRef } from './dataset-sources.ts';
import { tooMany } from './datasets.ts';
import type { OfVersion } from './versions.ts';

interface UploadsParts {
  db: Database;
  clock: Clock;
  stored: Pick<StoredFiles, 'store' | 'pieces' | 'piecesAtOnce' | 'quotaGi' | 'wake'>;
  collected: Pick<Collected, 'rows'>;
  hub: SourceParts['hub'];
  credentials: SourceParts['credentials'];
  disks: Pick<Disks, 'has'>;
}

type Listed = z.output<typeof fileListBody>['files'];

export class Uploads {
  readonly #parts: UploadsParts;
  readonly #pieces: TakePieces;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
    this.#pieces = new TakePieces(parts.stored);
  }

  /** Resolves with its number. Throws not_found, too_many_datasets. */
  async begin(caller: Caller, id: string, { message }: z.output<typeof newVersionBody>, key?: string): Promise<number> {
    await this.#demandDataset(caller, id);
    return this.#begin(caller, id, { message, step: 'uploading', source: 'upload', key });
  }

  /** By somebody who manages. Throws not_found, too_many_datasets, dataset_shelved. */
  async beginCollected(
    caller: Caller,
    id: string,
    { deployment, message }: z.output<typeof collectedImportBody>,
    key?: string,
  ): Promise<number> {
    await this.#demandDataset(caller, id);
    // Nothing is begun of a deployment that has collected nothing.
    await this.#parts.collected.rows({ organizationId: caller.organization.id, deployment });
    const wish = { message, step: 'fetching', source: 'collected', sourceRef: deployment, key } as const;
    const number = await this.#begin(caller, id, wish, async (tx, dataset) => {
      if (dataset.shelvedAt) throw problem('dataset_shelved');
      await tx.update(datasets).set({ managersOnly: true }).where(eq(datasets.id, id));
      await recordForManagers(tx, lineageOf(dataset));
    });
    this.#parts.stored.wake();
    return number;
  }

  /** Resolves with its number. Throws not_found, too_many_datasets, model_hub_off. */
  async beginHub(
    caller: Caller,
    id: string,
    { message, ...asked }: z.output<typeof datasetHubBody>,
    key?: string,
  ): Promise<number> {
    await this.#demandDataset(caller, id);
    if (!this.#parts.hub) throw problem('model_hub_off');
    return this.#beginFetched(caller, id, { message, key }, { source: 'hub', ...asked });
  }

  /** Resolves with its number. Throws not_found, too_many_datasets, no_such_reference. */
  async beginDisk(
    caller: Caller,
    id: string,
    { message, ...asked }: z.output<typeof datasetDiskBody>,
    key?: string,
  ): Promise<number> {
    await this.#demandDataset(caller, id);
    demandStore(this.#parts.stored.store);
    demandDisk(this.#parts.disks, caller, asked.disk);
    return this.#beginFetched(caller, id, { message, key }, { source: 'disk', ...asked });
  }

  /** Resolves with its number. Throws not_found, too_many_datasets, dataset_s3_inner, dataset_credentials_unknown. */
  async beginS3(
    caller: Caller,
    id: string,
    { message, address, path_style, ...more }: z.output<typeof datasetS3Body>,
    key?: string,
  ): Promise<number> {
    await this.#demandDataset(caller, id);
    const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
    const asked = { source: 's3', ...more, bucket, prefix, pathStyle: path_style } as const;
    demandOutside(asked);
    if (more.credentials !== null) await s3Keys(this.#parts.credentials, caller.organization.id, more.credentials);
    return this.#beginFetched(caller, id, { message, key }, asked);
  }

  /** What a run of a task has made; the same one under the same key. Resolves with its number. Throws not_found, too_many_datasets. */
  async beginMade(caller: Caller, id: string, asked: AskedOf<'process'>, key: string): Promise<number> {
    return this.#beginFetched(caller, id, { message: '', key }, asked);
  }

  async #beginFetched(
    caller: Caller,
    id: string,
    of: { message: string; key: string | undefined },
    asked: DatasetAsked,
  ): Promise<number> {
    const wish = { ...of, step: 'fetching', source: asked.source, asked, sourceRef: sourceRef(asked) } as const;
    const number = await this.#begin(caller, id, wish);
    this.#parts.stored.wake();
    return number;
  }

  /**
   * Resolves with the paths of those that have to be sent. Throws not_found, model_not_uploading, dataset_file_differs,
   * too_many_dataset_files, too_many_files, model_quota.
   */
  async add(caller: Caller, of: OfVersion, listed: Listed): Promise<string[]> {
    const { db, clock, stored } = this.#parts;
    await this.#demandDataset(caller, of.id);
    demandStore(stored.store);
    const organizationId = caller.organization.id;
    return db.transaction(async (tx) => {
      await lockOrganization(tx, organizationId);
      const { id } = await lockUploading(tx, caller, of);
      const known = await listedAs(tx, id, listed);
      const fresh = listed.filter(({ path }) => !known.has(path));
      const differs = listed.find((file) => isAnother(file, known.get(file.path)));
      if (differs) throw problem('dataset_file_differs', { path: differs.path }, { field: 'files' });
      const has = await tx.$count(files, ofVersion(id));
      if (has + fresh.length > MOST_DATASET_FILES)
        throw problem('too_many_dataset_files', { most: MOST_DATASET_FILES }, { field: 'files' });
      const wanted = fresh.map(({ path, size_bytes, sha256 }) => ({
        ...{ path, sizeBytes: size_bytes, wantedSha256: sha256 ?? null },
      }));
      const quotaGi = stored.quotaGi(organizationId);
      const room = { quotaGi, at: new Date(clock.now()), isManager: mayManage(caller) };
      await addFiles(tx, { kind: 'dataset', id, organizationId }, wanted, room);
      const now = await listedAs(tx, id, listed);
      return [...now.values()].filter((file) => !isWhole(file)).map(({ path }) => path);
    });
  }

  /** Throws not_found. */
  async progress(caller: Caller, of: OfVersion & { path: string }): Promise<PieceProgress> {
    return progressOf((await this.#file(caller, of)).file);
  }

  /** `length` is what the body will have. */
  async put(
    caller: Caller,
    of: OfVersion & { path: string; offset: number; length: number },
    body: Readable,
  ): Promise<PieceProgress> {
    const { file, version } = await this.#file(caller, of);
    demandStore(this.#parts.stored.store);
    if (version.step !== 'uploading') throw problem('model_not_uploading');
    return this.#pieces.take(caller, { file, offset: of.offset, length: of.length, body });
  }

  /** All files are there: from now on the version is checked. Throws not_found, model_not_uploading, dataset_files_missing. */
  async complete(caller: Caller, of: OfVersion): Promise<void> {
    const { db, stored } = this.#parts;
    await this.#demandDataset(caller, of.id);
    demandStore(stored.store);
    await db.transaction(async (tx) => {
      // A caller that lists files waits, and finds that the upload is over.
      const version = await lockVersion(tx, caller, of);
      if (version.source !== 'upload' || version.state === 'failed') throw problem('model_not_uploading');
      if (version.step !== 'uploading') return;
      const [missing] = await tx
        .select({ path: files.path })
        .from(files)
        .where(and(ofVersion(version.id), lt(files.receivedBytes, files.sizeBytes)))
        .orderBy(asc(files.path))
        .limit(1);
      const hasAny = (await tx.$count(files, ofVersion(version.id))) > 0;
      if (missing || !hasAny) throw problem('dataset_files_missing', { path: missing?.path ?? '…' });
      await tx
        .update(datasetVersions)
        .set({ step: 'checking', tries: 0, nextTryAt: null })
        .where(eq(datasetVersions.id, version.id));
    });
    stored.wake();
  }

  async #begin(
    caller: Caller,
    id: string,
    {
      key,
      ...wish
    }: Pick<VersionRow, 'message' | 'step' | 'source'> & Partial<VersionRow> & { key: string | undefined },
    also: (tx: Sql, dataset: typeof datasets.$inferSelect) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const { db, clock, stored } = this.#parts;
    demandStore(stored.store);
    const now = new Date(clock.now());
    return db.transaction(async (tx) => {
      const dataset = await lockDataset(tx, caller, id);
      const versionId = idOf('dsv', key);
      const [known] = await tx
        .select({ number: datasetVersions.number })
        .from(datasetVersions)
        .where(and(eq(datasetVersions.id, versionId), eq(datasetVersions.datasetId, id)));
      if (known) return known.number;
      const [versions] = await tx
        .select({ count: count() })
        .from(datasetVersions)
        .where(eq(datasetVersions.datasetId, id));
      if ((versions?.count ?? 0) >= MOST_DATASET_VERSIONS) throw tooMany();
      await also(tx, dataset);
      const number = dataset.lastVersion + 1;
      await tx.update(datasets).set({ lastVersion: number, updatedAt: now }).where(eq(datasets.id, id));
      const who = { datasetId: id, number, creatorId: caller.account.id, createdAt: now };
      await tx.insert(datasetVersions).values({ ...wish, ...who, id: versionId, state: 'processing' });
      return number;
    });
  }

  /** Before anything about the installation is told. */
  async #demandDataset(caller: Caller, id: string): Promise<void> {
    if ((await this.#parts.db.sql.$count(datasets, ownDataset(caller, id))) === 0)
      throw problem('not_found', { what: id });
  }

  async #file(
    caller: Caller,
    { id, version, path }: OfVersion & { path: string },
  ): Promise<{ file: FileRow; version: VersionRow }> {
    const [found] = await this.#parts.db.sql
      .select({ file: files, version: datasetVersions })
      .from(files)
      .innerJoin(datasetVersions, IS_OF_VERSION)
      .innerJoin(datasets, eq(datasets.id, datasetVersions.datasetId))
      .where(and(ownDataset(caller, id), eq(datasetVersions.number, Number(version)), eq(files.path, path)));
    if (!found) throw problem('not_found', { what: path });
    return found;
  }
}

async function lockVersion(tx: Sql, caller: Caller, { id, version }: OfVersion): Promise<VersionRow> {
  await lockDataset(tx, caller, id);
  const [row] = await tx
    .select()
    .from(datasetVersions)
    .where(and(eq(datasetVersions.datasetId, id), eq(datasetVersions.number, Number(version))))
    .for('update');
  if (!row) throw problem('not_found', { what: version });
  return row;
}

async function lockUploading(tx: Sql, caller: Caller, of: OfVersion): Promise<VersionRow> {
  const version = await lockVersion(tx, caller, of);
  if (version.step !== 'uploading') throw problem('model_not_uploading');
  return version;
}

const ofVersion = (id: string): SQL => and(eq(files.ownerKind, 'dataset'), eq(files.ownerId, id)) as SQL;

/** By path, those of these that are listed already. */
async function listedAs(tx: Sql, id: string, listed: Listed): Promise<ReadonlyMap<string, FileRow>> {
  const paths = JSON.stringify(listed.map(({ path }) => path));
  const rows = await tx
    .select()
    .from(files)
    .where(and(ofVersion(id), sql`${files.path} in (select jsonb_array_elements_text(${paths}::jsonb))`));
  return new Map(rows.map((row) => [row.path, row]));
}

const isAnother = ({ size_bytes, sha256 }: Listed[number], known: FileRow | undefined): boolean =>
  known !== undefined && (known.sizeBytes !== size_bytes || (known.wantedSha256 ?? undefined) !== sha256);
