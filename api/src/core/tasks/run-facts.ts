// What kinds of tasks say alike of their runs: tables among the inputs, a version that is awaited, the worker's last word.
import { isDeepStrictEqual } from 'node:util';
import { MOST_ARG_LETTERS } from '@gantry/contract/define-kind.ts';
import { type ProblemArgs, type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { TaskInput } from '../../platform/db/schema/tasks.ts';
import type { RunRow } from './task-store.ts';

/** Digits of a digest that name a file: the list has all of them. */
const DIGITS = 32;
const EVERY_MS = 1_000;
/** As a status takes them. */
const MOST_ARGS = 16;

/** Parts of a table below a folder of the inputs, in their order. */
export const listedTables = (folder: string, parts: readonly { sha256: string; bytes: number }[]): TaskInput[] =>
  parts.map(({ sha256, bytes }, at) => {
    return { path: `${folder}/${`${at}`.padStart(5, '0')}-${sha256.slice(0, DIGITS)}.parquet`, sha256, bytes };
  });

/** Where a file of the inputs lies in the worker's folder. */
export const inFolder = ({ path }: { path: string }): string => `in/${path}`;

interface Version {
  state: string;
  problem: ProblemCode | null;
  problemArgs: ProblemArgs | null;
}

/** The version once it is ready. Throws the Problem for which it failed, and not_found where it is gone. */
export async function readyVersion<Found extends Version>(
  find: () => Promise<Found | undefined>,
  { clock, what }: { clock: Clock; what: string },
  signal: AbortSignal,
): Promise<Found> {
  for (;;) {
    signal.throwIfAborted();
    const found = await find();
    if (found?.state === 'ready') return found;
    if (!found || found.state === 'failed')
      throw found?.problem ? problem(found.problem, found.problemArgs ?? {}) : problem('not_found', { what });
    await pause(clock, EVERY_MS, signal);
  }
}

/** Why a worker gave up, as a status has it. */
export function workerProblem({ code, sentence, values }: Extract<RunRow['said'], { type: 'failed' }>) {
  const args = Object.entries(values)
    .slice(0, MOST_ARGS)
    .map(([name, value]) => [name, `${value}`.slice(0, MOST_ARG_LETTERS)]);
  return { code, sentence, ...(args.length > 0 && { args: Object.fromEntries(args) as Record<string, string> }) };
}

/** Whatever the order of their fields, and of those within; when it was said does not count. */
export function saysTheSame(one: object, other: object | undefined): boolean {
  const said = (value: object) => ({ ...JSON.parse(JSON.stringify(value)), at: undefined });
  return other !== undefined && isDeepStrictEqual(said(one), said(other));
}

/** What a merge patch writes of these fields: those that say something else than before. Undefined where none does. */
export function changesOf<Fields extends object>(status: object | undefined, next: Fields): object | undefined {
  const changed = Object.entries(next).flatMap(([name, value]: [string, object | undefined]) => {
    const before = (status as Readonly<Record<string, object | undefined>> | undefined)?.[name];
    if (value === undefined || saysTheSame(value, before)) return [];
    // What the field had before and has no more, goes.
    const left = Object.keys(before ?? {}).map((field) => [field, null]);
    return [[name, { ...Object.fromEntries(left), ...value }]];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
