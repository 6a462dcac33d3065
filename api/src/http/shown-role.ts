// The role for which an answer is rendered.
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Caller } from '../identity/caller.ts';

/** The role whose view the caller gets: a token that was narrowed to reading is offered no action that it would be refused. */
export const shownRole = ({ organization, session }: Caller): OrgRole =>
  session.kind === 'apiToken' && !session.scopes.includes('use') ? 'viewer' : organization.role;
