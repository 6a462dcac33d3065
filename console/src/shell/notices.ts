// Messages to people from code outside of React: denied calls, failed reads, and a cancelled navigation.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';

export type Notice =
  /** A 401 or 403, of whichever call. */
  | { readonly kind: 'denied'; readonly problem: ApiProblem }
  /** A read that nobody answered, or whose server has failed. */
  | { readonly kind: 'failed'; readonly problem: ApiProblem }
  /** It is unknown whether the page may be shown: the person stays on the previous one. */
  | { readonly kind: 'cancelled'; readonly error: unknown };

const listeners = new Set<(notice: Notice) => void>();

const tell = (notice: Notice): void => {
  for (const listener of listeners) listener(notice);
};

export const tellDenied = (problem: ApiProblem): void => tell({ kind: 'denied', problem });
export const tellFailed = (problem: ApiProblem): void => tell({ kind: 'failed', problem });
export const tellCancelled = (error: unknown): void => tell({ kind: 'cancelled', error });

/** Gives what ends it. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
