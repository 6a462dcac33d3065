// Names of the organisation's people, for ids of accounts.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useCallback } from 'react';
import { useOrganization } from '../use-me.ts';

/** The id for somebody who has left; a dash for nobody. */
export function usePeople(): (account: string | null) => string {
  const { data: organization } = useOrganization();
  const { data } = useCall(
    CALLS.listMembers,
    { params: { org_id: organization?.org_id ?? '' }, query: { page: 1, size: 1000 } },
    { enabled: organization !== undefined },
  );
  const members = data?.items;
  return useCallback(
    (account) => (account === null ? '–' : (members?.find(({ account_id: id }) => id === account)?.name ?? account)),
    [members],
  );
}
