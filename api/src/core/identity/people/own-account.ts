// Changes that people make to themselves: name, language, password, address, second factor. A stolen session cannot take the
// account over: password, address and second factor require the password again.
import type { Language } from '@gantry/contract/fields/language.ts';
import { mayBeCalled } from '@gantry/contract/fields/person.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { isUniqueViolation } from '../../../platform/db/sqlstate.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { type MailQueue, queueMail } from '../../../platform/mail/mail-queue.ts';
import type { TemplateName } from '../../../platform/mail/mail-templates.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { revokeCredentials } from '../organizations/memberships.ts';
import { demandHardToGuess } from '../sessions/guessable.ts';
import { guarded, reopen } from '../sessions/lockout.ts';
import type { Passwords } from '../sessions/passwords.ts';
import type { LoginOrigin, NewSession, Sessions } from '../sessions/sessions.ts';
import { lookAtTicket, redeemTicket } from '../sessions/tickets.ts';
import { confirmTotp, dropTotp, enrolTotp, hasTotp } from '../sessions/totp.ts';
import { accountOf, isEmail } from './find-account.ts';
import type { Account } from './new-account.ts';
import { nameTaken } from './register.ts';
import type { Verification } from './verification.ts';

export interface OwnAccountParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  passwords: Passwords;
  sessions: Sessions;
  mails: MailQueue;
  /** After a commit: kubeconfigs that were revoked are taken away. */
  leftovers: { wake(): void };
  verification: Verification;
}

export interface Change {
  name?: string | undefined;
  locale?: Language | undefined;
  oldPassword?: string | undefined;
  password?: string | undefined;
  /** With a new password: API tokens and kubeconfigs stay. */
  keepsTokens?: boolean | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  /** That was sent to the new address. */
  code?: string | undefined;
}

type Revoked = Awaited<ReturnType<typeof revokeCredentials>>;

export interface Changed {
  /** With a new password. */
  begun?: NewSession;
  revoked?: Revoked;
}

export class OwnAccount {
  readonly #parts: OwnAccountParts;

  constructor(parts: OwnAccountParts) {
    this.#parts = parts;
  }

  async read(id: string): Promise<Account & { hasTotp: boolean }> {
    const { sql: db } = this.#parts.db;
    const account = await accountOf(db, id);
    if (!account) throw problem('not_found', { what: id });
    return { ...account, hasTotp: await hasTotp(db, id) };
  }

