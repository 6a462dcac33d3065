// A new account: a proven address, a name nobody has, a password, and the terms in their present version.
import type { Language } from '@gantry/contract/fields/language.ts';
import { mayBeCalled } from '@gantry/contract/fields/person.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import type { Wakes } from '../organizations/organizations.ts';
import { demandHardToGuess } from '../sessions/guessable.ts';
import type { Passwords } from '../sessions/passwords.ts';
import { lookAtTicket, redeemTicket } from '../sessions/tickets.ts';
import { isEmail } from './find-account.ts';
import { type Account, makeAccount, type NewAccount } from './new-account.ts';

export interface RegisterParts {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  projection: Wakes;
  currency: string;
  termsVersion: string;
}

export interface RegisterWanted {
  name: string;
  password: string;
  ticket: string;
  termsVersion: string;
  locale: Language;
}

export class Registration {
  readonly #parts: RegisterParts;

  constructor(parts: RegisterParts) {
    this.#parts = parts;
  }

  /** The ticket is used up only by success: a taken name costs no new code. */
  async register(wanted: RegisterWanted): Promise<Account> {
    const { db, clock, passwords, termsVersion } = this.#parts;
    const now = clock.now();
    assertTerms(wanted.termsVersion, termsVersion);
    // Hashing is dear: nobody gets it without a ticket.
    const entitled = await lookAtTicket(db.sql, wanted.ticket, 'register', now);
    if (!entitled?.address) throw problem('registration_failed');
    const { address } = entitled;
    demandHardToGuess(wanted.password, { name: wanted.name, email: isEmail(address) ? address : null });
    const passwordHash = await passwords.hash(wanted.password);
    return await this.create(async (tx) => {
      const ticket = await redeemTicket(tx, wanted.ticket, 'register', now);
      if (!ticket?.address) throw problem('registration_failed');
      const email = isEmail(ticket.address) ? ticket.address : null;
      const phone = isEmail(ticket.address) ? null : ticket.address;
      if (!mayBeCalled(wanted.name, { email, phone })) throw problem('username_email', {}, { field: 'username' });
      const { name, locale } = wanted;
      const account = await makeAccount(tx, { ...this.base(), name, email, phone, passwordHash, locale, termsVersion });
      if (account) return account;
      if (await nameTaken(tx, name)) throw problem('username_taken', { name }, { field: 'username' });
      // Somebody has registered the address since the code was sent.
      throw problem('registration_failed');
    });
  }

  /** Makes an account in one transaction. Invitations of its address wait until they are accepted. */
  async create(make: (tx: Sql) => Promise<Account>): Promise<Account> {
    const { db, projection } = this.#parts;
    const { account, awake } = await db.transaction(async (tx) => {
      const made = await make(tx);
      const own = await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.personalOf, made.id));
      return { account: made, awake: own.map(({ id }) => id) };
    });
    for (const id of awake) projection.wake(id);
    return account;
  }

  base(): Pick<NewAccount, 'currency' | 'now'> {
    return { currency: this.#parts.currency, now: this.#parts.clock.now() };
  }
}

export function assertTerms(accepted: string | undefined, current: string): void {
  if (accepted !== current) throw problem('terms_not_accepted', { version: current }, { field: 'terms_version' });
}

export async function nameTaken(db: Sql, name: string): Promise<boolean> {
  const found = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`lower(${accounts.name}) = ${name.toLowerCase()}`);
  return found.length > 0;
}
