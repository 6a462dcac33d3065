// Runs of one kind of task, as the gateway serves them: each gets its inputs, asks models as the person who began it, and what it has made
// is kept as its kind says. One gateway at a time does so; every step may be done twice.
import type { Problem } from '@gantry/contract/http/problem.ts';
import { OUTPUT_MADE, TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import type { Args } from '@gantry/contract/said.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import type { StoredBlobs } from '../files/stored-blobs.ts';
import { type DataTask, type PresentRun, presentRun, tokenOf } from './present-run.ts';
import type { RunCluster, RunPod } from './run-cluster.ts';
import { RunInputs } from './run-inputs.ts';
import { type Kept, type RunKind, sentenceOf } from './run-kind.ts';
import type { ModelAnswer } from './task-run.ts';
import { type RunOf, type RunRow, runRow, type TaskStore } from './task-store.ts';
import type { RunningTask, TaskKind } from './tasks.ts';

export interface RunsParts<T extends DataTask> {
  kind: RunKind<T>;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
  cluster: Omit<RunCluster<T>, 'speakers'>;
  store: Pick<TaskStore, 'open' | 'inputsOf' | 'choose' | 'dropTexts'>;
  blobs: Pick<StoredBlobs, 'read'>;
  /** A member as they are now; undefined where they are none any more. */
  callerOf(accountId: string, organizationId: string): Promise<Caller | undefined>;
  /** A call of /v1 as that person, booked to the task. */
  ask(caller: Caller, task: string, call: { path: string; body: string }, signal: AbortSignal): Promise<ModelAnswer>;
  /** Of the lineage: `present` are the uids of all tasks of the kind. Absent: none of its runs are there. */
  recordGone?(present: ReadonlySet<string>): Promise<void>;
  /** Only this installation can make it. */
  keyed(text: string): string;
}

const EVERY_MS = 1_000;
/** To say how far a run came: that it does not say so ends no run. */
const MOST_TRIES = 10;
/** A missing version may come; a delivery that failed may find its Pod listening. */
const AGAIN_MS = 5_000;
const PROGRESS_MS = 2_000;
const GONE_MS = 30_000;
const DELIVERIES_AT_ONCE = 8;
const MOST_REMEMBERED = 10_000;
const NOT_PERMITTED: ModelAnswer = {
  status: 403,
  body: JSON.stringify({
    error: { message: 'The person who began this run is no member of the organisation any more.' },
  }),
};

export class Runs<T extends DataTask> implements TaskKind {
  readonly #parts: RunsParts<T>;
  readonly #inputs: RunInputs<T>;
  /** By what is done: when it may be done again. */
  readonly #notBefore = new Map<string, number>();
  readonly #delivering = new Set<string>();

  constructor(parts: RunsParts<T>) {
    this.#parts = parts;
    this.#inputs = new RunInputs(parts);
  }

  /** Until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, cluster } = this.#parts;
    const going = new Set<Promise<void>>();
    while (!signal.aborted) {
      for (const object of cluster.list()) {
        const of = presentRun(object);
        if (!of || signal.aborted) continue;
        await this.#look(of, going, signal);
      }
      await this.#now('gone', GONE_MS, 'that tasks are gone was not recorded', async () => {
        const present = this.uids();
        if (present) await this.#parts.recordGone?.(present);
      });
      await pause(clock, EVERY_MS, signal);
    }
    await Promise.allSettled(going);
  }

  async #look(of: PresentRun<T>, going: Set<Promise<void>>, signal: AbortSignal): Promise<void> {
    if (!this.#inputs.areListed(of))
      return this.#now(`list ${of.taskUid}`, AGAIN_MS, 'inputs of a task were not listed', () => this.#inputs.list(of));
    const row = this.#row(of);
    const pods = this.#parts.cluster.pods(of.object, of.run);
    if (!row || pods.length === 0) return;
    for (const pod of pods.filter(({ phase }) => phase === 'Pending')) {
      const key = `${of.organizationId}/${pod.name}`;
      if (this.#delivering.has(key) || this.#delivering.size >= DELIVERIES_AT_ONCE) continue;
      this.#delivering.add(key);
      const one = this.#now(`deliver ${key}`, AGAIN_MS, 'a task did not get its inputs yet', () =>
        this.#inputs.deliver(of, row, pod, signal),
      ).finally(() => {
        this.#delivering.delete(key);
        going.delete(one);
      });
      going.add(one);
    }
    if (!pods.some(({ phase }) => phase === 'Running')) return;
    await this.#now(`progress ${of.taskUid}`, PROGRESS_MS, 'progress of a task was not written', () =>
      this.#writeProgress(of, row),
    );
  }

  /** Unless it was done just before. What fails is done again. */
  async #now(key: string, everyMs: number, failed: string, work: () => Promise<unknown>): Promise<void> {
    const { clock, log } = this.#parts;
    if (clock.monotonic() < (this.#notBefore.get(key) ?? 0)) return;
    // The map would grow with every run that ever was.
    if (this.#notBefore.size > MOST_REMEMBERED) this.#notBefore.clear();
    this.#notBefore.set(key, clock.monotonic() + everyMs);
    await work().catch((error: unknown) => log.warn({ err: error, task: key }, failed));
  }

  /** Undefined until it is known what the work is for. */
  #row(of: PresentRun<T>): RunOf | undefined {
    const { kind } = this.#parts;
    const work = kind.workOf(of.object);
    return work === undefined ? undefined : runRow(of, { work, owner: kind.ownerOf(of, work) });
  }

  running(): readonly RunningTask[] {
    return this.#parts.cluster.list().flatMap((object) => {
      const of = presentRun(object);
      const row = of && this.#row(of);
      if (!of || !row || object.status?.inputs?.run !== of.run) return [];
      const running = this.#parts.cluster.pods(object, of.run).filter(({ phase }) => phase === 'Running');
      return running.map((pod) => ({
        ...{ ...row, isManager: false, way: this.#way(of, pod), pod: pod.name },
        isPeer: pod.index > 0,
      }));
    });
  }

  /** To the Pod of that run that speaks for all of it; undefined where it is gone. */
  wayTo(taskUid: string, run: number): Way | undefined {
    const of = this.#find({ taskUid, run });
    const pod = of && this.#parts.cluster.pods(of.object, run).find(({ index }) => index === 0);
    return of && pod?.phase === 'Running' ? this.#way(of, pod) : undefined;
  }

  #way(of: PresentRun<T>, pod: RunPod): Way {
    return this.#parts.cluster.way(of.object, pod, tokenOf(this.#parts.keyed, of));
  }

  async ask(
    { taskUid, run }: RunningTask,
    call: { path: string; body: string },
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const of = this.#find({ taskUid, run });
    const caller = of && (await this.#parts.callerOf(of.accountId, of.organizationId));
    return caller ? this.#parts.ask(caller, taskUid, call, signal) : NOT_PERMITTED;
  }

  /** What it has made is fetched while its Pod is there. Throws the Problem for which that cannot be kept. */
  async ended(task: RunningTask, { said }: RunRow, exitCode: number, signal: AbortSignal): Promise<void> {
    const { kind, callerOf, store } = this.#parts;
    const of = this.#find(task);
    if (!of) return;
    if (exitCode === 0 && said?.type === 'done') {
      const caller = await callerOf(of.accountId, of.organizationId);
      if (!caller) throw new Error('whoever began the run is no member any more');
      await this.#tell(task, await kind.keep(of, caller, said, signal), signal);
    }
    await this.#tellProgress(task, signal);
    await store.dropTexts(task);
  }

  /** Until its object says so: somebody else may have written it at the same time. A task that is gone needs to be told nothing. */
  async #tell(task: RunningTask, { output, also }: Kept, signal: AbortSignal): Promise<void> {
    const { cluster, clock } = this.#parts;
    for (;;) {
      const of = this.#find(task);
      const wanted = { output: { run: of?.run, ...output }, ...also };
      if (!of || has(of.object.status, wanted)) return;
      await cluster.write(of.object, wanted);
      await pause(clock, EVERY_MS, signal);
      signal.throwIfAborted();
    }
  }

  /** How far it came in the end, as `#tell` does: no later look at it would say so. */
  async #tellProgress(task: RunningTask, signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const of = this.#find(task);
      if (!of || !(await this.#writeProgress(of, task))) return;
      await pause(this.#parts.clock, EVERY_MS, signal);
      signal.throwIfAborted();
    }
  }

  /** The operator finds why in a condition, by the exit code. */
  async refused(task: RunningTask, why: Problem, signal: AbortSignal): Promise<number> {
    const isQuota = why.problem === 'model_quota';
    const reason = isQuota ? 'StorageFull' : 'OutputRefused';
    const texts = Object.entries(why.args).map(([name, value]) => [name, `${value}`]);
    const args: Args = isQuota ? Object.fromEntries(texts) : { detail: why.message };
    const told = { type: OUTPUT_MADE, status: 'False' as const, reason, args };
    const { clock, cluster, kind } = this.#parts;
    for (;;) {
      const of = this.#find(task);
      const known = of?.object.status?.conditions ?? [];
      if (!of || known.some((one) => one.type === OUTPUT_MADE && one.reason === reason)) break;
      const message = sentenceOf(kind.facts, reason, args);
      const next = nextCondition(known, { ...told, message }, clock.now());
      await cluster.write(of.object, { conditions: [...known.filter(({ type }) => type !== OUTPUT_MADE), next] });
      await pause(clock, EVERY_MS, signal);
      signal.throwIfAborted();
    }
    return isQuota ? TASK_EXITS.quotaExceeded : TASK_EXITS.outputRefused;
  }

  /** All of the kind. */
  objects(): readonly T[] {
    return this.#parts.cluster.list();
  }

  /** The uids of all that are there; undefined while that is not known. */
  uids(): ReadonlySet<string> | undefined {
    const { cluster } = this.#parts;
    if (!cluster.isWhole()) return undefined;
    return new Set(cluster.list().flatMap(({ metadata }) => metadata.uid ?? []));
  }

  /** Fields of its status, unless somebody has changed it. */
  write(object: T, status: object): Promise<void> {
    return this.#parts.cluster.write(object, status);
  }

  /** Runs under way. */
  present(): readonly PresentRun<T>[] {
    return this.#parts.cluster.list().flatMap((object) => presentRun(object) ?? []);
  }

  /** Whether there was something to write. */
  async #writeProgress(of: PresentRun<T>, row: RunOf): Promise<boolean> {
    const { store, cluster, kind } = this.#parts;
    const status = await kind.progress(of, await store.open(row));
    if (status) await cluster.write(of.object, status);
    return status !== undefined;
  }

  #find({ taskUid, run }: { taskUid: string; run: number }): PresentRun<T> | undefined {
    const object = this.#parts.cluster.list().find(({ metadata }) => metadata.uid === taskUid);
    const of = object && presentRun(object);
    return of?.run === run ? of : undefined;
  }
}

/** Whether the fields that a merge patch writes are there, and those gone that it takes away. Lists are whole. */
function has(value: unknown, wanted: unknown): boolean {
  if (wanted === null) return value === undefined || value === null;
  if (typeof wanted !== 'object') return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted) && !(Array.isArray(value) && value.length === wanted.length)) return false;
  return Object.entries(wanted).every(([name, one]) => has((value as Record<string, unknown>)[name], one));
}
