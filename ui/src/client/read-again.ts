// Outdated reads: read again if they are on screen, otherwise marked.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** As `invalidateQueries`, which alone would join a first read that is under way, and take its answer for a new one. */
export function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  void client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  return client.invalidateQueries({ queryKey });
}
