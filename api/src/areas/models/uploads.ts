// Versions that begin, and the pieces of their files. What arrives is passed on to the store as it comes, and is not checked before
// all of it is there, except for what its beginning already gives away.
import type { Readable } from 'node:stream';
import {
  type diskImportBody,
  type hubBody,
  MOST_MODELS,
  MOST_VERSIONS,
  type ModelVersionView,
  type uploadBody,
} from '@gantry/contract/areas/models/models.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq } from 'drizzle-orm';
import type * as z from 'zod';
import { declareFiles, type FileRow } from '../../core/files/files.ts';
import { lockOrganization } from '../../core/files/quota.ts';
import { type Disks, demandDisk } from '../../core/files/sources/disks.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import { demandStore } from '../../core/files/stored-objects.ts';
import { isWhole, type PieceProgress, progressOf, TakePieces } from '../../core/files/take-pieces.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { type ModelMade, models, modelVersions } from '../../platform/db/schema/models.ts';
import { isUniqueViolation } from '../../platform/db/sqlstate.ts';
import { type Caller, mayManage } from '../../platform/http/caller.ts';
import { idOf, newId } from '../../platform/ids.ts';
import { isPickle, isPickleName } from './formats/pickle.ts';
import { toChecking } from './model-owner.ts';
import { type VersionRow, versionView } from './model-views.ts';
import { IS_OF_VERSION, ownModel } from './models.ts';

export interface UploadsParts {
  db: Database;
  clock: Clock;
  stored: Pick<StoredFiles, 'store' | 'pieces' | 'piecesAtOnce' | 'quotaGi' | 'wake'>;
  hasHub: boolean;
  disks: Pick<Disks, 'has'>;
}

export interface PieceOf {
  id: string;
  version: string;
  path: string;
}

