// What is known of tasks' runs, in SQL. Every line may be taken twice.
import { createHash } from 'node:crypto';
import { and, asc, count, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage } from '../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { type TaskInput, taskAnswers, taskOutputs, taskRuns, taskUnits } from '../../platform/db/schema/tasks.ts';
import { tokenUsage } from '../../platform/db/schema/tokens.ts';
import type { Blobs } from '../files/blobs.ts';
import { addFiles, filesOf, type Owner, readyFiles, removeFiles } from '../files/files.ts';
import { lockOrganization } from '../files/quota.ts';
import { ofRun, type RunRow, RunRows } from './run-rows.ts';
import type { Line, Unit } from './task-lines.ts';
import type { LoggedLine } from './task-logged.ts';

/** A run of a task, as its kind knows it. */
export interface RunOf {
  taskUid: string;
  run: number;
  organizationId: string;
  /** What its units are made for, which they go with: the id of a dataset. */
  work: string;
  /** Of the files that are kept of it. */
  owner: Pick<Owner, 'kind' | 'id'>;
}

export const runRow = (
  { taskUid, run, organizationId }: Pick<RunOf, 'taskUid' | 'run' | 'organizationId'>,
  { work, owner }: Pick<RunOf, 'work' | 'owner'>,
): RunOf => ({ taskUid, run, organizationId, work, owner });

export type { RunRow };

type Output = Extract<Line, { type: 'output' | 'rejected' }>;
/** Those that are the run's own rows. */
type RunLine = Exclude<
  Line,
  { type: 'part' | 'point' | 'checkpoint' | 'score' | 'comparison' | 'load' | LoggedLine['type'] }
>;

interface TaskStoreParts {
  db: Database;
  clock: { now(): number };
  blobs: Pick<Blobs, 'keepBytes'>;
  quotaGi(organizationId: string): number | undefined;
}

/** Answers of a task that nobody went on with. */
const ANSWERS_KEPT_MS = 7 * 24 * 3_600_000;
const MOST_SWEPT = 1_000;

