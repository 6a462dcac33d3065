// What released evaluations have left goes: answers, scores, examples. One gateway at a time looks for it.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { EvaluationStore } from './evaluation-store.ts';

interface SweepingParts {
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  runs: Pick<EvaluationStore, 'forgetOthers'>;
  /** Of all that are there; undefined while that is not known. */
  uids(): ReadonlySet<string> | undefined;
}

const SWEEP_MS = 3_600_000;
/** The objects may not be known yet. */
const LOOK_MS = 60_000;

/** Until the signal. */
export async function sweeping({ clock, log, runs, uids }: SweepingParts, signal: AbortSignal): Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const live = uids();
    if (live && clock.monotonic() - sweptAt > SWEEP_MS) {
      sweptAt = clock.monotonic();
      await runs
        .forgetOthers(live, new Date(clock.now() - SWEEP_MS))
        .catch((error: unknown) => log.warn({ err: error }, 'what old evaluations left was not swept'));
    }
    await pause(clock, LOOK_MS, signal);
  }
}
