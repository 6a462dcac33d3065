// What trainers say of their steps. Of a long run every second one goes, again and again: a curve has at most MOST_POINTS.
import { and, asc, eq, inArray, lt, max, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { type PointValues, taskPoints, taskRuns } from '../../platform/db/schema/tasks.ts';
import type { Line } from './task-lines.ts';
import type { RunOf } from './task-store.ts';

export interface Point extends PointValues {
  run: number;
  step: number;
  at: Date;
}

const MOST_POINTS = 5_000;

type PointLine = Extract<Line, { type: 'point' }>;

export class TaskPoints {
  readonly #parts: { db: Database; clock: { now(): number } };

  constructor(parts: { db: Database; clock: { now(): number } }) {
    this.#parts = parts;
  }

  /** A loss and an evaluation of the same step are one point. */
  async take({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>, lines: readonly PointLine[]): Promise<void> {
    const { db, clock } = this.#parts;
    const at = new Date(clock.now());
    const byStep = new Map<number, PointValues>();
    for (const { type: _, step, ...values } of lines) byStep.set(step, { ...byStep.get(step), ...values });
    const rows = [...byStep].map(([step, values]) => ({ taskUid, run, step, values, at }));
    if (rows.length === 0) return;
    await db.sql
      .insert(taskPoints)
      .values(rows)
      .onConflictDoUpdate({
        target: [taskPoints.taskUid, taskPoints.run, taskPoints.step],
        set: { values: sql`${taskPoints.values} || excluded."values"`, at },
      });
    await this.#thin({ taskUid, run });
  }

  /** Evaluations stay, and so do the first and the last. */
  async #thin(of: Pick<RunOf, 'taskUid' | 'run'>): Promise<void> {
    const { sql: db } = this.#parts.db;
    const count = await db.$count(taskPoints, ofRun(of));
    if (count <= MOST_POINTS) return;
    const placed = db
      .select({
        step: taskPoints.step,
        place: sql<number>`row_number() over (order by ${taskPoints.step})`.as('place'),
      })
      .from(taskPoints)
      .where(ofRun(of))
      .as('placed');
    const second = db
      .select({ step: placed.step })
      .from(placed)
      .where(sql`${placed.place} % 2 = 0 and ${placed.place} < ${count}`);
    await db
      .delete(taskPoints)
      .where(and(ofRun(of), inArray(taskPoints.step, second), sql`not ${taskPoints.values} ? 'evalLoss'`));
  }

  /** In the order of their steps; a step that several of these runs have done is that of the last of them. */
  async list(taskUid: string, runs: readonly number[]): Promise<Point[]> {
    if (runs.length === 0) return [];
    const rows = await this.#parts.db.sql
      .selectDistinctOn([taskPoints.step])
      .from(taskPoints)
      .where(and(eq(taskPoints.taskUid, taskUid), inArray(taskPoints.run, [...runs])))
      .orderBy(asc(taskPoints.step), sql`${taskPoints.run} desc`);
    return rows.map(({ run, step, values, at }) => ({ ...values, run, step, at }));
  }

  /** The last values of the run, by their names: an evaluation is rarer than a loss. */
  async last(of: Pick<RunOf, 'taskUid' | 'run'>): Promise<Point | undefined> {
    const { sql: db } = this.#parts.db;
    const newest = (more = sql`true`) =>
      db
        .select()
        .from(taskPoints)
        .where(and(ofRun(of), more))
        .orderBy(sql`${taskPoints.step} desc`)
        .limit(1);
    const [row] = await newest();
    const [evaluated] = await newest(sql`${taskPoints.values} ? 'evalLoss'`);
    if (!row) return undefined;
    const evalLoss = evaluated?.values.evalLoss;
    return { ...row.values, ...(evalLoss !== undefined && { evalLoss }), run: row.run, step: row.step, at: row.at };
  }

  /** Those of tasks that are gone, as of checkpoints. Those of jobs go with the rows of their runs. */
  async forgetOthers(live: ReadonlySet<string>, before: Date): Promise<void> {
    const { sql: db } = this.#parts.db;
    const known = await db
      .select({ taskUid: taskPoints.taskUid })
      .from(taskPoints)
      .innerJoin(taskRuns, and(eq(taskRuns.taskUid, taskPoints.taskUid), eq(taskRuns.run, taskPoints.run)))
      .where(eq(taskRuns.isTracked, false))
      .groupBy(taskPoints.taskUid)
      .having(lt(max(taskPoints.at), before));
    const gone = known.map(({ taskUid }) => taskUid).filter((uid) => !live.has(uid));
    if (gone.length > 0) await db.delete(taskPoints).where(inArray(taskPoints.taskUid, gone));
  }
}

const ofRun = ({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>) =>
  and(eq(taskPoints.taskUid, taskUid), eq(taskPoints.run, run));
