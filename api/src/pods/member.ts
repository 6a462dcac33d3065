import type { Caller } from '../identity/caller.ts';

/** The ServiceAccount that a member has in the organisation's namespace: what it may is what they may. */
export const memberOf = ({ account, organization }: Caller): string =>
  `system:serviceaccount:${organization.namespace}:${account.id}`;
