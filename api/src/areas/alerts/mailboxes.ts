// Addresses beyond members' that alarms may be mailed to, such as a team's: each once it has confirmed by a code, until it
// unsubscribes. Nobody is mailed more than a few codes a day, whoever asks for them.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { CODE_LIFE_MS, newCode, proveAddress } from '../../core/identity/people/codes.ts';
import type { Core } from '../../core/open.ts';
import { count as countOne } from '../../platform/db/counters.ts';
import type { Sql } from '../../platform/db/open.ts';
import { alertMailboxes } from '../../platform/db/schema/alerts.ts';
import { accounts, memberships, organizations } from '../../platform/db/schema/people.ts';
import { queueMail } from '../../platform/mail/mail-queue.ts';
import type { Platform } from '../../platform/open.ts';

const MOST_MAILBOXES = 50;
const DAY_MS = 86_400_000;
/** Codes that an address is mailed, by all organisations together. */
const CODES_OF_ADDRESS = { most: 5, windowMs: DAY_MS };
/** Codes that an organisation has mailed, to all addresses together. */
const CODES_OF_ORGANIZATION = { most: 20, windowMs: DAY_MS };

export type Mailbox = Pick<
  typeof alertMailboxes.$inferSelect,
  'address' | 'state' | 'language' | 'createdAt' | 'confirmedAt'
>;

/** `key`: the platform's, for links that unsubscribe. */
type Ways = Pick<Platform, 'db' | 'clock'> & Pick<Core['people'], 'secrets' | 'mails'> & { key: string };

/** The purpose under which codes for mailboxes are kept. */
const CODES = 'mailbox';

const shown = {
  address: alertMailboxes.address,
  state: alertMailboxes.state,
  language: alertMailboxes.language,
  createdAt: alertMailboxes.createdAt,
  confirmedAt: alertMailboxes.confirmedAt,
};

export class Mailboxes {
  readonly #parts: Ways;

  constructor(parts: Ways) {
    this.#parts = parts;
  }

  list(organizationId: string): Promise<Mailbox[]> {
    return this.#parts.db.sql
      .select(shown)
      .from(alertMailboxes)
      .where(eq(alertMailboxes.organizationId, organizationId))
      .orderBy(asc(alertMailboxes.address));
  }

  /**
   * Mails a code to it, a new one as well: whoever has unsubscribed stays so until that is typed in. Throws too_many_contacts,
   * too_many_attempts, code_too_soon, mailbox_confirmed.
   */
  async add(
    { organizationId, creatorId }: { organizationId: string; creatorId: string },
    { address, language }: Pick<Mailbox, 'address' | 'language'>,
  ): Promise<Mailbox> {
    const { db, clock, secrets, mails } = this.#parts;
    const now = clock.now();
    const known = await this.#read(db.sql, organizationId, address);
    if (known?.state === 'confirmed') throw problem('mailbox_confirmed', { address });
    const [all] = await db.sql
      .select({ count: count() })
      .from(alertMailboxes)
      .where(eq(alertMailboxes.organizationId, organizationId));
    if (!known && (all?.count ?? 0) >= MOST_MAILBOXES) throw problem('too_many_contacts', { most: MOST_MAILBOXES });
    await this.#limit(`mailbox-codes of ${organizationId}`, CODES_OF_ORGANIZATION, now);
    await this.#limit(`mailbox-codes to ${address}`, CODES_OF_ADDRESS, now);
    const row = await db.transaction(async (tx) => {
      const made = await newCode(tx, secrets, CODES, keyOf(organizationId, address), now);
      if ('waitSeconds' in made) {
        const seconds = made.waitSeconds;
        throw problem('code_too_soon', { seconds }, { retryAfterSeconds: seconds });
      }
      const added = {
        organizationId,
        address,
        language,
        creatorId,
        state: 'unconfirmed' as const,
        createdAt: new Date(now),
      };
      const [written] = await tx
        .insert(alertMailboxes)
        .values(added)
        .onConflictDoUpdate({ target: [alertMailboxes.organizationId, alertMailboxes.address], set: { language } })
        .returning(shown);
      const [organization] = await tx
        .select({ name: organizations.name })
        .from(organizations)
        .where(eq(organizations.id, organizationId));
      const about = { organization: organization?.name ?? organizationId, code: made.code };
      await this.#mailCode(tx, { address, language }, about);
      return written as Mailbox;
    });
    mails.wake();
    return row;
  }

