// Logins to private registries, without their passwords: those are in Secrets that the gateway cannot read.
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

export const registries = pgTable(
  'registries',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** Also of the Secret, in the organisation's namespace. */
    name: text('name').notNull(),
    /** Absent until the Secret is known to exist; also where the gateway ended before it was. */
    secretUid: text('secret_uid'),
    server: text('server').notNull(),
    username: text('username').notNull(),
    creatorId: text('creator_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.name] })],
);
