// The one way in which tests wait for a cluster: for a condition, with a limit.
import { waitUntil } from '../faults/wait-until.ts';

const SECOND = 1_000;

/**
 * Resolves with the first result of `look` that is not undefined, null or false. A look that throws counts as "not yet", so
 * it may hold assertions; at the limit the error says `what` and carries the latest complaint.
 */
export function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 30 * SECOND,
): Promise<NonNullable<T>> {
  return waitUntil(what, look, { limitMs, everyMs: 50 });
}
