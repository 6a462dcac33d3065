// The rows of invitations: every statement about them, whom they are for, and how they are shown.
import type { InvitationState } from '@gantry/contract/areas/identity/organization.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { and, eq, gt, inArray, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage, newestFirst } from '../../../platform/db/key-pages.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import { newInvitationCode } from '../../../platform/ids.ts';
import { accountOf } from '../people/find-account.ts';
import type { Account } from '../people/new-account.ts';

export type Invitation = typeof invitations.$inferSelect;

export interface ShownInvitation {
  id: string;
  /** As the inviter typed it. */
  account: string;
  role: OrgRole;
  state: InvitationState;
  createdAt: Date;
  expiresAt: Date;
}

export interface OwnInvitation {
  id: string;
  organizationId: string;
  organization: string;
  role: OrgRole;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The invited person. `account` has the address or the name now: the inviter never learns it. */
export interface Invitee {
  typed: string;
  email: string | null;
  account: Account | undefined;
}

export const isPending = eq(invitations.state, 'pending');

/** Only pending invitations expire, by time alone. */
export const inState = (state: InvitationState, now: Date): SQL | undefined =>
  state === 'pending'
    ? and(isPending, gt(invitations.expiresAt, now))
    : state === 'expired'
      ? and(isPending, lte(invitations.expiresAt, now))
      : eq(invitations.state, state);

/** The inviter's input. */
export const typedOf = ({ email, name }: Pick<Invitation, 'email' | 'name'>): string => email ?? name ?? '';

/** As the organisation sees it. */
export const shown = (row: Invitation, now: Date): ShownInvitation => ({
  id: row.id,
  account: typedOf(row),
  role: row.role,
  state: row.state === 'pending' && row.expiresAt <= now ? 'expired' : row.state,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
});

export const setState = (tx: Sql, ids: readonly string[], state: Invitation['state']) =>
  tx
    .update(invitations)
    .set({ state })
    .where(inArray(invitations.id, [...ids]));

/** Whom an invitation names: an address, or else an account. */
export type Target = Pick<Invitation, 'email' | 'accountId'>;

/** Invitations of an organisation for the same one. */
export const sameTarget = (organizationId: string, { email, accountId }: Target) =>
  and(
    eq(invitations.organizationId, organizationId),
    email === null ? eq(invitations.accountId, accountId ?? '') : eq(invitations.email, email),
  );

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Text with an @ is an address, even if an account has that name. A disabled account does not count. */
export async function inviteeOf(tx: Sql, typed: string): Promise<Invitee> {
  const email = isAddress(typed) ? typed.toLowerCase() : null;
  const is = email === null ? sql`lower(${accounts.name}) = lower(${typed})` : sql`lower(${accounts.email}) = ${email}`;
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(is, isNull(accounts.disabledAt)));
  return { typed, email, account };
}

/** The account that has the address, or is the account, of an invitation. */
export const accountFor = async (tx: Sql, { email, accountId, name }: Invitation): Promise<Account | undefined> =>
  accountId === null ? (await inviteeOf(tx, email ?? name ?? '')).account : await accountOf(tx, accountId);

/** Those of an organisation, newest first. */
export async function readInvitations(
  connection: Sql,
  organizationId: string,
  { state, ...asked }: CursorPage & { state?: InvitationState | undefined },
  now: Date,
): Promise<CursorRows<ShownInvitation>> {
  const own = eq(invitations.organizationId, organizationId);
  const { items, ...rest } = await cursorPage(
    connection,
    newestFirst(invitations, own, and(own, state && inState(state, now))),
    asked,
    connection.select().from(invitations).$dynamic(),
    ({ id }) => id,
  );
  return { items: items.map((row) => shown(row, now)), ...rest };
}

/** The invitations that a person may accept or decline, newest first. */
export async function readOwnInvitations(
  connection: Sql,
  accountId: string,
  asked: CursorPage,
  now: Date,
): Promise<CursorRows<OwnInvitation>> {
  const own = await isFor(connection, accountId);
  const isOpen = sql`exists (select from ${organizations} where ${organizations.id} = ${invitations.organizationId} and ${organizations.deletedAt} is null)`;
  return cursorPage(
    connection,
    newestFirst(invitations, own, and(own, inState('pending', now), isOpen)),
    asked,
    connection
      .select({
        id: invitations.id,
        organizationId: invitations.organizationId,
        organization: organizations.name,
        role: invitations.role,
        invitedBy: accounts.name,
        createdAt: invitations.createdAt,
        expiresAt: invitations.expiresAt,
      })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
      .innerJoin(accounts, eq(accounts.id, invitations.invitedBy))
      .$dynamic(),
    ({ id }) => id,
  );
}

/** Gives its code. A pending one for the same target gets this role, inviter and end. It answers what staff proposed. */
export async function writeInvitation(
  tx: Sql,
  {
    invitee: { email, account, typed },
    ...invitation
  }: Pick<Invitation, 'organizationId' | 'invitedBy' | 'role' | 'createdAt' | 'expiresAt'> & {
    state: 'proposed' | 'pending';
    invitee: Invitee;
  },
): Promise<string> {
  const { role, invitedBy, expiresAt, organizationId } = invitation;
  const target = { email, accountId: account?.id ?? null };
  await tx
    .update(invitations)
    .set({ state: 'withdrawn' })
    .where(and(eq(invitations.state, 'proposed'), sameTarget(organizationId, target)));
  const [written] = await tx
    .insert(invitations)
    .values({
      ...invitation,
      id: newInvitationCode(),
      email,
      accountId: email === null ? (account?.id ?? null) : null,
      name: email === null ? typed : null,
    })
    .onConflictDoUpdate({
      target: [invitations.organizationId, email === null ? invitations.accountId : invitations.email],
      targetWhere: isPending,
      set: { role, invitedBy, expiresAt },
    })
    .returning({ id: invitations.id });
  return (written as { id: string }).id;
}

/** One that can still be withdrawn or sent again. Throws not_found and invitation_closed. */
export async function invitationOfOrganization(tx: Sql, organizationId: string, id: string): Promise<Invitation> {
  const [row] = await tx
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.organizationId, organizationId)));
  if (!row) throw problem('not_found', { what: id });
  if (row.state !== 'pending' && row.state !== 'proposed') throw problem('invitation_closed');
  return row;
}

/** Throws not_found for one that is for somebody else, or that nobody has sent. */
export async function invitationOfAccount(tx: Sql, accountId: string, id: string): Promise<Invitation> {
  const [row] = await tx
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), ne(invitations.state, 'proposed'), await isFor(tx, accountId)));
  if (!row) throw problem('not_found', { what: id });
  return row;
}

/** By the account, or by the address that it has proven and still has. */
export async function isFor(tx: Sql, accountId: string): Promise<SQL> {
  const email = (await accountOf(tx, accountId))?.email?.toLowerCase();
  const isTheirs = eq(invitations.accountId, accountId);
  return email === undefined ? isTheirs : sql`(${isTheirs} or ${eq(invitations.email, email)})`;
}
