// Work whose size a tenant chooses, beside the loop that serves everybody: on a few threads, each piece within a time and a memory,
// and organisations take turns. What is sent there is copied, so bytes are handed over; what comes back has to be small.
import { availableParallelism } from 'node:os';
import { isMarkedAsUntransferable, Worker } from 'node:worker_threads';
import { FairQueue, QueueFull } from '../fair-queue.ts';
import type { Answered } from './thread.ts';

/** The work ran too long, took too much memory, or too much of it waits already. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
  readonly why: 'time' | 'memory' | 'queue';

  constructor(why: TooMuchWork['why']) {
    super(`too much work: ${why}`);
    this.why = why;
  }
}

export interface AsideLimits {
  /** At least two: one organisation never has all of them. */
  threads: number;
  memoryMb: number;
  /** The most waiting tasks of one organisation, and of all. */
  waitingOfLane: number;
  waiting: number;
}

/** A pure function that a file exports. Threads load it by themselves, and arguments and result are copied. */
export interface Task<Work> {
  readonly file: string;
  readonly name: string;
  /** A type for the compiler alone. */
  readonly work?: Work;
}

type Pure = (...args: never[]) => unknown;

/** The function `name` of `file`. */
export const taskIn = <Work extends Pure>(file: URL, name: string): Task<Work> => ({ file: file.href, name });

interface Options {
  /** The organisation whose work it is. */
  lane: string;
  deadlineMs?: number;
  /** Buffers that are handed over: the caller has them no more. */
  transfer?: readonly ArrayBuffer[];
}

interface Thread {
  readonly worker: Worker;
  /** Ends what it does now; undefined while it waits for work. */
  settle: ((answer: Answered | TooMuchWork) => void) | undefined;
}

const DEADLINE_MS = 10_000;
const MOST_THREADS = 4;
/** The memory of a thread's young generation. */
const YOUNG_MB = 32;
const LIMITS: AsideLimits = {
  threads: Math.min(MOST_THREADS, Math.max(2, availableParallelism())),
  memoryMb: 512,
  waitingOfLane: 16,
  waiting: 256,
};
const PROGRAM = new URL('thread.ts', import.meta.url);

export class Aside {
  readonly #limits: AsideLimits;
  readonly #queue: FairQueue;
  readonly #idle: Thread[] = [];
  #next = 0;

  constructor(limits: Partial<AsideLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    const { threads, waitingOfLane: mostOfLane, waiting: most } = this.#limits;
    this.#queue = new FairQueue({ atOnce: threads, ofOneLane: threads - 1, mostOfLane, most });
  }

  /** Rejects with TooMuchWork, or with what the task throws: an Error with its name and message. */
  async run<Work extends Pure>(
    { file, name }: Task<Work>,
    args: Parameters<Work>,
    { lane, deadlineMs = DEADLINE_MS, transfer = [] }: Options,
  ): Promise<ReturnType<Work>> {
    let result: ReturnType<Work> | undefined;
    const work = {
      key: `${this.#next++}`,
      lane,
      run: async () => {
        result = (await this.#do({ file, name, args }, transfer, deadlineMs)) as ReturnType<Work>;
      },
    };
    await this.#queue.put(work).catch((error: unknown) => {
      throw error instanceof QueueFull ? new TooMuchWork('queue') : error;
    });
    return result as ReturnType<Work>;
  }

  async #do(asked: object, transfer: readonly ArrayBuffer[], deadlineMs: number): Promise<unknown> {
    const thread = this.#idle.pop() ?? this.#started();
    const answer = await new Promise<Answered | TooMuchWork>((resolve) => {
      const timer = setTimeout(() => {
        resolve(new TooMuchWork('time'));
        void thread.worker.terminate();
      }, deadlineMs);
      thread.settle = (said) => {
        clearTimeout(timer);
        thread.settle = undefined;
        resolve(said);
      };
      thread.worker.ref();
      // Small buffers share one of Node's, which is copied.
      thread.worker.postMessage(
        asked,
        transfer.filter((one) => !isMarkedAsUntransferable(one)),
      );
    });
    if (answer instanceof TooMuchWork) throw answer;
    // It keeps no process alive that has nothing else to do.
    thread.worker.unref();
    this.#idle.push(thread);
    if ('result' in answer) return answer.result;
    throw Object.assign(new Error(answer.message), { name: answer.name });
  }

  #started(): Thread {
    const worker = new Worker(PROGRAM, {
      // Not those of the program that runs us.
      execArgv: ['--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, settle: undefined };
    worker.on('message', (answer: Answered) => thread.settle?.(answer));
    const gone = () => {
      thread.settle?.(new TooMuchWork('memory'));
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    worker.on('error', gone).on('exit', gone);
    return thread;
  }
}

/** The process's own: its threads start with the first work. */
export const aside = new Aside();
