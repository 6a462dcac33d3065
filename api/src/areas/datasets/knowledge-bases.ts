// Versions that are knowledge bases: found for whoever sees them, and searched by the data server of whoever asks. Of large ones an index
// finds the nearest vectors; the data server merges them with the words, as always.
import { problem } from '@gantry/contract/http/problem.ts';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Passage } from '../../core/data-server/server-answers.ts';
import type { LargeVectors } from '../../core/vectors/large-vectors.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { datasets, datasetVersions, type KnowledgeBase } from '../../platform/db/schema/datasets.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { seenDataset } from './dataset-rows.ts';
import type { ReadsData } from './reads-data.ts';

export interface SearchedBase extends Pick<KnowledgeBase, 'model' | 'dimensions'> {
  version: number;
  /** Resolves once its files are on the data server. Throws what data servers throw. */
  bring(signal: AbortSignal): Promise<void>;
  /** Best first: by both halves, or by the one that is asked. Throws what data servers throw. */
  search(asked: { vector?: readonly number[]; text?: string; k: number }, signal: AbortSignal): Promise<Passage[]>;
}

export interface KnowledgeBasesParts {
  db: Database;
  data: ReadsData | undefined;
  /** Absent: a data server compares every vector, however many there are. */
  large?: Pick<LargeVectors, 'holds' | 'nearest'> | undefined;
}

/** As many as the data server takes of each half (`data-worker/gantry_worker/retrieve.py`). */
const CANDIDATES = 100;

export class KnowledgeBases {
  readonly #db: Database;
  readonly #data: ReadsData | undefined;
  readonly #large: KnowledgeBasesParts['large'];

  constructor({ db, data, large }: KnowledgeBasesParts) {
    this.#db = db;
    this.#data = data;
    this.#large = large;
  }

  /** Those of these files that are the vectors of a ready version. */
  async areUsed(sha256s: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await rowsOf<{ sha256: string }>(
      this.#db.sql,
      sql`select distinct part->>'sha256' as sha256
          from ${datasetVersions}, jsonb_array_elements(${datasetVersions.knowledge}->'parts') as part
          where ${eq(datasetVersions.state, 'ready')} and part->>'kind' = 'vectors'
            and part->>'sha256' in (select jsonb_array_elements_text(${JSON.stringify(sha256s)}::jsonb))`,
    );
    return new Set(found.map(({ sha256 }) => sha256));
  }

  /** The newest ready one where no version is named; undefined where that is none. Throws not_found. */
  async find(
    caller: Caller,
    { dataset: id, version }: { dataset: string; version: number | undefined },
  ): Promise<SearchedBase | undefined> {
    const { sql: db } = this.#db;
    const [dataset] = await db.select({ id: datasets.id }).from(datasets).where(seenDataset(caller, id));
    if (!dataset) throw problem('not_found', { what: id });
    const [row] = await db
      .select({ number: datasetVersions.number, knowledge: datasetVersions.knowledge })
      .from(datasetVersions)
      .where(
        and(
          eq(datasetVersions.datasetId, id),
          eq(datasetVersions.state, 'ready'),
          version === undefined ? isNotNull(datasetVersions.knowledge) : eq(datasetVersions.number, version),
        ),
      )
      .orderBy(desc(datasetVersions.number))
      .limit(1);
    if (!row && version !== undefined) throw problem('not_found', { what: `${version}` });
    const data = this.#data;
    if (!row?.knowledge || !data) return undefined;
    const { model, dimensions, chunks, parts } = row.knowledge;
    const organizationId = caller.organization.id;
    const one = (kind: 'vectors' | 'words') => parts.find((part) => part.kind === kind);
    const base = {
      chunks: parts.filter(({ kind }) => kind === 'chunks'),
      ...{ vectors: one('vectors'), words: one('words') },
    };
    const large = this.#large;
    const asIndexed = base.vectors && { sha256: base.vectors.sha256, dimensions, chunks };
    const without = { ...base, vectors: undefined };
    return {
      ...{ version: row.number, model, dimensions },
      bring: async (signal) => {
        const isIndexed = asIndexed && (await large?.holds(asIndexed));
        await data.bring(organizationId, isIndexed ? parts.filter(({ kind }) => kind !== 'vectors') : parts, signal);
      },
      search: async ({ vector, ...asked }, signal) => {
        if (!vector) return data.retrieve(organizationId, large ? without : base, asked, signal);
        if (!large || !asIndexed || !(await large.holds(asIndexed)))
          return data.retrieve(organizationId, base, { ...asked, vector }, signal);
        const near = await large.nearest(asIndexed, vector, CANDIDATES);
        const nearest = near.map(({ chunk, score }) => [chunk, score] as const);
        return data.retrieve(organizationId, without, { ...asked, nearest }, signal);
      },
    };
  }
}
