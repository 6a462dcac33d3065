import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';

/** The server's refusal in what a call of the data provider rejected with; otherwise the error itself. */
export const problemIn = (error: unknown): unknown =>
  (error as { body?: { problem?: ApiProblem } } | null)?.body?.problem ?? error;
