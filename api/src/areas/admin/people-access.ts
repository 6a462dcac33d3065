// How an account comes in, for the operators' console: its logins, sessions and memberships, why it cannot sign in, and what staff do
// about that.

import type { AccessView, PeopleRow, SignInFinding } from '@gantry/contract/areas/identity/admin-people.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, eq, gt, inArray, isNull, max, sql } from 'drizzle-orm';
import type { ShutWindow } from '../../core/identity/sessions/lockout.ts';
import { type ListedTable, type Page, pageOfIds, pageOfRows, whereOf } from '../../platform/db/list-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { providerIdentities, recoveryCodes } from '../../platform/db/schema/identity.ts';
import { accounts, memberships, organizations, sessions } from '../../platform/db/schema/people.ts';
import { signIns, views } from '../../platform/db/schema/staff.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { inOrder, isAdministrator } from './people-rows.ts';

export interface PeopleAccessParts {
  db: Database;
  clock: Clock;
  sessions: {
    endAll(db: Sql, which: { accountId: string }): Promise<number>;
    forget(changed: { accountId: string }): void;
    /** A session that nobody has used for so long is over. */
    idleMs: number;
  };
  factor: {
    has(db: Sql, accountId: string): Promise<boolean>;
    drop(db: Sql, accountId: string): Promise<void>;
  };
  lockout: {
    shut(db: Sql, accountId: string, now: number): Promise<ShutWindow[]>;
    open(db: Sql, accountId: string): Promise<unknown>;
  };
  /** Tells the person what was done to their account; never throws. */
  tell(accountId: string, what: 'sessionsEnded' | 'factorReset', staff: string): void;
}

const SIGN_INS: ListedTable = {
  table: signIns,
  columns: {
    id: signIns.id,
    account_id: signIns.accountId,
    way: signIns.way,
    outcome: signIns.outcome,
    first_at: signIns.firstAt,
    last_at: signIns.lastAt,
    ip: signIns.ip,
  },
  searched: [],
};

const SESSIONS: ListedTable = {
  table: sessions,
  columns: {
    id: sessions.id,
    account_id: sessions.accountId,
    organization_id: sessions.organizationId,
    created_at: sessions.createdAt,
    last_used_at: sessions.lastUsedAt,
    expires_at: sessions.expiresAt,
  },
  searched: [],
};

const VIEWS: ListedTable = {
  table: views,
  columns: {
    id: views.id,
    account_id: views.accountId,
    organization_id: views.organizationId,
    created_at: views.createdAt,
    started_at: views.startedAt,
    ended_at: views.endedAt,
  },
  searched: [],
};

type Finding = AccessView['findings'][number];

/** Failures that an answer to "why" names are this young. */
const LATELY_MS = 24 * 3_600_000;

export class PeopleAccess {
  readonly #parts: PeopleAccessParts;

  constructor(parts: PeopleAccessParts) {
    this.#parts = parts;
  }

