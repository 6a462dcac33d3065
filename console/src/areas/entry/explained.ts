// A refusal whose sentence says what is wrong, and not what to do about it: the page adds that.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

/** What was thrown, with a longer sentence where `hints` has one for its code: it is given the server's. */
export function explained(
  thrown: unknown,
  hints: Partial<Record<ApiProblem['error'], (sentence: string) => string>>,
): unknown {
  if (!(thrown instanceof ApiProblem)) return thrown;
  const hint = hints[thrown.error];
  return hint ? new ApiProblem({ ...thrown, message: hint(thrown.message) }) : thrown;
}
