// The gateway's side of a task against the real agent, whose worker is played: killed at any moment, it does nothing twice. So it is when the
// database breaks off at any of its statements, and with a gateway that ends there.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Blobs } from '../../api/src/core/files/blobs.ts';
import { filesOf } from '../../api/src/core/files/files.ts';
import { Checkpoints } from '../../api/src/core/tasks/checkpoints.ts';
import { TaskPoints } from '../../api/src/core/tasks/task-points.ts';
import { TaskScores } from '../../api/src/core/tasks/task-scores.ts';
import { TaskStore, workOwner } from '../../api/src/core/tasks/task-store.ts';
import { type RunningTask, type TaskKind, Tasks } from '../../api/src/core/tasks/tasks.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { organizations } from '../../api/src/platform/db/schema/people.ts';
import { taskAnswers, taskUnits } from '../../api/src/platform/db/schema/tasks.ts';
import type { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { type CutDatabase, cutDatabase } from '../support/cut-database.ts';
import { forEachDatabase, resetDatabase } from '../support/database.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { freePorts } from '../support/free-ports.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { MIGRATED, migratedPostgres } from '../support/prepared-databases.ts';
import { inTurn } from '../support/soak.ts';

const TOKEN = 'a-token-of-thirty-two-characters';
const UNITS = 40;
const WORK = 'dst-1';
const REFUSED = 73;
/** How many models are asked at once. */
const AT_ONCE = 16;
/** Of what is said to the database in a run, about 380 packets, evenly. */
interface Break {
  readonly at: number;
  readonly when: 'before' | 'after';
  /** The gateway, too. */
  readonly ends: boolean;
}
const BREAKS: readonly Break[] = Array.from({ length: 20 }, (_, of) => 1 + of * 19).flatMap((at) =>
  (['before', 'after'] as const).flatMap((when) => [false, true].map((ends) => ({ at, when, ends }))),
);
const BREAK_TURNS = 40;
const WORKER = join(import.meta.dirname, 'tasks', 'played-worker.ts');

let folder: string;
let agent: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tasks-'));
  agent = await buildAgent({ dir: folder }, 'agent');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

forEachDatabase((database) => {
  const http = new Agent({ keepAlive: true });
  const pods: ChildProcess[] = [];
  let objects: Map<string, Uint8Array>;
  let store: TaskStore;
  let quotaGi: number;
  let asked: string[];
  let ended: number[];
  let refusals: string[];
  let db: Database;

  beforeEach(() => begins(database()));

  /** On a database without rows. */
  async function begins(on: Database): Promise<void> {
    db = on;
    objects = new Map();
    [asked, ended, refusals] = [[], [], []];
    quotaGi = 1;
    await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date() });
    const blobs = new Blobs({
      ...{ db, clock: systemClock },
      store: { put: async (key: string, bytes: Uint8Array) => void objects.set(key, bytes) } as ObjectStore,
    });
    store = new TaskStore({ db, clock: systemClock, blobs, quotaGi: () => quotaGi });
  }
  afterEach(async () => {
    for (const pod of pods.splice(0)) await stop(pod);
  });
  afterAll(() => http.destroy());

  /** A Pod of that run, with what is kept; its worker dies after so many answers. */
  async function podOf(run: number, options: { diesAfter?: number; lies?: boolean } = {}): Promise<RunningTask> {
    const root = await mkdtemp(join(folder, 'pod-'));
    await mkdir(`${root}/in`);
    await mkdir(`${root}/out`);
    const kept = (await store.keptFor(WORK)).flatMap(({ units }) => units);
    await writeFile(`${root}/in/door`, createHash('sha256').update(TOKEN).digest('hex'));
    await writeFile(`${root}/in/recipe.json`, JSON.stringify({ units: UNITS, kept, ...options }));
    await cp(WORKER, `${root}/worker.ts`);
    const [inner, outer = 0] = await freePorts(2);
    const words = ['task', `--root=${root}`, `--listen=127.0.0.1:${outer}`, `--ask=127.0.0.1:${inner}`, '--hold=1m'];
    const worker = ['--', process.execPath, `${root}/worker.ts`, root, `http://127.0.0.1:${inner}`];
    const [program, args] = endingWithUs(agent, [...words, ...worker]);
    const pod = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    createInterface(pod.stderr as NodeJS.ReadableStream).on('line', () => {});
    pods.push(pod);
    return {
      ...{ taskUid: 'uid-1', run, organizationId: 'acme', work: WORK, owner: workOwner(WORK), isManager: false },
      way: { id: 'acme', host: '127.0.0.1', port: outer, agent: http, token: TOKEN },
    };
  }

  /** Follows it to its end; `leaveAfter`: as many gateways end in the middle, each after so many answers. `leaves` ends the one of now. */
  async function follow(
    task: RunningTask,
    { leaveAfter, leaves = () => {} }: { leaveAfter?: number; leaves?: (leave: () => void) => void } = {},
  ): Promise<void> {
    let isOver = false;
    const gateway = () => {
      const end = new AbortController();
      leaves(() => end.abort());
      const before = asked.length;
      const kind: TaskKind = {
        running: () => (isOver ? [] : [task]),
        async ask(_, { body }) {
          asked.push(body);
          if (leaveAfter !== undefined && asked.length - before > leaveAfter) end.abort();
          return { status: 200, body: JSON.stringify({ to: body }) };
        },
        async ended(_, row, code) {
          ended.push(code);
          expect(row.units).toBe(UNITS);
          isOver = true;
          end.abort();
        },
        async refused(_, why) {
          refusals.push(why.problem);
          pods.at(-1)?.once('exit', () => {
            isOver = true;
            end.abort();
          });
          return REFUSED;
        },
      };
      const parts = { db, clock: systemClock };
      const points = new TaskPoints(parts);
      const checkpoints = new Checkpoints({ ...parts, aside, store, wayTo: () => undefined });
      const log = { info() {}, warn() {} };
      const tasks = new Tasks({ ...parts, store, points, checkpoints, scores: new TaskScores(parts), aside, log });
      tasks.addKind(kind);
      return tasks.work(end.signal);
    };
    while (!isOver) await gateway();
  }

  const doneUnits = async () => (await db.sql.select().from(taskUnits)).map(({ label }) => label).sort();
  const everyUnit = Array.from({ length: UNITS }, (_, at) => `unit ${at}`).sort();

  test('a run ends with every unit done, kept and asked for once', async () => {
    await follow(await podOf(1));
    expect(await doneUnits()).toEqual(everyUnit);
    expect(new Set(asked).size).toBe(UNITS);
    expect(asked).toHaveLength(UNITS);
    expect(ended).toEqual([0]);
    const [output] = await store.outputs({ taskUid: 'uid-1', run: 1 });
    expect(output).toMatchObject({ name: 'data.jsonl', rows: UNITS });
    const stored = await filesOf(db.sql, workOwner(WORK));
    expect(stored.length).toBeGreaterThanOrEqual(UNITS / 4);
    expect(stored.every(({ state, keptAt }) => state === 'ready' && keptAt !== null)).toBe(true);
    expect(objects.size).toBe(stored.length);
  });

  test.each([1, 13, 39])('a worker that is killed after %i answers asks for nothing twice', async (diesAfter) => {
    await follow(await podOf(1, { diesAfter }));
    expect(ended).toEqual([137]);
    const before = asked.length;
    await follow(await podOf(2));
    expect(ended).toEqual([137, 0]);
    expect(await doneUnits()).toEqual(everyUnit);
    expect(before).toBeGreaterThanOrEqual(diesAfter);
    expect(asked).toHaveLength(UNITS);
    expect(await db.sql.select().from(taskAnswers)).toEqual([]);
  });

  test('gateways that end in the middle lose nothing', async () => {
    await follow(await podOf(1), { leaveAfter: 7 });
    expect(await doneUnits()).toEqual(everyUnit);
    // The call under way when a gateway ends may be asked once more by the next.
    expect(new Set(asked).size).toBe(UNITS);
    expect(ended).toEqual([0]);
  });

  test('a database that breaks off at a statement, and a gateway that ends there, lose no unit', async () => {
    const server = await startPostgres({ from: await migratedPostgres() });
    const way = await cutDatabase(server.url(MIGRATED));
    const broken = await openDatabase({ url: way.url });
    try {
      for (const point of [undefined, ...inTurn('breaks of a run', BREAKS, BREAK_TURNS)]) {
        await resetDatabase(broken);
        await begins(broken);
        let leave = () => {};
        const task = await podOf(1);
        cuts(way, point, () => leave());
        await follow(task, { leaves: (now) => (leave = now) });
        way.cut(undefined);
        expect(await doneUnits()).toEqual(everyUnit);
        // What was under way may be asked once more.
        expect(new Set(asked).size).toBe(UNITS);
        expect(asked.length).toBeLessThanOrEqual(UNITS + AT_ONCE);
        expect([...new Set(ended)]).toEqual([0]);
        expect(await db.sql.select().from(taskAnswers)).toEqual([]);
        const stored = await filesOf(db.sql, workOwner(WORK));
        expect(stored.every(({ state, keptAt }) => state === 'ready' && keptAt !== null)).toBe(true);
      }
    } finally {
      await broken.close();
      await way.close();
      await server.end();
    }
  }, 300_000);

  test('a task whose work there is no room for ends at once, by the gateway’s code', async () => {
    quotaGi = 0;
    const task = await podOf(1);
    const exit = once(pods.at(-1) as ChildProcess, 'exit');
    await follow(task);
    expect(await exit).toEqual([REFUSED, null]);
    expect(refusals).toEqual(['model_quota']);
    expect([ended, await doneUnits()]).toEqual([[], []]);
  });

  test('a worker that lies keeps nothing that it did not make', async () => {
    await follow(await podOf(1, { lies: true }));
    expect(await doneUnits()).toEqual(everyUnit);
    const paths = (await store.outputs({ taskUid: 'uid-1', run: 1 })).map(({ path }) => path);
    expect(paths).toContain('out/version/data.jsonl');
    expect(paths.filter((path) => path.includes('..') || !path.startsWith('out/'))).toEqual([]);
    for (const bytes of objects.values()) expect(Buffer.from(bytes).toString()).not.toMatch(/root:|other bytes/);
  });
});

function cuts(way: CutDatabase, point: Break | undefined, leave: () => void): void {
  const also = async () => leave();
  way.cut(point && { at: point.at, when: point.when, ...(point.ends && { also }) });
}

async function stop(pod: ChildProcess): Promise<void> {
  if (pod.exitCode !== null || pod.signalCode !== null) return;
  pod.kill('SIGKILL');
  await once(pod, 'exit');
}
