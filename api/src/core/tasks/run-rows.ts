// Rows of runs in SQL: how far the journal of each is taken, and what its program has logged. Every line may be taken twice.
import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { type TrainedFacts, taskRuns } from '../../platform/db/schema/tasks.ts';
import { type LoggedLine, withLogged } from './task-logged.ts';

export type RunRow = typeof taskRuns.$inferSelect;

/** A run by the uid of its object. */
export type RowOf = Pick<RunRow, 'taskUid' | 'run'>;

export const ofRun = ({ taskUid, run }: RowOf) => and(eq(taskRuns.taskUid, taskUid), eq(taskRuns.run, run));

interface RowsParts {
  db: Database;
  clock: { now(): number };
  /** They are runs of jobs, of which nothing is kept but what their programs log. */
  areTracked?: boolean;
}

export class RunRows {
  readonly #parts: RowsParts;

  constructor(parts: RowsParts) {
    this.#parts = parts;
  }

  /** The row of the run, which is made where there is none. */
  async open({ taskUid, run, organizationId }: RowOf & Pick<RunRow, 'organizationId'>): Promise<RunRow> {
    const { db, clock, areTracked: isTracked = false } = this.#parts;
    const createdAt = new Date(clock.now());
    await db.sql.insert(taskRuns).values({ taskUid, run, organizationId, createdAt, isTracked }).onConflictDoNothing();
    const [row] = await db.sql.select().from(taskRuns).where(ofRun({ taskUid, run }));
    if (!row) throw new Error(`the run ${run} of ${taskUid} is gone`);
    return row;
  }

  /** The start of its agent that is known; empty where none is. */
  async bootOf(of: RowOf): Promise<string> {
    const [row] = await this.#parts.db.sql.select({ boot: taskRuns.boot }).from(taskRuns).where(ofRun(of));
    return row?.boot ?? '';
  }

  /** All runs of a task that are known, in their order. */
  async runsOf(taskUid: string): Promise<Pick<RunRow, 'run' | 'checkpointsOf' | 'trained'>[]> {
    return this.#parts.db.sql
      .select({ run: taskRuns.run, checkpointsOf: taskRuns.checkpointsOf, trained: taskRuns.trained })
      .from(taskRuns)
      .where(eq(taskRuns.taskUid, taskUid))
      .orderBy(asc(taskRuns.run));
  }

  /** From now on, lines are counted from the beginning of another start of its agent. */
  async begin(of: RowOf, boot: string): Promise<void> {
    await this.#parts.db.sql.update(taskRuns).set({ boot, taken: 0, said: null }).where(ofRun(of));
  }

  /** Lines up to this one need not come again. */
  async taken(of: RowOf, seq: number): Promise<void> {
    await this.#parts.db.sql.update(taskRuns).set({ taken: seq }).where(ofRun(of));
  }

  /** These facts besides those that are known. */
  async trained(of: RowOf, facts: TrainedFacts): Promise<void> {
    const more = sql`${taskRuns.trained} || ${JSON.stringify(facts)}::jsonb`;
    await this.#parts.db.sql.update(taskRuns).set({ trained: more }).where(ofRun(of));
  }

  /** What its program logs. One gateway follows a run. */
  async log(of: RowOf & Pick<RunRow, 'organizationId'>, lines: readonly LoggedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const { trained } = await this.open(of);
    await this.trained(of, { logged: withLogged(trained.logged, lines) });
  }

  /** Of tracked runs: those of the same job up to this one. */
  async forgetUpTo({ taskUid, run }: RowOf): Promise<void> {
    const { sql: db } = this.#parts.db;
    await db
      .delete(taskRuns)
      .where(and(eq(taskRuns.taskUid, taskUid), lte(taskRuns.run, run), eq(taskRuns.isTracked, true)));
  }

  /** Of tracked runs: those of jobs that are gone. `live` are the uids of those that are there; what is younger than `before` stays. */
  async forgetOthers(live: ReadonlySet<string>, before: Date): Promise<void> {
    const { sql: db } = this.#parts.db;
    const old = and(eq(taskRuns.isTracked, true), lt(taskRuns.createdAt, before));
    const known = await db.selectDistinct({ taskUid: taskRuns.taskUid }).from(taskRuns).where(old);
    const gone = known.map(({ taskUid }) => taskUid).filter((uid) => !live.has(uid));
    if (gone.length > 0) await db.delete(taskRuns).where(and(old, inArray(taskRuns.taskUid, gone)));
  }
}
