// What programs of jobs log by MLflow's calls: from the journal of an agent to the answer of the route.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrainingCurveView } from '@gantry/contract/fields/training-curve.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { tokenOf } from '../../core/tasks/present-run.ts';
import { type RunPod, speaksFor } from '../../core/tasks/run-cluster.ts';
import { RunRows } from '../../core/tasks/run-rows.ts';
import { TaskPoints } from '../../core/tasks/task-points.ts';
import { aside } from '../../platform/aside/aside.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { taskRuns } from '../../platform/db/schema/tasks.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { TrackedJobs } from './tracked-jobs.ts';
import { trackingRoutes } from './tracking-routes.ts';

const keyed = (text: string) => `keyed ${text}`;
const doorOf = (taskUid: string, run: number) =>
  createHash('sha256').update(tokenOf(keyed, { taskUid, run })).digest('hex');
/** Nobody waits for its pauses. */
const hurried = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(1, run) };
const callerOf = (organization: string) =>
  ({ organization: { id: organization, namespace: `org-${organization}` } }) as Caller;

/** The agent in a Pod, as its protocol has it. */
class PlayedAgent {
  boot = 'boot-1';
  lines: { seq: number; line: unknown }[] = [];
  isOver = false;
  readonly refused: string[] = [];
  readonly server = createServer((req, res) => this.#answer(req, res));
  #kept = 0;
  readonly #door: string;
  readonly #waiting = new Set<ServerResponse>();

  constructor(door: string) {
    this.#door = door;
  }

  async start(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  says(...lines: unknown[]): void {
    for (const line of lines) this.lines.push({ seq: (this.lines.at(-1)?.seq ?? this.#kept) + 1, line });
    for (const res of this.#waiting) this.#tell(res);
  }

  ends(): void {
    this.isOver = true;
    this.says();
  }

  startsAnew(): void {
    this.boot = 'boot-2';
    [this.lines, this.#kept] = [[], 0];
    for (const res of this.#waiting) res.destroy();
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://agent');
    const token = req.headers.authorization?.replace('Bearer ', '') ?? '';
    const isGateway = createHash('sha256').update(token).digest('hex') === this.#door;
    if (!isGateway || pathname !== '/journal') {
      this.refused.push(pathname);
      return void res.writeHead(401).end();
    }
    if (query.has('boot') && query.get('boot') !== this.boot) return void res.writeHead(409).end();
    this.#kept = Math.max(this.#kept, Number(query.get('after')));
    this.lines = this.lines.filter(({ seq }) => seq > this.#kept);
    if (this.lines.length > 0 || this.isOver || !query.has('boot')) this.#tell(res);
    else {
      this.#waiting.add(res);
      res.on('close', () => this.#waiting.delete(res));
    }
  }

  #tell(res: ServerResponse): void {
    this.#waiting.delete(res);
    const over = this.isOver ? { code: 0, signal: '' } : undefined;
    res.end(JSON.stringify({ boot: this.boot, lines: this.lines, refused: 0, over }));
  }
}

const param = (name: string, value: string) => ({ type: 'param', name, value });
const metric = (name: string, value: number, step: number) => ({ type: 'metric', name, value, step, time: 1 });

forEachDatabase((database) => {
  let jobs: Job[];
  let pods: Map<string, RunPod>;
  let agent: PlayedAgent;
  let port: number;
  let rows: RunRows;
  let points: TaskPoints;
  let end: AbortController;
  let working: Promise<void> | undefined;

  const jobOf = (spec: object, status: object = {}, name = 'train', uid = 'uid-1') =>
    ({
      metadata: { name, namespace: 'org-acme', uid },
      spec: { image: 'a/b:1', tracking: true, ...spec },
      status: { run: { seq: 1, cause: 'first' }, ...status },
    }) as unknown as Job;
  const tracked = (status: object = {}) =>
    jobOf({}, { tracking: { run: 1, door: doorOf('uid-1', 1) }, run: { seq: 1, queuedAt: 'T', ...status } });

  beforeEach(async () => {
    agent = new PlayedAgent(doorOf('uid-1', 1));
    port = await agent.start();
    pods = new Map();
    const db = database();
    const createdAt = new Date();
    await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt });
    rows = new RunRows({ db, clock: systemClock, areTracked: true });
    points = new TaskPoints({ db, clock: systemClock });
  });
  afterEach(async () => {
    end?.abort();
    await working;
    agent.server.close();
    agent.server.closeAllConnections();
  });

  function works(): void {
    end = new AbortController();
    const tracking = new TrackedJobs({
      ...{ rows, points, aside, clock: hurried, keyed, log: { info() {}, warn() {} } },
      cluster: {
        list: () => jobs,
        isWhole: () => true,
        async write(object, status) {
          jobs = jobs.map((one) =>
            one.metadata.uid === object.metadata.uid ? ({ ...one, status: { ...one.status, ...status } } as Job) : one,
          );
        },
        speakers: () => pods,
        way: (_, __, token) => ({ id: 'acme', host: '127.0.0.1', port, agent: new Agent(), token }),
      },
    });
    working = tracking.work(end.signal);
  }

  /** The first worker's Pod of the job's run. */
  const runs = (phase: RunPod['phase'] = 'Running') =>
    jobs[0] && pods.set(speaksFor(jobs[0], 1), { name: 'train-1-0-bcdfg', ip: '10.0.0.1', phase, index: 0 });

  const answered = (organization = 'acme', query: object = {}) => {
    const [curve] = trackingRoutes({
      find({ organization: { id } }, name) {
        const found = id === 'acme' ? jobs.find(({ metadata }) => metadata.name === name) : undefined;
        if (!found) throw problem('not_found', { what: name });
        return found;
      },
      ...{ rows, points },
    });
    const asked = { caller: callerOf(organization), params: { id: 'train' }, query };
    return Promise.resolve().then(() => curve?.handler(asked as never)) as Promise<TrainingCurveView>;
  };
  const eventuallySays = (wanted: object) =>
    eventually('it is kept', async () => {
      const said = await answered();
      return (JSON.stringify(said.logged) ?? '').includes(JSON.stringify(wanted));
    });

  test('a run gets the door of its agent once, before its Pods are made', async () => {
    jobs = [
      jobOf({}),
      jobOf({ tracking: false }, {}, 'plain', 'uid-2'),
      jobOf({ schedule: { cron: '* * * * *' } }, {}, 'nightly', 'uid-3'),
      jobOf({}, { run: { seq: 1, queuedAt: 'T' } }, 'queued', 'uid-4'),
      jobOf({}, { run: { seq: 2 }, tracking: { run: 1, door: 'old' } }, 'again', 'uid-5'),
    ];
    works();
    await eventually('the last has its door', async () => jobs.at(-1)?.status?.tracking?.run === 2);
    expect(jobs.map(({ status }) => status?.tracking)).toEqual([
      { run: 1, door: doorOf('uid-1', 1) },
      ...[undefined, undefined, undefined],
      { run: 2, door: doorOf('uid-5', 2) },
    ]);
  });

  test('parameters, tags, last values, artifacts and points of the curve are kept, and nothing else of a Pod', async () => {
    jobs = [tracked()];
    runs();
    const file = { path: 'out/a', sha256: 'ab'.repeat(32), bytes: 1 };
    agent.says(
      ...[{ type: 'plan', units: 7, kept: 0 }, { type: 'done', rows: 1, rejected: 0 }, 'no line', { type: 'metric' }],
      ...[
        { type: 'part', ...file, units: [] },
        { type: 'output', ...file, name: 'a' },
        { type: 'point', step: 9, loss: 9 },
      ],
      ...[
        { type: 'checkpoint', ...file, name: 'a', step: 1, files: 1 },
        { type: 'artifact', name: 'model.bin', size: 7 },
      ],
      ...[param('lr', '0.1'), { type: 'tag', name: 'note', value: 'x'.repeat(1000) }],
      ...[metric('loss', 2, 1), metric('accuracy', 0.5, 1), metric('loss', 1, 2), metric('val_loss', 1.5, 2)],
    );
    works();
    await eventuallySays({ name: 'val_loss', value: 1.5, step: 2 });
    expect(await answered()).toMatchObject({
      points: [
        { step: 1, run: 1, loss: 2, eval_loss: null },
        { step: 2, run: 1, loss: 1, eval_loss: 1.5 },
      ],
      runs: [{ run: 1, resumed_from: null }],
      logged: {
        params: [{ name: 'lr', value: '0.1' }],
        tags: [{ name: 'note', value: 'x'.repeat(250) }],
        metrics: [
          { name: 'loss', value: 1, step: 2 },
          { name: 'accuracy', value: 0.5, step: 1 },
          { name: 'val_loss', value: 1.5, step: 2 },
        ],
        artifacts: [{ name: 'model.bin', size_bytes: 7 }],
      },
    });
    const [row] = await database().sql.select().from(taskRuns);
    expect(row).toMatchObject({ units: null, said: null, isTracked: true });
    // It is asked for its journal alone.
    expect(agent.refused).toEqual([]);
  });

  test("another organisation's job does not exist", async () => {
    jobs = [tracked()];
    await expect(answered('other')).rejects.toMatchObject({ problem: 'not_found' });
  });

  test('a job whose program has logged nothing has an empty curve', async () => {
    jobs = [tracked()];
    expect(await answered()).toEqual({ points: [], of: null, runs: [], logged: null });
  });

  test('the last lines are taken after the run has ended, and the next run begins anew', async () => {
    jobs = [tracked()];
    runs();
    works();
    agent.says(metric('loss', 2, 1));
    await eventuallySays({ name: 'loss', value: 2, step: 1 });
    jobs = [tracked({ endedAt: 'T', exit: 'exit code 0' })];
    agent.says(metric('loss', 1, 2));
    agent.ends();
    await eventuallySays({ name: 'loss', value: 1, step: 2 });
    await eventually('the agent may end', async () => agent.lines.length === 0);
    await rows.open({ taskUid: 'uid-1', run: 2, organizationId: 'acme' });
    expect(await answered()).toMatchObject({ points: [], runs: [{ run: 2 }], logged: null });
    expect(await answered('acme', { run: 1 })).toMatchObject({
      runs: [{ run: 1 }],
      points: [{ step: 1 }, { step: 2 }],
    });
  });

  test('an agent that was started anew counts from the beginning, and nothing is lost', async () => {
    jobs = [tracked()];
    runs();
    works();
    agent.says(metric('loss', 3, 1), metric('loss', 2, 2));
    await eventuallySays({ name: 'loss', value: 2, step: 2 });
    agent.startsAnew();
    agent.says(metric('loss', 1, 3));
    await eventuallySays({ name: 'loss', value: 1, step: 3 });
    expect((await answered()).points).toHaveLength(3);
  });

  test('a Pod that has not started yet, and one of another token, say nothing', async () => {
    jobs = [tracked()];
    runs('Pending');
    works();
    agent.says(metric('loss', 2, 1));
    jobs = [jobOf({}, { tracking: { run: 1, door: 'x' }, run: { seq: 1, queuedAt: 'T' } }, 'train', 'uid-9')];
    runs();
    await eventually('the other is refused', async () => agent.refused.length > 0);
    expect((await answered()).logged).toBeNull();
  });

  test('of a job ten earlier runs stay, and of a released one nothing', async () => {
    jobs = [tracked()];
    const at = new Date(0);
    const own = (taskUid: string, run: number, isTracked = true) => ({
      ...{ taskUid, run, organizationId: 'acme', isTracked, createdAt: at },
    });
    await database()
      .sql.insert(taskRuns)
      .values([own('uid-gone', 1), own('uid-tuned', 1, false), ...[1, 2, 11, 12, 13].map((run) => own('uid-1', run))]);
    for (const taskUid of ['uid-gone', 'uid-tuned', 'uid-1'])
      await points.take({ taskUid, run: 1 }, [{ type: 'point', step: 1, loss: 1 }]);
    // Those of jobs go with their rows, and not when fine-tuning tasks are swept.
    await points.forgetOthers(new Set(['uid-tuned']), new Date(Date.now() + 1000));
    expect(await points.list('uid-1', [1])).toHaveLength(1);
    await rows.forgetUpTo({ taskUid: 'uid-1', run: 13 - 10 });
    expect((await rows.runsOf('uid-1')).map(({ run }) => run)).toEqual([11, 12, 13]);
    works();
    await eventually('it is swept', async () => (await rows.runsOf('uid-gone')).length === 0);
    expect(await points.list('uid-gone', [1])).toEqual([]);
    expect(await rows.runsOf('uid-tuned')).toHaveLength(1);
    expect(await rows.runsOf('uid-1')).toHaveLength(3);
  });
});
