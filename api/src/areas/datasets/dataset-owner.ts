// Versions of datasets as owners of files: where they come from, and what is known of them once all is there.
import type { DatasetFormat } from '@gantry/contract/areas/datasets/datasets.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, getTableColumns, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { Gone } from '../../core/files/blobs.ts';
import { type FileRow, haveArrived } from '../../core/files/files.ts';
import type { Arrival, OwnerKind } from '../../core/files/owner-kind.ts';
import type { Source, SourcePlan } from '../../core/files/source.ts';
import { offered } from '../../core/files/sources/offered.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { type MadeNode, recordMade, recordMadeBy, runNode, sourceCalled } from '../../core/lineage/lineage-rows.ts';
import type { Sql } from '../../platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions, type KnowledgeBase } from '../../platform/db/schema/datasets.ts';
import { type Collected, collectedNode } from '../models/collected/collected.ts';
import { collectedSource } from './collected-source.ts';
import { versionNode } from './dataset-node.ts';
import { oldestOfEach, type VersionRow } from './dataset-rows.ts';
import { openSource, pinned, type SourceParts, sourceLastWord, sourceRef } from './dataset-sources.ts';
import { listDigest } from './list-digest.ts';
import { inTable } from './reads-data.ts';
import { commonFormat, SNIFFED, sniffFormat } from './sniff-format.ts';

interface VersionPlan extends SourcePlan {
  /** Of what a task has made: what searches it. */
  knowledge?: KnowledgeBase | null;
}

interface DatasetOwnerParts extends SourceParts {
  clock: { now(): number };
  blobs: Pick<StoredBlobs, 'read'>;
  collected: Pick<Collected, 'rows' | 'read'>;
  /** Whether a data server makes tables of versions. */
  hasTables: boolean;
}

interface ArrivingVersion extends Arrival {
  version: VersionRow;
}

/** How many files of a version are read to recognise its format. */
const MOST_SNIFFED = 16;
/** The list of files says all that a table of them would. */
const NO_TABLES: ReadonlySet<DatasetFormat> = new Set(['image', 'audio', 'other']);

export class DatasetOwner implements OwnerKind<ArrivingVersion, undefined, VersionPlan> {
  readonly kind = 'dataset';
  readonly #parts: DatasetOwnerParts;

  constructor(parts: DatasetOwnerParts) {
    this.#parts = parts;
  }

  async waiting(at: Date, { except, most }: { except: readonly string[]; most: number }): Promise<ArrivingVersion[]> {
    const { sql: db } = this.#parts.db;
    const isDue = and(
      eq(datasetVersions.state, 'processing'),
      inArray(datasetVersions.step, ['fetching', 'checking']),
      or(isNull(datasetVersions.nextTryAt), lte(datasetVersions.nextTryAt, at)),
    );
    const first = oldestOfEach(db, isDue, datasetVersions.createdAt, except);
    const rows = await db
      .select({ organizationId: first.organizationId, version: getTableColumns(datasetVersions) })
      .from(first)
      .innerJoin(datasetVersions, eq(datasetVersions.id, first.versionId))
      .orderBy(asc(first.at))
      .limit(most);
    return rows.map(({ organizationId, version }) => ({
      ...{ kind: 'dataset', id: version.id, organizationId, version },
      step: version.step === 'fetching' ? 'fetching' : 'checking',
      ...{ createdAt: version.createdAt, tries: version.tries },
    }));
  }

