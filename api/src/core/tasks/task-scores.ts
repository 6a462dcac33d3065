// What evaluators say: scores, comparisons with the baseline, and load. Each may be said twice; the last word counts.
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { evaluationComparisons, evaluationLoads, evaluationScores } from '../../platform/db/schema/evaluations.ts';
import type { Line } from './task-lines.ts';
import type { RunOf } from './task-store.ts';

type ScoreLine = Extract<Line, { type: 'score' | 'comparison' | 'load' }>;
type OfRun = Pick<RunOf, 'taskUid' | 'run'>;

export type Score = typeof evaluationScores.$inferSelect;
export type Comparison = typeof evaluationComparisons.$inferSelect;
export type Load = typeof evaluationLoads.$inferSelect;

const TABLES = { score: evaluationScores, comparison: evaluationComparisons, load: evaluationLoads } as const;

export const isOfScores = (line: Line): line is ScoreLine => line.type in TABLES;

export class TaskScores {
  readonly #parts: { db: Database };

  constructor(parts: { db: Database }) {
    this.#parts = parts;
  }

  async take({ taskUid, run }: OfRun, line: ScoreLine): Promise<void> {
    const { sql: db } = this.#parts.db;
    if (line.type === 'load') {
      const { type: _, ...values } = line;
      const { taskUid: uid, run: of, subject, concurrency } = evaluationLoads;
      const target = [uid, of, subject, concurrency];
      const row = { ...NO_TIMES, ...values };
      await db
        .insert(evaluationLoads)
        .values({ taskUid, run, ...row })
        .onConflictDoUpdate({ target, set: row });
    } else if (line.type === 'comparison') {
      const { type: _, ...row } = line;
      const { taskUid: uid, run: of, subject, task } = evaluationComparisons;
      await db
        .insert(evaluationComparisons)
        .values({ taskUid, run, ...row })
        .onConflictDoUpdate({ target: [uid, of, subject, task], set: row });
    } else {
      const { type: _, ...values } = line;
      const { taskUid: uid, run: of, subject, task } = evaluationScores;
      const row = { p50Ms: null, p99Ms: null, ...values };
      await db
        .insert(evaluationScores)
        .values({ taskUid, run, ...row })
        .onConflictDoUpdate({ target: [uid, of, subject, task], set: row });
    }
  }

  /** In the order of tasks and subjects. */
  async of({ taskUid, run }: OfRun): Promise<{ scores: Score[]; comparisons: Comparison[]; loads: Load[] }> {
    const { sql: db } = this.#parts.db;
    const [one, two, three] = [evaluationScores, evaluationComparisons, evaluationLoads];
    return {
      scores: await db
        .select()
        .from(one)
        .where(and(eq(one.taskUid, taskUid), eq(one.run, run)))
        .orderBy(asc(one.task), asc(one.subject)),
      comparisons: await db
        .select()
        .from(two)
        .where(and(eq(two.taskUid, taskUid), eq(two.run, run)))
        .orderBy(asc(two.task), asc(two.subject)),
      loads: await db
        .select()
        .from(three)
        .where(and(eq(three.taskUid, taskUid), eq(three.run, run)))
        .orderBy(asc(three.subject), asc(three.concurrency)),
    };
  }

  /** What the tokens of a score cost. */
  async priced({ taskUid, run }: OfRun, { subject, task }: Pick<Score, 'subject' | 'task'>, costMicros: number) {
    const of = evaluationScores;
    await this.#parts.db.sql
      .update(of)
      .set({ costMicros })
      .where(and(eq(of.taskUid, taskUid), eq(of.run, run), eq(of.subject, subject), eq(of.task, task)));
  }
}

const NO_TIMES = { ttftP50Ms: null, ttftP99Ms: null, p50Ms: null, p99Ms: null };

/** With tasks that are gone. */
export async function forgetScores(tx: Sql, taskUids: readonly string[]): Promise<void> {
  for (const table of Object.values(TABLES)) await tx.delete(table).where(inArray(table.taskUid, [...taskUids]));
}
