// What organisations let us in with elsewhere: encrypted, and never shown again.
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

const CREDENTIAL_KINDS = ['hub', 's3'] as const;

export const sealedCredentials = pgTable(
  'sealed_credentials',
  {
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    kind: text('kind', { enum: CREDENTIAL_KINDS }).notNull(),
    /** Of a kind that an organisation has one of: the kind again. */
    name: text('name').notNull(),
    sealed: text('sealed').notNull(),
    creatorId: text('creator_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.name] })],
);
