// For refusals whose sentence says what is wrong, but not what to do about it: the page adds that.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

/** The error, with a longer sentence if `hints` has one for its code: it receives the server's. */
export function explained(
  thrown: unknown,
  hints: Partial<Record<ApiProblem['error'], (sentence: string) => string>>,
): unknown {
  if (!(thrown instanceof ApiProblem)) return thrown;
  const hint = hints[thrown.error];
  return hint ? new ApiProblem({ ...thrown, message: hint(thrown.message) }) : thrown;
}
