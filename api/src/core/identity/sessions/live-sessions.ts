// Whether those who stay connected may stay: many sessions and API tokens in one look, by the rules by which each is let in.
import type { OrgRole, Right } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { apiTokens } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations, sessions } from '../../../platform/db/schema/people.ts';
import { type Caller, hasRight } from '../../../platform/http/caller.ts';
import { IDLE_MS } from './sessions.ts';

export class LiveSessions {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(parts: { db: Database; clock: Clock }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
  }

  /** The role that each of them has now; absent: it is over. */
  async rolesOf(ids: readonly string[]): Promise<ReadonlyMap<string, OrgRole>> {
    const now = this.#clock.now();
    const ofSessions = await this.#rolesIn(
      sessions,
      ids,
      and(gt(sessions.expiresAt, new Date(now)), gt(sessions.lastUsedAt, new Date(now - IDLE_MS))),
    );
    const left = ids.filter((id) => !ofSessions.has(id));
    const isValid = or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, new Date(now)));
    const ofTokens = left.length === 0 ? [] : await this.#rolesIn(apiTokens, left, isValid);
    return new Map([...ofSessions, ...ofTokens]);
  }

  /** Which of them may still use what the right allows, by the roles that they have now. */
  async accessOf(all: readonly Caller['session'][], right: Right): Promise<ReadonlyMap<string, { mayUse: boolean }>> {
    const roles = await this.rolesOf(all.map(({ id }) => id));
    return new Map(
      all.map((session) => {
        const role = roles.get(session.id);
        return [session.id, { mayUse: role !== undefined && hasRight({ organization: { role }, session }, right) }];
      }),
    );
  }

  async #rolesIn(table: typeof sessions | typeof apiTokens, ids: readonly string[], isValid: ReturnType<typeof and>) {
    const rows = await this.#db.sql
      .select({ id: table.id, role: memberships.role })
      .from(table as typeof sessions)
      .innerJoin(accounts, eq(accounts.id, table.accountId))
      .innerJoin(organizations, eq(organizations.id, table.organizationId))
      .innerJoin(
        memberships,
        and(eq(memberships.organizationId, table.organizationId), eq(memberships.accountId, table.accountId)),
      )
      .where(and(inArray(table.id, [...ids]), isValid, isNull(accounts.disabledAt), isNull(organizations.deletedAt)));
    return new Map(rows.map(({ id, role }) => [id, role]));
  }
}
