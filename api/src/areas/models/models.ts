// Models of an organisation's space, and those that the library shows to everybody. Somebody else's model that the library does not
// show does not exist.

import {
  MOST_MODELS,
  MOST_VERSIONS,
  type ModelDetailView,
  type ModelQuery,
  type ModelView,
  type modelBody,
  type newModelBody,
} from '@gantry/contract/areas/models/models.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { CachedOn } from '@gantry/contract/models/cached-on.ts';
import type { PlatformRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { demandUnused, type User } from '../../core/files/demand-unused.ts';
import { type FileRow, filesOfAll, removeFiles } from '../../core/files/files.ts';
import { GIB, lockOrganization, usedBytes } from '../../core/files/quota.ts';
import { recordGone, recordRenamed } from '../../core/lineage/lineage-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';
import { isUniqueViolation } from '../../platform/db/sqlstate.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { idOf } from '../../platform/ids.ts';
import { digestOfFiles } from './deployed.ts';
import { detailView, latestOf, type ModelRow, modelView, pageOf, type VersionRow, versionView } from './model-views.ts';

export type ModelWish = z.output<typeof modelBody>;
export type NewModelWish = z.output<typeof newModelBody>;

export interface ModelsParts {
  db: Database;
  clock: Clock;
  /** GiB; undefined while the cluster does not have the organisation. */
  quotaGi(organizationId: string): number | undefined;
  /** Deployments, of whichever organisation, that serve the model, or a version of it: each with its organisation. */
  usedBy(model: string, version?: string): readonly User[];
  /** How many of the nodes that the organisation may use have the files of a list, by its digest. */
  cachedOn(organizationId: string, digest: string): CachedOn;
  /** Something may be swept. */
  wake(): void;
}

const { card: _, ...WITHOUT_CARD } = getTableColumns(models);

/** Letters of a card by which a model is found. */
const MOST_BEGINNING = 4_000;

/** Those who may show a model in the library. */
const MAY_CHOOSE_IDS: readonly PlatformRole[] = ['administrator', 'catalogue'];
export class Models {
  readonly #parts: ModelsParts;

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  async space({ organization }: Caller, query: ModelQuery) {
    const { db, quotaGi } = this.#parts;
    const page = pageOf(await this.#views(eq(models.organizationId, organization.id), organization.id), query);
    const quota = quotaGi(organization.id);
    return {
      ...page,
      extra: {
        ...page.extra,
        used_bytes: await usedBytes(db.sql, organization.id),
        quota_bytes: quota === undefined ? null : quota * GIB,
      },
    };
  }

  async library({ organization }: Caller, query: ModelQuery) {
    return pageOf(await this.#views(isNotNull(models.shelvedAt), organization.id), query);
  }

  async get(caller: Caller, id: string, language: Language): Promise<ModelDetailView> {
    const { db } = this.#parts;
    const ours = eq(models.organizationId, caller.organization.id);
    const [row] = await db.sql
      .select()
      .from(models)
      .where(and(eq(models.id, id), or(ours, isNotNull(models.shelvedAt))));
    if (!row) throw problem('not_found', { what: id });
    const isOwn = row.organizationId === caller.organization.id;
    const versions = await db.sql
      .select()
      .from(modelVersions)
      .where(eq(modelVersions.modelId, id))
      .orderBy(desc(modelVersions.createdAt), asc(modelVersions.id));
    const files = await filesOfAll(
      db.sql,
      'model',
      versions.map((version) => version.id),
    );
    const sizes = new Map([...files].map(([version, of]) => [version, sizeOf(of)]));
    const shown = versions.filter(({ state }) => isOwn || state === 'ready');
    return detailView(
      { ...modelView(row, versions, sizes, isOwn), deployed: this.#isDeployed(caller.organization.id, id) },
      row.card,
      shown.map((version) => {
        const own = files.get(version.id) ?? [];
        const isReady = version.state === 'ready';
        const cachedOn = isReady ? this.#parts.cachedOn(caller.organization.id, digestOfFiles(own)) : null;
        return versionView(version, own, { language, isOwn, cachedOn });
      }),
    );
  }

  /** Under the same key it is the same model. Throws model_id_of_staff, model_id_exists, model_exists, too_many_models. */
  async create(caller: Caller, { id, ...wish }: NewModelWish, key?: string): Promise<string> {
    // Anybody else would learn by it which ids others have, and take the one that a manifest names.
    if (id !== undefined && !caller.account.platformRoles.some((role) => MAY_CHOOSE_IDS.includes(role)))
      throw problem('model_id_of_staff', {}, { field: 'id' });
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const organizationId = caller.organization.id;
    const row = {
      ...{ id: id ?? idOf('mdl', key), organizationId, creatorId: caller.account.id, createdAt: now, updatedAt: now },
      ...wish,
    };
    await unlessTaken(
      db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId);
        if (id === undefined && (await tx.$count(models, ownModel(caller, row.id))) > 0) return;
        const count = await tx.$count(models, eq(models.organizationId, organizationId));
        if (count >= MOST_MODELS) throw problem('too_many_models', { most: MOST_MODELS, versions: MOST_VERSIONS });
        await tx.insert(models).values(row);
      }),
    );
    return row.id;
  }

  async edit(caller: Caller, id: string, wish: ModelWish): Promise<void> {
    const { db, clock } = this.#parts;
    await unlessTaken(
      db.transaction(async (tx) => {
        const edited = await tx
          .update(models)
          .set({ ...wish, updatedAt: new Date(clock.now()) })
          .where(ownModel(caller, id))
          .returning({ id: models.id });
        if (edited.length === 0) throw problem('not_found', { what: id });
        await recordRenamed(tx, { ...lineageOf(caller, id), name: wish.name });
      }),
    );
  }

  async remove(caller: Caller, id: string): Promise<void> {
    const { db, clock, wake } = this.#parts;
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select({ shelvedAt: models.shelvedAt })
        .from(models)
        .where(ownModel(caller, id))
        .for('update');
      if (!row) throw problem('not_found', { what: id });
      if (row.shelvedAt) throw problem('model_shelved');
      demandUnused(caller, this.#parts.usedBy(id));
      const versions = await tx
        .select({ id: modelVersions.id })
        .from(modelVersions)
        .where(eq(modelVersions.modelId, id))
        .for('update');
      await removeFiles(
        tx,
        'model',
        versions.map((version) => version.id),
      );
      await tx.delete(models).where(eq(models.id, id));
      await recordGone(tx, lineageOf(caller, id), new Date(clock.now()));
    });
    wake();
  }

  async removeVersion(caller: Caller, id: string, name: string): Promise<void> {
    const { db, clock, wake } = this.#parts;
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select({ shelvedAt: models.shelvedAt })
        .from(models)
        .where(ownModel(caller, id))
        .for('update');
      const versions = row
        ? await tx.select().from(modelVersions).where(eq(modelVersions.modelId, id)).for('update')
        : [];
      const version = versions.find((one) => one.name === name);
      if (!row || !version) throw problem('not_found', { what: name });
      if (row.shelvedAt && !latestOf(versions.filter((one) => one !== version))) throw problem('model_shelved');
      demandUnused(caller, this.#parts.usedBy(id, name));
      await removeFiles(tx, 'model', [version.id]);
      await tx.delete(modelVersions).where(eq(modelVersions.id, version.id));
      const now = new Date(clock.now());
      await recordGone(tx, { ...lineageOf(caller, id), uid: version.id }, now);
      await tx.update(models).set({ updatedAt: now }).where(eq(models.id, id));
    });
    wake();
  }

  /** A file of a ready version that the caller may read. */
  async file(
    caller: Caller,
    { id, version, path }: { id: string; version: string; path: string },
  ): Promise<{
    digest: string;
    size: number;
  }> {
    const { db } = this.#parts;
    const ours = eq(models.organizationId, caller.organization.id);
    const [found] = await db.sql
      .select({ digest: files.digest, size: files.sizeBytes })
      .from(files)
      .innerJoin(modelVersions, IS_OF_VERSION)
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(
        and(
          eq(models.id, id),
          or(ours, isNotNull(models.shelvedAt)),
          eq(modelVersions.name, version),
          eq(modelVersions.state, 'ready'),
          eq(files.path, path),
        ),
      );
    if (!found?.digest) throw problem('not_found', { what: path });
    return { digest: found.digest, size: found.size };
  }

  /** All that the library shows. */
  shown({ organization }: Caller): Promise<ModelView[]> {
    return this.#views(isNotNull(models.shelvedAt), organization.id);
  }

  /** The beginnings of cards of models that the library shows, by id. */
  async shownCards(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#parts.db.sql
      .select({ id: models.id, card: sql<string>`left(${models.card}, ${MOST_BEGINNING})` })
      .from(models)
      .where(and(inArray(models.id, [...ids]), isNotNull(models.shelvedAt)));
    return new Map(rows.map(({ id, card }) => [id, card]));
  }

  /** The owner of a model that the library shows. */
  async ownerOfShown(id: string): Promise<string | undefined> {
    const [row] = await this.#parts.db.sql
      .select({ organizationId: models.organizationId })
      .from(models)
      .where(and(eq(models.id, id), isNotNull(models.shelvedAt)));
    return row?.organizationId;
  }

  async countDownload(id: string): Promise<void> {
    const more = { downloads: sql`${models.downloads} + 1` };
    await this.#parts.db.sql.update(models).set(more).where(eq(models.id, id));
  }

  #isDeployed(organizationId: string, id: string): boolean {
    return this.#parts.usedBy(id).some((user) => user.organizationId === organizationId);
  }

  async #views(which: ReturnType<typeof eq>, organizationId: string): Promise<ModelView[]> {
    const { db } = this.#parts;
    const rows: ModelRow[] = await db.sql.select(WITHOUT_CARD).from(models).where(which);
    const { versions, sizes } = await versionsOf(
      db.sql,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({
      ...modelView(row, versions.get(row.id) ?? [], sizes, row.organizationId === organizationId),
      deployed: this.#isDeployed(organizationId, row.id),
    }));
  }
}

