// One run of a tracked job, as long as its first worker's Pod is there: what its program logs is kept. Nothing else that the Pod says is
// taken, and all of it may be taken twice, so another gateway goes on where this one ended.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { RunRow, RunRows } from '../../core/tasks/run-rows.ts';
import type { TaskDoor } from '../../core/tasks/task-door.ts';
import { isLogged, pointOf } from '../../core/tasks/task-logged.ts';
import type { TaskPoints } from '../../core/tasks/task-points.ts';
import { patiently, RESTARTED } from '../../core/tasks/task-run.ts';

/** A run by the uid of its job. */
export type TrackedRun = Pick<RunRow, 'taskUid' | 'run' | 'organizationId'>;

export interface TrackedRunParts {
  door: Pick<TaskDoor, 'boot' | 'journal'>;
  rows: Pick<RunRows, 'open' | 'begin' | 'log' | 'taken' | 'forgetUpTo'>;
  points: Pick<TaskPoints, 'take'>;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

/** Whose values stay. */
const EARLIER_RUNS = 10;
/** A program logs 200 lines a second at most: they are taken together, or each would cost as much as all of them. */
const TAKES_MS = 1_000;
/** Then there are more. */
const MANY = 400;
const FOREVER_MS = 3_600_000;

/** Until the signal. */
export async function followTracked(of: TrackedRun, parts: TrackedRunParts, signal: AbortSignal): Promise<void> {
  const { door, rows, points, clock } = parts;
  await rows.forgetUpTo({ ...of, run: of.run - EARLIER_RUNS - 1 });
  while (!signal.aborted) {
    const row = await rows.open(of);
    const from = door.boot === '' ? 0 : row.taken;
    const said = await patiently(parts, of, signal, () => door.journal(from, signal));
    if (said === undefined) return;
    if (said === RESTARTED) {
      door.boot = '';
      continue;
    }
    if (said.boot !== row.boot) await rows.begin(of, said.boot);
    const logged = said.lines.flatMap(({ line }) => (line && isLogged(line) ? [line] : []));
    await rows.log(of, logged);
    await points.take(
      of,
      logged.flatMap((line) => pointOf(line) ?? []),
    );
    const last = said.lines.at(-1)?.seq;
    if (last !== undefined) await rows.taken(of, last);
    // Its agent ends now, and whoever asked it once more would find nobody.
    else if (said.over) await pause(clock, FOREVER_MS, signal);
    if (!said.over && said.lines.length < MANY) await pause(clock, TAKES_MS, signal);
  }
}