  /** Throws not_found, code_wrong for anything but the newest code, in time and within its tries. */
  async confirm(organizationId: string, address: string, code: string): Promise<Mailbox> {
    const { db, clock, secrets } = this.#parts;
    const now = clock.now();
    if (!(await this.#read(db.sql, organizationId, address))) throw problem('not_found', { what: address });
    const isRight = await proveAddress(db.sql, secrets, CODES, keyOf(organizationId, address), code, now);
    if (!isRight) throw problem('code_wrong', {}, { field: 'code' });
    const [row] = await db.sql
      .update(alertMailboxes)
      .set({ state: 'confirmed', confirmedAt: new Date(now) })
      .where(of(organizationId, address))
      .returning(shown);
    if (!row) throw problem('not_found', { what: address });
    return row;
  }

  /** Throws not_found. Whoever adds it again needs its code again. */
  async remove(organizationId: string, address: string): Promise<void> {
    const gone = await this.#parts.db.sql
      .delete(alertMailboxes)
      .where(of(organizationId, address))
      .returning({ address: alertMailboxes.address });
    if (gone.length === 0) throw problem('not_found', { what: address });
  }

  async stateOf(tx: Sql, organizationId: string, address: string): Promise<Mailbox | undefined> {
    return this.#read(tx, organizationId, address.toLowerCase());
  }

  /** Those of these addresses that get no mail: neither a member's verified one, nor confirmed. Keys are `organisation address`. */
  async unreachable(asked: readonly { organizationId: string; address: string }[]): Promise<ReadonlySet<string>> {
    if (asked.length === 0) return new Set();
    const addresses = [...new Set(asked.map(({ address }) => address))];
    const { sql } = this.#parts.db;
    const members = await sql
      .select({ organizationId: memberships.organizationId, address: accounts.email })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(isNotNull(accounts.email), inArray(accounts.email, addresses), isNull(accounts.disabledAt)));
    const confirmed = await sql
      .select({ organizationId: alertMailboxes.organizationId, address: alertMailboxes.address })
      .from(alertMailboxes)
      .where(and(inArray(alertMailboxes.address, addresses), eq(alertMailboxes.state, 'confirmed')));
    const reached = new Set([...members, ...confirmed].map((one) => keyOf(one.organizationId, one.address ?? '')));
    return new Set(asked.map((one) => keyOf(one.organizationId, one.address)).filter((key) => !reached.has(key)));
  }

  /** For the link of a mail; it holds as long as the mailbox is subscribed. */
  token(organizationId: string, address: string): string {
    const text = Buffer.from(JSON.stringify([organizationId, address])).toString('base64url');
    return `${text}.${this.#sign(text)}`;
  }

  /** Whoever has a mail may do so, without signing in. Again changes nothing. Throws link_invalid. */
  async unsubscribe(
    token: string,
    confirm: boolean,
  ): Promise<{ organizationId: string; address: string; isOver: boolean }> {
    const [text = '', signature = ''] = token.split('.');
    const wanted = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) throw problem('link_invalid');
    const [organizationId = '', address = ''] = JSON.parse(Buffer.from(text, 'base64url').toString()) as string[];
    const { db, clock } = this.#parts;
    const known = await this.#read(db.sql, organizationId, address);
    if (known?.state !== 'confirmed') return { organizationId, address, isOver: true };
    if (!confirm) return { organizationId, address, isOver: false };
    await db.sql
      .update(alertMailboxes)
      .set({ state: 'unsubscribed', unsubscribedAt: new Date(clock.now()) })
      .where(of(organizationId, address));
    return { organizationId, address, isOver: true };
  }

  async #read(sql: Sql, organizationId: string, address: string): Promise<Mailbox | undefined> {
    const [row] = await sql.select(shown).from(alertMailboxes).where(of(organizationId, address));
    return row;
  }

  async #limit(key: string, limit: { most: number; windowMs: number }, now: number): Promise<void> {
    const seconds = await countOne(this.#parts.db.sql, key, limit, now);
    if (seconds > 0) throw problem('too_many_attempts', { seconds }, { retryAfterSeconds: seconds });
  }

  async #mailCode(
    tx: Sql,
    { address, language }: Pick<Mailbox, 'address' | 'language'>,
    args: { organization: string; code: string },
  ): Promise<void> {
    const { clock, secrets, mails } = this.#parts;
    if (!mails.can('email')) throw problem('cannot_send', { type: 'email' });
    const mail = { channel: 'email', address, template: 'mailboxCode', language, args, lifeMs: CODE_LIFE_MS } as const;
    await queueMail(tx, secrets, mail, clock.now());
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#parts.key).update(`unsubscribe ${text}`).digest('base64url');
  }
}

/** The key by which codes and addresses are looked up. */
const keyOf = (organizationId: string, address: string): string => `${organizationId} ${address}`;

const of = (organizationId: string, address: string) =>
  and(eq(alertMailboxes.organizationId, organizationId), eq(alertMailboxes.address, address));
