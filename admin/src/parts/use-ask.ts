// A read below /api/admin that is no resource's row, kept and repeated as react-query does.
import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';

interface AskOptions {
  /** Reads again after so many milliseconds. */
  everyMs?: number;
  isEnabled?: boolean;
}

export function useAsk<Answer>(path: string, { everyMs, isEnabled = true }: AskOptions = {}) {
  const data = useDataProvider<AdminData>();
  return useQuery({
    queryKey: ['admin', path],
    queryFn: ({ signal }) => data.ask<Answer>(path, { signal }),
    enabled: isEnabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}
