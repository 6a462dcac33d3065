// The SSH keys of the person who fills in the form of an instance.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import type { KeyValue } from './form-values.ts';

export const useOwnKeys = () => useCall(CALLS.listPubKeys, { query: { page: 1, size: 10 } });

interface AccountKey {
  remark: string;
  public_key: string;
  expiration_time: string | null;
}

export const keyOf = ({ remark, public_key: publicKey, expiration_time: expiresAt }: AccountKey): KeyValue => ({
  remark,
  publicKey,
  ...(expiresAt !== null && { expiresAt }),
});

/** A new instance's initial keys: all that can log in. */
export const firstKeys = (keys: readonly (AccountKey & { status: string })[]): KeyValue[] =>
  keys.filter(({ status }) => status !== 'expired').map(keyOf);
