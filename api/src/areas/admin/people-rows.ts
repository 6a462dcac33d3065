// People, organisations and the audit log as the operators' console lists them, and what staff may change of people.
import { actionName } from '@gantry/contract/areas/audit/action-name.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { PlatformRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Wakes } from '../../core/identity/organizations/organizations.ts';
import { inOrderOf, type ListedTable, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { totps } from '../../platform/db/schema/identity.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import { realAuths } from '../../platform/db/schema/real-auth.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { namesOf } from './names.ts';

export interface PeopleRowsParts {
  db: Database;
  clock: Clock;
  sessions: {
    endAll(db: Sql, which: { accountId: string }): Promise<number>;
    forget(changed: { accountId: string }): void;
  };
  /** The consequences for an account's organisations, whose ids it returns. */
  access: {
    /** For one that is disabled. */
    close(tx: Sql, accountId: string, now: number): Promise<string[]>;
    /** For one that is let in again. */
    showAgain(tx: Sql, accountId: string): Promise<string[]>;
  };
  projection: Wakes;
  leftovers: { wake(): void };
  /** The cluster's data about an organisation. */
  organization(id: string): { phase: string; quota: Record<string, number> };
  /** The name that people gave an object of the cluster, as the audit log names it. */
  objectName(object: string, organizationId: string): string | undefined;
}

/** Taken by everybody who changes somebody's access. */
const LOCK = 7_115_003;

interface UserWish {
  readonly disabled?: boolean | undefined;
  readonly platform_roles?: readonly PlatformRole[] | undefined;
}

export const USERS: ListedTable = {
  table: accounts,
  columns: {
    id: accounts.id,
    name: accounts.name,
    email: accounts.email,
    phone: accounts.phone,
    kind: accounts.kind,
    disabled_at: accounts.disabledAt,
    created_at: accounts.createdAt,
  },
  searched: [accounts.name, accounts.email, accounts.phone],
  computed: { disabled: isNotNull(accounts.disabledAt) },
  clauses: {
    platform_roles: (wanted: PlatformRole | readonly PlatformRole[]) =>
      sql`exists (select 1 from ${platformGrants} where ${platformGrants.accountId} = ${accounts.id} and ${inArray(platformGrants.role, [wanted].flat())})`,
  },
};

export const ORGANIZATIONS: ListedTable = {
  table: organizations,
  columns: {
    id: organizations.id,
    name: organizations.name,
    currency: organizations.currency,
    personal_of: organizations.personalOf,
    created_at: organizations.createdAt,
    deleted_at: organizations.deletedAt,
  },
  searched: [organizations.id, organizations.name],
  computed: { deleted: isNotNull(organizations.deletedAt) },
};

export const AUDIT_LOG: ListedTable = {
  table: auditLog,
  columns: {
    id: auditLog.id,
    at: auditLog.at,
    actor_id: auditLog.actorId,
    actor_kind: auditLog.actorKind,
    object: auditLog.object,
    organization_id: auditLog.organizationId,
    request_id: auditLog.requestId,
    action: auditLog.action,
    decision: auditLog.decision,
    status: auditLog.status,
  },
  searched: [auditLog.actorName, auditLog.action, auditLog.object, auditLog.reason],
  clauses: {
    from: (time: string) => gte(auditLog.at, new Date(time)),
    to: (time: string) => lt(auditLog.at, new Date(time)),
  },
};

const REAL_AUTHS: ListedTable = {
  table: realAuths,
  columns: {
    id: realAuths.id,
    account_id: realAuths.accountId,
    type: realAuths.type,
    state: realAuths.state,
    submitted_at: realAuths.submittedAt,
    decided_at: realAuths.decidedAt,
  },
  searched: [],
};

/** What the audit log names by the ID of an account, or of an organisation. */
const OF_ACCOUNTS: readonly string[] = ['Account'];
const OF_ORGANIZATIONS: readonly string[] = ['Organization', 'Wallet', 'Plan', 'AuditLog'];

const idIn = (object: string | null, kind?: string): string | undefined => {
  const slash = object?.indexOf('/') ?? -1;
  if (!object || slash < 0 || (kind !== undefined && object.slice(0, slash) !== kind)) return undefined;
  return object.slice(slash + 1) || undefined;
};

export class PeopleRows {
  readonly #parts: PeopleRowsParts;

  constructor(parts: PeopleRowsParts) {
    this.#parts = parts;
  }

  async users(query: AdminQuery): Promise<Page<AdminRow<'users'>>> {
    const { items, ...rest } = await pageOfIds(this.#sql, USERS, query);
    return { ...rest, items: await this.#users(items.map(String)) };
  }

  async organizations(query: AdminQuery): Promise<Page<AdminRow<'organizations'>>> {
    const { items, ...rest } = await pageOfIds(this.#sql, ORGANIZATIONS, query);
    return { ...rest, items: await this.#organizations(items.map(String)) };
  }

  async auditLog(query: AdminQuery, language: Language): Promise<Page<AdminRow<'audit-log'>>> {
    const { items, ...rest } = await pageOfIds(this.#sql, AUDIT_LOG, query);
    return { ...rest, items: await this.#entries(items.map(Number), language) };
  }

  /** The reader of submissions can decrypt them. */
  async realAuthIds(query: AdminQuery): Promise<Page<string>> {
    const { items, ...rest } = await pageOfIds(this.#sql, REAL_AUTHS, query);
    return { ...rest, items: items.map(String) };
  }

  /** Takes effect with the account's next call. */
  async editUser(by: Caller, id: string, wish: UserWish): Promise<void> {
    const { db, clock, sessions, access, projection, leftovers } = this.#parts;
    const now = new Date(clock.now());
    const shown = await db.transaction(async (tx) => {
      // One at a time: else two administrators could shut each other out, and nobody would be left.
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
      if (!(await isAdministrator(tx, by.account.id))) throw problem('permission_missing');
      // Whoever adds a membership or a key of this account meanwhile only refers to it.
      const [found] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('no key update');
      if (!found) throw problem('not_found', { what: id });
      const granted = await tx.select().from(platformGrants).where(eq(platformGrants.accountId, id));
      const { roles, disabled } = changesOf(
        wish,
        found.disabledAt !== null,
        granted.map(({ role }) => role),
      );
      if (roles === undefined && disabled === undefined) return [];
      // So the person who does it stays an administrator, and one always remains.
      if (id === by.account.id) throw problem('own_access');
      if (roles) await grant(tx, id, roles, now);
      if (disabled === undefined) return [];
      await tx
        .update(accounts)
        .set({ disabledAt: disabled ? now : null })
        .where(eq(accounts.id, id));
      if (!disabled) return access.showAgain(tx, id);
      await sessions.endAll(tx, { accountId: id });
      return access.close(tx, id, now.getTime());
    });
    sessions.forget({ accountId: id });
    leftovers.wake();
    for (const organizationId of shown) projection.wake(organizationId);
  }

  get #sql(): Sql {
    return this.#parts.db.sql;
  }

  async #users(ids: readonly string[]): Promise<AdminRow<'users'>[]> {
    if (ids.length === 0) return [];
    const rows = await this.#sql
      .select()
      .from(accounts)
      .where(inArray(accounts.id, [...ids]));
    const grants = await this.#sql
      .select()
      .from(platformGrants)
      .where(inArray(platformGrants.accountId, [...ids]));
    const factors = await this.#sql
      .select({ accountId: totps.accountId })
      .from(totps)
      .where(and(inArray(totps.accountId, [...ids]), isNotNull(totps.confirmedAt)));
    const members = await this.#sql
      .select({ accountId: memberships.accountId, id: memberships.organizationId, role: memberships.role })
      .from(memberships)
      .where(inArray(memberships.accountId, [...ids]));
    return inOrder(ids, rows).map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      phone: row.phone,
      kind: row.kind,
      locale: row.locale,
      disabled_at: row.disabledAt?.toISOString() ?? null,
      created_at: row.createdAt.toISOString(),
      second_factor: factors.some(({ accountId }) => accountId === row.id),
      platform_roles: grants.filter(({ accountId }) => accountId === row.id).map(({ role }) => role),
      organizations: members.filter(({ accountId }) => accountId === row.id).map(({ id, role }) => ({ id, role })),
    }));
  }

  async #organizations(ids: readonly string[]): Promise<AdminRow<'organizations'>[]> {
    if (ids.length === 0) return [];
    const rows = await this.#sql
      .select()
      .from(organizations)
      .where(inArray(organizations.id, [...ids]));
    const counted = await this.#sql
      .select({ id: memberships.organizationId, members: sql<number>`count(*)::int` })
      .from(memberships)
      .where(inArray(memberships.organizationId, [...ids]))
      .groupBy(memberships.organizationId);
    return inOrder(ids, rows).map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      personal_of: row.personalOf,
      currency: row.currency,
      members: counted.find(({ id }) => id === row.id)?.members ?? 0,
      ...this.#parts.organization(row.id),
      created_at: row.createdAt.toISOString(),
      deleted_at: row.deletedAt?.toISOString() ?? null,
    }));
  }

  async #objectNames(
    rows: readonly { object: string | null; organizationId: string }[],
  ): Promise<(row: { object: string | null; organizationId: string }) => string | null> {
    const idsOf = (kinds: readonly string[]) => [
      ...new Set(rows.flatMap(({ object }) => kinds.flatMap((kind) => idIn(object, kind) ?? []))),
    ];
    const names = await namesOf(this.#sql, idsOf(OF_ACCOUNTS), idsOf(OF_ORGANIZATIONS));
    return ({ object, organizationId }) => {
      if (object === null) return null;
      const id = idIn(object) ?? '';
      const kind = object.split('/')[0] ?? '';
      if (OF_ACCOUNTS.includes(kind)) return names.accounts[id] ?? null;
      if (OF_ORGANIZATIONS.includes(kind)) return names.organizations[id] ?? null;
      return this.#parts.objectName(object, organizationId) ?? null;
    };
  }

  async #entries(ids: readonly number[], language: Language): Promise<AdminRow<'audit-log'>[]> {
    if (ids.length === 0) return [];
    const rows = await this.#sql
      .select()
      .from(auditLog)
      .where(inArray(auditLog.id, [...ids]));
    const nameOf = await this.#objectNames(rows);
    return inOrder(ids, rows).map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor_id: row.actorId,
      actor_name: row.actorName,
      actor_kind: row.actorKind,
      organization_id: row.organizationId,
      request_id: row.requestId,
      action: row.action,
      action_label: actionName(row.action, language) ?? null,
      object: row.object,
      object_label: nameOf(row),
      decision: row.decision,
      status: row.status,
      reason: row.reason,
      ip: row.ip,
      user_agent: row.userAgent,
    }));
  }
}

