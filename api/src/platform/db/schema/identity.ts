// How people prove who they are: short-lived and secret data, hashed or encrypted.
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts } from './people.ts';

/** The one live code per purpose and address. */
export const codes = pgTable(
  'codes',
  {
    purpose: text('purpose', { enum: ['register', 'reset', 'contact', 'mailbox'] }).notNull(),
    /** A lower-case e-mail address, or a phone number with its +; of a mailbox, after its organisation. */
    address: text('address').notNull(),
    /** HMAC with the platform's key: six digits alone would be found by trying all. */
    codeHash: text('code_hash').notNull(),
    triesLeft: integer('tries_left').notNull(),
    sentAt: time('sent_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.address] })],
);

/** The next step that a completed one permits, once. Only the ticket's SHA-256 is stored. */
export const tickets = pgTable('tickets', {
  ticketHash: text('ticket_hash').primaryKey(),
  purpose: text('purpose', { enum: ['register', 'reset', 'secondFactor'] }).notNull(),
  /** The proven address, where the step was a code. */
  address: text('address'),
  accountId: text('account_id').references(() => accounts.id),
  triesLeft: integer('tries_left').notNull().default(5),
  expiresAt: time('expires_at').notNull(),
});

/** Solved puzzles, so that each opens one door once. */
export const usedPuzzles = pgTable('used_puzzles', {
  signature: text('signature').primaryKey(),
  expiresAt: time('expires_at').notNull(),
});

/** Counters that all processes share: failures, codes sent. A row is empty again from `ends_at`. */
export const counters = pgTable('counters', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  endsAt: time('ends_at').notNull(),
});

/** Networks from which somebody has logged in before: a lockout of the account by strangers does not hold there. */
export const knownAddresses = pgTable(
  'known_addresses',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The /64 of an IPv6 address. */
    ip: text('ip').notNull(),
    lastAt: time('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.ip] })],
);

/** Mails and texts that are to be sent, and what became of them. */
export const mails = pgTable(
  'mails',
  {
    id: text('id').primaryKey(),
    channel: text('channel', { enum: ['email', 'phone'] }).notNull(),
    address: text('address').notNull(),
    template: text('template').notNull(),
    language: text('language').notNull(),
    /** Encrypted, because they include codes; erased once the mail is sent or given up. One that failed
     * for good keeps what is still of use for a week, so that staff can send it again. */
    sealedArgs: text('sealed_args'),
    createdAt: time('created_at').notNull(),
    /** Worthless from here on, and given up. */
    expiresAt: time('expires_at').notNull(),
    /** Nobody tries before: a waiting retry, or one that a process is at. */
    nextAt: time('next_at').notNull(),
    tries: integer('tries').notNull().default(0),
    sentAt: time('sent_at'),
    failedAt: time('failed_at'),
    lastError: text('last_error'),
    /** The member of the staff who ended it. */
    givenUpBy: text('given_up_by'),
  },
  (table) => [
    index('mails_created').on(table.createdAt, table.id),
    index('mails_address').on(table.address),
    index('mails_waiting').on(table.nextAt).where(sql`${table.sentAt} is null and ${table.failedAt} is null`),
  ],
);

/** Identities at login providers. */
export const providerIdentities = pgTable(
  'provider_identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('provider_identities_account').on(table.accountId),
  ],
);

/** A login that is under way at a provider. */
export const providerLogins = pgTable(
  'provider_logins',
  {
    id: text('id').primaryKey(),
    provider: text('provider').notNull(),
    /** The hash of the secret with which the browser fetches its token. */
    secretHash: text('secret_hash').notNull(),
    /** The hash of the cookie that the browser brings back from the provider. */
    cookieHash: text('cookie_hash').notNull(),
    stateHash: text('state_hash').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    termsVersion: text('terms_version'),
    locale: text('locale').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** The account, once the provider has answered. */
    accountId: text('account_id').references(() => accounts.id),
    /** The problem that the browser gets instead. */
    problem: text('problem'),
    problemArgs: jsonb('problem_args').$type<Record<string, string | number>>(),
  },
  (table) => [uniqueIndex('provider_logins_state').on(table.stateHash)],
);

/** The second factor; it counts once it is confirmed. */
export const totps = pgTable('totps', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: time('confirmed_at'),
  /** The time step of the last code taken: it and earlier ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(-1),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);
