// Records of staff's work on people: logins and their outcomes, tenants' consoles opened by staff, reviews of real names, and findings of
// checks of the audit log's chains.
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';
import { realAuths } from './real-auth.ts';

/** Logins of an account, successful and refused: equal ones of a quarter of an hour are one row, and old rows are swept. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    /** Absent: the name that was typed is nobody's. */
    accountId: text('account_id').references(() => accounts.id),
    /** By what: a password, a second factor, or a login provider. */
    way: text('way', { enum: ['password', 'secondFactor', 'provider'] }).notNull(),
    outcome: text('outcome', {
      enum: ['signedIn', 'wrongPassword', 'wrongCode', 'locked', 'disabled', 'mustChangePassword'],
    }).notNull(),
    times: integer('times').notNull().default(1),
    firstAt: time('first_at').notNull(),
    lastAt: time('last_at').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent'),
  },
  (table) => [index('sign_ins_account').on(table.accountId, table.lastAt), index('sign_ins_last').on(table.lastAt)],
);

/** A tenant's console opened by staff, for reading. Ticket and token are nowhere: only their SHA-256. */
export const views = pgTable(
  'views',
  {
    id: text('id').primaryKey(),
    ticketHash: text('ticket_hash').notNull().unique(),
    /** Absent: the ticket was not used. */
    tokenHash: text('token_hash').unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    reason: text('reason').notNull(),
    createdAt: time('created_at').notNull(),
    /** The end of the ticket; once it is used, the end of the session. */
    expiresAt: time('expires_at').notNull(),
    startedAt: time('started_at'),
    /** Recorded with its entry of the audit log. */
    endedAt: time('ended_at'),
    ip: text('ip'),
    userAgent: text('user_agent'),
  },
  (table) => [index('views_organization').on(table.organizationId, table.createdAt)],
);

/** The approvals of a submission where one does not suffice. A submission that is sent again has none. */
export const realAuthReviews = pgTable(
  'real_auth_reviews',
  {
    realAuthId: text('real_auth_id')
      .notNull()
      .references(() => realAuths.id),
    submittedAt: time('submitted_at').notNull(),
    reviewerId: text('reviewer_id')
      .notNull()
      .references(() => accounts.id),
    at: time('at').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realAuthId, table.submittedAt, table.reviewerId] })],
);

/** The people who have a submission open, and when each was last seen there. */
export const realAuthOpenings = pgTable(
  'real_auth_openings',
  {
    realAuthId: text('real_auth_id')
      .notNull()
      .references(() => realAuths.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    openedAt: time('opened_at').notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realAuthId, table.accountId] })],
);

/** A check of one chain of the audit log, asked for by staff. */
export const auditChecks = pgTable(
  'audit_checks',
  {
    id: text('id').primaryKey(),
    /** No foreign key, as in the log; '' is the platform's chain. */
    organizationId: text('organization_id').notNull(),
    accountId: text('account_id').notNull(),
    startedAt: time('started_at').notNull(),
    /** Raised while it runs: one that stopped being seen has died with its gateway. */
    seenAt: time('seen_at').notNull(),
    endedAt: time('ended_at'),
    entries: integer('entries').notNull().default(0),
    unsealed: integer('unsealed'),
    blocks: integer('blocks').notNull().default(0),
    headHash: text('head_hash'),
    isWhole: boolean('is_whole'),
    /** One English sentence, with the first fault. */
    fault: text('fault'),
  },
  (table) => [index('audit_checks_organization').on(table.organizationId, table.startedAt)],
);