  async signIns(query: AdminQuery): Promise<Page<PeopleRow<'sign-ins'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#sql, SIGN_INS, query);
    const rows =
      ids.length === 0
        ? []
        : await this.#sql
            .select()
            .from(signIns)
            .where(inArray(signIns.id, ids.map(String)));
    const items = inOrder(ids, rows).map((row) => ({
      id: row.id,
      account_id: row.accountId,
      way: row.way,
      outcome: row.outcome,
      times: row.times,
      first_at: row.firstAt.toISOString(),
      last_at: row.lastAt.toISOString(),
      ip: row.ip,
      user_agent: row.userAgent,
    }));
    return { ...page, items };
  }

  /** Those that are in effect. Their tokens are nowhere. */
  async sessions(query: AdminQuery): Promise<Page<PeopleRow<'sessions'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#sql, SESSIONS, query, this.#isLive());
    const rows =
      ids.length === 0
        ? []
        : await this.#sql
            .select()
            .from(sessions)
            .where(inArray(sessions.id, ids.map(String)));
    const items = inOrder(ids, rows).map((row) => ({
      id: row.id,
      account_id: row.accountId,
      organization_id: row.organizationId,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.lastUsedAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
      ip: row.ip,
      user_agent: row.userAgent,
    }));
    return { ...page, items };
  }

  async views(query: AdminQuery): Promise<Page<PeopleRow<'views'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#sql, VIEWS, query);
    const rows =
      ids.length === 0
        ? []
        : await this.#sql
            .select({ view: views, name: accounts.name })
            .from(views)
            .innerJoin(accounts, eq(accounts.id, views.accountId))
            .where(inArray(views.id, ids.map(String)));
    const named = new Map(rows.map(({ view, name }) => [view.id, name]));
    const items = inOrder(
      ids,
      rows.map(({ view }) => view),
    ).map((row) => ({
      id: row.id,
      account_id: row.accountId,
      account_name: named.get(row.id) ?? row.accountId,
      organization_id: row.organizationId,
      reason: row.reason,
      created_at: row.createdAt.toISOString(),
      started_at: row.startedAt?.toISOString() ?? null,
      ended_at: row.endedAt?.toISOString() ?? null,
      ip: row.ip,
    }));
    return { ...page, items };
  }

  /** A membership's id is both of its sides: `<organisation>.<account>`. */
  async members(query: AdminQuery): Promise<Page<PeopleRow<'members'>>> {
    const { organizationId, accountId, role, createdAt } = memberships;
    const id = sql<string>`${organizationId} || '.' || ${accountId}`;
    const columns = { organization_id: organizationId, account_id: accountId, role, created_at: createdAt };
    const { id: wanted, ...filter } = query.filter;
    const where = and(
      isNull(organizations.deletedAt),
      wanted === undefined ? undefined : inArray(id, [wanted].flat().map(String)),
      whereOf({ columns, searched: [] }, { filter }),
    );
    const { items: found, ...page } = await pageOfRows(
      { columns: { ...columns, id: { sql: id, type: 'text' } }, where },
      query,
      (key) =>
        this.#sql
          .select({ id, key, membership: memberships, account: accounts, organization: organizations })
          .from(memberships)
          .innerJoin(accounts, eq(accounts.id, accountId))
          .innerJoin(organizations, eq(organizations.id, organizationId))
          .$dynamic(),
      this.#sql
        .select({ total: count() })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, organizationId))
        .$dynamic(),
    );
    const items = found.map((row) => ({
      id: row.id,
      organization_id: row.membership.organizationId,
      account_id: row.membership.accountId,
      account_name: row.account.name,
      organization_name: row.organization.name,
      role: row.membership.role,
      disabled_at: row.account.disabledAt?.toISOString() ?? null,
      created_at: row.membership.createdAt.toISOString(),
    }));
    return { ...page, items };
  }

  /** Why the person cannot sign in, the gravest reason first. */
  async explain(accountId: string): Promise<AccessView> {
    const { clock, lockout } = this.#parts;
    const now = clock.now();
    const [account] = await this.#sql.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account) throw problem('not_found', { what: accountId });
    const way = await this.#wayIn(accountId);
    const hasPassword = account.passwordHash !== null;
    const failures = await this.#failures(accountId, now);

    const findings: Finding[] = [];
    const find = (finding: SignInFinding, facts: Partial<Finding> = {}) =>
      findings.push({ finding, until: null, since: null, address: null, times: null, ...facts });
    if (account.disabledAt) find('disabled', { since: account.disabledAt.toISOString() });
    if (way.organizations === 0) find('noOrganization');
    for (const { network, failures: times, until } of await lockout.shut(this.#sql, accountId, now))
      find(network === undefined ? 'lockedEverywhere' : 'lockedHere', {
        until: until.toISOString(),
        address: network ?? null,
        times,
      });
    if (account.mustChangePassword) find('mustChangePassword');
    if (!hasPassword && way.providers.length === 0) find('noPassword');
    for (const [finding, facts] of failures) find(finding, facts);
    if (way.hasFactor && way.codesLeft === 0) find('noRecoveryCodes');
    if (findings.length === 0) find('nothing');
    const [last] = await this.#sql
      .select({ at: max(signIns.lastAt) })
      .from(signIns)
      .where(and(eq(signIns.accountId, accountId), eq(signIns.outcome, 'signedIn')));
    return {
      findings,
      has_password: hasPassword,
      second_factor: way.hasFactor,
      codes_left: way.codesLeft,
      providers: way.providers,
      sessions: way.sessions,
      last_signed_in: last?.at?.toISOString() ?? null,
    };
  }

  /** By what the account comes in, and where to. */
  async #wayIn(accountId: string) {
    const [codes] = await this.#sql
      .select({ left: count() })
      .from(recoveryCodes)
      .where(eq(recoveryCodes.accountId, accountId));
    const providers = await this.#sql
      .select({ provider: providerIdentities.provider })
      .from(providerIdentities)
      .where(eq(providerIdentities.accountId, accountId));
    const [joined] = await this.#sql
      .select({ many: count() })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .where(and(eq(memberships.accountId, accountId), isNull(organizations.deletedAt)));
    const [open] = await this.#sql
      .select({ many: count() })
      .from(sessions)
      .where(and(eq(sessions.accountId, accountId), this.#isLive()));
    return {
      codesLeft: codes?.left ?? 0,
      providers: providers.map(({ provider }) => provider),
      organizations: joined?.many ?? 0,
      sessions: open?.many ?? 0,
      hasFactor: await this.#parts.factor.has(this.#sql, accountId),
    };
  }

  /** The recent failures of sign-ins. */
  async #failures(accountId: string, now: number): Promise<[SignInFinding, Partial<Finding>][]> {
    const lately = await this.#sql
      .select({ outcome: signIns.outcome, times: sql<number>`sum(${signIns.times})::int`, last: max(signIns.lastAt) })
      .from(signIns)
      .where(and(eq(signIns.accountId, accountId), gt(signIns.lastAt, new Date(now - LATELY_MS))))
      .groupBy(signIns.outcome);
    return (['wrongPassword', 'wrongCode'] as const).flatMap((outcome) => {
      const found = lately.find((each) => each.outcome === outcome);
      return found ? [[`${outcome}s`, { times: found.times, since: found.last?.toISOString() ?? null }]] : [];
    });
  }

  /** Takes effect with the account's next call. Says how many ended. */
  async endSessions(by: Caller, accountId: string): Promise<number> {
    const { db, sessions: all, tell } = this.#parts;
    const ended = await db.transaction(async (tx) => {
      await this.#demand(tx, by, accountId);
      return all.endAll(tx, { accountId });
    });
    all.forget({ accountId });
    tell(accountId, 'sessionsEnded', by.account.name);
    return ended;
  }

  /** Whoever had the second factor in hand may have been somebody else: sessions end with it. */
  async resetFactor(by: Caller, accountId: string): Promise<void> {
    const { db, sessions: all, factor, tell } = this.#parts;
    await db.transaction(async (tx) => {
      await this.#demand(tx, by, accountId);
      if (!(await factor.has(tx, accountId))) throw problem('totp_off');
      await factor.drop(tx, accountId);
      await all.endAll(tx, { accountId });
    });
    all.forget({ accountId });
    tell(accountId, 'factorReset', by.account.name);
  }

  async liftLockout(by: Caller, accountId: string): Promise<void> {
    const { db, lockout } = this.#parts;
    await db.transaction(async (tx) => {
      await this.#demand(tx, by, accountId, 'also their own');
      await lockout.open(tx, accountId);
    });
  }

  /** The role may have been taken since the call began. */
  async #demand(tx: Sql, by: Caller, accountId: string, whose?: 'also their own'): Promise<void> {
    if (!(await isAdministrator(tx, by.account.id))) throw problem('permission_missing');
    const [found] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
    if (!found) throw problem('not_found', { what: accountId });
    if (accountId === by.account.id && whose === undefined) throw problem('own_access');
  }

  #isLive() {
    const { clock, sessions: all } = this.#parts;
    const now = clock.now();
    return and(gt(sessions.expiresAt, new Date(now)), gt(sessions.lastUsedAt, new Date(now - all.idleMs)));
  }

  get #sql(): Sql {
    return this.#parts.db.sql;
  }
}
