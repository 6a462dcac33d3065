// Tables of versions as they are read: pages and cells straight from the object store, everything that has to look at all rows by the
// data server of whoever asks.
import type { Readable } from 'node:stream';
import type {
  compareBody,
  DatasetAnswerView,
  DatasetFoundView,
  DatasetRowDifferenceView,
  DatasetSearchView,
  DatasetStatisticsView,
  findBody,
  searchBody,
} from '@gantry/contract/areas/datasets/tables.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Filter } from '../../core/data-server/data-servers.ts';
import type { Cells } from '../../core/data-server/server-answers.ts';
import { removeFiles } from '../../core/files/files.ts';
import { type Download, isBegun, openDownload } from '../../core/files/send-file.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { orAway } from '../../core/files/stored-objects.ts';
import type { Asking, TablePart as PartOfTable, Tables } from '../../core/tables/tables.ts';
import type { Database } from '../../platform/db/open.ts';
import { datasetProfiles, type TablePart } from '../../platform/db/schema/datasets.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { countDownload, lockDataset, seenVersion } from './dataset-rows.ts';
import { type ReadsData, tableOwnerId } from './reads-data.ts';
import type { OfVersion } from './versions.ts';

/** What reads Parquet in the object store, a few row groups at a time. */
export type ReadsParts = Pick<Tables, 'pageOf' | 'cellOf' | 'linesOf'>;

interface TablesParts {
  db: Database;
  clock: { now(): number };
  blobs: StoredBlobs | undefined;
  rows: ReadsParts | undefined;
  data: ReadsData | undefined;
  /** Something waits for the data server. */
  wake(): void;
}

/** With fields as the text of their JSON, which is passed on as it came. */
type WithText<View, Name extends keyof View> = Omit<View, Name> & Record<Name, string>;

/** Those of a difference. */
export const DIFFERING = ['added', 'removed', 'changed'] as const;

type Profile = typeof datasetProfiles.$inferSelect;

export class VersionTables {
  readonly #parts: TablesParts;

  constructor(parts: TablesParts) {
    this.#parts = parts;
  }

  /** Throws not_found, dataset_no_table. */
  async statistics(caller: Caller, of: OfVersion): Promise<DatasetStatisticsView> {
    const facts = await this.#ready(caller, of, 'facts');
    // It was checked when it came.
    return facts as unknown as DatasetStatisticsView;
  }

