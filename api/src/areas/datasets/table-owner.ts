// The tables of ready versions as owners of files: an organisation's data server reads what arrived, and its parts come as any other
// files do. Without a table a version is what it was: its files.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Tell } from '../../core/data-server/data-servers.ts';
import type { TableFacts } from '../../core/data-server/server-answers.ts';
import { Gone } from '../../core/files/blobs.ts';
import { filesOf, haveArrived } from '../../core/files/files.ts';
import type { Arrival, OwnerKind } from '../../core/files/owner-kind.ts';
import type { Source, SourcePlan } from '../../core/files/source.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions, type TablePart } from '../../platform/db/schema/datasets.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { lockVersion, organizationsOf } from './dataset-rows.ts';
import { type ReadsData, tableOwnerId, toRead } from './reads-data.ts';
import { statisticsOf } from './statistics-view.ts';

interface TableOwnerParts {
  db: Database;
  clock: { now(): number };
  reads: Pick<ReadsData, 'profile' | 'part' | 'forget'>;
}

interface ArrivingTable extends Arrival {
  versionId: string;
  creatorId: string;
}

interface TablePlan extends SourcePlan {
  facts: TableFacts;
}

/** A table of 20 GB takes an hour, of which nothing is kept before its end. */
const TURN_MS = 90 * 60_000;
const TOLD_EVERY_MS = 1000;
const UNDER_WAY = ['waiting', 'fetching', 'checking'] as const;

export class TableOwner implements OwnerKind<ArrivingTable, undefined, TablePlan> {
  readonly kind = 'dataset';
  readonly turnMs = TURN_MS;
  readonly #parts: TableOwnerParts;

  constructor(parts: TableOwnerParts) {
    this.#parts = parts;
  }

  /** One of an organisation at a time, which has one data server. */
  async waiting(at: Date, { except, most }: { except: readonly string[]; most: number }): Promise<ArrivingTable[]> {
    const { sql: db } = this.#parts.db;
    const first = db
      .selectDistinctOn([datasets.organizationId], {
        organizationId: datasets.organizationId,
        creatorId: datasetVersions.creatorId,
        versionId: datasetProfiles.versionId,
        state: datasetProfiles.state,
        createdAt: datasetProfiles.createdAt,
        tries: datasetProfiles.tries,
      })
      .from(datasetProfiles)
      .innerJoin(datasetVersions, eq(datasetVersions.id, datasetProfiles.versionId))
      .innerJoin(datasets, eq(datasets.id, datasetVersions.datasetId))
      .innerJoin(organizations, and(eq(organizations.id, datasets.organizationId), isNull(organizations.deletedAt)))
      .where(
        and(
          inArray(datasetProfiles.state, [...UNDER_WAY]),
          or(isNull(datasetProfiles.nextTryAt), lte(datasetProfiles.nextTryAt, at)),
          ...(except.length > 0
            ? [notInArray(datasets.organizationId, organizationsOf(db, except.map(versionOfTable)))]
            : []),
        ),
      )
      .orderBy(datasets.organizationId, asc(datasetProfiles.createdAt))
      .as('first');
    const rows = await db.select().from(first).orderBy(asc(first.createdAt)).limit(most);
    return rows.map(({ state, ...row }) => ({
      ...row,
      ...{ kind: 'dataset', id: tableOwnerId(row.versionId), step: state === 'checking' ? 'checking' : 'fetching' },
    }));
  }

  async source(table: ArrivingTable, signal: AbortSignal): Promise<Source<TablePlan>> {
    const { db, reads } = this.#parts;
    const { organizationId, versionId } = table;
    const inputs = await filesOf(db.sql, { kind: 'dataset', id: versionId });
    if (inputs.length === 0) throw new Gone();
    const wish = toRead(versionId, inputs);
    let reading: Promise<TableFacts> | undefined;
    const tell = this.#teller(versionId);
    // Where the server was replaced meanwhile, it reads once more: parts have the digests that they had.
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

  async ready({ organizationId, versionId }: ArrivingTable): Promise<(tx: Sql) => Promise<void>> {
    const { db, reads } = this.#parts;
    const inputs = await filesOf(db.sql, { kind: 'dataset', id: versionId });
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

  lastWord(_: ArrivingTable, error: unknown): Problem {
    return problem('dataset_profile_failed', { why: error instanceof Error ? error.message : '…' });
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