export class Uploads {
  readonly #parts: UploadsParts;
  readonly #pieces: TakePieces;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
    this.#pieces = new TakePieces(parts.stored);
  }

  async beginUpload(
    caller: Caller,
    id: string,
    { version, files: listed }: z.output<typeof uploadBody>,
  ): Promise<ModelVersionView> {
    await this.#demandModel(caller, id);
    demandStore(this.#parts.stored.store);
    const pickle = listed.find(({ path }) => isPickleName(path));
    if (pickle) throw problem('model_pickle', { path: pickle.path }, { field: 'files' });
    const wanted = listed.map(({ path, size_bytes, sha256 }) => ({
      ...{ path, sizeBytes: size_bytes, wantedSha256: sha256 ?? null },
    }));
    const organizationId = caller.organization.id;
    const wish = { name: version, state: 'uploading', source: 'upload' } as const;
    const begun = await this.#begin(caller, id, wish, (tx, versionId) =>
      declareFiles(tx, { kind: 'model', id: versionId, organizationId }, wanted, {
        quotaGi: this.#parts.stored.quotaGi(organizationId),
        at: new Date(this.#parts.clock.now()),
        isManager: mayManage(caller),
      }),
    );
    await this.#finish(begun.version, begun.files.every(isWhole));
    return shown(caller, begun);
  }

  async beginImport(
    caller: Caller,
    id: string,
    { version, repository, revision, include }: z.output<typeof hubBody>,
  ): Promise<ModelVersionView> {
    await this.#demandModel(caller, id);
    demandStore(this.#parts.stored.store);
    if (!this.#parts.hasHub) throw problem('model_hub_off');
    return this.#fetch(caller, id, { name: version, source: 'hub', repository, revision, include });
  }

  async beginDiskImport(
    caller: Caller,
    id: string,
    { version, disk, folder, include }: z.output<typeof diskImportBody>,
  ): Promise<ModelVersionView> {
    await this.#demandModel(caller, id);
    demandStore(this.#parts.stored.store);
    demandDisk(this.#parts.disks, caller, disk);
    return this.#fetch(caller, id, { name: version, source: 'disk', repository: disk, revision: folder, include });
  }

  /**
   * What a task has made, under that name, or one beside it where that is taken; the same one under the same key. Resolves with its name.
   * Throws not_found, too_many_models.
   */
  async beginMade(
    caller: Caller,
    id: string,
    { name, made }: { name: string; made: ModelMade },
    key: string,
  ): Promise<string> {
    const { db, stored } = this.#parts;
    const versionId = idOf('mvr', key);
    const step = made.step === undefined ? '' : ` step ${made.step}`;
    const more = { source: 'task', repository: made.task, revision: `run ${made.run}${step}`, made } as const;
    for (let beside = 1; ; beside++) {
      const [known] = await db.sql
        .select({ name: modelVersions.name })
        .from(modelVersions)
        .where(and(eq(modelVersions.id, versionId), eq(modelVersions.modelId, id)));
      if (known) return known.name;
      const wish = {
        ...more,
        id: versionId,
        name: beside === 1 ? name : `${name}-${beside}`,
        state: 'importing',
      } as const;
      const begun = await this.#begin(caller, id, wish, async () => []).catch((error: unknown) => {
        if (error instanceof Problem && error.problem === 'model_version_exists') return undefined;
        // Somebody else has begun it just now.
        if (isUniqueViolation(error, 'model_versions_pkey')) return undefined;
        throw error;
      });
      if (!begun) continue;
      stored.wake();
      return begun.version.name;
    }
  }

  /** Begins a version whose files come by themselves. */
  async #fetch(
    caller: Caller,
    id: string,
    wish: Pick<VersionRow, 'name' | 'source' | 'repository' | 'revision' | 'include'>,
  ): Promise<ModelVersionView> {
    const begun = await this.#begin(caller, id, { ...wish, state: 'importing' }, async () => []);
    this.#parts.stored.wake();
    return shown(caller, begun);
  }

  async progress(caller: Caller, of: PieceOf): Promise<PieceProgress> {
    const { file, version } = await this.#file(caller, of);
    await this.#finish(version, isWhole(file));
    return progressOf(file);
  }

  /** `length` is what the body will have. Nothing of it is read before the piece is known to be the next one. */
  async put(caller: Caller, of: PieceOf & { offset: number; length: number }, body: Readable): Promise<PieceProgress> {
    const { file, version } = await this.#file(caller, of);
    demandStore(this.#parts.stored.store);
    if (version.state !== 'uploading') throw problem('model_not_uploading');
    const look = (head: Uint8Array) => {
      if (isPickle(head)) throw problem('model_pickle', { path: of.path });
    };
    const { offset, length } = of;
    const progress = await this.#pieces.take(caller, { file, offset, length, body, look });
    await this.#finish(version, progress.complete);
    return progress;
  }

  async #begin(
    caller: Caller,
    id: string,
    wish: Pick<VersionRow, 'name' | 'state' | 'source'> & Partial<VersionRow>,
    addFiles: (tx: Sql, versionId: string) => Promise<FileRow[]>,
  ): Promise<{ version: VersionRow; files: FileRow[] }> {
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const row = { id: newId('mvr'), ...wish, modelId: id, creatorId: caller.account.id, createdAt: now };
    const begun = db.transaction(async (tx) => {
      await lockOrganization(tx, caller.organization.id);
      const [model] = await tx.update(models).set({ updatedAt: now }).where(ownModel(caller, id)).returning();
      if (!model) throw problem('not_found', { what: id });
      const count = await tx.$count(modelVersions, eq(modelVersions.modelId, id));
      if (count >= MOST_VERSIONS) throw problem('too_many_models', { most: MOST_MODELS, versions: MOST_VERSIONS });
      const [version] = await tx.insert(modelVersions).values(row).returning();
      if (!version) throw new Error('an insert returned nothing');
      return { version, files: await addFiles(tx, row.id) };
    });
    return begun.catch((error: unknown) => {
      throw isUniqueViolation(error, 'model_versions_name')
        ? problem('model_version_exists', {}, { field: 'version' })
        : error;
    });
  }

  /** Before anything about the installation is told. */
  async #demandModel(caller: Caller, id: string): Promise<void> {
    if ((await this.#parts.db.sql.$count(models, ownModel(caller, id))) === 0) throw problem('not_found', { what: id });
  }

  async #file(caller: Caller, { id, version, path }: PieceOf): Promise<{ file: FileRow; version: VersionRow }> {
    const [found] = await this.#parts.db.sql
      .select({ file: files, version: modelVersions })
      .from(files)
      .innerJoin(modelVersions, IS_OF_VERSION)
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(and(ownModel(caller, id), eq(modelVersions.name, version), eq(files.path, path)));
    if (!found) throw problem('not_found', { what: path });
    return found;
  }

  /** A crash after the last piece leaves this undone: whoever asks how the file stands does it. */
  async #finish({ id }: VersionRow, hasAll: boolean): Promise<void> {
    if (hasAll && (await toChecking(this.#parts.db.sql, id, 'uploading'))) this.#parts.stored.wake();
  }
}

const shown = ({ account }: Caller, { version, files }: { version: VersionRow; files: FileRow[] }): ModelVersionView =>
  versionView(version, files, { language: account.locale, isOwn: true });
