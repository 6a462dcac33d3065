// The installation's public settings, available before login.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '../client/use-api.tsx';

/** They change only when the gateway restarts. */
export const useSettings = () => useCall(CALLS.getSettings, {}, { staleMs: Number.POSITIVE_INFINITY });
