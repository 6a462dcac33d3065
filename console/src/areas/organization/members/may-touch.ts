// The changes that a person may make to a member, before the server refuses them.
import { mayChangeRole, ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';

/** The roles that somebody in `mine` may give to somebody in each of `theirs`. */
export const rolesToGive = (mine: OrgRole, theirs: readonly (OrgRole | undefined)[]): OrgRole[] =>
  ORG_ROLES.filter((to) => theirs.every((from) => mayChangeRole(mine, from, to)));

export const mayRemove = (mine: OrgRole, theirs: OrgRole): boolean => mayChangeRole(mine, theirs, undefined);
