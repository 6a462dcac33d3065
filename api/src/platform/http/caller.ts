// The caller: what a valid token says, not what a request claims.

import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { mayRole, type OrgRole, type PlatformRole, type Right } from '@gantry/contract/roles.ts';

export interface Caller {
  account: {
    id: string;
    name: string;
    email: string | null;
    locale: Language;
    platformRoles: readonly PlatformRole[];
    /** Absent: no. */
    hasSecondFactor?: boolean;
  };
  organization: { id: string; role: OrgRole; namespace: string };
  session: {
    id: string;
    /** `view`: staff who look at a tenant's console. They are no member, have no menus of staff, and read what `mayView` names. */
    kind: 'session' | 'apiToken' | 'view';
    /** The rights an API token was narrowed to; a session has all rights of its role. */
    scopes: readonly Right[];
    /** The limits of an API token's use of models. Absent: no limit. */
    limits?: TokenLimits | undefined;
    /** The uid of the task that asks in this person's name. */
    task?: string | undefined;
    /** Milliseconds since 1970, UTC. */
    expiresAt: number;
  };
}

/** By the role in the organisation, and by the rights that an API token was narrowed to. */
export const hasRight = (
  {
    organization,
    session,
  }: { organization: Pick<Caller['organization'], 'role'>; session: Pick<Caller['session'], 'kind' | 'scopes'> },
  right: Right,
): boolean => mayRole(organization.role, right) && (session.kind !== 'apiToken' || session.scopes.includes(right));

/** What members alone are shown who manage the organisation: staff who look at its console are not. */
export const mayManage = (caller: Pick<Caller, 'organization' | 'session'>): boolean =>
  caller.session.kind !== 'view' && hasRight(caller, 'manage');

/** Personal data, members and credentials are for people, never for a token in a script. */
export function demandSession({ session }: Caller): void {
  if (session.kind !== 'session') throw problem('session_needed');
}
