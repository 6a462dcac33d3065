// A condition as it is written next: operator and billing both write some, and both must leave an unchanged one unchanged.
import { type Condition, MOST_CONDITION_ARG_LETTERS, MOST_CONDITION_ARGS } from './define-kind.ts';

type Wanted = Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'args'>;

/** `lastTransitionTime` is kept while the status stays, and becomes `nowMs` (truncated to the second) when it changes. */
export function nextCondition(
  known: readonly Condition[] | undefined,
  { args = {}, ...wanted }: Wanted,
  nowMs: number,
): Condition {
  const before = known?.find(({ type, status }) => type === wanted.type && status === wanted.status);
  return {
    ...wanted,
    ...(isKept(args) && { args }),
    lastTransitionTime: before?.lastTransitionTime ?? rfc3339(nowMs),
  };
}

/** The API server refuses a whole status for one map that is too large: without it the message is in English, and that is all. */
function isKept(args: NonNullable<Condition['args']>): boolean {
  const values = Object.values(args);
  return (
    values.length > 0 &&
    values.length <= MOST_CONDITION_ARGS &&
    values.every(({ length }) => length <= MOST_CONDITION_ARG_LETTERS)
  );
}

/** A moment in the form of metav1.Time: UTC, whole seconds. */
export const rfc3339 = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
