// Runs of evaluations in SQL: what each asks of whom, and how far its examples are on their way from its Pod.
import type { Problem } from '@gantry/contract/http/problem.ts';
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, max, notInArray, or, sql } from 'drizzle-orm';
import { haveArrived, removeFiles } from '../../core/files/files.ts';
import { recordMade, runNode, type Source } from '../../core/lineage/lineage-rows.ts';
import { forgetScores } from '../../core/tasks/task-scores.ts';
import type { RunOf } from '../../core/tasks/task-store.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { datasetVersions } from '../../platform/db/schema/datasets.ts';
import { type ExamplePlaces, evaluationRuns, type ServedSubject } from '../../platform/db/schema/evaluations.ts';
import { taskAnswers, taskRuns, taskUnits } from '../../platform/db/schema/tasks.ts';

export type EvaluationRun = typeof evaluationRuns.$inferSelect;
type OfRun = Pick<RunOf, 'taskUid' | 'run'>;
type NewRun = Omit<typeof evaluationRuns.$inferInsert, 'state' | 'createdAt'>;

/** The owner of its examples' file. */
export const examplesId = ({ taskUid, run }: OfRun): string => `${taskUid}.${run}.examples`;

const ofRun = ({ taskUid, run }: OfRun) => and(eq(evaluationRuns.taskUid, taskUid), eq(evaluationRuns.run, run));
const GOING = ['fetching', 'checking'] as const;

export class EvaluationStore {
  readonly #parts: { db: Database; clock: { now(): number } };

  constructor(parts: { db: Database; clock: { now(): number } }) {
    this.#parts = parts;
  }

  /** Whoever comes second finds what the first has chosen. */
  async begin(run: NewRun): Promise<void> {
    const createdAt = new Date(this.#parts.clock.now());
    await this.#parts.db.sql
      .insert(evaluationRuns)
      .values({ ...run, state: 'running', createdAt })
      .onConflictDoNothing();
  }

  async of(of: OfRun): Promise<EvaluationRun | undefined> {
    const [row] = await this.#parts.db.sql.select().from(evaluationRuns).where(ofRun(of));
    return row;
  }

  /** Of a task, what its runs kept answers for. */
  async works(taskUid: string): Promise<Pick<EvaluationRun, 'work' | 'answering'>[]> {
    return this.#parts.db.sql
      .selectDistinctOn([evaluationRuns.work], { work: evaluationRuns.work, answering: evaluationRuns.answering })
      .from(evaluationRuns)
      .where(eq(evaluationRuns.taskUid, taskUid));
  }

  /** The newest run of each of these tasks that has ended well. */
  async newest(taskUids: readonly string[]): Promise<EvaluationRun[]> {
    if (taskUids.length === 0) return [];
    return this.#parts.db.sql
      .selectDistinctOn([evaluationRuns.taskUid])
      .from(evaluationRuns)
      .where(and(inArray(evaluationRuns.taskUid, [...taskUids]), isNotNull(evaluationRuns.scoredAt)))
      .orderBy(evaluationRuns.taskUid, desc(evaluationRuns.run));
  }

  /** Its Pod has the examples, and waits until they are stored. */
  async fetch(of: OfRun): Promise<void> {
    await this.#parts.db.sql
      .update(evaluationRuns)
      .set({ state: 'fetching' })
      .where(and(ofRun(of), eq(evaluationRuns.state, 'running')));
  }

  /** From now on its scores are the evaluation's, and the lineage has what they are of. `task`: its name. */
  async scored(
    of: OfRun & { task: string },
    { examples, subjects }: { examples: readonly ExamplePlaces[]; subjects: readonly ServedSubject[] },
  ): Promise<void> {
    const at = new Date(this.#parts.clock.now());
    await this.#parts.db.transaction(async (tx) => {
      const [run] = await tx
        .update(evaluationRuns)
        .set({ examples, subjects, scoredAt: at })
        .where(and(ofRun(of), isNull(evaluationRuns.scoredAt)))
        .returning();
      if (run)
        await recordMade(tx, runNode('evaluation', { ...run, task: of.task }), { from: await sourcesOf(tx, run), at });
    });
  }

