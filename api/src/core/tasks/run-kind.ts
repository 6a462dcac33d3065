// What a kind of task says of its runs: what each takes in, what becomes of its results, and what its status says meanwhile.
import { type KindFacts, sentence } from '@gantry/contract/define-kind.ts';
import type { TaskInput } from '../../platform/db/schema/tasks.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { DataTask, PresentRun } from './present-run.ts';
import type { RunOf, RunRow } from './task-store.ts';

/** Why a run cannot begin: a reason of the kind, with what stands in its sentence. */
export interface NotNow<Reason extends string = string> {
  reason: Reason;
  args: Record<string, string>;
}

/** What a run takes in, and where its results go. */
export interface Chosen {
  work: string;
  /** What the status says of its inputs, besides the run, the digest and the bytes. */
  inputs: object;
  /** What it says of its output: null for whatever a run before has left there. */
  output: object;
  /** Further fields of the status as the run begins. */
  also?: object;
  /** Once for each run: texts that are written for it, by their paths, and bytes that are stored. */
  files(row: RunOf): Promise<{
    texts: Readonly<Record<string, Uint8Array>>;
    stored: readonly TaskInput[];
    /** Of training: what its checkpoints are of, and how many of them stay. */
    checkpoints?: { of: string; kept: number };
  }>;
}

export type Done = Extract<RunRow['said'], { type: 'done' }>;

/** What the status says of results once they are kept. */
export interface Kept {
  output: Readonly<Record<string, unknown>>;
  also?: Readonly<Record<string, unknown>>;
}

export interface RunKind<T extends DataTask> {
  readonly facts: KindFacts;
  /** What its units are made for, once that is chosen. */
  workOf(object: T): string | undefined;
  /** The owner of what is kept of the work. */
  ownerOf(of: Pick<PresentRun, 'taskUid'>, work: string): RunOf['owner'];
  /** As whoever began the run; without them where they are no member any more. */
  choose(of: PresentRun<T>, caller: Caller | undefined): Promise<NotNow | Chosen>;
  /** Fields of its status that say how far the run is; undefined where the object says so already. */
  progress(of: PresentRun<T>, row: RunRow): Promise<object | undefined>;
  /** Resolves once its output is ready. Throws the Problem for which it cannot be kept. */
  keep(of: PresentRun<T>, caller: Caller, said: Done, signal: AbortSignal): Promise<Kept>;
}

/** What a reason of the kind says in English. */
export function sentenceOf(
  { kind, reasons }: Pick<KindFacts, 'kind' | 'reasons'>,
  reason: string,
  args: Readonly<Record<string, string>>,
): string {
  const words = reasons[reason];
  if (!words) throw new Error(`${kind} has no reason ${reason}`);
  return sentence(words, 'en', args);
}
