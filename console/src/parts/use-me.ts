// The person who is logged in, and their organisation: many pages show them, and all share one read.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';

/** The account with its role in the organisation of the session. */
export const useMe = () => useCall(CALLS.getMe, {});

/** The organisation of the session, with its state on the cluster, rights, balance and card. */
export const useOrganization = () => useCall(CALLS.getMyOrganization, {});
