// Checkpoints of training runs: named by the trainer, fetched from its Pod while it goes on, and what a later run goes on from. Their files
// arrive as a version's do.
import type { Problem } from '@gantry/contract/http/problem.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNull,
  like,
  lt,
  lte,
  max,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Aside } from '../../platform/aside/aside.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { taskCheckpoints, taskOutputs, taskRuns } from '../../platform/db/schema/tasks.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import { Gone } from '../files/blobs.ts';
import { filesOf, filesOfAll, haveArrived, removeFiles } from '../files/files.ts';
import type { Arrival, OwnerKind } from '../files/owner-kind.ts';
import type { Source } from '../files/source.ts';
import { taskFiles } from './task-files.ts';
import type { Line } from './task-lines.ts';
import type { RunOf, TaskStore } from './task-store.ts';

export type CheckpointRow = typeof taskCheckpoints.$inferSelect;

/** One that is kept, with its files as a later run, or a version, takes them. */
export interface KeptCheckpoint extends CheckpointRow {
  files: readonly { path: string; sha256: string; bytes: number }[];
}

interface ArrivingCheckpoint extends Arrival {
  row: CheckpointRow;
}

interface CheckpointsParts {
  db: Database;
  clock: { now(): number };
  store: Pick<TaskStore, 'outputs' | 'bootOf'>;
  aside: Aside;
  wayTo(taskUid: string, run: number): Way | undefined;
}

type OfTask = Pick<RunOf, 'taskUid'>;
type OfRun = Pick<RunOf, 'taskUid' | 'run'>;

const idOf = ({ taskUid, run }: OfRun, step: number): string => `${taskUid}.${run}.${step}`;
const ofRun = ({ taskUid, run }: OfRun) => and(eq(taskCheckpoints.taskUid, taskUid), eq(taskCheckpoints.run, run));
/** Names of the outputs that are a checkpoint's files. */
const folderOf = (step: number): string => `${step}/`;

export class Checkpoints implements OwnerKind<ArrivingCheckpoint, undefined> {
  readonly kind = 'task';
  readonly #parts: CheckpointsParts;

  constructor(parts: CheckpointsParts) {
    this.#parts = parts;
  }

  /** A file of a checkpoint. With the last of them it begins to arrive. */
  async named(of: OfRun & Pick<RunOf, 'organizationId'>, line: Extract<Line, { type: 'checkpoint' }>): Promise<void> {
    const { db, clock } = this.#parts;
    const { step, path, sha256, bytes: sizeBytes } = line;
    const row = { path, kind: 'checkpoint' as const, sha256, sizeBytes };
    await db.transaction(async (tx) => {
      await tx
        .insert(taskOutputs)
        .values({ taskUid: of.taskUid, run: of.run, name: `${folderOf(step)}${line.name}`, ...row })
        .onConflictDoUpdate({ target: [taskOutputs.taskUid, taskOutputs.run, taskOutputs.name], set: row });
      const named = await tx.$count(
        taskOutputs,
        and(
          eq(taskOutputs.taskUid, of.taskUid),
          eq(taskOutputs.run, of.run),
          eq(taskOutputs.kind, 'checkpoint'),
          like(taskOutputs.name, `${folderOf(step)}%`),
        ),
      );
      if (named < line.files) return;
      await tx
        .insert(taskCheckpoints)
        .values({
          ...{ id: idOf(of, step), taskUid: of.taskUid, run: of.run, step, organizationId: of.organizationId },
          ...{ state: 'fetching' as const, createdAt: new Date(clock.now()) },
        })
        .onConflictDoNothing();
    });
  }

