// Which datasets and versions a caller may see or change, as conditions of SQL: one rule for lists, single ones, files and bytes.
import type { DatasetState } from '@gantry/contract/areas/datasets/datasets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { Gone } from '../../core/files/blobs.ts';
import type { Sql } from '../../platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { files } from '../../platform/db/schema/files.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { type Caller, mayManage } from '../../platform/http/caller.ts';

export type DatasetRow = typeof datasets.$inferSelect;
export type VersionRow = typeof datasetVersions.$inferSelect;
/** Without what may be large. */
export type ProfileRow = Omit<typeof datasetProfiles.$inferSelect, 'facts' | 'parts'> & { dataParts: number };

/** In the caller's data space, as far as the caller sees it: what people wrote to deployments is for those who manage. */
export const inSpace = (caller: Caller): SQL =>
  and(
    eq(datasets.organizationId, caller.organization.id),
    ...(mayManage(caller) ? [] : [eq(datasets.managersOnly, false)]),
  ) as SQL;

export const ownDataset = (caller: Caller, id: string): SQL => and(eq(datasets.id, id), inSpace(caller)) as SQL;

/** Of other organisations, only the datasets that everybody sees. */
export const seenDataset = (caller: Caller, id: string): SQL =>
  and(eq(datasets.id, id), or(inSpace(caller), isNotNull(datasets.shelvedAt))) as SQL;

/** Files of a version of a dataset. */
export const IS_OF_VERSION = and(eq(files.ownerKind, 'dataset'), eq(files.ownerId, datasetVersions.id));

/** With its row locked, so that nothing is added to what is deleted. Throws not_found. */
export async function lockDataset(tx: Sql, caller: Caller, id: string): Promise<DatasetRow> {
  const [row] = await tx.select().from(datasets).where(ownDataset(caller, id)).for('update');
  if (!row) throw problem('not_found', { what: id });
  return row;
}

export async function seenVersion(
  db: Sql,
  caller: Caller,
  { id, version }: { id: string; version: string },
): Promise<{ dataset: DatasetRow; version: VersionRow; isOwn: boolean }> {
  const [found] = await db
    .select({ dataset: datasets, version: datasetVersions })
    .from(datasetVersions)
    .innerJoin(datasets, eq(datasets.id, datasetVersions.datasetId))
    .where(and(seenDataset(caller, id), eq(datasetVersions.number, Number(version))));
  const isOwn = found?.dataset.organizationId === caller.organization.id;
  if (!found || (!isOwn && found.version.state !== 'ready')) throw problem('not_found', { what: version });
  return { ...found, isOwn };
}

/** The facts of its versions that a dataset shows. */
export interface Versions {
  state: DatasetState;
  count: number;
  ready: number;
  /** The newest that is ready. */
  latest: VersionRow | undefined;
}

export const NO_VERSIONS: Versions = { state: 'empty', count: 0, ready: 0, latest: undefined };

/** By dataset, counted by the database: there may be a thousand of each. */
export async function versionsOf(db: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Versions>> {
  if (ids.length === 0) return new Map();
  const { datasetId, state, number } = datasetVersions;
  const isOfThese = inArray(datasetId, [...ids]);
  const counts = await db
    .select({ id: datasetId, state, count: count() })
    .from(datasetVersions)
    .where(isOfThese)
    .groupBy(datasetId, state);
  const newest = await db
    .selectDistinctOn([datasetId])
    .from(datasetVersions)
    .where(and(isOfThese, eq(state, 'ready')))
    .orderBy(datasetId, desc(number));
  const latest = new Map(newest.map((row) => [row.datasetId, row]));
  return new Map(
    [...Map.groupBy(counts, ({ id }) => id)].map(([id, own]) => {
      const of = (wanted: VersionRow['state']) => own.find((one) => one.state === wanted)?.count ?? 0;
      const shown = (['ready', 'processing', 'failed'] as const).find((one) => of(one) > 0) ?? 'empty';
      const all = own.reduce((sum, one) => sum + one.count, 0);
      return [id, { state: shown, count: all, ready: of('ready'), latest: latest.get(id) }];
    }),
  );
}

/** Counts and sizes of a version's files. */
export interface Sums {
  files: number;
  sizeBytes: number;
  receivedBytes: number;
}

/** By version. */
export async function sumsOf(db: Sql, versions: readonly Pick<VersionRow, 'id'>[]): Promise<ReadonlyMap<string, Sums>> {
  if (versions.length === 0) return new Map();
  const rows = await db
    .select({
      id: files.ownerId,
      files: count(),
      sizeBytes: sql`sum(${files.sizeBytes})`.mapWith(Number),
      receivedBytes: sql`sum(${files.receivedBytes})`.mapWith(Number),
    })
    .from(files)
    .where(
      and(
        eq(files.ownerKind, 'dataset'),
        inArray(
          files.ownerId,
          versions.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(files.ownerId);
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}

const { facts: _facts, parts: _parts, ...COLUMNS } = getTableColumns(datasetProfiles);
const PROFILE = {
  ...COLUMNS,
  dataParts: sql<number>`jsonb_array_length(jsonb_path_query_array(${datasetProfiles.parts}, '$[*] ? (@.kind == "data")'))`,
};

/** By version. */
export async function profilesOf(
  db: Sql,
  versions: readonly Pick<VersionRow, 'id'>[],
): Promise<ReadonlyMap<string, ProfileRow>> {
  if (versions.length === 0) return new Map();
  const ids = versions.map(({ id }) => id);
  const rows = await db.select(PROFILE).from(datasetProfiles).where(inArray(datasetProfiles.versionId, ids));
  return new Map(rows.map((row) => [row.versionId, row]));
}

/**
 * The oldest version of each organisation that is there and of which this holds: one at a time, so that a thousand of one keep nobody else
 * waiting. A subquery. Of organisations that have one of `except`, none.
 */
export const oldestOfEach = (db: Sql, holds: SQL | undefined, at: PgColumn, except: readonly string[]) =>
  db
    .selectDistinctOn([datasets.organizationId], {
      organizationId: datasets.organizationId,
      versionId: datasetVersions.id,
      at: sql<Date>`${at}`.as('at'),
    })
    .from(datasetVersions)
    .innerJoin(datasets, eq(datasets.id, datasetVersions.datasetId))
    .innerJoin(organizations, and(eq(organizations.id, datasets.organizationId), isNull(organizations.deletedAt)))
    .leftJoin(datasetProfiles, eq(datasetProfiles.versionId, datasetVersions.id))
    .where(and(holds, except.length > 0 ? notInArray(datasets.organizationId, organizationsOf(db, except)) : undefined))
    .orderBy(datasets.organizationId, asc(at))
    .as('first');

/** Of versions, by their ids: a subquery. */
const organizationsOf = (db: Sql, versionIds: readonly string[]) =>
  db
    .select({ id: datasets.organizationId })
    .from(datasetVersions)
    .innerJoin(datasets, eq(datasets.id, datasetVersions.datasetId))
    .where(inArray(datasetVersions.id, [...versionIds]));

/** Before whatever belongs to it, as those do who delete it: nothing is added to what is gone. Throws Gone. */
export async function lockVersion(tx: Sql, id: string): Promise<void> {
  const [row] = await tx
    .select({ id: datasetVersions.id })
    .from(datasetVersions)
    .where(eq(datasetVersions.id, id))
    .for('update');
  if (!row) throw new Gone();
}

export async function countDownload(db: Sql, id: string): Promise<void> {
  await db
    .update(datasets)
    .set({ downloads: sql`${datasets.downloads} + 1` })
    .where(eq(datasets.id, id));
}
