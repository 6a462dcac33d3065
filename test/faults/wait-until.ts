// Waiting for a condition with a limit, where nothing can notify of the change: another process, the cluster's state.
import { setTimeout as elapse } from 'node:timers/promises';

export interface WaitOptions {
  readonly limitMs: number;
  /** Between two looks; default 50 ms. */
  readonly everyMs?: number;
  /** Added to the error at the limit, e.g. the latest log lines. */
  readonly context?: () => string;
}

/**
 * Resolves with the first result that is not `undefined`, `false` or `null`. A look that rejects counts as not yet; the
 * error at the limit names the sentence `what` and carries the latest rejection as its cause.
 */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs, everyMs = 50, context }: WaitOptions,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + limitMs;
  let cause: unknown;
  for (;;) {
    // One look comes after the limit: a stall of this very process may have used it up.
    const isLast = performance.now() >= deadline;
    try {
      const seen = await look();
      if (seen !== undefined && seen !== null && seen !== false) return seen;
    } catch (error) {
      cause = error;
    }
    if (isLast) break;
    await elapse(everyMs);
  }
  throw new Error(`not within ${limitMs} ms: ${what}${context ? `\n${context()}` : ''}`, { cause });
}
