// Messages in SQL. An event is recorded once, in every language; each reader has their own row that points to it. Numbers follow
// the order of commits, so a reader who has seen number n has seen everything up to n.

import { cursorOf, type Message, type MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import { sentence, type Words } from '@gantry/contract/define-kind.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { argsIn } from '@gantry/contract/localized.ts';
import type { OrgRole, PlatformRole } from '@gantry/contract/roles.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, max, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { messages, notices } from '../db/schema/messages.ts';
import { accounts, memberships, platformGrants } from '../db/schema/people.ts';
import { newId } from '../ids.ts';

type Sql = Database['sql'];

export interface Reader {
  account: string;
  /** The session's organisation: messages of others are not shown in it. */
  organization: string;
}

export interface NewNotice {
  /** Identifies the event; sent once, however often it is reported. */
  key: string;
  title: Words;
  content: Words;
  /** For `%{name}` in both. Absent: both are said as they are, whatever is in them. */
  args?: Args;
  /** The subject: the plural name of its kind, and its name in the organisation of its readers. */
  object?: { kind: string; id: string };
}

/**
 * One person, in one organisation or wherever they are; or those members of an organisation who have one of the roles, and
 * `also` if still a member; or the platform's staff in one of the roles.
 */
export type Audience =
  | { account: string; organization?: string }
  | { organization: string; roles: readonly OrgRole[]; also?: string }
  | { staff: readonly PlatformRole[] };

/** A message with its words in all languages. */
export interface StoredMessage {
  seq: number;
  id: string;
  account: string;
  organization: string | null;
  title: Words;
  content: Words;
  object: { kind: string; id: string } | null;
  at: Date;
  isRead: boolean;
}

/** "messages" as a number among this database's advisory locks. */
const LOCK = 1_835_365_217;
/** Per account; older ones are deleted. */
export const KEPT_PER_READER = 1_000;
const MOST_ROWS_AT_ONCE = 1_000;
const KEYS_KEPT_MS = 30 * 24 * 3_600_000;

export class MessageStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(parts: { db: Database; clock: Clock }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
  }

  /** Calls back when there may be news at once; what other processes write is found by looking. */
  onSent(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** For callers that sent within their own transaction, after its commit: saves the readers a second. */
  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Says whether it was news. Within a transaction of the caller it is that one's last statement: the lock that keeps numbers
   * in order is held to its end.
   */
  async send(notice: NewNotice, audience: Audience, within?: Sql): Promise<boolean> {
    if (within) return this.#send(within, notice, audience);
    const isNews = await this.#db.transaction((tx) => this.#send(tx, notice, audience));
    if (isNews) this.wake();
    return isNews;
  }

  /** The newest number that everybody can see; 0 before the first. */
  async newest(): Promise<number> {
    const [row] = await this.#db.sql.select({ newest: max(messages.seq) }).from(messages);
    return row?.newest ?? 0;
  }

  /** Newest first: those with a number below `before` and up to `upTo`. */
  async page(
    reader: Reader,
    language: Language,
    { before = Number.MAX_SAFE_INTEGER, upTo = Number.MAX_SAFE_INTEGER, size }: PageWish,
  ): Promise<MessagePage> {
    const found = await this.#select(
      and(this.#isFor(reader), lt(messages.seq, before), lte(messages.seq, upTo)),
      size + 1,
    );
    const [unread = 0] = await this.unread([reader]);
    return pageOf(found.slice(0, size), found.length > size, unread, language);
  }

  /** One reader's messages after number `after` and up to `upTo`: all of them, newest first. */
  async missed(reader: Reader, language: Language, after: number, upTo: number): Promise<MessagePage> {
    const isTheirs = this.#isFor(reader);
    const found = await this.#select(and(isTheirs, gt(messages.seq, after), lte(messages.seq, upTo)), KEPT_PER_READER);
    const older = await this.#select(and(isTheirs, lte(messages.seq, after)), 1);
    const [unread = 0] = await this.unread([reader]);
    return {
      ...pageOf(found, older.length > 0, unread, language),
      ...(found.length === 0 && { next_cursor: cursorOf(after + 1) }),
    };
  }

  /** Messages after number `after` and up to `upTo` for any of these accounts, newest first. */
  async since(after: number, upTo: number, accountIds: readonly string[]): Promise<StoredMessage[]> {
    if (accountIds.length === 0) return [];
    return this.#select(
      and(
        gt(messages.seq, after),
        lte(messages.seq, upTo),
        inArray(messages.accountId, [...accountIds]),
        this.#isShown(),
      ),
    );
  }

  /** How many messages each of them has not read. */
  async unread(readers: readonly Reader[]): Promise<number[]> {
    if (readers.length === 0) return [];
    const rows = await this.#db.sql
      .select({ account: messages.accountId, organization: messages.organizationId, unread: count() })
      .from(messages)
      .innerJoin(notices, eq(notices.id, messages.noticeId))
      .where(
        and(
          inArray(messages.accountId, [...new Set(readers.map(({ account }) => account))]),
          isNull(messages.readAt),
          this.#isShown(),
        ),
      )
      .groupBy(messages.accountId, messages.organizationId);
    const counts = new Map(rows.map(({ account, organization, unread }) => [`${account}/${organization}`, unread]));
    return readers.map(
      ({ account, organization }) =>
        (counts.get(`${account}/${organization}`) ?? 0) + (counts.get(`${account}/null`) ?? 0),
    );
  }

  /** Returns those that are this reader's, newest first. Reading again changes nothing. */
  async read(reader: Reader, ids: readonly string[]): Promise<StoredMessage[]> {
    const found = await this.#select(and(this.#isFor(reader), inArray(messages.id, [...ids])), ids.length);
    const unread = found.filter(({ isRead }) => !isRead).map(({ id }) => id);
    if (unread.length > 0)
      await this.#db.sql
        .update(messages)
        .set({ readAt: new Date(this.#clock.now()) })
        .where(and(inArray(messages.id, unread), isNull(messages.readAt)));
    return found.map((each) => ({ ...each, isRead: true }));
  }

  /** Everything that is shown to this reader now. */
  async readAll(reader: Reader): Promise<void> {
    const shown = this.#db.sql
      .select({ id: messages.id })
      .from(messages)
      .innerJoin(notices, eq(notices.id, messages.noticeId))
      .where(and(this.#isFor(reader), isNull(messages.readAt)));
    await this.#db.sql
      .update(messages)
      .set({ readAt: new Date(this.#clock.now()) })
      .where(inArray(messages.id, shown));
  }

  /** Gives these people a line for every announcement that is shown now and that they have none for yet. */
  async handOutAnnouncements(accountIds: readonly string[]): Promise<boolean> {
    const missing = await this.#missingAnnouncements(accountIds);
    if (missing.length === 0) return false;
    const wasNews = await this.#db.transaction(async (tx) => {
      await lock(tx);
      return this.#insert(tx, missing);
    });
    if (wasNews) this.wake();
    return wasNews;
  }

  /** Deletes what nobody can page to any more. */
  async trim(): Promise<void> {
    const full = await this.#db.sql
      .select({ account: messages.accountId })
      .from(messages)
      .groupBy(messages.accountId)
      .having(gt(count(), KEPT_PER_READER));
    for (const { account } of full) {
      const [oldestKept] = await this.#db.sql
        .select({ seq: messages.seq })
        .from(messages)
        .where(eq(messages.accountId, account))
        .orderBy(desc(messages.seq))
        .offset(KEPT_PER_READER - 1)
        .limit(1);
      if (oldestKept)
        await this.#db.sql
          .delete(messages)
          .where(and(eq(messages.accountId, account), lt(messages.seq, oldestKept.seq)));
    }
    // A key outlives its readers' rows for a while, so that a repeated report by a lagging gateway is still not news.
    await this.#db.sql
      .delete(notices)
      .where(
        and(
          eq(notices.kind, 'event'),
          lt(notices.createdAt, new Date(this.#clock.now() - KEYS_KEPT_MS)),
          sql`not exists (select from ${messages} where ${messages.noticeId} = ${notices.id})`,
        ),
      );
  }

  async #send(tx: Sql, notice: NewNotice, audience: Audience): Promise<boolean> {
    // Before anything that another sender could wait for, so that no two wait for each other.
    await lock(tx);
    const [made] = await tx
      .insert(notices)
      .values({
        id: newId('ntc'),
        key: notice.key,
        kind: 'event',
        title: filled(notice.title, notice.args),
        content: filled(notice.content, notice.args),
        ...(notice.object && { object: notice.object }),
        createdAt: new Date(this.#clock.now()),
      })
      .onConflictDoNothing({ target: notices.key })
      .returning({ id: notices.id });
    if (!made) return false;
    const organizationId = ('staff' in audience ? undefined : audience.organization) ?? null;
    const accountIds = await readersOf(tx, audience);
    await this.#insert(
      tx,
      accountIds.map((accountId) => ({ noticeId: made.id, accountId, organizationId })),
    );
    return true;
  }

  async #insert(
    tx: Sql,
    rows: readonly { noticeId: string; accountId: string; organizationId: string | null }[],
  ): Promise<boolean> {
    let count = 0;
    for (let from = 0; from < rows.length; from += MOST_ROWS_AT_ONCE) {
      const values = rows.slice(from, from + MOST_ROWS_AT_ONCE).map((row) => ({ ...row, id: newId('msg') }));
      const made = await tx
        .insert(messages)
        .values(values)
        .onConflictDoNothing({ target: [messages.noticeId, messages.accountId] })
        .returning({ seq: messages.seq });
      count += made.length;
    }
    return count > 0;
  }

  async #missingAnnouncements(accountIds: readonly string[]) {
    if (accountIds.length === 0) return [];
    const rows = await this.#db.sql
      .select({ noticeId: notices.id, accountId: accounts.id })
      .from(notices)
      .innerJoin(accounts, inArray(accounts.id, [...accountIds]))
      .leftJoin(messages, and(eq(messages.noticeId, notices.id), eq(messages.accountId, accounts.id)))
      .where(and(eq(notices.kind, 'announcement'), this.#isShown(), isNull(messages.id)));
    return rows.map((row) => ({ ...row, organizationId: null }));
  }

  #select(where: SQL | undefined, limit?: number): Promise<StoredMessage[]> {
    const wanted = this.#db.sql
      .select({
        seq: messages.seq,
        id: messages.id,
        account: messages.accountId,
        organization: messages.organizationId,
        title: notices.title,
        content: notices.content,
        object: notices.object,
        createdAt: notices.createdAt,
        startsAt: notices.startsAt,
        readAt: messages.readAt,
      })
      .from(messages)
      .innerJoin(notices, eq(notices.id, messages.noticeId))
      .where(where)
      .orderBy(desc(messages.seq));
    return (limit === undefined ? wanted : wanted.limit(limit)).then((rows) =>
      rows.map(({ createdAt, startsAt, readAt, ...row }) => ({
        ...row,
        at: startsAt ?? createdAt,
        isRead: readAt !== null,
      })),
    );
  }

  #isFor({ account, organization }: Reader): SQL | undefined {
    return and(
      eq(messages.accountId, account),
      or(isNull(messages.organizationId), eq(messages.organizationId, organization)),
      this.#isShown(),
    );
  }

  /** An announcement is there from its start to its end; anything else always. */
  #isShown(): SQL | undefined {
    const now = new Date(this.#clock.now());
    return and(
      or(isNull(notices.startsAt), lte(notices.startsAt, now)),
      or(isNull(notices.endsAt), gt(notices.endsAt, now)),
    );
  }
}

export interface PageWish {
  before?: number;
  upTo?: number;
  size: number;
}

const messageOf = ({ id, title, content, object, at, isRead }: StoredMessage, language: Language): Message => ({
  id,
  title: title[language],
  content: content[language],
  create_time: at.toISOString(),
  is_read: isRead,
  ...(object && { object }),
});

/** `found` is newest first. */
export const pageOf = (
  found: readonly StoredMessage[],
  hasMore: boolean,
  unread: number,
  language: Language,
): MessagePage => ({
  data: found.map((each) => messageOf(each, language)),
  un_read: unread,
  next_cursor: cursorOf(found.at(-1)?.seq ?? 0),
  has_more: hasMore,
});

const lock = (tx: Sql) => tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);

const filled = (words: Words, args: Args | undefined): Words =>
  args === undefined
    ? words
    : (Object.fromEntries(
        LANGUAGES.map((language) => [language, sentence(words, language, argsIn(language, args))]),
      ) as unknown as Words);

/** Which of them exist. */
async function readersOf(tx: Sql, audience: Audience): Promise<string[]> {
  if ('account' in audience) {
    const found = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, audience.account));
    return found.map(({ id }) => id);
  }
  if ('staff' in audience) {
    const found = await tx
      .selectDistinct({ id: platformGrants.accountId })
      .from(platformGrants)
      .innerJoin(accounts, eq(accounts.id, platformGrants.accountId))
      .where(and(inArray(platformGrants.role, [...audience.staff]), isNull(accounts.disabledAt)));
    return found.map(({ id }) => id);
  }
  const found = await tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, audience.organization),
        or(
          inArray(memberships.role, [...audience.roles]),
          audience.also === undefined ? undefined : eq(memberships.accountId, audience.also),
        ),
      ),
    );
  return found.map(({ id }) => id);
}