  async source({ version, organizationId }: ArrivingVersion, signal: AbortSignal): Promise<Source<VersionPlan>> {
    const { creatorId } = version;
    if (version.asked) return openSource(this.#parts, version.asked, { organizationId, creatorId, signal });
    if (version.sourceRef === null) throw problem('internal');
    return collectedSource(this.#parts.collected, { organizationId, deployment: version.sourceRef, signal });
  }

  async planned(tx: Sql, { id, version }: ArrivingVersion, plan: VersionPlan): Promise<void> {
    if (plan.files.length === 0) throw problem('dataset_files_missing', { path: '…' });
    // In the order in which others lock them.
    await tx.update(datasets).set(offered(plan, datasets)).where(eq(datasets.id, version.datasetId));
    const asked = version.asked && pinned(version.asked, plan.revision);
    const { rows = null, knowledge = null } = plan;
    const set = { rows, knowledge, ...(asked && { asked, sourceRef: sourceRef(asked) }) };
    const [still] = await tx.update(datasetVersions).set(set).where(eq(datasetVersions.id, id)).returning();
    if (!still) throw new Gone();
  }

  async fetched({ id }: ArrivingVersion): Promise<void> {
    await this.#parts.db.sql
      .update(datasetVersions)
      .set({ step: 'checking', tries: 0, nextTryAt: null })
      .where(
        and(eq(datasetVersions.id, id), eq(datasetVersions.step, 'fetching'), haveArrived({ kind: 'dataset', id })),
      );
  }

  checkList(): void {}

  /** Bytes are kept as they came: nothing here reads or runs them. */
  async checkFile(): Promise<undefined> {
    return undefined;
  }

  async ready(
    { id, organizationId, version }: ArrivingVersion,
    kept: readonly FileRow[],
  ): Promise<(tx: Sql) => Promise<void>> {
    const { clock, hasTables } = this.#parts;
    const rows = kept.filter((file) => inTable(version.source, file));
    const formats = await Promise.all(rows.slice(0, MOST_SNIFFED).map((file) => this.#formatOf(file)));
    const digest = listDigest(kept);
    const now = new Date(clock.now());
    return async (tx) => {
      const format = commonFormat(formats);
      // In the order in which others lock them.
      const [dataset] = await tx
        .update(datasets)
        .set({ updatedAt: now })
        .where(eq(datasets.id, version.datasetId))
        .returning({
          ...{ id: datasets.id, organizationId: datasets.organizationId },
          ...{ name: datasets.name, managersOnly: datasets.managersOnly },
        });
      if (!dataset) throw new Gone();
      const [still] = await tx
        .update(datasetVersions)
        .set({ digest, format, state: 'ready', step: null, readyAt: now, tries: 0, nextTryAt: null })
        .where(eq(datasetVersions.id, id))
        .returning({ id: datasetVersions.id });
      if (!still) throw new Gone();
      if (hasTables && !NO_TABLES.has(format))
        await tx.insert(datasetProfiles).values({ versionId: id, state: 'waiting', createdAt: now });
      await recordVersion(tx, versionNode(dataset, version, digest), { organizationId, version, at: now });
    };
  }

  async failed(tx: Sql, { id }: ArrivingVersion, { problem: code, args }: Problem): Promise<void> {
    await tx
      .update(datasetVersions)
      .set({ state: 'failed', step: null, problem: code, problemArgs: args, nextTryAt: null })
      .where(eq(datasetVersions.id, id));
  }

  async delayed({ id }: ArrivingVersion, at: Date): Promise<void> {
    await this.#parts.db.sql
      .update(datasetVersions)
      .set({ tries: sql`${datasetVersions.tries} + 1`, nextTryAt: at })
      .where(eq(datasetVersions.id, id));
  }

  async worked({ id }: ArrivingVersion): Promise<void> {
    await this.#parts.db.sql.update(datasetVersions).set({ tries: 0 }).where(eq(datasetVersions.id, id));
  }

  async lost(tx: Sql, { id, version }: ArrivingVersion): Promise<void> {
    const step = version.source === 'upload' ? 'uploading' : 'fetching';
    await tx.update(datasetVersions).set({ step }).where(eq(datasetVersions.id, id));
  }

  lastWord({ version }: ArrivingVersion, error: unknown): Problem {
    return sourceLastWord(version, error);
  }

  async #formatOf({ path, digest, sizeBytes }: FileRow) {
    const to = Math.min(SNIFFED, sizeBytes) - 1;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await this.#parts.blobs.read(digest ?? '', { from: 0, to })) chunks.push(chunk as Buffer);
    return sniffFormat(path, Buffer.concat(chunks));
  }
}

/** With what made it, and what that took. */
async function recordVersion(
  tx: Sql,
  node: MadeNode,
  { organizationId, version, at }: { organizationId: string; version: VersionRow; at: Date },
): Promise<void> {
  const { source, sourceRef: ref, asked } = version;
  if (source === 'collected' && ref !== null) {
    const from = await sourceCalled(tx, { organizationId, kind: 'deployment', ref });
    const name = from[0]?.name ?? ref;
    return recordMadeBy(tx, { ...collectedNode(organizationId, ref), name }, node, { from, at });
  }
  if (asked?.source !== 'process') {
    await recordMade(tx, node, { from: [], at });
    return;
  }
  const { from, ...run } = asked;
  const read = await tx
    .select({ uid: datasetVersions.id })
    .from(datasetVersions)
    .where(and(eq(datasetVersions.datasetId, from.dataset), eq(datasetVersions.number, from.version)));
  const { managersOnly = false } = node;
  const by = { ...runNode('process', { organizationId, ...run }), managersOnly };
  await recordMadeBy(tx, by, node, { from: read.map(({ uid }) => ({ kind: 'dataset', uid })), at });
}
