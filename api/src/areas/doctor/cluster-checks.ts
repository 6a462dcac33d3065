// Checks of the cluster as staff have them made: in the background, one at a time, whichever gateway it is in; reports are kept, each
// with what the one before found.
import { CHECK_IDS, type CheckResult, worstOf } from '@gantry/contract/doctor.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, desc, eq, getTableColumns, lt, ne, notInArray } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type Listed, type Page, pageOfRows, placeOf } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { clusterChecks } from '../../platform/db/schema/doctor.ts';
import { isUniqueViolation } from '../../platform/db/sqlstate.ts';
import { newId } from '../../platform/ids.ts';
import type { Check, Surroundings } from './check.ts';
import { newRun } from './new-run.ts';
import { runChecks } from './run-checks.ts';

export interface ClusterChecksParts {
  db: Database;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  checks: readonly Check[];
  /** Anew for each run: it remembers what it has read. */
  surroundings(): Surroundings;
}

type Row = AdminRow<'cluster-checks'>;
type Stored = typeof clusterChecks.$inferSelect;

const TELL_MS = 5_000;
/** A run that said nothing for so long has no gateway any more. */
const DEAD_MS = 30_000;
const MOST_KEPT = 30;

const LISTED: Listed = {
  columns: {
    id: clusterChecks.id,
    state: clusterChecks.state,
    started_at: clusterChecks.startedAt,
    ended_at: clusterChecks.endedAt,
  },
  searched: [],
};

export class ClusterChecks {
  readonly #parts: ClusterChecksParts;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ClusterChecksParts) {
    this.#parts = parts;
  }

  /** Resolves with its id once it has begun. Throws cluster_check_running. */
  async start(by: string, reason: string): Promise<string> {
    const { db, clock, log } = this.#parts;
    const now = new Date(clock.now());
    await db.sql
      .update(clusterChecks)
      .set({ state: 'broken', endedAt: now })
      .where(and(eq(clusterChecks.state, 'running'), lt(clusterChecks.aliveAt, new Date(now.getTime() - DEAD_MS))));
    const id = newId('clc');
    const row = { id, state: 'running' as const, startedAt: now, startedBy: by, reason, aliveAt: now };
    try {
      await db.sql.insert(clusterChecks).values({ ...row, before: await this.#findingsBefore() });
    } catch (error) {
      if (isUniqueViolation(error)) throw problem('cluster_check_running');
      throw error;
    }
    await this.#forgetOld();
    this.#running = this.#run(id).catch((error: unknown) =>
      log.warn({ err: error, check: id }, 'a check of the cluster was broken off'),
    );
    return id;
  }

  /** Once the run of this process is over. */
  settled(): Promise<void> {
    return this.#running;
  }

  /** Breaks off the run of this process, and resolves once what it made is gone. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async rows(query: AdminQuery): Promise<Page<Row>> {
    const { db, clock } = this.#parts;
    const { items: found, ...page } = await pageOfRows(
      placeOf(LISTED, query),
      query,
      (key) =>
        db.sql
          .select({ ...getTableColumns(clusterChecks), key })
          .from(clusterChecks)
          .$dynamic(),
      db.sql.select({ total: count() }).from(clusterChecks).$dynamic(),
    );
    const dead = clock.now() - DEAD_MS;
    return { ...page, items: found.map((row) => rowOf(row, dead)) };
  }

  async #findingsBefore(): Promise<Stored['before']> {
    const [last] = await this.#parts.db.sql
      .select({ results: clusterChecks.results })
      .from(clusterChecks)
      .where(eq(clusterChecks.state, 'done'))
      .orderBy(desc(clusterChecks.startedAt))
      .limit(1);
    return last ? Object.fromEntries(last.results.map(({ check, finding }) => [check, finding])) : null;
  }

  async #forgetOld(): Promise<void> {
    const { db } = this.#parts;
    const kept = db.sql
      .select({ id: clusterChecks.id })
      .from(clusterChecks)
      .orderBy(desc(clusterChecks.startedAt))
      .limit(MOST_KEPT);
    await db.sql
      .delete(clusterChecks)
      .where(and(ne(clusterChecks.state, 'running'), notInArray(clusterChecks.id, await kept.then(idsOf))));
  }

  async #run(id: string): Promise<void> {
    const { db, clock, checks } = this.#parts;
    let results: CheckResult[] = [];
    // One write after the other: an older list of results never comes after a newer one.
    let writing: Promise<unknown> = Promise.resolve();
    const tell = (state: Partial<Pick<Stored, 'state' | 'endedAt'>> = {}) => {
      const row = { results, aliveAt: new Date(clock.now()), ...state };
      writing = writing
        .catch(() => undefined)
        .then(() => db.sql.update(clusterChecks).set(row).where(eq(clusterChecks.id, id)));
      return writing;
    };
    let callOff = () => {};
    const keepTelling = () => {
      callOff = clock.after(TELL_MS, () => {
        tell().catch(() => undefined);
        keepTelling();
      });
    };
    keepTelling();
    try {
      results = await runChecks(this.#parts.surroundings(), {
        checks,
        run: newRun(),
        signal: this.#end.signal,
        onResult(result) {
          results = [...results, result];
          tell().catch(() => undefined);
        },
      });
    } finally {
      callOff();
      const state = this.#end.signal.aborted ? ('broken' as const) : ('done' as const);
      await tell({ state, endedAt: new Date(clock.now()) });
    }
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function rowOf(row: Stored, deadBefore: number): Row {
  const { id, state, startedAt, endedAt, startedBy, reason, aliveAt, results, before } = row;
  const isDead = state === 'running' && aliveAt.getTime() < deadBefore;
  const order = (check: CheckResult['check']) => CHECK_IDS.indexOf(check);
  return {
    id,
    state: isDead ? 'broken' : state,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    started_by: startedBy,
    reason,
    finding: results.length > 0 ? worstOf(results.map(({ finding }) => finding)) : null,
    done: results.length,
    total: CHECK_IDS.length,
    results: results
      .toSorted((a, b) => order(a.check) - order(b.check))
      .map(({ check, finding, found, tookMs }) => ({
        check,
        finding,
        before: before?.[check] ?? null,
        found: found.map(({ reason: why, args }) => ({ reason: why, args: { ...args } })),
        took_ms: tookMs,
      })),
  };
}
