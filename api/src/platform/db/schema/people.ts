// People and where they belong. An organisation's row is the truth; its Organization resource is a projection of it.
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { ORG_ROLES, PLATFORM_ROLES } from '@gantry/contract/roles.ts';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** `id` names the ServiceAccount of each of its memberships. `name` is unique without case; so are e-mail and phone. */
export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email'),
    phone: text('phone'),
    /** Argon2id in PHC form; absent for those who log in through a provider alone. */
    passwordHash: text('password_hash'),
    /** Somebody else set it: a login returns no token until it is changed. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    locale: text('locale', { enum: LANGUAGES }).notNull().default('en'),
    kind: text('kind', { enum: ['personal', 'enterprise'] })
      .notNull()
      .default('personal'),
    termsVersion: text('terms_version'),
    termsAcceptedAt: time('terms_accepted_at'),
    disabledAt: time('disabled_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('accounts_name').on(sql`lower(${table.name})`),
    uniqueIndex('accounts_email').on(sql`lower(${table.email})`),
    uniqueIndex('accounts_phone').on(table.phone),
    // The operators' lists sort by them, and their search looks for what begins with something.
    index('accounts_by_name').on(table.name, table.id),
    index('accounts_by_email').on(table.email, table.id),
    index('accounts_by_created_at').on(table.createdAt, table.id),
    index('accounts_by_disabled_at').on(table.disabledAt, table.id).where(sql`${table.disabledAt} is not null`),
    index('accounts_id_prefix').on(table.id.op('text_pattern_ops')),
    index('accounts_name_prefix').using('btree', sql`lower(${table.name}) text_pattern_ops`),
    index('accounts_email_prefix').using('btree', sql`lower(${table.email}) text_pattern_ops`),
    index('accounts_phone_prefix').on(table.phone.op('text_pattern_ops')),
  ],
);

export const organizations = pgTable(
  'organizations',
  {
    /** The Organization resource's name; its namespace is `org-<id>`. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** The account whose personal organisation it is: made at registration, and never left without its owner. */
    personalOf: text('personal_of').references(() => accounts.id),
    /** ISO 4217, fixed when it is made. */
    currency: text('currency').notNull(),
    /** Raised by every change of what the resource shows; `projected` follows it. */
    revision: integer('revision').notNull().default(1),
    projected: integer('projected').notNull().default(0),
    /** The welcome popup was not seen yet. */
    isNew: boolean('is_new').notNull().default(true),
    deletedAt: time('deleted_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('organizations_by_name').on(table.name, table.id),
    index('organizations_by_created_at').on(table.createdAt, table.id),
    index('organizations_personal_of').on(table.personalOf),
    index('organizations_id_prefix').on(table.id.op('text_pattern_ops')),
    index('organizations_name_prefix').using('btree', sql`lower(${table.name}) text_pattern_ops`),
  ],
);

export const memberships = pgTable(
  'memberships',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: ORG_ROLES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.accountId] }),
    index('memberships_account').on(table.accountId),
  ],
);

/** A login, bound to one organisation. The token itself is nowhere: only its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** When its person signed in: a switch keeps it. */
    createdAt: time('created_at').notNull(),
    /** Refused from here on. A switch sets it a minute ahead, a logout to now. */
    expiresAt: time('expires_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
  },
  (table) => [index('sessions_account').on(table.accountId)],
);

export const platformGrants = pgTable(
  'platform_grants',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    role: text('role', { enum: PLATFORM_ROLES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.role] })],
);
