// What is out of date: read again where somebody looks at it, marked where nobody does.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** As `invalidateQueries`, which alone would join a first read that is under way, and take its answer for a new one. */
export function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  void client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  return client.invalidateQueries({ queryKey });
}
