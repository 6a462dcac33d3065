// What tasks read of datasets, and where their results go: as the person who began the run may.
import type { newDatasetBody } from '@gantry/contract/areas/datasets/datasets.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, desc, eq, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { filesOf } from '../../core/files/files.ts';
import { recordForManagers } from '../../core/lineage/lineage-rows.ts';
import type { Database } from '../../platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { lineageOf } from './dataset-node.ts';
import { lockDataset, seenDataset, type VersionRow } from './dataset-rows.ts';
import type { Datasets } from './datasets.ts';
import type { Uploads } from './uploads.ts';

/** Why a run cannot begin: a reason of the kind, with what stands in its sentence. */
interface NotNow {
  reason: 'InputsGone' | 'InputsArriving' | 'InputsUnreadable' | 'OutputTaken';
  args: Record<string, string>;
}

/** A version whose table is there. */
interface TaskInputVersion {
  dataset: string;
  name: string;
  version: number;
  managersOnly: boolean;
  /** `documents`: rows of file, kind, page, text. */
  kind: 'table' | 'documents';
  /** Parquet files, as the store has them. */
  parts: readonly { sha256: string; bytes: number }[];
}

interface ProcessedParts {
  db: Database;
  datasets: Pick<Datasets, 'create'>;
  uploads: Pick<Uploads, 'beginMade'>;
}

const DOCUMENT_COLUMNS = ['file', 'kind', 'page', 'text'];

export class Processed {
  readonly #parts: ProcessedParts;

  constructor(parts: ProcessedParts) {
    this.#parts = parts;
  }

  /** The version of that number, or the newest one that is ready. */
  async input(
    caller: Caller,
    { dataset: id, version: number }: { dataset: string; version?: number | undefined },
  ): Promise<TaskInputVersion | NotNow> {
    const { sql: db } = this.#parts.db;
    const gone: NotNow = { reason: 'InputsGone', args: { dataset: id, version: `${number ?? '–'}` } };
    const [dataset] = await db.select().from(datasets).where(seenDataset(caller, id));
    if (!dataset) return gone;
    const wanted = number === undefined ? eq(datasetVersions.state, 'ready') : eq(datasetVersions.number, number);
    const [found] = await db
      .select({ version: datasetVersions, profile: datasetProfiles })
      .from(datasetVersions)
      .leftJoin(datasetProfiles, eq(datasetProfiles.versionId, datasetVersions.id))
      .where(and(eq(datasetVersions.datasetId, id), wanted) as SQL)
      .orderBy(desc(datasetVersions.number))
      .limit(1);
    const isOwn = dataset.organizationId === caller.organization.id;
    if (!found || (!isOwn && found.version.state !== 'ready') || found.version.state === 'failed') return gone;
    const { version, profile } = found;
    if (version.state !== 'ready') return { reason: 'InputsArriving', args: {} };
    if (!profile || profile.state === 'failed')
      return { reason: 'InputsUnreadable', args: { detail: `version ${version.number} of ${id} has no table` } };
    if (profile.state !== 'ready') return { reason: 'InputsArriving', args: {} };
    const parts = profile.parts.filter(({ kind }) => kind === 'data').map(({ sha256, bytes }) => ({ sha256, bytes }));
    if (parts.length === 0)
      return { reason: 'InputsUnreadable', args: { detail: `version ${version.number} of ${id} has no rows` } };
    return {
      ...{ dataset: id, name: dataset.name, version: version.number, managersOnly: dataset.managersOnly, parts },
      kind: hasDocuments(profile.facts) ? 'documents' : 'table',
    };
  }

  /**
   * The dataset that gets the result; one of that name is made, once for each `key`. What is read for those who manage goes where only
   * they look.
   */
  async output(
    caller: Caller,
    { dataset, name = '' }: { dataset?: string | undefined; name?: string | undefined },
    { type, key, managersOnly }: { type: z.output<typeof newDatasetBody>['type']; key: string; managersOnly: boolean },
  ): Promise<string | NotNow> {
    const { db, datasets: all } = this.#parts;
    const taken = (detail: string): NotNow => ({ reason: 'OutputTaken', args: { dataset: dataset ?? name, detail } });
    try {
      const id = dataset ?? (await all.create(caller, { ...NOTHING_SAID, name, type }, key));
      return await db.transaction(async (tx) => {
        const row = await lockDataset(tx, caller, id);
        if (!managersOnly || row.managersOnly) return id;
        if (row.shelvedAt) return taken('everybody is shown it, and the input is for those who manage alone');
        await tx.update(datasets).set({ managersOnly: true }).where(eq(datasets.id, id));
        await recordForManagers(tx, lineageOf(row));
        return id;
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return taken(REFUSED[error.problem] ?? error.problem);
    }
  }

  /** What a run has made; its number. */
  made: Uploads['beginMade'] = (...args) => this.#parts.uploads.beginMade(...args);

  /** Throws not_found where the caller sees no such dataset: names of units are names of its files. */
  async demandSeen(caller: Caller, id: string): Promise<void> {
    if ((await this.#parts.db.sql.$count(datasets, seenDataset(caller, id))) === 0)
      throw problem('not_found', { what: id });
  }

  /** Files of a version in a folder of it, as the store has them. */
  async filesIn(
    dataset: string,
    number: number,
    folder: string,
  ): Promise<{ name: string; sha256: string; bytes: number }[]> {
    const version = await this.version(dataset, number);
    if (version?.state !== 'ready') return [];
    const all = await filesOf(this.#parts.db.sql, { kind: 'dataset', id: version.id });
    return all
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path, digest, sizeBytes }) => ({
        ...{ name: path.slice(folder.length + 1), sha256: digest ?? '', bytes: sizeBytes },
      }));
  }

  async version(dataset: string, number: number): Promise<VersionRow | undefined> {
    const [row] = await this.#parts.db.sql
      .select()
      .from(datasetVersions)
      .where(and(eq(datasetVersions.datasetId, dataset), eq(datasetVersions.number, number)));
    return row;
  }
}

const NOTHING_SAID = { license: null, language: [], tags: [], card: '' };
const REFUSED: Readonly<Record<string, string>> = {
  not_found: 'it does not exist in this organisation',
  dataset_exists: 'the name is taken',
  too_many_datasets: 'the organisation has as many as it may have',
};

function hasDocuments(facts: Record<string, unknown> | null): boolean {
  const columns = (facts?.columns ?? []) as readonly { name: string }[];
  return columns.length === DOCUMENT_COLUMNS.length && columns.every(({ name }, at) => name === DOCUMENT_COLUMNS[at]);
}
