// Ways into an instance: tickets, terminals that are open, visits to what an instance serves.
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** The member who asked, as `Caller` has it. Whether they may still come in is asked of their session each time. */
const caller = () => jsonb('caller').notNull();

/** Good once, for half a minute. The ticket itself is nowhere: only its SHA-256. */
export const accessTickets = pgTable(
  'access_tickets',
  {
    ticketHash: text('ticket_hash').primaryKey(),
    purpose: text('purpose', { enum: ['terminal', 'web'] }).notNull(),
    caller: caller(),
    instance: text('instance').notNull(),
    /** Another instance of the same name is not the one that was asked for. */
    instanceUid: text('instance_uid').notNull(),
    /** For a visit. */
    port: integer('port'),
    /** For a terminal: the session to attach to, or `new`. */
    session: text('session'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('access_tickets_expiry').on(table.expiresAt)],
);

/** Cookies that tickets for instances' web content became; only the SHA-256 is stored. */
export const webVisits = pgTable(
  'web_visits',
  {
    cookieHash: text('cookie_hash').primaryKey(),
    caller: caller(),
    instance: text('instance').notNull(),
    instanceUid: text('instance_uid').notNull(),
    port: integer('port').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('web_visits_expiry').on(table.expiresAt)],
);

/**
 * Open terminals of every gateway. A row that nobody renews belongs to a gateway that died: another one records its end in the
 * audit log.
 */
export const openTerminals = pgTable(
  'open_terminals',
  {
    id: text('id').primaryKey(),
    caller: caller(),
    instance: text('instance').notNull(),
    ip: text('ip').notNull(),
    /** The session that it shows, which stays when it ends. */
    session: text('session'),
    openedAt: time('opened_at').notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [index('open_terminals_seen').on(table.seenAt)],
);

/** Shells that outlive their terminals. The agent holds them, and ends what nobody was attached to for some minutes. */
export const terminalSessions = pgTable(
  'terminal_sessions',
  {
    id: text('id').primaryKey(),
    /** Nobody else sees it. */
    accountId: text('account_id').notNull(),
    caller: caller(),
    /** The Pod of one run: sessions end with it. */
    namespace: text('namespace').notNull(),
    instance: text('instance').notNull(),
    pod: text('pod').notNull(),
    instanceUid: text('instance_uid').notNull(),
    ip: text('ip').notNull(),
    createdAt: time('created_at').notNull(),
    /** When somebody was last attached, give or take the renewing of open terminals. */
    seenAt: time('seen_at').notNull(),
  },
  (table) => [
    index('terminal_sessions_of').on(table.namespace, table.instance, table.accountId),
    index('terminal_sessions_seen').on(table.seenAt),
  ],
);
