// One thread of the gateway's: does one piece of work at a time, each a pure function that some file of ours exports. What it returns
// is copied to the loop that serves everybody.
import { parentPort } from 'node:worker_threads';

export type Answered = { readonly result: unknown } | { readonly name: string; readonly message: string };
interface Asked {
  readonly file: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

parentPort?.on('message', async ({ file, name, args }: Asked) => {
  let answer: Answered;
  try {
    const { [name]: work } = await import(file);
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
