// Files that a run has made and its Pod still has, as a source of whatever is made of them. What its Pod says of them is checked as any
// source is.
import type { Problem } from '@gantry/contract/http/problem.ts';
import type { Aside } from '../../platform/aside/aside.ts';
import { BadAnswer, Broken, type Way } from '../../platform/pods/call-pod.ts';
import type { FileRow } from '../files/files.ts';
import { type Source, SourceAway, type SourceFile } from '../files/source.ts';
import { Refused, Restarted, TaskDoor } from './task-door.ts';
import type { RunOf, TaskStore } from './task-store.ts';

export type TaskOutput = Awaited<ReturnType<TaskStore['outputs']>>[number];

export interface TaskFilesParts {
  store: Pick<TaskStore, 'outputs' | 'bootOf'>;
  aside: Aside;
  /** To the Pod of that run; undefined where it is gone. */
  wayTo(taskUid: string, run: number): Way | undefined;
}

interface TaskFiles extends Pick<Source, 'bytes'> {
  outputs(): Promise<TaskOutput[]>;
  listed(outputs: readonly TaskOutput[]): SourceFile[];
}

/** `pathOf` names each file of the source, and is undefined for one that is not part of it. */
export function taskFiles(
  { store, aside, wayTo }: TaskFilesParts,
  of: Pick<RunOf, 'taskUid' | 'run'>,
  { pathOf, gone }: { pathOf(output: TaskOutput): string | undefined; gone(): Problem },
  signal: AbortSignal,
): TaskFiles {
  const outputs = async () => (await store.outputs(of)).filter((one) => pathOf(one) !== undefined);
  return {
    outputs,
    listed: (found) =>
      found.map((output) => ({
        path: pathOf(output) ?? output.name,
        ...{ sizeBytes: output.sizeBytes, wantedSha256: output.sha256, wantedGitSha1: null },
      })),
    async *bytes({ path }: FileRow, from: number) {
      const output = (await outputs()).find((one) => pathOf(one) === path);
      const way = wayTo(of.taskUid, of.run);
      if (!way || !output) throw gone();
      const door = new TaskDoor(way, aside);
      door.boot = await store.bootOf(of);
      try {
        yield* door.file(output.path, from, signal);
      } catch (error) {
        // Another start of its agent has none of these files.
        if (error instanceof Refused || error instanceof Restarted) throw gone();
        if (error instanceof Broken || error instanceof BadAnswer)
          throw new SourceAway(error.message, { cause: error });
        throw error;
      }
    },
  };
}
