// The members of an organisation and their roles. Every change locks the organisation's row first, so that of two concurrent changes the
// second sees the first: the last owner stays.

import { problem } from '@gantry/contract/http/problem.ts';
import { namingRole } from '@gantry/contract/role-names.ts';
import { mayChangeRole, type OrgRole } from '@gantry/contract/roles.ts';
import { and, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { accounts, memberships, sessions } from '../../../platform/db/schema/people.ts';
import { AFTER_SWITCH_MS } from '../sessions/sessions.ts';
import { type Actor, endMembership, ofMember, rankOf, roleIn } from './memberships.ts';
import { NOTICES } from './notices.ts';
import { lockOrganization, type OrganizationParts, type OrganizationRow, raiseRevision } from './organizations.ts';

type Sql = Database['sql'];
type Account = typeof accounts.$inferSelect;

const PICKED = 20;
const COLUMNS = { id: memberships.accountId, joinedAt: memberships.createdAt };

export interface Member {
  account: Account;
  role: OrgRole;
  joinedAt: Date;
}

export interface MemberParts extends OrganizationParts {
  /** After a commit: keys and kubeconfigs of somebody who left are taken away. */
  leftovers: { wake(): void };
}

type Change = { kind: 'role'; to: OrgRole } | { kind: 'end'; by: 'removal' | 'leaving' };

export class Members {
  readonly #parts: MemberParts;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  list(
    organizationId: string,
    {
      q,
      role,
      byEmail,
      ...asked
    }: CursorPage & { q?: string | undefined; role?: OrgRole | undefined; byEmail: boolean },
  ): Promise<CursorRows<Member>> {
    const db = this.#parts.db.sql;
    const own = eq(memberships.organizationId, organizationId);
    const found = db
      .select({ id: accounts.id })
      .from(accounts)
      .where(startsWith(q ?? '', byEmail));
    const where = and(
      own,
      role && eq(memberships.role, role),
      q === undefined ? undefined : inArray(memberships.accountId, found),
    );
    return cursorPage(
      db,
      { table: memberships, columns: COLUMNS, own, where, sort: ['joinedAt', 'ASC'] },
      asked,
      db
        .select({ account: accounts, role: memberships.role, joinedAt: memberships.createdAt })
        .from(memberships)
        .innerJoin(accounts, eq(accounts.id, memberships.accountId))
        .$dynamic(),
      ({ account }) => account.id,
    );
  }

  /** Members to choose from. Other accounts are never found: they are invited. */
  async find(organizationId: string, search: { q?: string | undefined; byEmail: boolean }): Promise<Account[]> {
    const { items } = await this.list(organizationId, { page: 1, size: PICKED, ...search });
    return items.map(({ account }) => account);
  }

  async changeRole(actor: Actor, organizationId: string, accountId: string, to: OrgRole): Promise<void> {
    const { organization, changed } = await this.#change(actor, organizationId, accountId, { kind: 'role', to });
    if (!changed || accountId === actor.id) return;
    const args = { organization: organization.name, actor: actor.name, ...namingRole(to) };
    this.#parts.notify({ accountId, ...NOTICES.roleChanged, args });
  }

  async remove(actor: Actor, organizationId: string, accountId: string): Promise<void> {
    const { organization } = await this.#change(actor, organizationId, accountId, { kind: 'end', by: 'removal' });
    if (accountId === actor.id) return;
    const args = { organization: organization.name, actor: actor.name };
    this.#parts.notify({ accountId, ...NOTICES.memberRemoved, args });
  }

  async leave(actor: Actor, organizationId: string): Promise<void> {
    const { organization, owners } = await this.#change(actor, organizationId, actor.id, {
      kind: 'end',
      by: 'leaving',
    });
    const args = { organization: organization.name, member: actor.name };
    for (const accountId of owners)
      if (accountId !== actor.id) this.#parts.notify({ accountId, ...NOTICES.memberLeft, args });
  }

  /** The other member becomes an owner and the previous one an admin, atomically: there is always an owner. */
  async transfer(actor: Actor, organizationId: string, accountId: string): Promise<void> {
    const { db, projection, sessions, notify } = this.#parts;
    const organization = await db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, organizationId);
      if ((await rankOf(tx, organizationId, actor)) !== 'owner') throw problem('permission_missing');
      if (locked.personalOf !== null) throw problem('personal_organization');
      if ((await roleIn(tx, organizationId, accountId)) === undefined) throw problem('not_found', { what: accountId });
      if (accountId !== actor.id) {
        const now = this.#parts.clock.now();
        await setRole(tx, { organizationId, accountId, to: 'owner', now });
        await setRole(tx, { organizationId, accountId: actor.id, to: 'admin', now });
        await raiseRevision(tx, organizationId);
      }
      return locked;
    });
    projection.wake(organizationId);
    sessions.forget({ accountId });
    sessions.forget({ accountId: actor.id });
    const args = { organization: organization.name, actor: actor.name, ...namingRole('owner') };
    if (accountId !== actor.id) notify({ accountId, ...NOTICES.roleChanged, args });
  }

  async #change(actor: Actor, organizationId: string, accountId: string, change: Change) {
    const { db, clock, projection, sessions, leftovers } = this.#parts;
    const done = await db.transaction(async (tx) => {
      const organization = await lockOrganization(tx, organizationId);
      const rank = await rankOf(tx, organizationId, actor);
      const from = await roleIn(tx, organizationId, accountId);
      if (!from) throw problem('not_found', { what: accountId });
      const to = change.kind === 'role' ? change.to : undefined;
      const leaves = change.kind === 'end' && change.by === 'leaving';
      if (!leaves && !mayChangeRole(rank, from, to)) throw problem('permission_missing');
      const owners = await ownersOf(tx, organizationId);
      if (from === to) return { organization, owners, changed: false };
      if (from === 'owner') refuseToLose(accountId, organization, owners);
      if (to) await setRole(tx, { organizationId, accountId, to, now: clock.now() });
      else await endMembership(tx, { organizationId, accountId, keysGo: true, now: clock.now() });
      await raiseRevision(tx, organizationId);
      return { organization, owners, changed: true };
    });
    projection.wake(organizationId);
    sessions.forget({ accountId });
    if (change.kind === 'end') leftovers.wake();
    return done;
  }
}

/** An owner is about to be none. */
function refuseToLose(accountId: string, organization: OrganizationRow, owners: readonly string[]): void {
  if (organization.personalOf === accountId) throw problem('personal_organization');
  if (owners.length === 1) throw problem('last_owner');
}

/** Only people who may see addresses can search by them. */
const startsWith = (q: string, byEmail: boolean): SQL | undefined =>
  or(
    sql`starts_with(lower(${accounts.name}), lower(${q}))`,
    byEmail ? sql`starts_with(lower(${accounts.email}), lower(${q}))` : undefined,
  );

async function ownersOf(tx: Sql, organizationId: string): Promise<string[]> {
  const rows = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'owner')));
  return rows.map(({ accountId }) => accountId);
}

/** Old tokens live a minute more, as after a switch; with one of them a client gets new ones. */
async function setRole(
  tx: Sql,
  { organizationId, accountId, to, now }: { organizationId: string; accountId: string; to: OrgRole; now: number },
): Promise<void> {
  await tx
    .update(memberships)
    .set({ role: to })
    .where(ofMember(memberships, organizationId, accountId));
  const soon = new Date(now + AFTER_SWITCH_MS);
  await tx
    .update(sessions)
    .set({ expiresAt: soon })
    .where(and(ofMember(sessions, organizationId, accountId), gt(sessions.expiresAt, soon)));
}
