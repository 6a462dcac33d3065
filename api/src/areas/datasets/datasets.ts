// Datasets of an organisation's data space, and those that staff show to everybody. Somebody else's dataset that is not shown does not
// exist, nor does one with collected requests for those who may not manage.
import {
  type DatasetDetailView,
  type DatasetQuery,
  type DatasetView,
  type datasetBody,
  MOST_DATASET_VERSIONS,
  MOST_DATASETS,
  type newDatasetBody,
} from '@gantry/contract/areas/datasets/datasets.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { demandUnused, type User } from '../../core/files/demand-unused.ts';
import { removeFiles } from '../../core/files/files.ts';
import { GIB, lockOrganization, usedBytes } from '../../core/files/quota.ts';
import { recordGone, recordRenamed } from '../../core/lineage/lineage-rows.ts';
import { type CursorRows, cursorPage } from '../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { isUniqueViolation } from '../../platform/db/sqlstate.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { idOf } from '../../platform/ids.ts';
import { lineageOf } from './dataset-node.ts';
import {
  inSpace,
  lockDataset,
  NO_VERSIONS,
  profilesOf,
  seenDataset,
  sumsOf,
  type VersionRow,
  versionsOf,
} from './dataset-rows.ts';
import { datasetView, versionView } from './dataset-views.ts';
import { tableOwnerId } from './reads-data.ts';

export interface DatasetsParts {
  db: Database;
  clock: Clock;
  /** GiB; undefined while the cluster does not have the organisation. */
  quotaGi(organizationId: string): number | undefined;
  /** What uses the dataset, or a version of it, by its number: each with its organisation. */
  usedBy(dataset: string, version?: number): readonly User[];
  /** What tasks have done for a dataset goes with it. Absent: there are none. */
  forgetWork?: ((tx: Sql, dataset: string) => Promise<void>) | undefined;
  /** Something may be swept. */
  wake(): void;
}

const { card: _, ...WITHOUT_CARD } = getTableColumns(datasets);
const MOST_SHOWN = 5_000;
/** Letters of a card by which a dataset is found. */
const MOST_BEGINNING = 4_000;
const COLUMNS = {
  id: datasets.id,
  name: datasets.name,
  create_time: datasets.createdAt,
  update_time: datasets.updatedAt,
  downloads: datasets.downloads,
};

export class Datasets {
  readonly #parts: DatasetsParts;

  constructor(parts: DatasetsParts) {
    this.#parts = parts;
  }

  async space(caller: Caller, query: DatasetQuery) {
    const { db, quotaGi } = this.#parts;
    const { items, total, cursor } = await this.#page(caller, inSpace(caller), query);
    const quota = quotaGi(caller.organization.id);
    const used = await usedBytes(db.sql, caller.organization.id);
    return { items, total, extra: { cursor, used_bytes: used, quota_bytes: quota === undefined ? null : quota * GIB } };
  }

  async library(caller: Caller, query: DatasetQuery) {
    const { items, total, cursor } = await this.#page(caller, isNotNull(datasets.shelvedAt), query);
    return { items, total, extra: { cursor } };
  }

  /** Throws not_found. */
  async get(caller: Caller, id: string, language: Language): Promise<DatasetDetailView> {
    const { db } = this.#parts;
    const [row] = await db.sql.select().from(datasets).where(seenDataset(caller, id));
    if (!row) throw problem('not_found', { what: id });
    const isOwn = row.organizationId === caller.organization.id;
    const versions = (await versionsOf(db.sql, [id])).get(id) ?? NO_VERSIONS;
    const { latest } = versions;
    const sums = await sumsOf(db.sql, latest ? [latest] : []);
    return {
      ...datasetView(row, versions, sums, isOwn),
      card: row.card,
      latest: latest
        ? versionView(latest, sums, { language, isOwn, profiles: await profilesOf(db.sql, [latest]) })
        : null,
    };
  }

