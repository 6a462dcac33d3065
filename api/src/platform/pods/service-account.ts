import type { Caller } from '../http/caller.ts';

/** Whoever does something in an organisation, or has it done later. */
export interface Member {
  account: Pick<Caller['account'], 'id'>;
  organization: Pick<Caller['organization'], 'namespace'>;
}

/** The ServiceAccount of a member in the organisation's namespace: it has their rights. */
export const serviceAccountOf = ({ account, organization }: Member): string =>
  `system:serviceaccount:${organization.namespace}:${account.id}`;
