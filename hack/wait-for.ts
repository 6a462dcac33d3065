// Waiting for a condition, never for a time: every wait has a limit and says what it waited for.
import { setTimeout as pause } from 'node:timers/promises';

/** For what neither comes nor ends: a machine that emulates another one is twenty times as slow as ours. */
export const PATIENCE_MS = 600_000;

export interface Patience {
  /** Default: PATIENCE_MS. */
  readonly limitMs?: number;
  readonly everyMs?: number;
  /** Asked before every look; a sentence ends the wait at once (a process that died will not become ready). */
  readonly givenUp?: () => Promise<string | undefined>;
}

/** Resolves with the first value of `look` that is neither false nor undefined; a throw counts as "not yet". */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  { limitMs = PATIENCE_MS, everyMs = 100, givenUp }: Patience = {},
): Promise<T> {
  const deadline = performance.now() + limitMs;
  let last = 'no answer yet';
  for (;;) {
    // One look comes after the limit: a stall of this very process may have used it up.
    const isLast = performance.now() >= deadline;
    const reason = await givenUp?.();
    if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (isLast) break;
    await pause(everyMs);
  }
  throw new Error(`${what}: not within ${limitMs / 1000} s (${last})`);
}
