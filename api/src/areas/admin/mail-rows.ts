// Mails and texts as staff see and command them: to whom with most of it hidden, why one was not sent, and never what one says: it may
// hold a code.

import { MAIL_TEMPLATES, type MailFailure, type MailState } from '@gantry/contract/areas/settings/admin-operation.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type ListedTable, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { mails } from '../../platform/db/schema/identity.ts';

export interface MailRowsParts {
  db: Database;
  clock: Clock;
  queue: { wake(): void };
}

type Stored = typeof mails.$inferSelect;
type Row = AdminRow<'mails'>;

const MAILS: ListedTable = {
  table: mails,
  columns: {
    id: mails.id,
    created_at: mails.createdAt,
    address: mails.address,
    channel: mails.channel,
    template: mails.template,
    tries: mails.tries,
    next_try_at: mails.nextAt,
    useless_at: mails.expiresAt,
    sent_at: mails.sentAt,
    failed_at: mails.failedAt,
  },
  searched: [],
};

/** The lifetime of a mail that is sent again after it was given up. */
const SECOND_LIFE_MS = 24 * 3_600_000;

export class MailRows {
  readonly #parts: MailRowsParts;

  constructor(parts: MailRowsParts) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { state, address, ...filter } = query.filter;
    const besides = and(inState(state), at(address));
    const { sql: db } = this.#parts.db;
    const { items, ...counted } = await pageOfIds(db, MAILS, { ...query, filter }, besides);
    if (items.length === 0) return { items: [], ...counted };
    const ids = items.map(String);
    const rows = await db.select().from(mails).where(inArray(mails.id, ids));
    const byId = new Map(rows.map((row) => [row.id, this.#row(row)]));
    return { items: ids.flatMap((id) => byId.get(id) ?? []), ...counted };
  }

  /** Sends it now. Throws not_found, mail_done, mail_useless. */
  async retry(id: string): Promise<void> {
    const { db, clock, queue } = this.#parts;
    const now = clock.now();
    await db.transaction(async (tx) => {
      const [found] = await tx.select().from(mails).where(eq(mails.id, id)).for('update');
      if (!found) throw problem('not_found', { what: id });
      if (found.sentAt || found.givenUpBy !== null) throw problem('mail_done');
      if (!mayRetry(found, now)) throw problem('mail_useless');
      const life = Math.max(found.expiresAt.getTime(), found.failedAt ? now + SECOND_LIFE_MS : 0);
      await tx
        .update(mails)
        .set({ nextAt: new Date(now), failedAt: null, expiresAt: new Date(life) })
        .where(eq(mails.id, id));
    });
    queue.wake();
  }

  /** Its content is erased. Throws not_found, mail_done. */
  async giveUp(id: string, by: string): Promise<void> {
    const { db, clock } = this.#parts;
    const isOpen = and(isNull(mails.sentAt), isNull(mails.givenUpBy));
    const ended = await db.sql
      .update(mails)
      .set({ sealedArgs: null, failedAt: new Date(clock.now()), givenUpBy: by })
      .where(and(eq(mails.id, id), isOpen))
      .returning({ id: mails.id });
    if (ended.length > 0) return;
    const [found] = await db.sql.select({ id: mails.id }).from(mails).where(eq(mails.id, id));
    throw found ? problem('mail_done') : problem('not_found', { what: id });
  }

  #row(mail: Stored): Row {
    const state = stateOf(mail);
    return {
      id: mail.id,
      created_at: mail.createdAt.toISOString(),
      channel: mail.channel,
      address: masked(mail.address),
      template: MAIL_TEMPLATES.find((each) => each === mail.template) ?? null,
      language: LANGUAGES.find((each) => each === mail.language) ?? 'en',
      state,
      tries: mail.tries,
      next_try_at: state === 'waiting' ? mail.nextAt.toISOString() : null,
      useless_at: mail.expiresAt.toISOString(),
      sent_at: mail.sentAt?.toISOString() ?? null,
      failed_at: mail.failedAt?.toISOString() ?? null,
      failure: failureOf(mail),
      can_retry: mayRetry(mail, this.#parts.clock.now()),
    };
  }
}

const stateOf = ({ sentAt, failedAt, givenUpBy }: Stored): MailState => {
  if (sentAt) return 'sent';
  if (givenUpBy !== null) return 'givenUp';
  return failedAt ? 'failed' : 'waiting';
};

/** Whatever is erased cannot be sent, and a waiting one that is out of date would only be given up. */
const mayRetry = ({ sealedArgs, sentAt, failedAt, givenUpBy, expiresAt }: Stored, now: number): boolean =>
  sealedArgs !== null && !sentAt && givenUpBy === null && (failedAt !== null || expiresAt.getTime() > now);

/** `a***@example.com`, `+81***78`: the person recognises it, nobody else learns it. */
function masked(address: string): string {
  const at = address.lastIndexOf('@');
  if (at > 0) return `${address.slice(0, 1)}***${address.slice(at)}`;
  return address.length < 8 ? '***' : `${address.slice(0, 3)}***${address.slice(-2)}`;
}

const CODES: Readonly<Record<string, MailFailure>> = {
  ECONNECTION: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EDNS: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ETLS: 'unreachable',
  EAUTH: 'login',
  ENOAUTH: 'login',
  EOAUTH2: 'login',
  EENVELOPE: 'address',
  EMESSAGE: 'refused',
  EPROTOCOL: 'refused',
  ESTREAM: 'refused',
  EINNER: 'adapter',
  ETOOLARGE: 'adapter',
  ENOSENDER: 'notConfigured',
};

function failureOf({ lastError, failedAt, givenUpBy, sealedArgs }: Stored): MailFailure | null {
  if (lastError === null) return failedAt && givenUpBy === null ? 'expired' : null;
  if (lastError.startsWith('HTTP ')) return 'adapter';
  return CODES[lastError] ?? (sealedArgs !== null && lastError === 'Error' ? 'unreadable' : 'other');
}

function at(wanted: unknown): SQL | undefined {
  if (wanted === undefined) return undefined;
  return inArray(
    mails.address,
    ([wanted].flat() as string[]).map((address) => address.trim().toLowerCase()),
  );
}

function inState(wanted: unknown): SQL | undefined {
  if (wanted === undefined) return undefined;
  const unsent = isNull(mails.sentAt);
  const rule: Record<MailState, SQL | undefined> = {
    sent: isNotNull(mails.sentAt),
    givenUp: and(unsent, isNotNull(mails.givenUpBy)),
    failed: and(unsent, isNotNull(mails.failedAt), isNull(mails.givenUpBy)),
    waiting: and(unsent, isNull(mails.failedAt)),
  };
  return or(...([wanted].flat() as MailState[]).map((state) => rule[state]), sql`false`);
}