const lineageOf = ({ organization }: Caller, id: string) =>
  ({ organizationId: organization.id, kind: 'model', ref: id }) as const;

/** Files of a version of a model. */
export const IS_OF_VERSION = and(eq(files.ownerKind, 'model'), eq(files.ownerId, modelVersions.id));

export const ownModel = ({ organization }: Caller, id: string) =>
  and(eq(models.id, id), eq(models.organizationId, organization.id));

/** By model; and by version what its files have. */
export async function versionsOf(
  db: Sql,
  ids: readonly string[],
): Promise<{ versions: ReadonlyMap<string, VersionRow[]>; sizes: ReadonlyMap<string, number> }> {
  if (ids.length === 0) return { versions: new Map(), sizes: new Map() };
  const rows = await db
    .select()
    .from(modelVersions)
    .where(inArray(modelVersions.modelId, [...ids]));
  const summed = await db
    .select({
      version: files.ownerId,
      size: sql<string>`sum(${files.sizeBytes})`,
    })
    .from(files)
    .innerJoin(modelVersions, IS_OF_VERSION)
    .where(inArray(modelVersions.modelId, [...ids]))
    .groupBy(files.ownerId);
  return {
    versions: Map.groupBy(rows, ({ modelId }) => modelId),
    sizes: new Map(summed.map(({ version, size }) => [version, Number(size)])),
  };
}

const sizeOf = (files: readonly FileRow[]): number => files.reduce((all, { sizeBytes }) => all + sizeBytes, 0);

const unlessTaken = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (isUniqueViolation(error, 'models_pkey')) throw problem('model_id_exists', {}, { field: 'id' });
    throw isUniqueViolation(error, 'models_name') ? problem('model_exists', {}, { field: 'name' }) : error;
  });
