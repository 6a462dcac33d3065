// How a program of a played Pod ended.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Its exit code; as the kernel's SIGKILL, where a signal ended it. */
export async function exitOf(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? 128 + 9;
}
