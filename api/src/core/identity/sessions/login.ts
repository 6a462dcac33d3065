// Logging in with a password, and with a second factor if it is on. A failure does not reveal whether the account exists, by text
// or by time.
import type { SignInWay } from '@gantry/contract/areas/identity/admin-people.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../../platform/db/open.ts';
import { type Secrets, sha256 } from '../../../platform/secrets.ts';
import { accountOf, findAccount } from '../people/find-account.ts';
import type { Account } from '../people/new-account.ts';
import { guarded, noteSuccess } from './lockout.ts';
import type { Passwords } from './passwords.ts';
import type { LoginOrigin, NewSession, Sessions } from './sessions.ts';
import { noteSignIn, outcomeOf } from './sign-ins.ts';
import { issueTicket, redeemTicket, tryTicket } from './tickets.ts';
import { hasTotp, takeSecondFactor } from './totp.ts';

export interface LoginParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  passwords: Passwords;
  sessions: Sessions;
}

/** A token, or the next step: the second factor with the ticket, or a new password. */
export type LoginOutcome =
  | { session: NewSession }
  | { secondFactor: true; ticket: string }
  | { mustChangePassword: true; ticket: string };

export class Login {
  readonly #parts: LoginParts;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  async byPassword(typed: { account: string; password: string }, origin: LoginOrigin): Promise<LoginOutcome> {
    const { db, clock, passwords } = this.#parts;
    const now = clock.now();
    const account = await findAccount(db.sql, typed.account);
    // A name that nobody has is counted like one that somebody has; it may be a password in the wrong field, so hashed.
    const who = account?.id ?? `nobody ${sha256(typed.account.trim().toLowerCase())}`;
    return this.#noted({ accountId: account?.id, way: 'password' }, origin, async () => {
      const right = await guarded(db.sql, { who, network: origin.network, now }, () =>
        passwords.verify(account?.passwordHash, typed.password),
      );
      if (!right || !account) throw problem('login_failed');
      if (account.mustChangePassword) {
        assertOpenAccount(account);
        const ticket = await issueTicket(db.sql, { purpose: 'reset', accountId: account.id }, now);
        return { mustChangePassword: true, ticket };
      }
      return this.#afterFirstFactor(account, origin);
    });
  }

  /** The person has been authenticated once, by a login provider. */
  afterProvider(account: Account, origin: LoginOrigin): Promise<LoginOutcome> {
    return this.#noted({ accountId: account.id, way: 'provider' }, origin, () =>
      this.#afterFirstFactor(account, origin),
    );
  }

  async #afterFirstFactor(account: Account, origin: LoginOrigin): Promise<LoginOutcome> {
    const { db, clock } = this.#parts;
    assertOpenAccount(account);
    if (!(await hasTotp(db.sql, account.id))) return { session: await this.#begin(account.id, origin) };
    const ticket = await issueTicket(db.sql, { purpose: 'secondFactor', accountId: account.id }, clock.now());
    return { secondFactor: true, ticket };
  }

  async bySecondFactor(answer: { ticket: string; code: string }, origin: LoginOrigin): Promise<LoginOutcome> {
    const { db, clock, secrets } = this.#parts;
    const now = clock.now();
    const ticket = await tryTicket(db.sql, answer.ticket, 'secondFactor', now);
    if (!ticket?.accountId) throw problem('login_over');
    const { accountId } = ticket;
    return this.#noted({ accountId, way: 'secondFactor' }, origin, async () => {
      const right = await guarded(db.sql, { who: accountId, network: origin.network, now }, () =>
        takeSecondFactor(db.sql, secrets, accountId, answer.code, now),
      );
      if (!right) throw problem('code_wrong', {}, { field: 'code' });
      const account = await accountOf(db.sql, accountId);
      if (!account || !(await redeemTicket(db.sql, answer.ticket, 'secondFactor', now))) throw problem('login_over');
      assertOpenAccount(account);
      return { session: await this.#begin(account.id, origin) };
    });
  }

  /** Into the account's history, whichever way it went: a step that leads to another one is none yet. */
  async #noted(
    { accountId, way }: { accountId: string | undefined; way: SignInWay },
    origin: LoginOrigin,
    attempt: () => Promise<LoginOutcome>,
  ): Promise<LoginOutcome> {
    const { db, clock } = this.#parts;
    const note = async (outcome: ReturnType<typeof outcomeOf>) => {
      if (outcome !== undefined) await noteSignIn(db.sql, { accountId, way, outcome }, origin, clock.now());
    };
    try {
      const outcome = await attempt();
      if ('session' in outcome) await note('signedIn');
      else if ('mustChangePassword' in outcome) await note('mustChangePassword');
      return outcome;
    } catch (error) {
      await note(outcomeOf(error));
      throw error;
    }
  }

  async #begin(accountId: string, origin: LoginOrigin): Promise<NewSession> {
    const { db, clock, sessions } = this.#parts;
    await noteSuccess(db.sql, accountId, origin.network, clock.now());
    return sessions.begin(db.sql, accountId, origin);
  }
}

function assertOpenAccount(account: Account): void {
  if (account.disabledAt) throw problem('account_closed');
}
