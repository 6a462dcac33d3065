// Invitations: nobody becomes a member, and no organisation sees a person's contact data, before that person accepts. Inviting an
// address gets the same answer whether or not an account has it. The invitation fixes the role; whether the inviter may still
// grant it is checked at acceptance.

import type { InvitationState } from '@gantry/contract/areas/identity/organization.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { namingRole } from '@gantry/contract/role-names.ts';
import { mayChangeRole, type OrgRole } from '@gantry/contract/roles.ts';
import { and, eq } from 'drizzle-orm';
import { count, type Limit } from '../../../platform/db/counters.ts';
import type { CursorPage, CursorRows } from '../../../platform/db/key-pages.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { memberships } from '../../../platform/db/schema/people.ts';
import { isOpen } from '../../../platform/db/waiting-invitations.ts';
import { accountOf } from '../people/find-account.ts';
import {
  accountFor,
  type Invitation,
  type Invitee,
  inState,
  invitationOfAccount,
  invitationOfOrganization,
  inviteeOf,
  isFor,
  isPending,
  type OwnInvitation,
  readInvitations,
  readOwnInvitations,
  type ShownInvitation,
  sameTarget,
  setState,
  shown,
  type Target,
  typedOf,
  writeInvitation,
} from './invitation-rows.ts';
import { type Actor, rankOf, roleIn } from './memberships.ts';
import { NOTICES } from './notices.ts';
import { lockOrganization, type OrganizationParts, raiseRevision } from './organizations.ts';

/** The Organization resource takes as many. */
const MOST_MEMBERS = 1000;
const MOST_PENDING = 200;
export const INVITED_FOR_MS = 7 * 24 * 3_600_000;

const HOUR_MS = 3_600_000;
/** Inviting again renews the invitation. Its mail and message are not sent again within the hour. */
const SENT_AGAIN = { most: 1, windowMs: HOUR_MS };
/** Most mails and messages that a person gets in a day, from all inviting organisations together. */
const SENT_TO_PERSON = { most: 10, windowMs: 24 * HOUR_MS };
const INVITES_OF_ACTOR = { most: 100, windowMs: HOUR_MS };

export interface Letter {
  /** The invitation's. */
  code: string;
  email: string;
  organization: string;
  actor: string;
  language: Language;
  /** Whether the link leads to a registration, or to the invitations of an existing account. */
  hasAccount: boolean;
}

export interface InvitationParts extends OrganizationParts {
  /** Writes the mail in the transaction that keeps the invitation. */
  invite(tx: Sql, letter: Letter): Promise<void>;
}

export interface Invited {
  account: string;
  outcome: 'invited' | 'refused';
  problem?: { code: ProblemCode; args: Record<string, string | number> };
}

/** `quiet`: stored and listed, but nothing is sent. */
type Sending = 'sent' | 'quiet' | 'refused';

export class Invitations {
  readonly #parts: InvitationParts;

  constructor(parts: InvitationParts) {
    this.#parts = parts;
  }

