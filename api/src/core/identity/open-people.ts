// Puts together everything that knows who somebody is.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { type Channel, type Log, MailQueue, queueMail } from '../../platform/mail/mail-queue.ts';
import { mailSender } from '../../platform/mail/send-mail.ts';
import { textSender } from '../../platform/mail/send-text.ts';
import type { Adapter } from '../../platform/mail/signed-post.ts';
import { Secrets } from '../../platform/secrets.ts';
import { bootstrap, type FirstAdministrator } from './bootstrap.ts';
import { invitationArgs } from './organizations/invitation-letter.ts';
import type { Letter } from './organizations/invitations.ts';
import type { Wakes } from './organizations/organizations.ts';
import { AccountImport } from './people/account-import.ts';
import { Captcha } from './people/captcha.ts';
import { OwnAccount } from './people/own-account.ts';
import { Registration } from './people/register.ts';
import { Verification } from './people/verification.ts';
import { Login } from './sessions/login.ts';
import { Passwords } from './sessions/passwords.ts';
import { type Provider, ProviderLogins } from './sessions/provider-login.ts';
import { type SessionParts, Sessions } from './sessions/sessions.ts';
import { sweepIdentity } from './sweep.ts';

const SWEEP_MS = 3_600_000;

export interface PeopleParts {
  db: Database;
  clock: Clock;
  log: Log;
  /** Hears of organisations that the cluster has to know. */
  projection: Wakes;
  /** Removes what was revoked. */
  leftovers: { wake(): void };
  /** The owner of an API token, by its SHA-256. */
  apiToken?: SessionParts['apiToken'];
  /** 32 bytes or more: codes, sealed secrets and puzzles derive from it. Another one makes them worthless. */
  platformKey: Uint8Array;
  /** The address at which browsers find the console and the API. */
  publicUrl: string;
  currency: string;
  termsVersion: string;
  registerType: Channel;
  /** Empty: no mail is sent. */
  smtpUrl: string;
  mailFrom: string;
  texts?: Adapter | undefined;
  providers: readonly Provider[];
  /** They throw while staff have closed it. Absent: everything is open. */
  open?: { registration(language: Language): void; providerLogin(language: Language): void };
  /** For tests: how much work a puzzle is. */
  puzzleSteps?: number;
}

export interface People {
  sessions: Sessions;
  login: Login;
  providers: ProviderLogins;
  registration: Registration;
  verification: Verification;
  own: OwnAccount;
  /** Accounts that staff make from a file. */
  accountImport: AccountImport;
  mails: MailQueue;
  secrets: Secrets;
  /** The address at which browsers go on after a provider. */
  publicUrl: string;
  /** Writes to a person without an account, in the transaction that stores the invitation. */
  invite(tx: Sql, invitation: Letter): Promise<void>;
  /** Makes the first administrator, and tells the password once: where telling fails, there is none. */
  bootstrap(
    tell: (administrator: FirstAdministrator) => Promise<void>,
    chosen?: string,
  ): Promise<FirstAdministrator | undefined>;
  /** Starts to send mails and to delete expired rows. */
  start(): void;
  stop(): Promise<void>;
}

export function openPeople(parts: PeopleParts): People {
  const { db, clock, log, projection, currency, termsVersion, registerType } = parts;
  const publicUrl = parts.publicUrl.replace(/\/+$/, '');
  const secrets = new Secrets(parts.platformKey);
  const passwords = new Passwords();
  const sessions = new Sessions({ db, clock, apiToken: parts.apiToken });
  const mailer = parts.smtpUrl ? mailSender(parts.smtpUrl, parts.mailFrom) : undefined;
  const mails = new MailQueue({
    db: db.sql,
    secrets,
    clock,
    log,
    senders: {
      ...(mailer && { email: mailer }),
      ...(parts.texts && { phone: textSender(parts.texts, () => clock.now()) }),
    },
  });
  const captcha = new Captcha(secrets, parts.puzzleSteps);
  const verification = new Verification({ db, clock, secrets, captcha, mails, registerType, open: parts.open });
  const registration = new Registration({ db, clock, passwords, projection, currency, termsVersion });
  const login = new Login({ db, clock, secrets, passwords, sessions });
  const own = new OwnAccount({
    db,
    clock,
    secrets,
    passwords,
    sessions,
    mails,
    verification,
    leftovers: parts.leftovers,
  });
  const providers = new ProviderLogins({
    db,
    clock,
    login,
    registration,
    providers: parts.providers,
    callbackUrl: `${publicUrl}/api/auth/v1/login/callback`,
    termsVersion,
    log,
    open: parts.open,
  });
  let callOff: (() => void) | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  const sweep = (): void => {
    sweeping = sweepIdentity(db.sql, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'What is over could not be cleared away');
    });
    callOff = clock.after(SWEEP_MS, sweep);
  };
  return {
    sessions,
    login,
    providers,
    registration,
    verification,
    own,
    accountImport: new AccountImport({ db, clock, secrets, mails, projection, currency, publicUrl }),
    mails,
    secrets,
    publicUrl,
    async invite(tx, invitation) {
      if (!mails.can('email')) return;
      const { email, language, hasAccount } = invitation;
      const args = invitationArgs(invitation, { publicUrl, registerType });
      const template = hasAccount ? 'invitedAccount' : 'invited';
      await queueMail(tx, secrets, { channel: 'email', address: email, template, language, args }, clock.now());
    },
    bootstrap: (tell, chosen) => bootstrap({ db, clock, passwords, currency, projection, tell, chosen }),
    start() {
      mails.wake();
      sweep();
    },
    async stop() {
      callOff?.();
      await Promise.all([mails.stop(), sweeping]);
      mailer?.close();
    },
  };
}
