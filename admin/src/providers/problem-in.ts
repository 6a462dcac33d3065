import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';

/** The server's refusal in what a call of the data provider rejected with. */
export const problemOf = (error: unknown): ApiProblem | undefined =>
  (error as { body?: { problem?: ApiProblem } } | null | undefined)?.body?.problem;

/** The same; otherwise the error itself. */
export const problemIn = (error: unknown): unknown => problemOf(error) ?? error;
