// The role for which an answer is rendered.
import type { ShownRole } from '@gantry/contract/roles.ts';
import type { Caller } from './caller.ts';

/**
 * The role whose view the caller gets: a token that was narrowed to reading is offered no action that it would be refused, and staff
 * who look at a tenant's console see no variables.
 */
export function shownRole({ organization, session }: Caller): ShownRole {
  if (session.kind === 'view') return 'visitor';
  return session.kind === 'apiToken' && !session.scopes.includes('use') ? 'viewer' : organization.role;
}
