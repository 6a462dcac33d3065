// The organisation's hosts, which instances may run on.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';

export function useHosts() {
  const { data } = useCall(CALLS.listHosts, { query: { page: 1, size: 100 } });
  return data?.items ?? [];
}
