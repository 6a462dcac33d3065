// What the installation says of itself before anybody signs in.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '../client/use-api.tsx';

/** It changes when the gateway starts anew, and no sooner. */
export const useSettings = () => useCall(CALLS.getSettings, {}, { staleMs: Number.POSITIVE_INFINITY });
