// Accounts that staff make from a file: each row by itself, so that one that is refused holds nobody up, and the same file again does
// the rest. Staff put nobody into an organisation: they propose, and its owners invite or not. Nobody gets a password: a mail says where its owner sets one, with a code that is sent to the same address.
import type { Language } from '@gantry/contract/fields/language.ts';
import { mayBeCalled } from '@gantry/contract/fields/person.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { type Channel, type MailQueue, queueMail } from '../../../platform/mail/mail-queue.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { writeInvitation } from '../organizations/invitation-rows.ts';
import { INVITED_FOR_MS } from '../organizations/invitations.ts';
import { living, lockLiving, type Wakes } from '../organizations/organizations.ts';
import { makeAccount } from './new-account.ts';

/** The Organization resource takes as many. */
const MOST_MEMBERS = 1000;

export interface ImportRow {
  line: number;
  name: string;
  email?: string | undefined;
  phone?: string | undefined;
  organizationId?: string | undefined;
  role?: OrgRole | undefined;
  locale?: Language | undefined;
}

export interface ImportVerdict {
  line: number;
  name: string;
  outcome: 'new' | 'made' | 'exists' | 'refused';
  problem?: Problem;
  accountId?: string;
  /** For an account that was made: the organisation it is proposed to. */
  proposed?: { id: string; name: string; role: OrgRole };
}

export interface AccountImportParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  mails: Pick<MailQueue, 'can' | 'wake'>;
  projection: Wakes;
  currency: string;
  publicUrl: string;
}

export class AccountImport {
  readonly #parts: AccountImportParts;

  constructor(parts: AccountImportParts) {
    this.#parts = parts;
  }

  /** The outcome that each row would have; writes nothing. */
  async look(rows: readonly ImportRow[]): Promise<ImportVerdict[]> {
    return this.#each(rows, async (row) => {
      const found = await this.#known(this.#parts.db.sql, row);
      if (found) return { outcome: 'exists', accountId: found };
      const open = row.organizationId === undefined ? undefined : await organizationOf(this.#parts.db.sql, row);
      if (open) await demandRoom(this.#parts.db.sql, open.id);
      return { outcome: 'new' };
    });
  }

