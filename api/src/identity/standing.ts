// Whether what somebody came in by still holds: asked again and again of what stays open, such as a terminal.
import type { OrgRole, Right } from '@gantry/contract/roles.ts';
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { apiTokens } from '../db/schema/keys.ts';
import { accounts, memberships, organizations, sessions } from '../db/schema/people.ts';
import type { Caller } from './caller.ts';

export interface Standing {
  role: OrgRole;
  /** Of an API token; a session has all rights of its role. */
  scopes?: readonly Right[];
}

/** By session id, with the role they have now. Whoever has logged out, expired, left or was closed is not in it. */
export async function readStanding(
  sql: Database['sql'],
  logins: readonly Caller['session'][],
  now: number,
): Promise<ReadonlyMap<string, Standing>> {
  const idsOf = (kind: Caller['session']['kind']) => logins.filter((one) => one.kind === kind).map(({ id }) => id);
  const [ofSessions, ofTokens] = await Promise.all([
    readSessions(sql, idsOf('session'), new Date(now)),
    readTokens(sql, idsOf('apiToken'), new Date(now)),
  ]);
  return new Map([...ofSessions, ...ofTokens].map(({ id, ...standing }) => [id, standing]));
}

async function readSessions(sql: Database['sql'], ids: string[], now: Date) {
  if (ids.length === 0) return [];
  return sql
    .select({ id: sessions.id, role: memberships.role })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
    .innerJoin(
      memberships,
      and(eq(memberships.organizationId, sessions.organizationId), eq(memberships.accountId, sessions.accountId)),
    )
    .where(
      and(
        inArray(sessions.id, ids),
        gt(sessions.expiresAt, now),
        isNull(accounts.disabledAt),
        isNull(organizations.deletedAt),
      ),
    );
}

async function readTokens(sql: Database['sql'], ids: string[], now: Date) {
  if (ids.length === 0) return [];
  return sql
    .select({ id: apiTokens.id, role: memberships.role, scopes: apiTokens.scopes })
    .from(apiTokens)
    .innerJoin(accounts, eq(accounts.id, apiTokens.accountId))
    .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .innerJoin(
      memberships,
      and(eq(memberships.organizationId, apiTokens.organizationId), eq(memberships.accountId, apiTokens.accountId)),
    )
    .where(
      and(
        inArray(apiTokens.id, ids),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
        isNull(accounts.disabledAt),
        isNull(organizations.deletedAt),
      ),
    );
}