export async function isAdministrator(tx: Sql, accountId: string): Promise<boolean> {
  const found = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(platformGrants, eq(platformGrants.accountId, accounts.id))
    .where(and(eq(accounts.id, accountId), isNull(accounts.disabledAt), eq(platformGrants.role, 'administrator')));
  return found.length > 0;
}

/** The requested changes that are not in effect already. */
function changesOf(wish: UserWish, isDisabled: boolean, granted: readonly PlatformRole[]) {
  const roles = wish.platform_roles && [...new Set(wish.platform_roles)].sort();
  const isSame = `${roles}` === `${[...granted].sort()}`;
  return {
    roles: roles === undefined || isSame ? undefined : roles,
    disabled: wish.disabled === isDisabled ? undefined : wish.disabled,
  };
}

async function grant(tx: Sql, accountId: string, roles: readonly PlatformRole[], createdAt: Date): Promise<void> {
  await tx.delete(platformGrants).where(eq(platformGrants.accountId, accountId));
  if (roles.length > 0) await tx.insert(platformGrants).values(roles.map((role) => ({ accountId, role, createdAt })));
}

/** Rows in the order of their ids. */
export const inOrder = <Row extends { id: string | number }>(
  ids: readonly (string | number)[],
  rows: readonly Row[],
): Row[] => inOrderOf(ids.map(String), rows, ({ id }) => `${id}`);