  /** `staff`: the account of whoever imports. */
  async make(rows: readonly ImportRow[], staff: string): Promise<ImportVerdict[]> {
    const { db, projection, mails } = this.#parts;
    const verdicts = await this.#each(rows, async (row) => {
      const { made, accountId, awake, proposed } = await db.transaction((tx) => this.#make(tx, row, staff));
      for (const id of awake) projection.wake(id);
      return { outcome: made ? 'made' : 'exists', accountId, ...(proposed && { proposed }) };
    });
    mails.wake();
    return verdicts;
  }

  async #each(
    rows: readonly ImportRow[],
    decide: (row: ImportRow) => Promise<Pick<ImportVerdict, 'outcome' | 'accountId' | 'proposed'>>,
  ): Promise<ImportVerdict[]> {
    const earlier = new Map<string, number>();
    const verdicts: ImportVerdict[] = [];
    for (const row of rows) {
      const { line, name } = row;
      const refusal = this.#refusalOf(row) ?? repetitionOf(row, earlier);
      if (refusal) verdicts.push({ line, name, outcome: 'refused', problem: refusal });
      else
        verdicts.push(
          await decide(row).then(
            (verdict) => ({ line, name, ...verdict }),
            (error: unknown) => {
              if (!(error instanceof Problem)) throw error;
              return { line, name, outcome: 'refused' as const, problem: error };
            },
          ),
        );
    }
    return verdicts;
  }

  /** The refusal that follows from the row alone. */
  #refusalOf({ name, email, phone, organizationId, role }: ImportRow): Problem | undefined {
    if (email === undefined && phone === undefined) return problem('import_address_missing', {}, { field: 'email' });
    if (!mayBeCalled(name, { email: email ?? null, phone: phone ?? null }))
      return problem('username_email', {}, { field: 'name' });
    if (role !== undefined && organizationId === undefined) return problem('import_role_alone', {}, { field: 'role' });
    // The right to hand an organisation on is given by its owners, never by staff.
    if (role === 'owner' || role === 'admin') return problem('import_role_high', {}, { field: 'role' });
    const type = channelOf({ email });
    return this.#parts.mails.can(type) ? undefined : problem('cannot_send', { type }, { field: type });
  }

  /** The account that this row made before; throws where somebody else has its name or address. */
  async #known(tx: Sql, { name, email, phone }: ImportRow): Promise<string | undefined> {
    const sameName = sql`lower(${accounts.name}) = ${name.toLowerCase()}`;
    const sameEmail = email === undefined ? undefined : sql`lower(${accounts.email}) = ${email}`;
    const samePhone = phone === undefined ? undefined : eq(accounts.phone, phone);
    const found = await tx
      .select({ id: accounts.id, name: accounts.name, email: accounts.email, phone: accounts.phone })
      .from(accounts)
      .where(or(sameName, sameEmail, samePhone));
    const [one] = found;
    if (!one) return undefined;
    const isSame =
      found.length === 1 &&
      one.name.toLowerCase() === name.toLowerCase() &&
      (email === undefined || one.email?.toLowerCase() === email) &&
      (phone === undefined || one.phone === phone);
    if (isSame) return one.id;
    if (found.some((each) => each.name.toLowerCase() === name.toLowerCase()))
      throw problem('username_taken', { name }, { field: 'name' });
    const isEmail = found.some((each) => each.email !== null && each.email.toLowerCase() === email);
    throw problem('address_taken', {}, { field: isEmail ? 'email' : 'phone' });
  }

  async #make(
    tx: Sql,
    row: ImportRow,
    staff: string,
  ): Promise<{ made: boolean; accountId: string; awake: string[]; proposed?: ImportVerdict['proposed'] }> {
    const { clock, secrets, currency, publicUrl } = this.#parts;
    const known = await this.#known(tx, row);
    if (known) return { made: false, accountId: known, awake: [] };
    const now = clock.now();
    const { name, email = null, phone = null, locale = 'en', organizationId, role = 'member' } = row;
    // Everything that changes members or counts them locks the organisation's row first.
    const open = organizationId === undefined ? undefined : await lockLiving(tx, organizationId);
    if (organizationId !== undefined && !open)
      throw problem('not_found', { what: organizationId }, { field: 'organization' });
    if (open) await demandRoom(tx, open.id);
    const account = await makeAccount(tx, { name, email, phone, locale, currency, now });
    // Somebody registered it a moment ago.
    if (!account) throw problem('username_taken', { name }, { field: 'name' });
    if (open)
      await writeInvitation(tx, {
        ...{ organizationId: open.id, invitedBy: staff, role, state: 'proposed' },
        invitee: { typed: account.name, email: null, account },
        ...{ createdAt: new Date(now), expiresAt: new Date(now + INVITED_FOR_MS) },
      });
    const channel = channelOf(row);
    await queueMail(
      tx,
      secrets,
      {
        channel,
        address: email ?? phone ?? '',
        template: open ? 'accountMadeIn' : 'accountMade',
        language: locale,
        args: { name, url: `${publicUrl}/forgot`, ...(open && { organization: open.name }) },
      },
      now,
    );
    const own = await tx
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.personalOf, account.id));
    return {
      made: true,
      accountId: account.id,
      awake: own.map(({ id }) => id),
      ...(open && { proposed: { id: open.id, name: open.name, role } }),
    };
  }
}

const channelOf = ({ email }: Pick<ImportRow, 'email'>): Channel => (email === undefined ? 'phone' : 'email');

async function organizationOf(db: Sql, { organizationId = '' }: ImportRow): Promise<{ id: string }> {
  const [found] = await db.select({ id: organizations.id }).from(organizations).where(living(organizationId));
  if (!found) throw problem('not_found', { what: organizationId }, { field: 'organization' });
  return found;
}

async function demandRoom(db: Sql, organizationId: string): Promise<void> {
  const members = await db.$count(memberships, eq(memberships.organizationId, organizationId));
  const proposed = and(eq(invitations.organizationId, organizationId), eq(invitations.state, 'proposed'));
  if (members + (await db.$count(invitations, proposed)) >= MOST_MEMBERS)
    throw problem('too_many_members', { most: MOST_MEMBERS }, { field: 'organization' });
}

/** The first line with a name or an address has it. */
function repetitionOf({ line, name, email, phone }: ImportRow, earlier: Map<string, number>): Problem | undefined {
  const own = Object.entries({ name: name.toLowerCase(), email, phone }).filter(([, value]) => value !== undefined);
  for (const [what, value] of own) {
    const first = earlier.get(`${what} ${value}`);
    if (first !== undefined) return problem('import_repeated', { line: first, what }, { field: what });
  }
  for (const [what, value] of own) earlier.set(`${what} ${value}`, line);
  return undefined;
}
