// Mails and texts wait in SQL and are sent behind the request's back: a slow mail server slows nobody down, and one that is
// away loses nothing. At least once: a process that dies between sending and noting it sends again.

import type { Language } from '@gantry/contract/fields/language.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Sql } from '../db/open.ts';
import { mails } from '../db/schema/identity.ts';
import { newId } from '../ids.ts';
import type { Secrets } from '../secrets.ts';
import { isTemplate, type Letter, letterOf, type TemplateName } from './mail-templates.ts';

export type Channel = 'email' | 'phone';

/** Sends one letter, or throws. `id` is the same for each try, so that a receiver can tell a repeated one. */
export type Sender = (letter: Letter & { id: string; address: string }) => Promise<void>;

export interface Log {
  info(facts: Record<string, unknown>, text: string): void;
  warn(facts: Record<string, unknown>, text: string): void;
}

const AT_ONCE = 5;
/** Longer than any try takes: a process that died with a letter in hand is not waited for longer. */
const IN_HAND_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const MOST_RETRY_MS = 5 * 60_000;
/** How often is looked for what other processes have put there. */
const LOOK_MS = 5_000;
const A_DAY_MS = 24 * 3_600_000;

export interface NewMail {
  channel: Channel;
  address: string;
  template: TemplateName;
  language: Language;
  args: Record<string, string>;
  /** A day where absent. */
  lifeMs?: number;
}

/** Puts it into the queue, in the caller's transaction if there is one. */
export async function queueMail(db: Sql, secrets: Secrets, mail: NewMail, now: number): Promise<void> {
  const { channel, address, template, language, args, lifeMs = A_DAY_MS } = mail;
  await db.insert(mails).values({
    id: newId('mail'),
    channel,
    address,
    template,
    language,
    sealedArgs: secrets.seal('mail', JSON.stringify(args)),
    createdAt: new Date(now),
    expiresAt: new Date(now + lifeMs),
    nextAt: new Date(now),
  });
}

/** Queues a notice for somebody in their language, by mail or by text. */
export async function queueNotice(
  db: Sql,
  secrets: Secrets,
  to: { channel?: Channel; address: string; language: Language },
  said: { title: string; content: string; url: string; unsubscribe?: string },
  now: number,
): Promise<void> {
  await queueMail(db, secrets, { channel: 'email', ...to, template: 'notice', args: said }, now);
}

export class MailQueue {
  readonly #db: Sql;
  readonly #secrets: Secrets;
  readonly #senders: Partial<Record<Channel, Sender>>;
  readonly #clock: Clock;
  readonly #log: Log;
  #round: Promise<void> = Promise.resolve();
  #again = false;
  #running = false;
  #stopped = false;
  #callOff: (() => void) | undefined;

  constructor(parts: {
    db: Sql;
    secrets: Secrets;
    senders: Partial<Record<Channel, Sender>>;
    clock: Clock;
    log: Log;
  }) {
    this.#db = parts.db;
    this.#secrets = parts.secrets;
    this.#senders = parts.senders;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  can(channel: Channel): boolean {
    return this.#senders[channel] !== undefined;
  }

  /** Sends what is due, in the background. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#running) this.#round = this.#rounds();
  }

  /** Resolves when the mails being sent are sent or queued again. */
  async settle(): Promise<void> {
    await this.#round;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.settle();
  }

  async #rounds(): Promise<void> {
    this.#running = true;
    this.#callOff?.();
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if ((await this.#sendDue()) === AT_ONCE) this.#again = true;
      } catch (error) {
        this.#log.warn({ err: error }, 'The queue of mails cannot be read');
      }
    }
    this.#running = false;
    if (!this.#stopped) this.#callOff = this.#clock.after(LOOK_MS, () => this.wake());
  }

  async #sendDue(): Promise<number> {
    const now = new Date(this.#clock.now());
    const due = this.#db
      .select({ id: mails.id })
      .from(mails)
      .where(and(isNull(mails.sentAt), isNull(mails.failedAt), lte(mails.nextAt, now)))
      .orderBy(asc(mails.nextAt))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true });
    const taken = await this.#db
      .update(mails)
      .set({ nextAt: new Date(now.getTime() + IN_HAND_MS), tries: sql`${mails.tries} + 1` })
      .where(inArray(mails.id, due))
      .returning();
    await Promise.all(taken.map((mail) => this.#send(mail)));
    return taken.length;
  }

  async #send(mail: typeof mails.$inferSelect): Promise<void> {
    const { id, channel, template, tries } = mail;
    const done = { sealedArgs: null, lastError: null };
    if (mail.expiresAt.getTime() <= this.#clock.now() || !isTemplate(template) || mail.sealedArgs === null) {
      this.#log.warn({ mail: id, template, tries, lastError: mail.lastError }, 'A mail was given up');
      // Staff can send it again for a week, unless nobody has a use for it: a code is over.
      const erased = isOfUseLater(template) ? {} : { sealedArgs: null };
      await this.#write(id, { ...erased, failedAt: new Date(this.#clock.now()) });
      return;
    }
    try {
      const send = this.#senders[channel];
      if (!send) throw Object.assign(new Error(`no way to send by ${channel} is configured`), { code: 'ENOSENDER' });
      const args = JSON.parse(this.#secrets.open('mail', mail.sealedArgs)) as Record<string, string>;
      await send({ ...letterOf(template, mail.language as Language, args), id, address: mail.address });
      await this.#write(id, { ...done, sentAt: new Date(this.#clock.now()) });
      this.#log.info({ mail: id, template, tries }, 'A mail was sent');
    } catch (error) {
      const againInMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries - 1, 20));
      // A server's reply may quote the mail: only its code enters table and log.
      const lastError = (error as { code?: string }).code ?? (error as Error).name;
      this.#log.warn({ mail: id, template, tries, lastError, againInMs }, 'A mail could not be sent');
      await this.#write(id, { nextAt: new Date(this.#clock.now() + againInMs), lastError });
    }
  }

  /** A mail that staff ended meanwhile stays ended. */
  #write(id: string, set: Partial<typeof mails.$inferInsert>) {
    return this.#db
      .update(mails)
      .set(set)
      .where(and(eq(mails.id, id), isNull(mails.givenUpBy)));
  }
}

const isOfUseLater = (template: string): boolean =>
  isTemplate(template) && template !== 'code' && template !== 'mailboxCode';
