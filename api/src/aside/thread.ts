// One thread of the gateway's: does one piece of work at a time, each a row of the table below. Every function of it is pure, and
// what it returns is copied to the loop that serves everybody.
import { parentPort } from 'node:worker_threads';
import { TASKS } from './tasks.ts';

export type Tasks = typeof TASKS;
export type Answered = { readonly result: unknown } | { readonly name: string; readonly message: string };

parentPort?.on('message', ({ task, args }: { task: keyof Tasks; args: readonly unknown[] }) => {
  let answer: Answered;
  try {
    const work = TASKS[task] as (...given: readonly unknown[]) => unknown;
    answer = { result: work(...args) };
  } catch (error) {
    const { name = 'Error', message = '' } = error as Partial<Error>;
    answer = { name, message };
  }
  parentPort?.postMessage(answer, 'result' in answer ? bytesOf(answer.result) : []);
});

/** Bytes of a result are handed over. */
const bytesOf = (result: unknown): ArrayBuffer[] =>
  typeof result === 'object' && result !== null && 'bytes' in result && result.bytes instanceof Uint8Array
    ? [result.bytes.buffer as ArrayBuffer]
    : [];
