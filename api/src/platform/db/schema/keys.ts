// Credentials: a person's SSH keys, and a membership's API tokens and kubeconfigs.
import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { RIGHTS } from '@gantry/contract/roles.ts';
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

export const pubKeys = pgTable(
  'pub_keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    remark: text('remark').notNull(),
    /** Kind and base64, without the comment: what two spellings of one key have in common. */
    publicKey: text('public_key').notNull(),
    /** `SHA256:…`, as ssh-keygen shows it. */
    fingerprint: text('fingerprint').notNull(),
    /** Absent: permanent. */
    expiresAt: time('expires_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('pub_keys_key').on(table.accountId, table.publicKey)],
);

/** A public key that is still to be taken off instances: done at once, or as soon as the cluster answers again. */
export const keyRemovals = pgTable('key_removals', {
  id: text('id').primaryKey(),
  namespace: text('namespace').notNull(),
  publicKey: text('public_key').notNull(),
  /** The owner of the key. */
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  createdAt: time('created_at').notNull(),
});

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the secret, which is nowhere. */
    tokenHash: text('token_hash').notNull().unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    remark: text('remark').notNull(),
    scopes: text('scopes', { enum: RIGHTS }).array().notNull(),
    /** Absent: permanent. */
    expiresAt: time('expires_at'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
    /** Limits of the use of models. Absent: none. */
    limits: jsonb('limits').$type<TokenLimits>(),
  },
  (table) => [index('api_tokens_membership').on(table.organizationId, table.accountId)],
);

/** A download. Its token is the gateway's, which asks the cluster for others: those are bound to the Secret of this name. */
export const kubeconfigs = pgTable(
  'kubeconfigs',
  {
    /** Also the Secret's name. */
    id: text('id').primaryKey(),
    /** SHA-256 of the token, which is nowhere. Absent: an older download, whose token is one of the cluster, bound to the Secret. */
    tokenHash: text('token_hash').unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    remark: text('remark').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull(),
    /** The Secret's uid; null until the Secret exists, and until then the token opens nothing. */
    secretUid: text('secret_uid'),
    /** Revoked; the row goes once the Secret is gone. */
    revokedAt: time('revoked_at'),
  },
  (table) => [index('kubeconfigs_membership').on(table.organizationId, table.accountId)],
);
