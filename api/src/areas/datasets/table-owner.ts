// The tables of ready versions as owners of files: an organisation's data server reads what arrived, and its parts come as any other
// files do. Without a table a version is what it was: its files.
import type { DatasetSource } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATA_REFUSALS } from '@gantry/contract/data-server-refusals.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Tell } from '../../core/data-server/data-servers.ts';
import type { TableFacts } from '../../core/data-server/server-answers.ts';
import { Gone } from '../../core/files/blobs.ts';
import { type FileRow, filesOf, haveArrived } from '../../core/files/files.ts';
import type { Arrival, OwnerKind } from '../../core/files/owner-kind.ts';
import type { Source, SourcePlan } from '../../core/files/source.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { datasetProfiles, datasetVersions, type TablePart } from '../../platform/db/schema/datasets.ts';
import { lockVersion, oldestOfEach } from './dataset-rows.ts';
import { inTable, type ReadsData, tableOwnerId, toRead } from './reads-data.ts';
import { statisticsOf } from './statistics-view.ts';

interface TableOwnerParts {
  db: Database;
  clock: { now(): number };
  reads: Pick<ReadsData, 'profile' | 'part' | 'forget'>;
}

interface ArrivingTable extends Arrival {
  versionId: string;
  creatorId: string;
  versionSource: DatasetSource;
}

interface TablePlan extends SourcePlan {
  facts: TableFacts;
}

/** A table of 20 GB takes an hour, of which nothing is kept before its end. */
const TURN_MS = 90 * 60_000;
/** Each is read in the organisation's own Pod: what the gateway does is to pass bytes on. */
const AT_ONCE = 8;
const TOLD_EVERY_MS = 1000;
const UNDER_WAY = ['waiting', 'fetching', 'checking'] as const;

export class TableOwner implements OwnerKind<ArrivingTable, undefined, TablePlan> {
  readonly kind = 'dataset';
  readonly turnMs = TURN_MS;
  readonly atOnce = AT_ONCE;
  readonly isSlowToBegin = true;
  readonly #parts: TableOwnerParts;

  constructor(parts: TableOwnerParts) {
    this.#parts = parts;
  }

  /** An organisation has one data server. */
  async waiting(at: Date, { except, most }: { except: readonly string[]; most: number }): Promise<ArrivingTable[]> {
    const { sql: db } = this.#parts.db;
    const isDue = and(
      inArray(datasetProfiles.state, [...UNDER_WAY]),
      or(isNull(datasetProfiles.nextTryAt), lte(datasetProfiles.nextTryAt, at)),
    );
    const first = oldestOfEach(db, isDue, datasetProfiles.createdAt, except.map(versionOfTable));
    const { state, createdAt, tries } = datasetProfiles;
    const { organizationId, versionId } = first;
    const rows = await db
      .select({
        ...{ organizationId, versionId, state, createdAt, tries },
        creatorId: datasetVersions.creatorId,
        versionSource: datasetVersions.source,
      })
      .from(first)
      .innerJoin(datasetVersions, eq(datasetVersions.id, first.versionId))
      .innerJoin(datasetProfiles, eq(datasetProfiles.versionId, first.versionId))
      .orderBy(asc(first.at))
      .limit(most);
    return rows.map(({ state, ...row }) => ({
      ...row,
      ...{ kind: 'dataset', id: tableOwnerId(row.versionId), step: state === 'checking' ? 'checking' : 'fetching' },
    }));
  }

  async source(table: ArrivingTable, signal: AbortSignal): Promise<Source<TablePlan>> {
    const { reads } = this.#parts;
    const { organizationId, versionId } = table;
    const inputs = await this.#inputs(table);
    if (inputs.length === 0) throw new Gone();
    const wish = toRead(versionId, inputs);
    let reading: Promise<TableFacts> | undefined;
    const tell = this.#teller(versionId);
    // If the server was replaced in the meantime, it reads once more: parts have the digests that they had.
    const facts = () => (reading ??= reads.profile(organizationId, wish, tell, signal));
    return {
      async plan() {
        const read = await facts();
        const files = read.parts.map(({ path, bytes, sha256 }) => ({
          ...{ path: nameOf(path), sizeBytes: bytes, wantedSha256: sha256, wantedGitSha1: null },
        }));
        return { ...{ revision: versionId, files, license: null, language: [], tags: [] }, facts: read };
      },
      async *bytes({ path }, from) {
        await facts();
        yield* reads.part(organizationId, `${wish.out}/${path}`, from, signal);
      },
    };
  }