  /** Each is decided separately: a refusal does not hold up the others. */
  async invite(
    actor: Actor,
    organizationId: string,
    wanted: readonly { account: string; role: OrgRole }[],
    language: Language,
  ): Promise<Invited[]> {
    const sendings = new Map<string, Sending>();
    for (const { account } of wanted) sendings.set(account, await this.#count(actor, organizationId, account));
    const { organization, results } = await this.#parts.db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, organizationId);
      const rank = await rankOf(tx, organizationId, actor);
      if (wanted.some(({ role }) => !mayChangeRole(rank, undefined, role))) throw problem('permission_missing');
      const done: (Invited & { tells: string | undefined; role: OrgRole })[] = [];
      for (const { account: typed, role } of wanted) {
        const invitee = await inviteeOf(tx, typed);
        const refusal = await this.#refusalOf(tx, { organizationId, rank, invitee, sending: sendings.get(typed) });
        if (refusal) done.push({ account: typed, outcome: 'refused', problem: refusal, tells: undefined, role });
        else {
          const code = await this.#keep(tx, { organizationId, actor, invitee, role });
          const isSent = sendings.get(typed) === 'sent';
          if (isSent) await this.#mail(tx, { code, invitee, organization: locked.name, actor, language });
          done.push({ account: typed, outcome: 'invited', tells: isSent ? invitee.account?.id : undefined, role });
        }
      }
      return { organization: locked, results: done };
    });
    for (const { tells, role } of results) this.#tell(tells, { organization: organization.name, actor, role });
    return results.map(({ tells, role, ...each }) => each);
  }

  /** The organisation's invitations, newest first. */
  list(
    organizationId: string,
    page: CursorPage & { state?: InvitationState | undefined },
  ): Promise<CursorRows<ShownInvitation>> {
    return readInvitations(this.#parts.db.sql, organizationId, page, this.#now());
  }

  async withdraw(actor: Actor, organizationId: string, id: string): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      await lockOrganization(tx, organizationId);
      const row = await invitationOfOrganization(tx, organizationId, id);
      const rank = await rankOf(tx, organizationId, actor);
      if (!mayChangeRole(rank, row.role, undefined)) throw problem('permission_missing');
      await setState(tx, [row.id], 'withdrawn');
    });
  }

  /** Pending, expired or proposed by staff. From then on the sender is the inviter. */
  async resend(actor: Actor, organizationId: string, id: string, language: Language): Promise<ShownInvitation> {
    const { db, clock } = this.#parts;
    // Counted after the rights, and outside the transaction, so that a count stays where the transaction fails.
    const rank = await rankOf(db.sql, organizationId, actor);
    const before = await invitationOfOrganization(db.sql, organizationId, id);
    if (!mayChangeRole(rank, undefined, before.role)) throw problem('permission_missing');
    const now = clock.now();
    if (await this.#isOver(`invites:${actor.id}`, INVITES_OF_ACTOR))
      throw problem('too_many_invitations', { most: INVITES_OF_ACTOR.most });
    const seconds = await count(db.sql, againKey(organizationId, before), SENT_AGAIN, now);
    if (seconds > 0) throw problem('too_many_requests', { seconds });
    const accountId = (await accountFor(db.sql, before))?.id ?? null;
    // Said to nobody: it would tell whose an address is.
    const isQuiet = await this.#isOver(personKey({ ...before, accountId }), SENT_TO_PERSON);
    const { organization, invitee, row } = await db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, organizationId);
      const current = await invitationOfOrganization(tx, organizationId, id);
      const found = { typed: typedOf(current), email: current.email, account: await accountFor(tx, current) };
      const isUncounted = current.state === 'proposed' || current.expiresAt <= this.#now();
      const full = isUncounted ? await this.#fullness(tx, organizationId) : undefined;
      if (full) throw problem(full.code, full.args);
      const expiresAt = this.#expiry();
      const sent = { state: 'pending', invitedBy: actor.id, expiresAt } as const;
      await tx.update(invitations).set(sent).where(eq(invitations.id, id));
      if (!isQuiet) await this.#mail(tx, { code: id, invitee: found, organization: locked.name, actor, language });
      return { organization: locked, invitee: found, row: { ...current, ...sent } };
    });
    if (!isQuiet) this.#tell(invitee.account?.id, { organization: organization.name, actor, role: row.role });
    return shown(row, this.#now());
  }

  /** The invitations that a person may accept or decline. */
  mine(accountId: string, page: CursorPage): Promise<CursorRows<OwnInvitation>> {
    return readOwnInvitations(this.#parts.db.sql, accountId, page, this.#now());
  }

  /** Makes the caller a member. Repeated by a member it changes nothing. */
  async accept(caller: Actor, id: string): Promise<{ organizationId: string; role: OrgRole }> {
    const { db, projection, notify, sessions } = this.#parts;
    const organizationId = await this.#organizationOf(caller, id);
    const { organization, role, invitedBy, isNew } = await db.transaction(async (tx) => {
      // The organisation first, as everything that changes members does.
      const locked = await lockOrganization(tx, organizationId);
      const row = await invitationOfAccount(tx, caller.id, id);
      const present = await roleIn(tx, organizationId, caller.id);
      if (row.state === 'accepted' && present)
        return { organization: locked, role: present, invitedBy: row.invitedBy, isNew: false };
      this.#demandOpen(row);
      const isTheirs = and(eq(invitations.organizationId, organizationId), await isFor(tx, caller.id));
      const open = await tx.select({ id: invitations.id }).from(invitations).where(and(isTheirs, isOpen));
      const close = () =>
        setState(
          tx,
          open.map((each) => each.id),
          'accepted',
        );
      if (present) {
        await close();
        return { organization: locked, role: present, invitedBy: row.invitedBy, isNew: false };
      }
      await this.#demandInviter(tx, row, locked.name);
      if ((await tx.$count(memberships, eq(memberships.organizationId, organizationId))) >= MOST_MEMBERS)
        throw problem('too_many_members', { most: MOST_MEMBERS });
      await tx
        .insert(memberships)
        .values({ organizationId, accountId: caller.id, role: row.role, createdAt: this.#now() });
      await close();
      await raiseRevision(tx, organizationId);
      return { organization: locked, role: row.role, invitedBy: row.invitedBy, isNew: true };
    });
    if (isNew) {
      projection.wake(organizationId);
      sessions.forget({ accountId: caller.id });
      const args = { organization: organization.name, member: caller.name, ...namingRole(role) };
      notify({ accountId: invitedBy, ...NOTICES.invitationAccepted, args });
    }
    return { organizationId, role };
  }

  async decline(caller: Actor, id: string): Promise<void> {
    const { db, notify } = this.#parts;
    const organizationId = await this.#organizationOf(caller, id);
    const declined = await db.transaction(async (tx) => {
      const locked = await lockOrganization(tx, organizationId);
      const row = await invitationOfAccount(tx, caller.id, id);
      if (row.state === 'declined') return undefined;
      this.#demandOpen(row);
      await setState(tx, [row.id], 'declined');
      return { row, organization: locked };
    });
    if (!declined) return;
    // The notice names what was typed: inviting an address does not reveal whose it is.
    const args = { organization: declined.organization.name, invitee: typedOf(declined.row) };
    notify({ accountId: declined.row.invitedBy, ...NOTICES.invitationDeclined, args });
  }

  /** Counts outside the transaction: two calls that held the rows of several addresses until its end could deadlock. */
  async #count(actor: Actor, organizationId: string, typed: string): Promise<Sending> {
    const { sql: db } = this.#parts.db;
    const { email, account } = await inviteeOf(db, typed);
    // Unknown names count as well, which limits guessing.
    if (await this.#isOver(`invites:${actor.id}`, INVITES_OF_ACTOR)) return 'refused';
    const target = { email, accountId: account?.id ?? null };
    if (await this.#isOver(againKey(organizationId, target), SENT_AGAIN)) return 'quiet';
    return (await this.#isOver(personKey(target), SENT_TO_PERSON)) ? 'quiet' : 'sent';
  }

  async #isOver(key: string, limit: Limit): Promise<boolean> {
    return (await count(this.#parts.db.sql, key, limit, this.#parts.clock.now())) > 0;
  }

  async #refusalOf(
    tx: Sql,
    {
      organizationId,
      rank,
      invitee: { typed, email, account },
      sending,
    }: { organizationId: string; rank: OrgRole; invitee: Invitee; sending: Sending | undefined },
  ): Promise<Invited['problem']> {
    if (sending === 'refused') return { code: 'too_many_invitations', args: { most: INVITES_OF_ACTOR.most } };
    if (!account && email === null) return { code: 'account_unknown', args: { account: typed } };
    if (account && (await roleIn(tx, organizationId, account.id)))
      return { code: 'already_member', args: { account: typed } };
    const [pending] = await tx
      .select({ role: invitations.role, expiresAt: invitations.expiresAt })
      .from(invitations)
      .where(and(isPending, sameTarget(organizationId, { email, accountId: account?.id ?? null })));
    if (pending && !mayChangeRole(rank, pending.role, undefined)) return { code: 'permission_missing', args: {} };
    return pending && pending.expiresAt > this.#now() ? undefined : await this.#fullness(tx, organizationId);
  }

  async #fullness(tx: Sql, organizationId: string): Promise<Invited['problem']> {
    const members = await tx.$count(memberships, eq(memberships.organizationId, organizationId));
    const pending = await tx.$count(
      invitations,
      and(eq(invitations.organizationId, organizationId), inState('pending', this.#now())),
    );
    if (pending >= MOST_PENDING) return { code: 'too_many_pending', args: { most: MOST_PENDING } };
    return members + pending >= MOST_MEMBERS ? { code: 'too_many_members', args: { most: MOST_MEMBERS } } : undefined;
  }

  async #keep(
    tx: Sql,
    { organizationId, actor, invitee, role }: { organizationId: string; actor: Actor; invitee: Invitee; role: OrgRole },
  ): Promise<string> {
    const times = { createdAt: this.#now(), expiresAt: this.#expiry() };
    return await writeInvitation(tx, {
      organizationId,
      invitedBy: actor.id,
      invitee,
      role,
      state: 'pending',
      ...times,
    });
  }

  async #mail(
    tx: Sql,
    {
      code,
      invitee: { email, account },
      organization,
      actor,
      language,
    }: { code: string; invitee: Invitee; organization: string; actor: Actor; language: Language },
  ): Promise<void> {
    const to = email ?? account?.email;
    if (!to) return;
    const letter = { code, email: to, organization, actor: actor.name, hasAccount: account !== undefined };
    await this.#parts.invite(tx, { ...letter, language: account?.locale ?? language });
  }

  #tell(
    accountId: string | undefined,
    { organization, actor, role }: { organization: string; actor: Actor; role: OrgRole },
  ): void {
    if (accountId === undefined) return;
    const args = { organization, actor: actor.name, ...namingRole(role) };
    this.#parts.notify({ accountId, ...NOTICES.invited, args });
  }

  /** The inviter's rights, or the organisation itself, may be gone since. */
  async #demandInviter(tx: Sql, { invitedBy, organizationId, role }: Invitation, organization: string): Promise<void> {
    const inviter = await accountOf(tx, invitedBy);
    const rank = await roleIn(tx, organizationId, invitedBy);
    if (inviter && !inviter.disabledAt && rank && mayChangeRole(rank, undefined, role)) return;
    throw problem('invitation_void', { actor: inviter?.name ?? invitedBy, organization });
  }

  #demandOpen({ state, expiresAt }: Invitation): void {
    if (state !== 'pending' || expiresAt <= this.#now()) throw problem('invitation_closed');
  }

  async #organizationOf(caller: Actor, id: string): Promise<string> {
    return (await invitationOfAccount(this.#parts.db.sql, caller.id, id)).organizationId;
  }

  #expiry(): Date {
    return new Date(this.#parts.clock.now() + INVITED_FOR_MS);
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}

const againKey = (organizationId: string, { email, accountId }: Target): string =>
  `invited:${organizationId} ${email ?? accountId}`;

/** One person, by address and by name alike. */
const personKey = ({ email, accountId }: Target): string => `invited:${accountId ?? email}`;
