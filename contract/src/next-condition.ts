// A condition as it is written next: operator and billing both write some, and both must leave an unchanged one unchanged.
import type { Condition } from './define-kind.ts';

/** `lastTransitionTime` is kept while the status stays, and is `nowMs` (cut to the second) when it moves. */
export function nextCondition(
  known: readonly Condition[] | undefined,
  wanted: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>,
  nowMs: number,
): Condition {
  const before = known?.find(({ type, status }) => type === wanted.type && status === wanted.status);
  return { ...wanted, lastTransitionTime: before?.lastTransitionTime ?? rfc3339(nowMs) };
}

/** A moment in the form of metav1.Time: UTC, whole seconds. */
export const rfc3339 = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