/** Of work that is for a dataset. */
export const workOwner = (work: string): { kind: 'dataset'; id: string } => ({ kind: 'dataset', id: `${work}.work` });
/** Names of what a run takes in and nobody needs afterwards. */
const ofTexts = ({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>): string => `${taskUid}-${run}-`;
const partPath = (sha256: string): string => `${sha256}.parquet`;

export class TaskStore extends RunRows {
  readonly #parts: TaskStoreParts;

  constructor(parts: TaskStoreParts) {
    super(parts);
    this.#parts = parts;
  }

  async take(of: RunOf, line: RunLine): Promise<void> {
    const { sql: db } = this.#parts.db;
    if (line.type === 'plan') await db.update(taskRuns).set({ units: line.units, kept: line.kept }).where(ofRun(of));
    else if (line.type === 'progress')
      await db
        .update(taskRuns)
        .set({ step: line.step, done: line.done ?? null, of: line.of ?? null })
        .where(ofRun(of));
    else if (line.type === 'done' || line.type === 'failed')
      await db.update(taskRuns).set({ said: line }).where(ofRun(of));
    else if (line.type === 'resumed') await this.trained(of, { resumedFrom: line.step });
    else if (line.type === 'rehearsal') {
      const { peakBytes, secondsPerStep, longest } = line;
      await this.trained(of, { rehearsal: { peakBytes, secondsPerStep, longest } });
    } else await this.#output(of, line);
  }

  async #output(of: RunOf, line: Output): Promise<void> {
    const { path, sha256, bytes: sizeBytes, rows = null, type: kind, kind: role = null, dimensions = null } = line;
    const name = line.name ?? path.slice(path.lastIndexOf('/') + 1);
    const row = { path, kind, sha256, sizeBytes, rows, role, dimensions };
    await this.#parts.db.sql
      .insert(taskOutputs)
      .values({ taskUid: of.taskUid, run: of.run, name, ...row })
      .onConflictDoUpdate({ target: [taskOutputs.taskUid, taskOutputs.run, taskOutputs.name], set: row });
  }

  /**
   * A part of the work: stored, then its units, in one transaction with the end of their answers. Throws model_quota, and what a store
   * that is away throws.
   */
  async keep(of: RunOf, units: readonly Unit[], bytes: Uint8Array, isManager: boolean): Promise<void> {
    const { db, clock } = this.#parts;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const at = new Date(clock.now());
    const { owner } = of;
    await this.#stored(of, partPath(sha256), { bytes, sha256, isManager });
    await db.transaction(async (tx) => {
      await readyFiles(tx, owner);
      const ended = units.map(({ unit }) => unit);
      const ofThese = and(eq(taskAnswers.taskUid, of.taskUid), inArray(taskAnswers.unit, ended));
      const asked = await tx
        .selectDistinctOn([taskAnswers.unit], { unit: taskAnswers.unit, model: taskAnswers.model })
        .from(taskAnswers)
        .where(ofThese)
        .orderBy(asc(taskAnswers.unit), asc(taskAnswers.at));
      const models = new Map(asked.map(({ unit, model }) => [unit, model]));
      const rows = units.map((unit) => ({
        ...{ work: of.work, unit: unit.unit, taskUid: of.taskUid, run: of.run, part: sha256 },
        ...{ label: unit.label, state: unit.state, reason: unit.reason ?? null },
        ...{ rows: unit.rows, rejected: unit.rejected, model: models.get(unit.unit) ?? null, at },
      }));
      await tx
        .insert(taskUnits)
        .values(rows)
        // What is done stays; what failed may be done by now.
        .onConflictDoUpdate({
          target: [taskUnits.work, taskUnits.unit],
          set: Object.fromEntries(
            (['taskUid', 'run', 'part', 'label', 'state', 'reason', 'rows', 'rejected', 'model', 'at'] as const).map(
              (name) => [name, sql.raw(`excluded."${taskUnits[name].name}"`)],
            ),
          ),
          setWhere: sql`${taskUnits.state} <> 'done'`,
        });
      await tx.delete(taskAnswers).where(ofThese);
    });
  }

  /** Among the files of the work. */
  async #stored(
    of: RunOf,
    path: string,
    { bytes, sha256, isManager }: { bytes: Uint8Array; sha256: string; isManager: boolean },
  ): Promise<void> {
    const { db, clock, blobs } = this.#parts;
    const owner = { ...of.owner, organizationId: of.organizationId };
    const file = await db.transaction(async (tx) => {
      await lockOrganization(tx, of.organizationId);
      const [known] = await tx.select().from(files).where(ofFile(owner, path));
      if (known) return known;
      const wanted = [{ path, sizeBytes: bytes.length, wantedSha256: sha256 }];
      const at = new Date(clock.now());
      await addFiles(tx, owner, wanted, { quotaGi: this.#parts.quotaGi(of.organizationId), at, isManager });
      const [added] = await tx.select().from(files).where(ofFile(owner, path));
      return added;
    });
    if (!file) throw new Error('a file that was just added is gone');
    if (file.keptAt === null) await blobs.keepBytes(file, sha256, bytes);
  }

  /** What its Pod takes in; undefined until that is chosen. */
  async inputsOf(of: RunOf): Promise<readonly TaskInput[] | undefined> {
    return (await this.open(of)).inputs ?? undefined;
  }

  /**
   * Chooses what its Pod takes in: `texts` are stored with the work until the run has ended, and `also` are bytes that are stored already.
   * `checkpoints`: what those of the run are of, and how many stay. Whoever comes second finds what the first has chosen. Throws as `keep`
   * does.
   */
  async choose(
    of: RunOf,
    texts: Readonly<Record<string, Uint8Array>>,
    also: readonly TaskInput[],
    checkpoints?: { of: string; kept: number },
  ): Promise<readonly TaskInput[]> {
    const listed: TaskInput[] = [];
    for (const [path, bytes] of Object.entries(texts)) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await this.#stored(of, `${ofTexts(of)}${sha256}`, { bytes, sha256, isManager: false });
      listed.push({ path, sha256, bytes: bytes.length });
    }
    const { sql: db } = this.#parts.db;
    await readyFiles(db, of.owner);
    await db
      .update(taskRuns)
      .set({
        inputs: [...listed, ...also],
        ...(checkpoints && { checkpointsOf: checkpoints.of, checkpointsKept: checkpoints.kept }),
      })
      .where(and(ofRun(of), isNull(taskRuns.inputs)));
    return (await this.inputsOf(of)) ?? [];
  }

  /** The texts of a run that has ended. */
  async dropTexts(of: RunOf): Promise<void> {
    const { owner } = of;
    await this.#parts.db.sql
      .delete(files)
      .where(
        and(
          eq(files.ownerKind, owner.kind),
          eq(files.ownerId, owner.id),
          sql`starts_with(${files.path}, ${ofTexts(of)})`,
        ),
      );
  }

  /** What the run has done of its units, by state; those that were kept from earlier runs are not among them. */
  async countsOf({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>): Promise<{
    done: number;
    failed: number;
    skipped: number;
    rejected: number;
  }> {
    const rows = await this.#parts.db.sql
      .select({ state: taskUnits.state, units: count(), rejected: sql`sum(${taskUnits.rejected})`.mapWith(Number) })
      .from(taskUnits)
      .where(and(eq(taskUnits.taskUid, taskUid), eq(taskUnits.run, run)))
      .groupBy(taskUnits.state);
    const of = (state: string) => rows.find((one) => one.state === state)?.units ?? 0;
    const rejected = rows.reduce((sum, one) => sum + one.rejected, 0);
    return { done: of('done'), failed: of('failed'), skipped: of('skipped'), rejected };
  }

  /** Tokens that the task has used since that run was begun, in and out together. */
  async tokensSince({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>): Promise<number> {
    const { sql: db } = this.#parts.db;
    const begun = db.select({ at: taskRuns.createdAt }).from(taskRuns).where(ofRun({ taskUid, run }));
    const [row] = await db
      .select({ tokens: sql`coalesce(sum(${tokenUsage.prompt} + ${tokenUsage.completion}), 0)`.mapWith(Number) })
      .from(tokenUsage)
      .where(and(eq(tokenUsage.task, taskUid), gte(tokenUsage.at, sql`(${begun})`)));
    return row?.tokens ?? 0;
  }

  /** Undefined where it was never asked, or its unit is kept. */
  async answered(of: RunOf, key: string): Promise<string | undefined> {
    const [row] = await this.#parts.db.sql
      .select({ body: taskAnswers.body })
      .from(taskAnswers)
      .where(and(eq(taskAnswers.taskUid, of.taskUid), eq(taskAnswers.key, key)));
    return row?.body;
  }

  async answer(
    of: RunOf,
    { key, unit, model, body }: { key: string; unit: string; model: string | null; body: string },
  ): Promise<void> {
    const { db, clock } = this.#parts;
    const { taskUid, organizationId } = of;
    await db.sql
      .insert(taskAnswers)
      .values({ taskUid, organizationId, key, unit, model, body, at: new Date(clock.now()) })
      .onConflictDoNothing();
  }

  /** Those of a task that has ended well: nobody asks again. */
  async forgetAnswers({ taskUid }: Pick<RunOf, 'taskUid'>): Promise<void> {
    await this.#parts.db.sql.delete(taskAnswers).where(eq(taskAnswers.taskUid, taskUid));
  }

  /** Parts with the units of each that are done, for the next run; where `asked` says so, those alone whose model was one of these. */
  async keptFor(
    work: string,
    { owner = workOwner(work), asked }: { owner?: RunOf['owner']; asked?: readonly string[] } = {},
  ): Promise<{ part: string; sizeBytes: number; units: string[] }[]> {
    const { sql: db } = this.#parts.db;
    const rows = await db
      .select({ part: taskUnits.part, unit: taskUnits.unit })
      .from(taskUnits)
      .where(
        and(
          eq(taskUnits.work, work),
          eq(taskUnits.state, 'done'),
          ...(asked ? [inArray(taskUnits.model, [...asked])] : []),
        ),
      );
    const stored = new Map((await filesOf(db, owner)).map(({ path, sizeBytes }) => [path, sizeBytes]));
    return [...Map.groupBy(rows, ({ part }) => part)].flatMap(([part, units]) => {
      const sizeBytes = stored.get(partPath(part));
      return sizeBytes === undefined ? [] : [{ part, sizeBytes, units: units.map(({ unit }) => unit) }];
    });
  }

  /** Units of a task, by their keys. */
  async units(
    taskUid: string,
    { state, ...page }: CursorPage & { state?: Unit['state'] | undefined },
  ): Promise<CursorRows<typeof taskUnits.$inferSelect>> {
    const { sql: db } = this.#parts.db;
    const own = eq(taskUnits.taskUid, taskUid);
    const where = state === undefined ? own : (and(own, eq(taskUnits.state, state)) as SQL);
    const columns = { id: taskUnits.unit, unit: taskUnits.unit };
    const rows = db.select().from(taskUnits).$dynamic();
    return cursorPage(
      db,
      { table: taskUnits, columns, own, where, sort: ['unit', 'ASC'] },
      page,
      rows,
      ({ unit }) => unit,
    );
  }

  outputs({ taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>): Promise<(typeof taskOutputs.$inferSelect)[]> {
    return this.#parts.db.sql
      .select()
      .from(taskOutputs)
      .where(and(eq(taskOutputs.taskUid, taskUid), eq(taskOutputs.run, run)));
  }

  /** With the dataset that the work was for. */
  async forget(tx: Sql, work: string): Promise<void> {
    await removeFiles(tx, 'dataset', [workOwner(work).id]);
    await tx.delete(taskUnits).where(eq(taskUnits.work, work));
  }

  /** Answers that nobody came back for. */
  async sweep(): Promise<void> {
    const { sql: db } = this.#parts.db;
    const before = new Date(this.#parts.clock.now() - ANSWERS_KEPT_MS);
    const old = db.select({ at: taskAnswers.at }).from(taskAnswers).where(lt(taskAnswers.at, before)).limit(MOST_SWEPT);
    await db.delete(taskAnswers).where(inArray(taskAnswers.at, old));
  }
}

const ofFile = ({ kind, id }: RunOf['owner'], path: string) =>
  and(eq(files.ownerKind, kind), eq(files.ownerId, id), eq(files.path, path));
