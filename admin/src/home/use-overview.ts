// The overview, asked for every five seconds while the page is seen: the gateway answers all screens from one computation, and an
// unchanged one with nothing but its ETag.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';

const EVERY_MS = 5_000;

/** A wall is looked at without being touched: there it goes on in a window that the browser takes for hidden. */
export function useOverview({ isWall }: { isWall: boolean }) {
  const data = useDataProvider<AdminData>();
  return useQuery({
    queryKey: ['adminShowOverview'],
    queryFn: ({ signal }) => data.ask<Overview>('overview', { signal }),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: isWall,
    retry: false,
    staleTime: EVERY_MS,
  });
}
