// Organisations as rows: created, listed, edited, deleted. The row is the truth; code that changes what the cluster shows raises
// its revision and wakes the projection. Of money it knows only what ends with the people (`payers.ts`).

import { problem } from '@gantry/contract/http/problem.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { count } from '../../../platform/db/counters.ts';
import { type CursorPage, type CursorRows, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { newOrganizationId } from '../../../platform/ids.ts';
import { endMembership, roleIn } from './memberships.ts';
import { NOTICES, type Notify } from './notices.ts';
import { endPaying } from './payers.ts';

type Sql = Database['sql'];
export type OrganizationRow = typeof organizations.$inferSelect;
/** One's own: with the role one has in it. */
export type OwnOrganization = OrganizationRow & { role: OrgRole };

/** Per account, including deleted ones: each is a namespace on the cluster. */
const MADE_BY_ACCOUNT = { most: 20, windowMs: 24 * 3_600_000 };

/** Hears of rows that changed, after the commit. */
export interface Wakes {
  wake(organizationId: string): void;
}

/** Drops what a process remembers of tokens. */
export interface Forgets {
  forget(who: { accountId?: string; organizationId?: string }): void;
}

export interface OrganizationParts {
  db: Database;
  clock: Clock;
  /** ISO 4217: the permanent currency of every organisation created here. */
  currency: string;
  projection: Wakes;
  sessions: Forgets;
  notify: Notify;
}

interface NewOrganization {
  name: string;
  description?: string;
  /** The account that owns it. */
  owner: string;
  /** Made at registration. */
  isPersonal: boolean;
  currency: string;
  now: number;
  id?: string;
}

/** Two rows and nothing else, inside the caller's transaction. The caller wakes the projection after the commit. */
export async function makeOrganization(tx: Sql, wanted: NewOrganization): Promise<OrganizationRow> {
  const at = new Date(wanted.now);
  const [made] = await tx
    .insert(organizations)
    .values({
      id: wanted.id ?? newOrganizationId(),
      name: wanted.name,
      description: wanted.description ?? '',
      personalOf: wanted.isPersonal ? wanted.owner : null,
      currency: wanted.currency,
      createdAt: at,
    })
    .returning();
  if (!made) throw new Error('the database gave no row back');
  await tx
    .insert(memberships)
    .values({ organizationId: made.id, accountId: wanted.owner, role: 'owner', createdAt: at });
  return made;
}

/** The living row, locked until the transaction ends: everything that changes members queues here. */
export async function lockOrganization(tx: Sql, id: string): Promise<OrganizationRow> {
  const row = await lockLiving(tx, id);
  if (!row) throw problem('not_found', { what: id });
  return row;
}

/** The same, for callers that handle its absence. */
export async function lockLiving(tx: Sql, id: string): Promise<OrganizationRow | undefined> {
  const [row] = await tx.select().from(organizations).where(living(id)).for('update');
  return row;
}

export const living = (id: string) => and(eq(organizations.id, id), isNull(organizations.deletedAt));

/** Fields that the resource shows have changed. */
export const raiseRevision = (tx: Sql, id: string) =>
  tx
    .update(organizations)
    .set({ revision: sql`${organizations.revision} + 1` })
    .where(eq(organizations.id, id));

export class Organizations {
  readonly #parts: OrganizationParts & { mostOwned: number };

  constructor(parts: OrganizationParts & { mostOwned: number }) {
    this.#parts = parts;
  }

  /** The personal one first, then by name. */
  async list(accountId: string, asked: CursorPage): Promise<CursorRows<OwnOrganization>> {
    const { sql: db } = this.#parts.db;
    const own = sql`${organizations.id} in ${db
      .select({ id: memberships.organizationId })
      .from(memberships)
      .where(eq(memberships.accountId, accountId))}`;
    // No name is empty.
    const place = sql`case when ${organizations.personalOf} = ${accountId} then '' else ${organizations.name} end`;
    const columns = { id: organizations.id, place: { sql: place, type: 'text' } };
    const { items, ...rest } = await cursorPage(
      db,
      { table: organizations, columns, own, where: and(own, isNull(organizations.deletedAt)), sort: ['place', 'ASC'] },
      asked,
      db
        .select({ organization: organizations, role: memberships.role })
        .from(organizations)
        .innerJoin(
          memberships,
          and(eq(memberships.organizationId, organizations.id), eq(memberships.accountId, accountId)),
        )
        .$dynamic(),
      ({ organization }) => organization.id,
    );
    return { items: items.map(({ organization, role }) => ({ ...organization, role })), ...rest };
  }

  /** One that the account belongs to. Throws not_found, also for one that others have. */
  async get(accountId: string, id: string): Promise<OwnOrganization> {
    const [row] = await this.#parts.db.sql
      .select({ organization: organizations, role: memberships.role })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .where(and(eq(memberships.accountId, accountId), living(id)));
    if (!row) throw problem('not_found', { what: id });
    return { ...row.organization, role: row.role };
  }

  /** For staff who look at it, and are no member. */
  async shown(id: string): Promise<OwnOrganization> {
    const [row] = await this.#parts.db.sql.select().from(organizations).where(living(id));
    if (!row) throw problem('not_found', { what: id });
    return { ...row, isNew: false, role: 'viewer' };
  }

  /** Under the same key it is the same organisation. Throws too_many_organizations, too_many_requests. */
  async create(owner: string, wanted: { name: string; description: string }, key?: string): Promise<OwnOrganization> {
    const { db, clock, currency, projection, mostOwned } = this.#parts;
    const id = newOrganizationId(key);
    const made = await db.transaction(async (tx) => {
      // The account's row is the queue: else two at once would both be the last allowed one.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, owner)).for('update');
      const [known] = await tx.select().from(organizations).where(living(id));
      if (known) return known;
      const [owned] = await tx
        .select({ count: sql<number>`count(*)::int` })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
        .where(and(eq(memberships.accountId, owner), eq(memberships.role, 'owner'), isNull(organizations.deletedAt)));
      if ((owned?.count ?? 0) >= mostOwned) throw problem('too_many_organizations', { most: mostOwned });
      const seconds = await count(tx, `organizations:${owner}`, MADE_BY_ACCOUNT, clock.now());
      if (seconds > 0) throw problem('too_many_requests', { seconds });
      return makeOrganization(tx, { ...wanted, id, owner, isPersonal: false, currency, now: clock.now() });
    });
    projection.wake(made.id);
    return { ...made, role: 'owner' };
  }

  async edit(
    accountId: string,
    id: string,
    change: { name?: string | undefined; description?: string | undefined },
  ): Promise<OwnOrganization> {
    const { db, projection } = this.#parts;
    await db.transaction(async (tx) => {
      await lockOrganization(tx, id);
      await tx
        .update(organizations)
        .set({
          ...(change.name !== undefined && { name: change.name }),
          ...(change.description !== undefined && { description: change.description }),
          revision: sql`${organizations.revision} + 1`,
        })
        .where(eq(organizations.id, id));
    });
    projection.wake(id);
    return this.get(accountId, id);
  }

  async see(id: string): Promise<void> {
    await this.#parts.db.sql.update(organizations).set({ isNew: false }).where(living(id));
  }

  /** Only for owners. The row stays as a tombstone; sessions and tokens of all members end with it. */
  async delete(actor: { id: string; name: string }, id: string, confirm: string | undefined): Promise<void> {
    const { db, clock, projection, sessions, notify } = this.#parts;
    const { row, members } = await db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, id);
      if ((await roleIn(tx, id, actor.id)) !== 'owner') throw problem('permission_missing');
      if (locked.personalOf !== null) throw problem('personal_organization');
      if (confirm !== id) throw problem('confirmation_missing', { id }, { field: 'confirm' });
      return { row: locked, members: await buryOrganization(tx, id, clock.now()) };
    });
    projection.wake(id);
    sessions.forget({ organizationId: id });
    const args = { organization: row.name, actor: actor.name };
    for (const accountId of members)
      if (accountId !== actor.id) notify({ accountId, ...NOTICES.organizationDeleted, args });
  }
}

/** Ends every membership and marks the row. Gives who was in it. */
export async function buryOrganization(tx: Sql, id: string, now: number): Promise<string[]> {
  const members = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.organizationId, id));
  for (const { accountId } of members) await endMembership(tx, { organizationId: id, accountId, keysGo: false, now });
  await tx.delete(invitations).where(eq(invitations.organizationId, id));
  await endPaying(tx, id);
  await tx
    .update(organizations)
    .set({ deletedAt: new Date(now), revision: sql`${organizations.revision} + 1` })
    .where(eq(organizations.id, id));
  return members.map(({ accountId }) => accountId);
}
