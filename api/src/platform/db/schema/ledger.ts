// The books: transfers and their postings are append-only, blocks seal them; wallets and holds are derived from them and stored.
import { BILL_STATUSES, type BillStatus, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { SOURCE_TYPES } from '@gantry/contract/billing/resources.ts';
import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';
import { organizations } from './people.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

/** `id` is `<organisation | platform>/<type>/<currency>`. Its balance is the sum of its credits less that of its debits. */
export const ledgerAccounts = pgTable('ledger_accounts', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  /** Absent for the platform's own. */
  organizationId: text('org_id').references(() => organizations.id),
  currency: text('currency').notNull(),
});

export const transfers = pgTable(
  'transfers',
  {
    /** Handed out in another order than that of the commits. */
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Transfers that may happen only once share one key. */
    key: text('key').notNull().unique(),
    /** Which pairs of accounts it may touch: `ledger/pairs.ts`. */
    type: text('type').notNull(),
    organizationId: text('org_id').notNull(),
    currency: text('currency').notNull(),
    /** When it happened; the month of a bill goes by it. */
    at: time('at').notNull(),
    postedAt: time('posted_at').notNull(),
    /** The bill it belongs to. */
    billId: text('bill_id'),
    memo: jsonb('memo').$type<Record<string, string>>().notNull(),
  },
  (table) => [
    index('transfers_org').on(table.organizationId, table.at),
    // Revenue of all organisations, by the day.
    index('transfers_at').on(table.at),
  ],
);

/** Double entry: each row moves `amount` from one account to another, so that every transfer's entries sum to zero. */
export const postings = pgTable(
  'postings',
  {
    transferId: bigint('transfer_id', { mode: 'bigint' }).notNull(),
    leg: smallint('leg').notNull(),
    debit: text('debit').notNull(),
    credit: text('credit').notNull(),
    amount: amount('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transferId, table.leg] }),
    check('postings_amount', sql`${table.amount} > 0`),
    check('postings_two_accounts', sql`${table.debit} <> ${table.credit}`),
  ],
);

export const ledgerBlocks = pgTable('ledger_blocks', {
  number: bigint('number', { mode: 'bigint' }).primaryKey(),
  /** The transfers in it, with their postings' hash, in the order of their ids. */
  transfers: jsonb('transfers').$type<[id: string, hash: string][]>().notNull(),
  /** The last of them: everything up to it is sealed. */
  toId: bigint('to_id', { mode: 'bigint' }).notNull(),
  hash: text('hash').notNull(),
  previous: text('previous').notNull(),
  sealedAt: time('sealed_at').notNull(),
});

/** The money of an organisation: its accounts' balances, materialised. The row is the lock for every spender. */
export const wallets = pgTable(
  'wallets',
  {
    organizationId: text('org_id')
      .primaryKey()
      .references(() => organizations.id),
    currency: text('currency').notNull(),
    cash: amount('cash').notNull(),
    credits: amount('credits').notNull(),
    /** Its debt, positive. */
    debt: amount('debt').notNull(),
    /** How far below zero staff let it go before anything is refused. */
    overdraft: amount('overdraft').notNull(),
  },
  (table) => [check('wallets_signs', sql`${table.cash} >= 0 AND ${table.credits} >= 0 AND ${table.debt} >= 0`)],
);

/** Money reserved for imminent use. It moves nothing in the books; an expired hold no longer counts. */
export const holds = pgTable(
  'holds',
  {
    /** Its purpose: an object's uid, or an order. */
    subject: text('subject').primaryKey(),
    organizationId: text('org_id').notNull(),
    /** The member whose cap it counts against. */
    accountId: text('account_id'),
    amount: amount('amount').notNull(),
    until: time('until').notNull(),
  },
  // By `until` the credit gate looks every two seconds for those that ended.
  (table) => [index('holds_org').on(table.organizationId), index('holds_until').on(table.until)],
);

/** One line of what a person sees as a transaction. Of metered use: one per object and UTC day. */
export const bills = pgTable(
  'bills',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    currency: text('currency').notNull(),
    type: text('type', { enum: keysOf(TRANSACTION_TYPES) }).notNull(),
    status: text('status', { enum: keysOf(BILL_STATUSES) })
      .$type<BillStatus>()
      .notNull(),
    at: time('at').notNull(),
    changedAt: time('changed_at').notNull(),
    total: amount('total').notNull(),
    /** How much of `total` cash, or somebody outside, has paid; and how much credits have. */
    paid: amount('paid').notNull(),
    creditUsed: amount('credit_used').notNull(),
    /**
     * How much of a top-up's `paid`, which never falls, went back outside by refunds, and how much banks took back by disputes.
     */
    refunded: amount('refunded').notNull().default(sql`0`),
    chargedBack: amount('charged_back').notNull().default(sql`0`),
    /** How much of these two the wallet did not have, and is still owed. A usage bill's other amounts say what it lacks. */
    owed: amount('owed').notNull().default(sql`0`),
    channel: text('channel', { enum: keysOf(PAYMENT_CHANNELS) }).notNull(),
    source: text('source', { enum: SOURCE_TYPES }),
    /** The person who paid, ordered, or created what was used. */
    accountId: text('account_id'),
    /** `GpuInstance/ins-…`, an order, a payment at a provider. */
    reference: text('reference').notNull(),
    detail: text('detail').notNull().default(''),
  },
  (table) => [
    index('bills_org').on(table.organizationId, table.at),
    index('bills_reference').on(table.reference),
    index('bills_at').on(table.at, table.id),
    index('bills_id_prefix').on(table.id.op('text_pattern_ops')),
    index('bills_reference_prefix').on(table.reference.op('text_pattern_ops')),
    // The parts of a debt, in the order in which they are paid.
    index('bills_due').on(table.organizationId, table.at).where(sql`${table.status} IN ('unpaid', 'partially_paid')`),
    index('bills_owed').on(table.organizationId, table.at).where(sql`${table.owed} > 0`),
    check('bills_went_back', sql`${table.refunded} >= 0 AND ${table.chargedBack} >= 0 AND ${table.owed} >= 0`),
  ],
);
