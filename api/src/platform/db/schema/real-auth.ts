// Real-name authentication: at most one personal and one enterprise submission per account, and their pictures.
import { DOCUMENTS } from '@gantry/contract/fields/identity-document.ts';
import { type AnyPgColumn, customType, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts } from './people.ts';

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export const pictures = pgTable(
  'pictures',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    mediaType: text('media_type', { enum: ['image/jpeg', 'image/png'] }).notNull(),
    content: bytes('content').notNull(),
    /** The submission that shows it. One that none shows is removed with the next upload of its account. */
    realAuthId: text('real_auth_id').references((): AnyPgColumn => realAuths.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('pictures_account').on(table.accountId)],
);

export const realAuths = pgTable(
  'real_auths',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** 1 personal, 2 enterprise. */
    type: integer('type').$type<1 | 2>().notNull(),
    state: text('state', { enum: ['pending', 'manualReview', 'approved', 'rejected'] }).notNull(),
    /** The person's, or the legal person's. */
    name: text('name').notNull(),
    document: text('document', { enum: DOCUMENTS }).notNull().default('idCard'),
    /** The document's number, whichever it is. Sealed. */
    idCard: text('id_card').notNull(),
    /** ISO 3166-1 alpha-2. An ID card has none, and its picture only for an enterprise. */
    documentCountry: text('document_country'),
    documentPicture: text('document_picture'),
    phone: text('phone'),
    enterpriseName: text('enterprise_name'),
    creditCode: text('credit_code'),
    contactName: text('contact_name'),
    licensePicture: text('license_picture'),
    idFrontPicture: text('id_front_picture'),
    idBackPicture: text('id_back_picture'),
    /** The version of the mining commitment that was accepted. */
    commitmentVersion: text('commitment_version').notNull(),
    committedAt: time('committed_at').notNull(),
    submittedAt: time('submitted_at').notNull(),
    decidedAt: time('decided_at'),
    decidedBy: text('decided_by'),
    reason: text('reason'),
  },
  (table) => [
    uniqueIndex('real_auths_account').on(table.accountId, table.type),
    index('real_auths_state').on(table.state, table.submittedAt),
  ],
);
