// Who was invited by e-mail before having an account. Registration with that address consumes the row.
import { ORG_ROLES } from '@gantry/contract/roles.ts';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accounts, organizations } from './people.ts';
import { time } from './time.ts';

export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** In small letters. */
    email: text('email').notNull(),
    role: text('role', { enum: ORG_ROLES }).notNull(),
    invitedBy: text('invited_by')
      .notNull()
      .references(() => accounts.id),
    createdAt: time('created_at').notNull(),
    /** Refused from here on; inviting again sets it anew. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [uniqueIndex('invitations_address').on(table.organizationId, table.email)],
);
