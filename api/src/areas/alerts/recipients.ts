// The members of an organisation that a notification goes to.
import type { Language } from '@gantry/contract/fields/language.ts';
import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { accounts, memberships } from '../../platform/db/schema/people.ts';
import type { Mailboxes } from './mailboxes.ts';
import { NotDelivered } from './notifier.ts';

export interface Recipient {
  account: string;
  address: string;
  language: Language;
  /** It is no member's: the mail has a link that ends such mails. */
  isMailbox?: true;
}

interface Asked {
  organizationId: string;
  creator: string | undefined;
  to: string | undefined;
}

/**
 * The member with that verified address, or the mailbox that has confirmed it; without one the policy's creator, or the owners once
 * the creator has left.
 */
export async function mailRecipients(
  tx: Sql,
  { organizationId, creator, to }: Asked,
  mailboxes: Pick<Mailboxes, 'stateOf'>,
): Promise<Recipient[]> {
  const of = (whose: SQL | undefined) => members(tx, organizationId, accounts.email, whose);
  if (to === undefined) return orOwners(of, creator);
  const found = await of(eq(accounts.email, to.toLowerCase()));
  if (found.length > 0) return found;
  const mailbox = await mailboxes.stateOf(tx, organizationId, to);
  const why = mailbox?.state === 'unsubscribed' ? 'unsubscribed' : 'notConfirmed';
  if (mailbox?.state !== 'confirmed') throw new NotDelivered(why, { address: to }, true);
  const { address, language } = mailbox;
  return [{ account: '', address, language, isMailbox: true }];
}

/** The same by phone; `to` is an account's name. */
export async function phoneRecipients(tx: Sql, { organizationId, creator, to }: Asked): Promise<Recipient[]> {
  const of = (whose: SQL | undefined) => members(tx, organizationId, accounts.phone, whose);
  if (to === undefined) return orOwners(of, creator);
  const found = await of(sql`lower(${accounts.name}) = ${to.toLowerCase()}`);
  if (found.length === 0) throw new NotDelivered('notMember', { address: to }, true);
  return found;
}

/** The language of the policy's creator; of an owner once the creator has left. */
export async function languageOf(sql: Sql, { organizationId, creator }: Omit<Asked, 'to'>): Promise<Language> {
  const rows = await sql
    .select({ account: accounts.id, language: accounts.locale })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        or(eq(memberships.role, 'owner'), creator === undefined ? undefined : eq(accounts.id, creator)),
      ),
    )
    .orderBy(asc(accounts.id));
  return (rows.find(({ account }) => account === creator) ?? rows[0])?.language ?? 'en';
}

async function orOwners(
  of: (whose: SQL | undefined) => Promise<Recipient[]>,
  creator: string | undefined,
): Promise<Recipient[]> {
  const own = creator === undefined ? [] : await of(eq(accounts.id, creator));
  const found = own.length > 0 ? own : await of(eq(memberships.role, 'owner'));
  if (found.length === 0) throw new NotDelivered('noAddress', {}, true);
  return found;
}

async function members(
  tx: Sql,
  organizationId: string,
  address: typeof accounts.email | typeof accounts.phone,
  whose: SQL | undefined,
): Promise<Recipient[]> {
  const rows = await tx
    .select({ account: accounts.id, address, language: accounts.locale })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.organizationId, organizationId), isNotNull(address), isNull(accounts.disabledAt), whose));
  return rows.flatMap(({ address: to, ...row }) =>
    to === null ? [] : [{ ...row, address: to, language: row.language as Language }],
  );
}