  /** Whether none of the run is on its way. */
  async haveSettled(of: OfRun): Promise<boolean> {
    const going = inArray(taskCheckpoints.state, ['fetching', 'checking']);
    return (await this.#parts.db.sql.$count(taskCheckpoints, and(ofRun(of), going))) === 0;
  }

  /** Paths in the Pod that it need not keep any longer: what they were is stored, or never will be. */
  async unneeded(of: OfRun): Promise<{ id: string; paths: string[] }[]> {
    const { db, store } = this.#parts;
    const rows = await db.sql
      .select()
      .from(taskCheckpoints)
      .where(and(ofRun(of), inArray(taskCheckpoints.state, ['kept', 'failed']), eq(taskCheckpoints.isTold, false)));
    if (rows.length === 0) return [];
    const outputs = await store.outputs(of);
    return rows.map(({ id, step }) => ({
      id,
      paths: outputs
        .filter(({ kind, name }) => kind === 'checkpoint' && name.startsWith(folderOf(step)))
        .map(({ path }) => path),
    }));
  }

  /** Its Pod knows. Older ones than are wanted go. */
  async told(id: string): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      const [row] = await tx
        .update(taskCheckpoints)
        .set({ isTold: true })
        .where(eq(taskCheckpoints.id, id))
        .returning();
      if (row) await forgetOlder(tx, row);
    });
  }

  /** Of all runs of a task, newest first; where `of` says so, of training that a run with the same goes on with. */
  async list({ taskUid }: OfTask, of?: string): Promise<CheckpointRow[]> {
    const found = await this.#parts.db.sql
      .select({ row: taskCheckpoints })
      .from(taskCheckpoints)
      .innerJoin(taskRuns, and(eq(taskRuns.taskUid, taskCheckpoints.taskUid), eq(taskRuns.run, taskCheckpoints.run)))
      .where(
        and(
          eq(taskCheckpoints.taskUid, taskUid),
          ...(of === undefined ? [] : [eq(taskRuns.checkpointsOf, of), eq(taskCheckpoints.state, 'kept')]),
        ),
      )
      .orderBy(desc(taskCheckpoints.run), desc(taskCheckpoints.step));
    return found.map(({ row }) => row);
  }

  /** The newest one that is kept of the same training; of any where `of` is absent. */
  async newest(task: OfTask, of?: string): Promise<KeptCheckpoint | undefined> {
    const row = (await this.list(task, of)).find(({ state }) => state === 'kept');
    return row && { ...row, files: await this.#filesOf(row.id) };
  }

  /** What each takes, in bytes, by its id. */
  async sizes(rows: readonly Pick<CheckpointRow, 'id'>[]): Promise<ReadonlyMap<string, number>> {
    const found = await filesOfAll(
      this.#parts.db.sql,
      'task',
      rows.map(({ id }) => id),
    );
    return new Map([...found].map(([id, files]) => [id, files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)]));
  }

  /** The one of that step; undefined where it is not kept. */
  async of({ taskUid, run, step }: OfRun & { step: number }): Promise<KeptCheckpoint | undefined> {
    const [row] = await this.#parts.db.sql
      .select()
      .from(taskCheckpoints)
      .where(and(eq(taskCheckpoints.id, idOf({ taskUid, run }, step)), eq(taskCheckpoints.state, 'kept')));
    return row && { ...row, files: await this.#filesOf(row.id) };
  }

  async #filesOf(id: string): Promise<KeptCheckpoint['files']> {
    const rows = await filesOf(this.#parts.db.sql, { kind: 'task', id });
    return rows.map(({ path, digest, sizeBytes }) => ({ path, sha256: digest ?? '', bytes: sizeBytes }));
  }

  /** Those of tasks that are gone: `live` are the uids of those that are there. What is younger than `before` stays. */
  async forgetOthers(live: ReadonlySet<string>, before: Date): Promise<void> {
    const { db } = this.#parts;
    const known = await db.sql
      .select({ taskUid: taskCheckpoints.taskUid })
      .from(taskCheckpoints)
      .groupBy(taskCheckpoints.taskUid)
      .having(lt(max(taskCheckpoints.createdAt), before));
    for (const { taskUid } of known) {
      if (live.has(taskUid)) continue;
      await db.transaction((tx) => forget(tx, eq(taskCheckpoints.taskUid, taskUid)));
    }
  }

  /** One of an organisation at a time. */
  async waiting(
    at: Date,
    { except, most }: { except: readonly string[]; most: number },
  ): Promise<ArrivingCheckpoint[]> {
    const { sql: db } = this.#parts.db;
    const ofThese = db
      .select({ id: taskCheckpoints.organizationId })
      .from(taskCheckpoints)
      .where(inArray(taskCheckpoints.id, [...except]));
    const rows = await db
      .selectDistinctOn([taskCheckpoints.organizationId])
      .from(taskCheckpoints)
      .where(
        and(
          inArray(taskCheckpoints.state, ['fetching', 'checking']),
          or(isNull(taskCheckpoints.nextTryAt), lte(taskCheckpoints.nextTryAt, at)),
          ...(except.length > 0 ? [notInArray(taskCheckpoints.organizationId, ofThese)] : []),
        ),
      )
      .orderBy(taskCheckpoints.organizationId, asc(taskCheckpoints.createdAt), asc(taskCheckpoints.step))
      .limit(most);
    return rows.map((row) => ({
      ...{ kind: 'task' as const, id: row.id, organizationId: row.organizationId, row },
      step: row.state === 'fetching' ? ('fetching' as const) : ('checking' as const),
      ...{ createdAt: row.createdAt, tries: row.tries },
    }));
  }

  async source({ row }: ArrivingCheckpoint, signal: AbortSignal): Promise<Source> {
    const folder = folderOf(row.step);
    const { outputs, listed, bytes } = taskFiles(
      this.#parts,
      row,
      {
        pathOf: ({ kind, name }) =>
          kind === 'checkpoint' && name.startsWith(folder) ? name.slice(folder.length) : undefined,
        gone,
      },
      signal,
    );
    return {
      plan: async () => ({
        ...{ revision: row.id, license: null, language: [], tags: [] },
        files: listed(await outputs()),
      }),
      bytes,
    };
  }

  async planned(tx: Sql, { id }: ArrivingCheckpoint): Promise<void> {
    const [still] = await tx.select().from(taskCheckpoints).where(eq(taskCheckpoints.id, id)).for('update');
    if (!still) throw new Gone();
  }

  async fetched({ id }: ArrivingCheckpoint): Promise<void> {
    await this.#parts.db.sql
      .update(taskCheckpoints)
      .set({ state: 'checking', tries: 0, nextTryAt: null })
      .where(and(eq(taskCheckpoints.id, id), haveArrived({ kind: 'task', id })));
  }

  checkList(): void {}

  /** What a task has made is given to that task alone: nothing here reads it. */
  async checkFile(): Promise<undefined> {}

  async ready({ id }: ArrivingCheckpoint): Promise<(tx: Sql) => Promise<void>> {
    const keptAt = new Date(this.#parts.clock.now());
    return async (tx) => {
      const [still] = await tx
        .update(taskCheckpoints)
        .set({ state: 'kept', keptAt, tries: 0, nextTryAt: null })
        .where(eq(taskCheckpoints.id, id))
        .returning({ id: taskCheckpoints.id });
      if (!still) throw new Gone();
    };
  }

  async failed(tx: Sql, { id }: ArrivingCheckpoint, { problem: code, args }: Problem): Promise<void> {
    await tx
      .update(taskCheckpoints)
      .set({ state: 'failed', problem: code, problemArgs: args, nextTryAt: null })
      .where(eq(taskCheckpoints.id, id));
  }

  async delayed({ id }: ArrivingCheckpoint, at: Date): Promise<void> {
    await this.#parts.db.sql
      .update(taskCheckpoints)
      .set({ tries: sql`${taskCheckpoints.tries} + 1`, nextTryAt: at })
      .where(eq(taskCheckpoints.id, id));
  }

  async worked({ id }: ArrivingCheckpoint): Promise<void> {
    await this.#parts.db.sql.update(taskCheckpoints).set({ tries: 0 }).where(eq(taskCheckpoints.id, id));
  }

  async lost(tx: Sql, { id }: ArrivingCheckpoint): Promise<void> {
    await tx.update(taskCheckpoints).set({ state: 'fetching' }).where(eq(taskCheckpoints.id, id));
  }

  lastWord(): Problem {
    return gone();
  }
}

const gone = (): Problem => problem('task_files_gone');

async function forget(tx: Sql, which: SQL): Promise<void> {
  const rows = await tx.delete(taskCheckpoints).where(which).returning({ id: taskCheckpoints.id });
  await removeFiles(
    tx,
    'task',
    rows.map(({ id }) => id),
  );
}

/** Of those that are kept, the newest stay. One whose Pod is still there goes once that knows. */
async function forgetOlder(tx: Sql, { taskUid, run }: OfRun): Promise<void> {
  const [wanted] = await tx
    .select({ kept: taskRuns.checkpointsKept })
    .from(taskRuns)
    .where(and(eq(taskRuns.taskUid, taskUid), eq(taskRuns.run, run)));
  const beyond = tx
    .select({ id: taskCheckpoints.id })
    .from(taskCheckpoints)
    .where(and(eq(taskCheckpoints.taskUid, taskUid), eq(taskCheckpoints.state, 'kept')))
    .orderBy(desc(taskCheckpoints.run), desc(taskCheckpoints.step))
    .offset(Math.max(1, wanted?.kept ?? 1));
  const isKnown = or(eq(taskCheckpoints.isTold, true), ne(taskCheckpoints.run, run));
  await forget(tx, and(inArray(taskCheckpoints.id, beyond), isKnown) as SQL);
}