  /** One of an organisation at a time. */
  async waiting(at: Date, { except, most }: { except: readonly OfRun[]; most: number }): Promise<EvaluationRun[]> {
    const { sql: db } = this.#parts.db;
    const uids = except.map(({ taskUid }) => taskUid);
    const ofThese = db
      .select({ id: evaluationRuns.organizationId })
      .from(evaluationRuns)
      .where(inArray(evaluationRuns.taskUid, uids));
    return db
      .selectDistinctOn([evaluationRuns.organizationId])
      .from(evaluationRuns)
      .where(
        and(
          inArray(evaluationRuns.state, [...GOING]),
          or(isNull(evaluationRuns.nextTryAt), lte(evaluationRuns.nextTryAt, at)),
          ...(uids.length > 0 ? [notInArray(evaluationRuns.organizationId, ofThese)] : []),
        ),
      )
      .orderBy(evaluationRuns.organizationId, asc(evaluationRuns.createdAt))
      .limit(most);
  }

  /** Resolves with whether it is still there. */
  async becomes(db: Sql, of: OfRun, change: Partial<typeof evaluationRuns.$inferInsert>): Promise<boolean> {
    const changed = await db.update(evaluationRuns).set(change).where(ofRun(of)).returning({ run: evaluationRuns.run });
    return changed.length > 0;
  }

  failed(db: Sql, of: OfRun, { problem, args }: Problem): Promise<boolean> {
    return this.becomes(db, of, { state: 'failed', problem, problemArgs: args, nextTryAt: null });
  }

  async delayed(of: OfRun, at: Date): Promise<void> {
    await this.#parts.db.sql
      .update(evaluationRuns)
      .set({ tries: sql`${evaluationRuns.tries} + 1`, nextTryAt: at })
      .where(ofRun(of));
  }

  /** Unless bytes of its examples are missing. */
  async fetched(of: OfRun): Promise<void> {
    await this.#parts.db.sql
      .update(evaluationRuns)
      .set({ state: 'checking', tries: 0, nextTryAt: null })
      .where(and(ofRun(of), haveArrived({ kind: 'task', id: examplesId(of) })));
  }

  /** Those of tasks that are gone: `live` are the uids of those that are there. What is younger than `before` stays. */
  async forgetOthers(live: ReadonlySet<string>, before: Date): Promise<void> {
    const { db } = this.#parts;
    const known = await db.sql
      .select({ taskUid: evaluationRuns.taskUid })
      .from(evaluationRuns)
      .groupBy(evaluationRuns.taskUid)
      .having(lt(max(evaluationRuns.createdAt), before));
    for (const { taskUid } of known.filter((one) => !live.has(one.taskUid)))
      await db.transaction(async (tx) => {
        const of = eq(evaluationRuns.taskUid, taskUid);
        const runs = await tx.delete(evaluationRuns).where(of).returning({ run: evaluationRuns.run });
        await forgetScores(tx, [taskUid]);
        await tx.delete(taskUnits).where(eq(taskUnits.taskUid, taskUid));
        await tx.delete(taskAnswers).where(eq(taskAnswers.taskUid, taskUid));
        await tx.delete(taskRuns).where(eq(taskRuns.taskUid, taskUid));
        await removeFiles(tx, 'task', [taskUid, ...runs.map(({ run }) => examplesId({ taskUid, run }))]);
      });
  }
}

/** What the lineage has of what was asked, and by which rows. */
async function sourcesOf(tx: Sql, { subjects, tasks }: EvaluationRun): Promise<Source[]> {
  const isOne = tasks.map(({ dataset, version }) =>
    and(eq(datasetVersions.datasetId, dataset), eq(datasetVersions.number, version)),
  );
  const read = await tx
    .select({ uid: datasetVersions.id })
    .from(datasetVersions)
    .where(or(sql`false`, ...isOne));
  return [
    ...subjects.map(({ uid }) => ({ kind: 'deployment' as const, uid })),
    ...read.map(({ uid }) => ({ kind: 'dataset' as const, uid })),
  ];
}
