import type { Caller } from '../identity/caller.ts';

/** The ServiceAccount of a member in the organisation's namespace: it has their rights. */
export const serviceAccountOf = ({ account, organization }: Caller): string =>
  `system:serviceaccount:${organization.namespace}:${account.id}`;
