// Answers of programs in tenants' Pods, read on a thread: how large they are, whoever answers chooses.

import { type Aside, type Task, TooMuchWork } from '../aside/aside.ts';
import { BadAnswer, Broken } from './call-pod.ts';

/** What the task makes of the bytes, which are handed over. Throws Broken where too much is read at once, BadAnswer where it fails. */
export async function readAside<Shape>(
  aside: Aside,
  task: Task<(bytes: Uint8Array, shape: Shape) => unknown>,
  { bytes, shape, lane }: { bytes: Uint8Array<ArrayBuffer>; shape: Shape; lane: string },
): Promise<unknown> {
  try {
    return await aside.run(task, [bytes, shape], { lane, transfer: [bytes.buffer] });
  } catch (error) {
    if (error instanceof TooMuchWork && error.why === 'queue') throw new Broken('too much is read at once');
    throw new BadAnswer(`its answer is not understood: ${(error as Error).message.slice(0, 300)}`);
  }
}
