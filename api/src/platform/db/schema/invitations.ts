// Invitations to an organisation, by e-mail address or by account name. Only accepting one makes a membership.
import { ORG_ROLES } from '@gantry/contract/roles.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** Lower case; the person who verifies this address may accept. Null if `accountId` is set. */
    email: text('email'),
    /** Invited by account name, which `name` keeps as it was typed. */
    accountId: text('account_id').references(() => accounts.id),
    name: text('name'),
    role: text('role', { enum: ORG_ROLES }).notNull(),
    invitedBy: text('invited_by')
      .notNull()
      .references(() => accounts.id),
    /**
     * A pending one expires at `expiresAt`: expiry is not a separate state here. What staff proposed grants nothing and is shown to
     * the organisation alone, until one who may grant its role sends it.
     */
    state: text('state', { enum: ['proposed', 'pending', 'accepted', 'declined', 'withdrawn'] })
      .notNull()
      .default('pending'),
    createdAt: time('created_at').notNull(),
    /** Refused from here on; inviting again renews it. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_pending_address')
      .on(table.organizationId, table.email)
      .where(sql`${table.state} = 'pending'`),
    uniqueIndex('invitations_pending_account')
      .on(table.organizationId, table.accountId)
      .where(sql`${table.state} = 'pending'`),
    index('invitations_of_address').on(table.email),
    index('invitations_of_account').on(table.accountId),
  ],
);