  /** Under the same key it is the same dataset. Throws dataset_exists, too_many_datasets. */
  async create(caller: Caller, wish: z.output<typeof newDatasetBody>, key?: string): Promise<string> {
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const organizationId = caller.organization.id;
    const who = { organizationId, creatorId: caller.account.id, createdAt: now, updatedAt: now };
    const row = { ...wish, ...who, id: idOf('dst', key) };
    await unlessTaken(
      db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId);
        const isMade = and(eq(datasets.id, row.id), eq(datasets.organizationId, organizationId));
        if ((await tx.$count(datasets, isMade)) > 0) return;
        const count = await tx.$count(datasets, eq(datasets.organizationId, organizationId));
        if (count >= MOST_DATASETS) throw tooMany();
        await tx.insert(datasets).values(row);
      }),
    );
    return row.id;
  }

  /** Throws not_found, dataset_exists. */
  async edit(caller: Caller, id: string, wish: z.output<typeof datasetBody>): Promise<void> {
    const { db, clock } = this.#parts;
    await unlessTaken(
      db.transaction(async (tx) => {
        const row = await lockDataset(tx, caller, id);
        await tx
          .update(datasets)
          .set({ ...wish, updatedAt: new Date(clock.now()) })
          .where(eq(datasets.id, id));
        await recordRenamed(tx, { ...lineageOf(row), name: wish.name });
      }),
    );
  }

  /** Throws not_found, dataset_shelved, model_in_use. */
  async remove(caller: Caller, id: string): Promise<void> {
    const { db, clock, wake } = this.#parts;
    await db.transaction(async (tx) => {
      const row = await lockDataset(tx, caller, id);
      if (row.shelvedAt) throw problem('dataset_shelved');
      demandUnused(caller, this.#parts.usedBy(id));
      const versions = await lockVersions(tx, id);
      await removeFiles(
        tx,
        'dataset',
        versions.flatMap(({ id: version }) => [version, tableOwnerId(version)]),
      );
      await this.#parts.forgetWork?.(tx, id);
      await tx.delete(datasets).where(eq(datasets.id, id));
      await recordGone(tx, lineageOf(row), new Date(clock.now()));
    });
    wake();
  }

  /** Throws not_found, dataset_shelved, model_in_use. */
  async removeVersion(caller: Caller, id: string, number: number): Promise<void> {
    const { db, clock, wake } = this.#parts;
    await db.transaction(async (tx) => {
      const row = await lockDataset(tx, caller, id);
      const versions = await lockVersions(tx, id);
      const version = versions.find((one) => one.number === number);
      if (!version) throw problem('not_found', { what: `${number}` });
      const hasOther = versions.some((one) => one !== version && one.state === 'ready');
      if (row.shelvedAt && !hasOther) throw problem('dataset_shelved');
      demandUnused(caller, this.#parts.usedBy(id, number));
      await removeFiles(tx, 'dataset', [version.id, tableOwnerId(version.id)]);
      await tx.delete(datasetVersions).where(eq(datasetVersions.id, version.id));
      const now = new Date(clock.now());
      await recordGone(tx, { ...lineageOf(row), uid: version.id }, now);
      await tx.update(datasets).set({ updatedAt: now }).where(eq(datasets.id, id));
    });
    wake();
  }

  /** All that everybody sees, the newest first: up to 5,000. */
  async shown(caller: Caller): Promise<DatasetView[]> {
    const { sql: db } = this.#parts.db;
    const rows = await db
      .select(WITHOUT_CARD)
      .from(datasets)
      .where(isNotNull(datasets.shelvedAt))
      .orderBy(desc(datasets.shelvedAt), asc(datasets.id))
      .limit(MOST_SHOWN);
    return this.#views(caller, rows);
  }

  /** The beginnings of cards of datasets that everybody sees, by id. */
  async shownCards(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#parts.db.sql
      .select({ id: datasets.id, card: sql<string>`left(${datasets.card}, ${MOST_BEGINNING})` })
      .from(datasets)
      .where(and(inArray(datasets.id, [...ids]), isNotNull(datasets.shelvedAt)));
    return new Map(rows.map(({ id, card }) => [id, card]));
  }

  /** The owner, if everybody sees the dataset. */
  async ownerOfShown(id: string): Promise<string | undefined> {
    const [row] = await this.#parts.db.sql
      .select({ organizationId: datasets.organizationId })
      .from(datasets)
      .where(and(eq(datasets.id, id), isNotNull(datasets.shelvedAt)));
    return row?.organizationId;
  }

  async #page(caller: Caller, own: SQL, { search, type, order_by, order_type, ...page }: DatasetQuery) {
    const { sql: db } = this.#parts.db;
    const sought = search?.trim().toLowerCase() ?? '';
    const where = and(
      own,
      ...(sought === '' ? [] : [sql`strpos(lower(${datasets.name}), ${sought}) > 0`]),
      ...(type === undefined ? [] : [eq(datasets.type, type)]),
    ) as SQL;
    const found: CursorRows<Omit<typeof datasets.$inferSelect, 'card'>> = await cursorPage(
      db,
      { table: datasets, columns: COLUMNS, own, where, sort: [order_by, order_type === 'desc' ? 'DESC' : 'ASC'] },
      page,
      db.select(WITHOUT_CARD).from(datasets).$dynamic(),
      ({ id }) => id,
    );
    return { ...found, items: await this.#views(caller, found.items) };
  }

  async #views(
    { organization }: Caller,
    rows: readonly Omit<typeof datasets.$inferSelect, 'card'>[],
  ): Promise<DatasetView[]> {
    const { sql: db } = this.#parts.db;
    const versions = await versionsOf(
      db,
      rows.map(({ id }) => id),
    );
    const sums = await sumsOf(
      db,
      [...versions.values()].flatMap(({ latest }) => latest ?? []),
    );
    return rows.map((row) =>
      datasetView(row, versions.get(row.id) ?? NO_VERSIONS, sums, row.organizationId === organization.id),
    );
  }
}

export const tooMany = () => problem('too_many_datasets', { most: MOST_DATASETS, versions: MOST_DATASET_VERSIONS });

const lockVersions = (tx: Sql, datasetId: string): Promise<VersionRow[]> =>
  tx.select().from(datasetVersions).where(eq(datasetVersions.datasetId, datasetId)).for('update');

const unlessTaken = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw isUniqueViolation(error, 'datasets_name') ? problem('dataset_exists', {}, { field: 'name' }) : error;
  });
