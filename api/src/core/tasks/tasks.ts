// Tasks in tenants' Pods: one gateway at a time follows each run from its Pod's first word to its outcome.
import type { Problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Aside } from '../../platform/aside/aside.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import { followEach } from './follow-each.ts';
import { TaskDoor } from './task-door.ts';
import { followPeer, followRun, type ModelAnswer, type TaskRunParts } from './task-run.ts';
import type { RunOf, RunRow, TaskStore } from './task-store.ts';

/** A run whose Pod is there. */
export interface RunningTask extends RunOf {
  way: Way;
  /** The name of the Pod; absent where the way alone tells it from others. */
  pod?: string;
  /** Who began it manages the organisation. */
  isManager: boolean;
  /** Another worker of the same run speaks for it: this one only has to be let go. */
  isPeer?: boolean;
}

/** What a kind of task says of its runs. */
export interface TaskKind {
  running(): readonly RunningTask[];
  /** Asks /v1 as the person who began the run. */
  ask(task: RunningTask, call: Parameters<TaskRunParts['ask']>[0], signal: AbortSignal): Promise<ModelAnswer>;
  /** Its worker has ended: resolves once its outcome is kept. May be called twice. */
  ended(task: RunningTask, row: RunRow, exitCode: number, signal: AbortSignal): Promise<void>;
  /** Its work cannot be kept: resolves with the exit code that it ends with, once people are told. May be called twice. */
  refused(task: RunningTask, why: Problem, signal: AbortSignal): Promise<number>;
}

interface TasksParts {
  store: TaskStore;
  points: TaskRunParts['points'];
  checkpoints: TaskRunParts['checkpoints'];
  scores: TaskRunParts['scores'];
  aside: Aside;
  clock: Clock;
  log: TaskRunParts['log'];
}

const SWEEP_MS = 3_600_000;

export class Tasks {
  readonly #parts: TasksParts;
  readonly #kinds: TaskKind[] = [];

  constructor(parts: TasksParts) {
    this.#parts = parts;
  }

  /** Before the start. */
  addKind(kind: TaskKind): void {
    this.#kinds.push(kind);
  }

  get hasKinds(): boolean {
    return this.#kinds.length > 0;
  }

  /** Until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let sweptAt = Number.NEGATIVE_INFINITY;
    await followEach(
      clock,
      {
        look: async () => {
          if (clock.monotonic() - sweptAt > SWEEP_MS) {
            sweptAt = clock.monotonic();
            await this.#sweep();
          }
          return new Map(
            this.#kinds.flatMap((kind) => kind.running().map((task) => [keyOf(task), { kind, task }] as const)),
          );
        },
        follow: ({ kind, task }, within) => this.#follow(kind, task, within),
        failed: ({ task }, error) => log.warn({ err: error, task: task.taskUid }, 'a task is followed again'),
      },
      signal,
    );
  }

  async #sweep(): Promise<void> {
    const { store, log } = this.#parts;
    await store.sweep().catch((error: unknown) => log.warn({ err: error }, 'old answers of tasks were not swept'));
  }

  #follow(kind: TaskKind, task: RunningTask, signal: AbortSignal): Promise<void> {
    const { store, points, checkpoints, scores, aside, clock, log } = this.#parts;
    const door = new TaskDoor(task.way, aside);
    if (task.isPeer) return followPeer(task, { clock, log, door }, signal);
    return followRun(
      task,
      {
        ...{ store, points, checkpoints, scores, clock, log, isManager: task.isManager, door },
        ask: (call, within) => kind.ask(task, call, within),
        ended: (row, exitCode, within) => kind.ended(task, row, exitCode, within),
        refused: (why, within) => kind.refused(task, why, within),
      },
      signal,
    );
  }
}

/** Another Pod of the same run is another start. */
const keyOf = ({ taskUid, run, pod, way }: RunningTask): string => `${taskUid} ${run} ${pod ?? way.host ?? ''}`;
