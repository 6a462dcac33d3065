// Verifying an address: a solved puzzle, a code to the address, the code back, a ticket for the next step. Only the address
// itself learns whether it has an account, never the caller.
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { count } from '../../../platform/db/counters.ts';
import type { Database } from '../../../platform/db/open.ts';
import { type Channel, type MailQueue, type NewMail, queueMail } from '../../../platform/mail/mail-queue.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { isKnown } from '../sessions/lockout.ts';
import { issueTicket } from '../sessions/tickets.ts';
import type { Captcha, Puzzle } from './captcha.ts';
import { CODE_LIFE_MS, type CodePurpose, newCode, proveAddress, RESEND_AFTER_MS } from './codes.ts';
import { accountAt } from './find-account.ts';

const HOUR_MS = 3_600_000;
const PER_ADDRESS = { most: 10, windowMs: 24 * HOUR_MS };
const PER_IP = { most: 100, windowMs: HOUR_MS };
const WRONG_PER_IP = { most: 50, windowMs: HOUR_MS / 4 };

export interface VerificationParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  captcha: Captcha;
  mails: MailQueue;
  registerType: Channel;
  /** Throws while staff have closed registration. */
  open?: { registration(language: Language): void } | undefined;
}

export interface CodeWanted {
  channel: Channel;
  purpose: CodePurpose;
  address: string;
  /** The puzzle widget's output. */
  captcha: string;
  /** The key by which codes and guesses are counted. */
  network: string;
  language: Language;
}

export class Verification {
  readonly #parts: VerificationParts;

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  puzzle(): Promise<Puzzle> {
    return this.#parts.captcha.puzzle(this.#parts.clock.now());
  }

  /** Returns after how many seconds another code may be requested. The answer is the same whoever owns the address. */
  async sendCode({ channel, purpose, address, captcha, network, language }: CodeWanted): Promise<number> {
    const { db, clock, secrets, mails, registerType } = this.#parts;
    const now = clock.now();
    if (purpose === 'register') this.#parts.open?.registration(language);
    if (purpose === 'register' && channel !== registerType)
      throw problem('register_type_closed', { type: registerType });
    if (!mails.can(channel)) throw problem('cannot_send', { type: channel });
    if (!(await this.#parts.captcha.solved(db.sql, captcha, now)))
      throw problem('captcha_missing', {}, { field: 'captcha' });
    await this.#limit(`code@${network}`, PER_IP, now);
    const owner = await accountAt(db.sql, address);
    // In a network that its owner used before, strangers who use up an address's codes take none away.
    const isOwners = owner !== undefined && (await isKnown(db.sql, owner.id, network, now));
    await this.#limit(isOwners ? `code:${address}@${network}` : `code:${address}`, PER_ADDRESS, now);
    await db.transaction(async (tx) => {
      const made = await newCode(tx, secrets, purpose, address, now);
      if ('waitSeconds' in made) {
        const seconds = made.waitSeconds;
        throw problem('code_too_soon', { seconds }, { retryAfterSeconds: seconds });
      }
      const account = await accountAt(tx, address);
      const theCode = { template: 'code', args: { code: made.code }, lifeMs: CODE_LIFE_MS } as const;
      const mail = letterFor(purpose, theCode, account);
      if (mail) await queueMail(tx, secrets, { ...mail, channel, address, language: account?.locale ?? language }, now);
    });
    mails.wake();
    return RESEND_AFTER_MS / 1_000;
  }

  /** A ticket for the right code. Throws code_wrong for anything else, be it old, used or guessed at too often. */
  async verify(purpose: 'register' | 'reset', address: string, code: string, network: string): Promise<string> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const right = await this.proves(purpose, address, code, network);
    const account = purpose === 'reset' ? await accountAt(db.sql, address) : undefined;
    if (!right || (purpose === 'reset' && !account)) throw problem('code_wrong', {}, { field: 'code' });
    return issueTicket(db.sql, { purpose, address, ...(account && { accountId: account.id }) }, now);
  }

  /** Uses the code up. Throws too_many_attempts when too many wrong ones came from there. */
  async proves(purpose: CodePurpose, address: string, code: string, network: string): Promise<boolean> {
    const { db, clock, secrets } = this.#parts;
    const now = clock.now();
    const right = await proveAddress(db.sql, secrets, purpose, address, code, now);
    if (!right) await this.#limit(`code wrong@${network}`, WRONG_PER_IP, now);
    return right;
  }

  async #limit(key: string, limit: { most: number; windowMs: number }, now: number): Promise<void> {
    const seconds = await count(this.#parts.db.sql, key, limit, now);
    if (seconds > 0) throw problem('too_many_attempts', { seconds }, { retryAfterSeconds: seconds });
  }
}

type Letter = Pick<NewMail, 'template' | 'args' | 'lifeMs'>;

/** For a new account or address: an owner with an account is told so. For a reset: only an owner with an account gets a mail. */
function letterFor(purpose: CodePurpose, theCode: Letter, account: { name: string } | undefined): Letter | undefined {
  if (purpose === 'reset') return account && theCode;
  return account ? { template: 'alreadyRegistered', args: { name: account.name } } : theCode;
}