  async planned(tx: Sql, { versionId }: ArrivingTable, { facts }: TablePlan): Promise<void> {
    await lockVersion(tx, versionId);
    const parts = facts.parts.map((part): TablePart => ({ ...part, path: nameOf(part.path) }));
    await demandStill(
      tx
        .update(datasetProfiles)
        .set({
          ...{ state: 'fetching', step: 'keeping', done: 0, of: parts.length },
          ...{ facts: statisticsOf(facts), parts, rejected: facts.rejected },
        })
        .where(eq(datasetProfiles.versionId, versionId))
        .returning({ id: datasetProfiles.versionId }),
    );
  }

  async fetched({ id, versionId }: ArrivingTable): Promise<void> {
    await this.#parts.db.sql
      .update(datasetProfiles)
      .set({ state: 'checking', tries: 0, nextTryAt: null })
      .where(and(eq(datasetProfiles.versionId, versionId), haveArrived({ kind: 'dataset', id })));
  }

  checkList(): void {}

  /** They are read as the bytes of a stranger, each time that somebody looks at them. */
  async checkFile(): Promise<undefined> {
    return undefined;
  }

  async ready(table: ArrivingTable): Promise<(tx: Sql) => Promise<void>> {
    const { reads } = this.#parts;
    const { organizationId, versionId } = table;
    const inputs = await this.#inputs(table);
    await reads.forget(organizationId, toRead(versionId, inputs));
    return async (tx) => {
      await lockVersion(tx, versionId);
      const [still] = await tx
        .update(datasetProfiles)
        .set({ state: 'ready', step: null, done: null, of: null, tries: 0, nextTryAt: null })
        .where(eq(datasetProfiles.versionId, versionId))
        .returning({ parts: datasetProfiles.parts });
      if (!still) throw new Gone();
      const rows = still.parts.filter(({ kind }) => kind === 'data').reduce((all, part) => all + part.rows, 0);
      await tx.update(datasetVersions).set({ rows }).where(eq(datasetVersions.id, versionId));
    };
  }

  async failed(tx: Sql, table: ArrivingTable, { problem: code, args }: Problem): Promise<void> {
    const { versionId, organizationId } = table;
    void this.#parts.reads.forget(organizationId, toRead(versionId, []));
    await tx
      .update(datasetProfiles)
      .set({ state: 'failed', step: null, problem: code, problemArgs: args, nextTryAt: null })
      .where(eq(datasetProfiles.versionId, versionId));
  }

  async delayed({ versionId }: ArrivingTable, at: Date): Promise<void> {
    await this.#parts.db.sql
      .update(datasetProfiles)
      .set({ tries: sql`${datasetProfiles.tries} + 1`, nextTryAt: at })
      .where(eq(datasetProfiles.versionId, versionId));
  }

  async worked({ versionId }: ArrivingTable): Promise<void> {
    await this.#parts.db.sql.update(datasetProfiles).set({ tries: 0 }).where(eq(datasetProfiles.versionId, versionId));
  }

  async lost(tx: Sql, { versionId }: ArrivingTable): Promise<void> {
    await tx.update(datasetProfiles).set({ state: 'fetching' }).where(eq(datasetProfiles.versionId, versionId));
  }

  /** It would take as long once more. */
  overdue(): Problem {
    return problem('dataset_profile_failed', quoted('why', said(DATA_REFUSALS.TooSlow)));
  }

  lastWord(_: ArrivingTable, error: unknown): Problem {
    return problem('dataset_profile_failed', { why: error instanceof Error ? error.message : '…' });
  }

  async #inputs({ versionId, versionSource }: ArrivingTable): Promise<FileRow[]> {
    const all = await filesOf(this.#parts.db.sql, { kind: 'dataset', id: versionId });
    return all.filter((file) => inTable(versionSource, file));
  }

  /** Progress goes into the row at most once a second; one that is lost is followed by another. */
  #teller(versionId: string): Tell {
    const { db, clock } = this.#parts;
    let toldAt = Number.NEGATIVE_INFINITY;
    let last = '';
    return ({ step, done = null, of = null }) => {
      const now = clock.now();
      if (step === last && now - toldAt < TOLD_EVERY_MS) return;
      [toldAt, last] = [now, step];
      db.sql
        .update(datasetProfiles)
        .set({ state: 'fetching', step, done: done && Math.round(done), of: of && Math.round(of) })
        .where(and(eq(datasetProfiles.versionId, versionId), inArray(datasetProfiles.state, ['waiting', 'fetching'])))
        .catch(() => undefined);
    };
  }
}

const versionOfTable = (id: string): string => id.replace(/\.table$/, '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function demandStill(updated: Promise<readonly unknown[]>): Promise<void> {
  if ((await updated).length === 0) throw new Gone();
}