  /** The JSON of a page. Throws not_found, dataset_no_table, model_store_away. */
  async rows(
    caller: Caller,
    of: OfVersion,
    asked: { kind: TablePart['kind']; from: number; size: number },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const parts = await this.#partsOf(caller, of, asked.kind);
    return orAway(this.#rows().pageOf(parts.map(storedPart), asked, askingOf(caller, signal)));
  }

  /** The JSON of a whole cell. Throws not_found, dataset_no_table, model_store_away. */
  async cell(
    caller: Caller,
    of: OfVersion & { row: number; column: string },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const parts = await this.#partsOf(caller, of, 'data');
    const asked = this.#rows().cellOf(parts.map(storedPart), of.row, of.column, askingOf(caller, signal));
    const cell = await orAway(asked);
    if (!cell) throw problem('not_found', { what: `${of.row}` });
    return cell;
  }

  /** The whole table as lines. Throws not_found, dataset_no_table, model_store_away. */
  async lines(
    caller: Caller,
    of: OfVersion,
    { kind, format }: { kind: TablePart['kind']; format: 'jsonl' | 'csv' },
    signal: AbortSignal,
  ): Promise<Readable> {
    const parts = await this.#partsOf(caller, of, kind);
    await countDownload(this.#parts.db.sql, of.id);
    return this.#rows().linesOf(parts.map(storedPart), format, askingOf(caller, signal));
  }

  /** One part as it is. Throws not_found, dataset_no_table, range_outside, model_store_away. */
  async part(
    caller: Caller,
    of: OfVersion,
    { kind, part: number }: { kind: TablePart['kind']; part: number },
    asked: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download> {
    const part = (await this.#partsOf(caller, of, kind))[number];
    if (!part) throw problem('not_found', { what: `${number}` });
    const download = await openDownload(this.#parts.blobs, { digest: part.sha256, size: part.bytes }, asked);
    // The first part of a table counts like a file.
    if (number === 0 && isBegun(download)) await countDownload(this.#parts.db.sql, of.id);
    return download;
  }

  /** Reads a version again whose table failed. Throws not_found, dataset_no_table. */
  async again(caller: Caller, of: OfVersion): Promise<void> {
    const { db, clock, data, wake } = this.#parts;
    await db.transaction(async (tx) => {
      await lockDataset(tx, caller, of.id);
      const { version } = await seenVersion(tx, caller, of);
      if (!data || version.state !== 'ready') throw problem('dataset_no_table');
      const [failed] = await tx
        .select({ id: datasetProfiles.versionId })
        .from(datasetProfiles)
        .where(and(eq(datasetProfiles.versionId, version.id), eq(datasetProfiles.state, 'failed')));
      // Parts that had been declared are declared anew.
      if (failed) await removeFiles(tx, 'dataset', [tableOwnerId(version.id)]);
      const row = { state: 'waiting', step: null, done: null, of: null, problem: null, problemArgs: null } as const;
      const createdAt = new Date(clock.now());
      await tx
        .insert(datasetProfiles)
        .values({ ...row, versionId: version.id, createdAt })
        .onConflictDoUpdate({
          target: datasetProfiles.versionId,
          set: { ...row, createdAt, tries: 0, nextTryAt: null },
          setWhere: eq(datasetProfiles.state, 'failed'),
        });
    });
    wake();
  }

  /** Throws not_found, and what data servers throw, as those below do. */
  async find(
    caller: Caller,
    of: OfVersion,
    { filters, sort, from, size }: z.output<typeof findBody>,
    signal: AbortSignal,
  ): Promise<WithText<DatasetFoundView, 'rows'>> {
    const parts = await this.#partsOf(caller, of, 'data');
    if (parts.length === 0) return { ...NO_ROWS, numbers: [], total: 0 };
    const asked = { filters: filters.map(filterOf), ...(sort && { sort }), from, limit: size };
    return this.#data().find(caller.organization.id, parts, asked, signal);
  }

  async search(
    caller: Caller,
    of: OfVersion,
    { size, columns, ...asked }: z.output<typeof searchBody>,
    signal: AbortSignal,
  ): Promise<WithText<DatasetSearchView, 'rows'>> {
    const parts = await this.#partsOf(caller, of, 'data');
    if (parts.length === 0) return { ...NO_ROWS, numbers: [], next: null };
    const wish = { ...asked, ...(columns && { columns }), limit: size };
    return this.#data().search(caller.organization.id, parts, wish, signal);
  }

  async query(
    caller: Caller,
    of: OfVersion,
    statement: string,
    signal: AbortSignal,
  ): Promise<WithText<DatasetAnswerView, 'rows'>> {
    const parts = await this.#partsOf(caller, of, 'data');
    if (parts.length === 0) throw problem('dataset_no_table');
    return this.#data().query(caller.organization.id, { data: parts }, statement, signal);
  }

  async compare(
    caller: Caller,
    of: OfVersion,
    { with: other, key, size }: z.output<typeof compareBody>,
    signal: AbortSignal,
  ): Promise<WithText<DatasetRowDifferenceView, (typeof DIFFERING)[number]>> {
    const before = await this.#partsOf(caller, { ...of, version: `${other}` }, 'data');
    const after = await this.#partsOf(caller, of, 'data');
    if (before.length === 0 || after.length === 0) throw problem('dataset_no_table');
    const asked = { ...(key && { key }), limit: size };
    const { changedColumns, ...found } = await this.#data().diff(caller.organization.id, before, after, asked, signal);
    return {
      ...found,
      changed_columns: Object.entries(changedColumns).map(([name, rows]) => ({ name, rows })),
      ...{ added: cellsText(found.added), removed: cellsText(found.removed), changed: cellsText(found.changed) },
    };
  }

  #rows(): ReadsParts {
    const { rows } = this.#parts;
    if (!rows) throw problem('model_store_off');
    return rows;
  }

  #data(): ReadsData {
    const { data } = this.#parts;
    if (!data) throw problem('dataset_no_table');
    return data;
  }

  async #partsOf(caller: Caller, of: OfVersion, kind: TablePart['kind']): Promise<TablePart[]> {
    const parts = await this.#ready(caller, of, 'parts');
    return parts.filter((part) => part.kind === kind);
  }

  /** No more of it than is asked for: statistics and parts are large. */
  async #ready<Name extends 'facts' | 'parts'>(caller: Caller, of: OfVersion, name: Name): Promise<Profile[Name]> {
    const { sql: db } = this.#parts.db;
    const { version } = await seenVersion(db, caller, of);
    const isReady = and(eq(datasetProfiles.versionId, version.id), eq(datasetProfiles.state, 'ready'));
    const [row] = await db
      .select({ found: sql`${datasetProfiles[name]}` })
      .from(datasetProfiles)
      .where(isReady);
    if (!row) throw problem('dataset_no_table');
    return row.found as Profile[Name];
  }
}

const storedPart = ({ sha256, firstRow, rows, bytes }: TablePart): PartOfTable => ({
  key: sha256,
  ...{ firstRow, rows, bytes },
});

/** One organisation's reading does not wait for another's. */
const askingOf = ({ organization }: Caller, signal: AbortSignal): Asking => ({ lane: organization.id, signal });

const NO_ROWS = { columns: [], rows: '[]', cut: [] };

const cellsText = ({ rows, ...others }: Cells): string => `${JSON.stringify(others).slice(0, -1)},"rows":${rows}}`;

const filterOf = ({
  column,
  at_least: atLeast,
  below,
  equals,
  length_at_least: lengthAtLeast,
  length_below: lengthBelow,
  is_null: isNull,
}: z.output<typeof findBody>['filters'][number]): Filter => ({
  column,
  ...(atLeast !== undefined && { atLeast }),
  ...(below !== undefined && { below }),
  ...(equals !== undefined && { equals }),
  ...(lengthAtLeast !== undefined && { lengthAtLeast }),
  ...(lengthBelow !== undefined && { lengthBelow }),
  ...(isNull !== undefined && { isNull }),
});
