// Accounts that staff make from a file: each row by itself, so that one that is refused holds nobody up, and the same file again does
// the rest. Nobody gets a password: a mail says where its owner sets one, with a code that is sent to the same address.
import type { Language } from '@gantry/contract/fields/language.ts';
import { mayBeCalled } from '@gantry/contract/fields/person.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, or, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { accounts, memberships, organizations } from '../../db/schema/people.ts';
import { type Channel, type MailQueue, queueMail } from '../mail/mail-queue.ts';
import { living, lockLiving, raiseRevision, type Wakes } from '../organizations/organizations.ts';
import type { Secrets } from '../secrets.ts';
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
  /** Of an account that was made: the organisation it joined. */
  joined?: { id: string; name: string; role: OrgRole };
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

  /** What would become of each row; writes nothing. */
  async look(rows: readonly ImportRow[]): Promise<ImportVerdict[]> {
    return this.#each(rows, async (row) => {
      const found = await this.#known(this.#parts.db.sql, row);
      if (found) return { outcome: 'exists', accountId: found };
      const joining = row.organizationId === undefined ? undefined : await organizationOf(this.#parts.db.sql, row);
      if (joining) await demandRoom(this.#parts.db.sql, joining.id);
      return { outcome: 'new' };
    });
  }

  async make(rows: readonly ImportRow[]): Promise<ImportVerdict[]> {
    const { db, projection, mails } = this.#parts;
    const verdicts = await this.#each(rows, async (row) => {
      const { made, accountId, awake, joined } = await db.transaction((tx) => this.#make(tx, row));
      for (const id of awake) projection.wake(id);
      return { outcome: made ? 'made' : 'exists', accountId, ...(joined && { joined }) };
    });
    mails.wake();
    return verdicts;
  }

  async #each(
    rows: readonly ImportRow[],
    decide: (row: ImportRow) => Promise<Pick<ImportVerdict, 'outcome' | 'accountId' | 'joined'>>,
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

  /** What the row alone says. */
  #refusalOf({ name, email, phone, organizationId, role }: ImportRow): Problem | undefined {
    if (email === undefined && phone === undefined) return problem('import_address_missing', {}, { field: 'email' });
    if (!mayBeCalled(name, { email: email ?? null, phone: phone ?? null }))
      return problem('username_email', {}, { field: 'name' });
    if (role !== undefined && organizationId === undefined) return problem('import_role_alone', {}, { field: 'role' });
    // Who may hand an organisation on is decided by its owners, never by staff.
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
  ): Promise<{ made: boolean; accountId: string; awake: string[]; joined?: ImportVerdict['joined'] }> {
    const { clock, secrets, currency, publicUrl } = this.#parts;
    const known = await this.#known(tx, row);
    if (known) return { made: false, accountId: known, awake: [] };
    const now = clock.now();
    const { name, email = null, phone = null, locale = 'en', organizationId, role = 'member' } = row;
    // Everything that changes members locks the organisation's row first.
    const joined = organizationId === undefined ? undefined : await lockLiving(tx, organizationId);
    if (organizationId !== undefined && !joined)
      throw problem('not_found', { what: organizationId }, { field: 'organization' });
    if (joined) await demandRoom(tx, joined.id);
    const account = await makeAccount(tx, { name, email, phone, locale, currency, now });
    // Somebody registered it a moment ago.
    if (!account) throw problem('username_taken', { name }, { field: 'name' });
    if (joined) {
      await tx
        .insert(memberships)
        .values({ organizationId: joined.id, accountId: account.id, role, createdAt: new Date(now) });
      await raiseRevision(tx, joined.id);
    }
    const channel = channelOf(row);
    await queueMail(
      tx,
      secrets,
      {
        channel,
        address: email ?? phone ?? '',
        template: joined ? 'accountMadeIn' : 'accountMade',
        language: locale,
        args: { name, url: `${publicUrl}/forgot`, ...(joined && { organization: joined.name }) },
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
      awake: [...own.map(({ id }) => id), ...(joined ? [joined.id] : [])],
      ...(joined && { joined: { id: joined.id, name: joined.name, role } }),
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
  if (members >= MOST_MEMBERS) throw problem('too_many_members', { most: MOST_MEMBERS }, { field: 'organization' });
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
