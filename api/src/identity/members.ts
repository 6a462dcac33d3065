// Who belongs to an organisation, and in what role. All that changes it takes the organisation's row first, so that of two
// who ask at once the second sees what the first did: the last owner stays.

import type { Language } from '@gantry/contract/fields/language.ts';
import type { Page } from '@gantry/contract/http/define-route.ts';
import { type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { mayChangeRole, type OrgRole } from '@gantry/contract/roles.ts';
import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { invitations } from '../db/schema/invitations.ts';
import { accounts, memberships, sessions } from '../db/schema/people.ts';
import { newId } from '../ids.ts';
import { count, type Limit } from './counters.ts';
import { endMembership, ofMember, roleIn } from './memberships.ts';
import { NOTICES } from './notices.ts';
import {
  lockLiving,
  lockOrganization,
  type OrganizationParts,
  type OrganizationRow,
  raiseRevision,
} from './organizations.ts';
import { AFTER_SWITCH_MS } from './sessions.ts';

type Sql = Database['sql'];
type Account = typeof accounts.$inferSelect;

/** The Organization resource takes as many. */
const MOST_MEMBERS = 1000;
export const INVITED_FOR_MS = 7 * 24 * 3_600_000;
const PICKED = 20;

const HOUR_MS = 3_600_000;
/** An invitation is written anew as often as somebody likes; its mail is not sent again within the hour. */
const MAIL_AGAIN = { most: 1, windowMs: HOUR_MS };
/** So many mails a day an address gets, whichever organisations invite it. */
const MAILS_TO_ADDRESS = { most: 10, windowMs: 24 * HOUR_MS };
const INVITES_OF_ACTOR = { most: 100, windowMs: HOUR_MS };
/** What becomes of an address that nobody has. */
type Inviting = 'mail' | 'quiet' | 'refused';

export interface Actor {
  id: string;
  name: string;
}

export interface Member {
  account: Account;
  role: OrgRole;
  joinedAt: Date;
}

export interface Invitation {
  email: string;
  organization: string;
  actor: string;
  language: Language;
}

export interface MemberParts extends OrganizationParts {
  /** Writes to somebody who has no account yet, in the transaction that keeps the invitation. */
  invite(tx: Sql, invitation: Invitation): Promise<void>;
  /** After a commit: keys and kubeconfigs of somebody who left are taken away. */
  leftovers: { wake(): void };
}

export interface Added {
  account: string;
  outcome: 'added' | 'invited' | 'refused';
  accountId: string | null;
  problem?: { code: ProblemCode; args: Record<string, string | number> };
}

type Change = { kind: 'role'; to: OrgRole } | { kind: 'end'; by: 'removal' | 'leaving' };

export class Members {
  readonly #parts: MemberParts;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  async list(
    organizationId: string,
    { page, size, q, role }: { page: number; size: number; q?: string | undefined; role?: OrgRole | undefined },
  ): Promise<Page<Member>> {
    const where = and(
      eq(memberships.organizationId, organizationId),
      role && eq(memberships.role, role),
      q === undefined ? undefined : startsWith(q),
    );
    const db = this.#parts.db.sql;
    const [counted] = await db
      .select({ total: sql<number>`count(*)::int` })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(where);
    const items = await db
      .select({ account: accounts, role: memberships.role, joinedAt: memberships.createdAt })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(where)
      .orderBy(asc(memberships.createdAt), asc(accounts.id))
      .limit(size)
      .offset((page - 1) * size);
    return { items, total: counted?.total ?? 0 };
  }

  /** Members by the beginning of a name or address; of everybody else only who is named whole. */
  async find(organizationId: string, q: string | undefined): Promise<(Account & { isMember: boolean })[]> {
    const { items } = await this.list(organizationId, { page: 1, size: PICKED, q });
    const found = items.map(({ account }) => ({ ...account, isMember: true }));
    if (q === undefined) return found;
    const whole = await accountNamed(this.#parts.db.sql, q);
    return whole && !found.some(({ id }) => id === whole.id)
      ? [...found, { ...whole, isMember: (await roleIn(this.#parts.db.sql, organizationId, whole.id)) !== undefined }]
      : found;
  }

  /** Each by itself: what one is refused for does not hold up the others. */
  async add(
    actor: Actor,
    organizationId: string,
    wanted: readonly { account: string; role: OrgRole }[],
    language: Language,
  ): Promise<Added[]> {
    const { db, projection, notify } = this.#parts;
    const inviting = await this.#mayInvite(actor, organizationId, wanted);
    const { organization, added } = await db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, organizationId);
      const rank = await rankOf(tx, organizationId, actor);
      if (wanted.some(({ role }) => !mayChangeRole(rank, undefined, role))) throw problem('permission_missing');
      const results: (Added & { role: OrgRole })[] = [];
      for (const each of wanted)
        results.push({ ...(await this.#addOne(tx, { actor, locked, language, inviting }, each)), role: each.role });
      if (results.some(({ outcome }) => outcome === 'added')) await raiseRevision(tx, organizationId);
      return { organization: locked, added: results };
    });
    projection.wake(organizationId);
    for (const { accountId, outcome, role } of added)
      if (outcome === 'added' && accountId !== null) {
        const args = { organization: organization.name, actor: actor.name, role };
        notify({ accountId, ...NOTICES.memberAdded, args });
      }
    return added.map(({ role, ...each }) => each);
  }

  async changeRole(actor: Actor, organizationId: string, accountId: string, to: OrgRole): Promise<void> {
    const { organization, changed } = await this.#change(actor, organizationId, accountId, { kind: 'role', to });
    if (!changed || accountId === actor.id) return;
    const args = { organization: organization.name, actor: actor.name, role: to };
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

  /** The other becomes an owner, and whoever gives it away an admin: at no moment there is none. */
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
    const args = { organization: organization.name, actor: actor.name, role: 'owner' };
    if (accountId !== actor.id) notify({ accountId, ...NOTICES.roleChanged, args });
  }

  async invited(organizationId: string, { page, size }: { page: number; size: number }) {
    const where = and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, this.#now()));
    const db = this.#parts.db.sql;
    const items = await db
      .select()
      .from(invitations)
      .where(where)
      .orderBy(asc(invitations.createdAt), asc(invitations.id))
      .limit(size)
      .offset((page - 1) * size);
    return { items, total: await db.$count(invitations, where) };
  }

  async withdraw(actor: Actor, organizationId: string, id: string): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      await lockOrganization(tx, organizationId);
      const rank = await rankOf(tx, organizationId, actor);
      const [gone] = await tx
        .delete(invitations)
        .where(and(eq(invitations.id, id), eq(invitations.organizationId, organizationId)))
        .returning({ role: invitations.role });
      if (!gone) throw problem('not_found', { what: id });
      if (!mayChangeRole(rank, gone.role, undefined)) throw problem('permission_missing');
    });
  }

  /** Counts before the transaction: rows of several addresses, held until its end, could make two calls wait for each other. */
  async #mayInvite(
    actor: Actor,
    organizationId: string,
    wanted: readonly { account: string }[],
  ): Promise<ReadonlyMap<string, Inviting>> {
    const { sql: db } = this.#parts.db;
    const now = this.#parts.clock.now();
    const inviting = new Map<string, Inviting>();
    for (const email of new Set(wanted.map(({ account }) => account.toLowerCase()).filter(isAddress))) {
      if (await accountNamed(db, email)) continue;
      const isOver = async (key: string, limit: Limit) => (await count(db, key, limit, now)) > 0;
      if (await isOver(`invites:${actor.id}`, INVITES_OF_ACTOR)) inviting.set(email, 'refused');
      else if (await isOver(`invited:${organizationId} ${email}`, MAIL_AGAIN)) inviting.set(email, 'quiet');
      else inviting.set(email, (await isOver(`invited:${email}`, MAILS_TO_ADDRESS)) ? 'quiet' : 'mail');
    }
    return inviting;
  }

  async #addOne(
    tx: Sql,
    {
      actor,
      locked,
      language,
      inviting,
    }: { actor: Actor; locked: OrganizationRow; language: Language; inviting: ReadonlyMap<string, Inviting> },
    { account: named, role }: { account: string; role: OrgRole },
  ): Promise<Added> {
    const refused = (code: ProblemCode, args: Record<string, string | number>): Added => ({
      account: named,
      outcome: 'refused',
      accountId: null,
      problem: { code, args },
    });
    const account = await accountNamed(tx, named);
    if (account && (await roleIn(tx, locked.id, account.id))) return refused('already_member', { account: named });
    if (!account && !isAddress(named)) return refused('account_unknown', { account: named });
    if ((await heldBy(tx, locked.id, this.#now())) >= MOST_MEMBERS)
      return refused('too_many_members', { most: MOST_MEMBERS });
    if (account) {
      await tx
        .insert(memberships)
        .values({ organizationId: locked.id, accountId: account.id, role, createdAt: this.#now() });
      await tx.delete(invitations).where(invitationOf(locked.id, account.email ?? ''));
      return { account: named, outcome: 'added', accountId: account.id };
    }
    const email = named.toLowerCase();
    const how = inviting.get(email);
    if (how === 'refused') return refused('too_many_invitations', { most: INVITES_OF_ACTOR.most });
    const expiresAt = new Date(this.#now().getTime() + INVITED_FOR_MS);
    await tx
      .insert(invitations)
      .values({
        id: newId('inv'),
        organizationId: locked.id,
        email,
        role,
        invitedBy: actor.id,
        createdAt: this.#now(),
        expiresAt,
      })
      .onConflictDoUpdate({
        target: [invitations.organizationId, invitations.email],
        set: { role, invitedBy: actor.id, expiresAt },
      });
    if (how === 'mail') await this.#parts.invite(tx, { email, organization: locked.name, actor: actor.name, language });
    return { account: named, outcome: 'invited', accountId: null };
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

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}

/**
 * Makes a member of whoever just proved an address that was invited: in the transaction of the registration. Gives the
 * organisations, for the caller to wake the projection.
 */
export async function consumeInvitations(
  tx: Sql,
  { accountId, email, now }: { accountId: string; email: string; now: number },
): Promise<string[]> {
  const at = new Date(now);
  const open = await tx
    .select({ organizationId: invitations.organizationId })
    .from(invitations)
    .where(eq(invitations.email, email.toLowerCase()))
    // One order for all, or two who come at once could wait for each other.
    .orderBy(asc(invitations.organizationId));
  const joined: string[] = [];
  for (const { organizationId } of open) {
    if (!(await lockLiving(tx, organizationId))) continue;
    const [taken] = await tx.delete(invitations).where(invitationOf(organizationId, email)).returning();
    if (!taken || taken.expiresAt <= at) continue;
    await tx
      .insert(memberships)
      .values({ organizationId, accountId, role: taken.role, createdAt: at })
      .onConflictDoNothing();
    await raiseRevision(tx, organizationId);
    joined.push(organizationId);
  }
  return joined;
}

/** An owner is about to be none. */
function refuseToLose(accountId: string, organization: OrganizationRow, owners: readonly string[]): void {
  if (organization.personalOf === accountId) throw problem('personal_organization');
  if (owners.length === 1) throw problem('last_owner');
}

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

const invitationOf = (organizationId: string, email: string) =>
  and(eq(invitations.organizationId, organizationId), eq(invitations.email, email.toLowerCase()));

const startsWith = (q: string): SQL | undefined =>
  or(sql`starts_with(lower(${accounts.name}), lower(${q}))`, sql`starts_with(lower(${accounts.email}), lower(${q}))`);

async function accountNamed(tx: Sql, text: string): Promise<Account | undefined> {
  const [found] = await tx
    .select()
    .from(accounts)
    .where(
      and(
        or(sql`lower(${accounts.name}) = lower(${text})`, sql`lower(${accounts.email}) = lower(${text})`),
        isNull(accounts.disabledAt),
      ),
    )
    // A name that reads like somebody's address is not that one's.
    .orderBy(desc(sql`(lower(${accounts.email}) = lower(${text})) is true`))
    .limit(1);
  return found;
}

/** Of whoever acts, as it is now: the token may be a second old. */
async function rankOf(tx: Sql, organizationId: string, actor: Actor): Promise<OrgRole> {
  const rank = await roleIn(tx, organizationId, actor.id);
  if (!rank) throw problem('not_found', { what: organizationId });
  return rank;
}

async function ownersOf(tx: Sql, organizationId: string): Promise<string[]> {
  const rows = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'owner')));
  return rows.map(({ accountId }) => accountId);
}

/** Tokens of before live a minute more, as after a switch: by one, whoever has them gets new ones. */
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

async function heldBy(tx: Sql, organizationId: string, at: Date): Promise<number> {
  const members = await tx.$count(memberships, eq(memberships.organizationId, organizationId));
  const invited = await tx.$count(
    invitations,
    and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, at)),
  );
  return members + invited;
}