  /**
   * A new password ends every session; the one that changed it continues with a new token. API tokens and kubeconfigs are revoked
   * unless the caller keeps them: anyone with the old password may have created some.
   */
  async change(caller: Caller, wanted: Change, origin: LoginOrigin): Promise<Changed> {
    const { passwords, sessions, mails, verification, leftovers } = this.#parts;
    const account = await this.read(caller.account.id);
    if (wanted.email !== undefined && wanted.phone !== undefined) throw problem('email_rule', {}, { field: 'email' });
    const address = wanted.email ?? wanted.phone;
    if (wanted.password !== undefined || address !== undefined)
      await this.#demandPassword(account, wanted.oldPassword, origin.network);
    if (wanted.password !== undefined && wanted.password === wanted.oldPassword)
      throw problem('password_same', {}, { field: 'password' });
    if (address !== undefined && !(await verification.proves('contact', address, wanted.code ?? '', origin.network)))
      throw problem('code_wrong', {}, { field: 'code' });
    const email = wanted.email ?? account.email;
    const phone = wanted.phone ?? account.phone;
    const isCalledAnew = wanted.name !== undefined || address !== undefined;
    if (isCalledAnew && !mayBeCalled(wanted.name ?? account.name, { email, phone }))
      throw problem('username_email', {}, { field: 'username' });
    if (wanted.password !== undefined) demandHardToGuess(wanted.password, { name: wanted.name ?? account.name, email });
    const passwordHash = wanted.password === undefined ? undefined : await passwords.hash(wanted.password);
    const changed = await this.#write(account, wanted, async (tx) => {
      await tx
        .update(accounts)
        .set({
          ...(wanted.name !== undefined && { name: wanted.name }),
          ...(wanted.locale !== undefined && { locale: wanted.locale }),
          ...(passwordHash !== undefined && { passwordHash, mustChangePassword: false }),
          ...(wanted.email !== undefined && { email }),
          ...(wanted.phone !== undefined && { phone }),
        })
        .where(eq(accounts.id, account.id));
      const former = wanted.email !== undefined ? account.email : wanted.phone !== undefined ? account.phone : null;
      if (former !== null && former !== address) await this.#tell(tx, account, 'contactChanged', former);
      return passwordHash === undefined
        ? {}
        : this.#endOld(tx, { caller, account, wanted, address: email ?? phone, origin });
    });
    sessions.forget({ accountId: account.id });
    leftovers.wake();
    mails.wake();
    return changed;
  }

  /** Sessions end with the old password, and so do API tokens and kubeconfigs unless the caller keeps them. */
  async #endOld(
    tx: Sql,
    {
      caller,
      account,
      wanted,
      address,
      origin,
    }: { caller: Caller; account: Account; wanted: Change; address: string | null; origin: LoginOrigin },
  ): Promise<Changed> {
    const { clock, sessions } = this.#parts;
    const revoked = wanted.keepsTokens ? undefined : await revokeCredentials(tx, account.id, clock.now());
    await this.#tell(tx, account, revoked ? 'passwordChanged' : 'passwordChangedAlone', address);
    await sessions.endAll(tx, { accountId: account.id });
    const begun = await sessions.begin(tx, account.id, origin, caller.organization.id);
    return { begun, ...(revoked && { revoked }) };
  }

  /** By a ticket that a code, or a login with a password that must be changed, gave. API tokens and kubeconfigs are revoked. */
  async resetPassword(
    ticket: string,
    password: string,
    network: string,
  ): Promise<{ accountId: string; revoked: Revoked }> {
    const { db, clock, passwords, sessions, mails, leftovers } = this.#parts;
    const now = clock.now();
    const entitled = (await lookAtTicket(db.sql, ticket, 'reset', now))?.accountId;
    const account = entitled ? await accountOf(db.sql, entitled) : undefined;
    if (!account) throw problem('modification_failed');
    const { id: accountId, passwordHash: old } = account;
    if (old !== null && (await passwords.verify(old, password)))
      throw problem('password_same', {}, { field: 'password' });
    demandHardToGuess(password, account);
    const passwordHash = await passwords.hash(password);
    const revoked = await db.transaction(async (tx) => {
      if (!(await redeemTicket(tx, ticket, 'reset', now))) throw problem('modification_failed');
      await tx.update(accounts).set({ passwordHash, mustChangePassword: false }).where(eq(accounts.id, accountId));
      await sessions.endAll(tx, { accountId });
      await reopen(tx, accountId, network, now);
      await this.#tell(tx, account, 'passwordChanged', account.email ?? account.phone);
      return revokeCredentials(tx, accountId, now);
    });
    sessions.forget({ accountId });
    leftovers.wake();
    mails.wake();
    return { accountId, revoked };
  }

  /** The secret is shown this once, and counts once a code has confirmed it. */
  async enrolTotp(
    caller: Caller,
    password: string | undefined,
    network: string,
  ): Promise<{ secret: string; uri: string }> {
    const account = await this.read(caller.account.id);
    await this.#demandPassword(account, password, network);
    const made = await enrolTotp(this.#parts.db.sql, this.#parts.secrets, account);
    if (!made) throw problem('totp_on');
    return made;
  }

  async confirmTotp(caller: Caller, code: string): Promise<string[]> {
    const { db, secrets, clock } = this.#parts;
    if (await hasTotp(db.sql, caller.account.id)) throw problem('totp_on');
    const codes = await db.transaction(async (tx) => {
      const confirmed = await confirmTotp(tx, secrets, caller.account.id, code, clock.now());
      if (confirmed) await this.#endOthers(tx, caller);
      return confirmed;
    });
    if (!codes) throw problem('code_wrong', {}, { field: 'code' });
    this.#parts.sessions.forget({ accountId: caller.account.id });
    return codes;
  }

  async dropTotp(caller: Caller, password: string | undefined, network: string): Promise<void> {
    const account = await this.read(caller.account.id);
    if (!account.hasTotp) throw problem('totp_off');
    await this.#demandPassword(account, password, network);
    await this.#parts.db.transaction(async (tx) => {
      await dropTotp(tx, account.id);
      await this.#endOthers(tx, caller);
    });
    this.#parts.sessions.forget({ accountId: account.id });
  }

  /** Other sessions were opened with different proofs than are required from now on. */
  async #endOthers(tx: Sql, { account, session }: Caller): Promise<void> {
    await this.#parts.sessions.endAll(tx, { accountId: account.id, but: session.id });
  }

  /** Somebody without one, who logs in through a provider alone, is not asked for it. Guessing is limited as at login. */
  async #demandPassword(account: Account, typed: string | undefined, network: string): Promise<void> {
    if (account.passwordHash === null) return;
    const { db, clock, passwords } = this.#parts;
    const now = clock.now();
    const { passwordHash } = account;
    const isRight = () => passwords.verify(passwordHash, typed ?? '');
    if (typed !== undefined && (await guarded(db.sql, { who: account.id, network, now }, isRight))) return;
    throw problem('old_password_wrong', {}, { field: 'old_password' });
  }

  async #write<T>(account: Account, wanted: Change, write: (tx: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#parts.db.transaction(write);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const name = wanted.name ?? account.name;
      if (name.toLowerCase() !== account.name.toLowerCase() && (await nameTaken(this.#parts.db.sql, name)))
        throw problem('username_taken', { name }, { field: 'username' });
      throw problem('address_taken', {}, { field: wanted.email === undefined ? 'phone' : 'email' });
    }
  }

  async #tell(tx: Sql, account: Account, template: TemplateName, address: string | null): Promise<void> {
    const { clock, secrets, mails } = this.#parts;
    const channel = address !== null && isEmail(address) ? 'email' : 'phone';
    if (address === null || !mails.can(channel)) return;
    const args = { name: account.name };
    await queueMail(tx, secrets, { channel, address, template, language: account.locale, args }, clock.now());
  }
}
