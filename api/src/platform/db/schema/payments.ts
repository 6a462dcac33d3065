// Money from outside, and what billing remembers of an organisation.
import { PAYMENT_CHANNELS } from '@gantry/contract/billing/bill.ts';
import { DISPUTE_BOOKINGS, PAYMENT_STATES, REFUND_STATES } from '@gantry/contract/billing/payments.ts';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';
import { organizations } from './people.ts';

const CHANNELS = Object.keys(PAYMENT_CHANNELS) as [keyof typeof PAYMENT_CHANNELS, ...(keyof typeof PAYMENT_CHANNELS)[]];

/** Ours of a provider's customer. Never a number of a card. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    /** The provider's id of its being added: how far it is, only the provider knows. */
    setupId: text('setup_id').unique(),
    /** The provider's id; absent until it is added, and again when it is taken away there. */
    providerId: text('provider_id').unique(),
    brand: text('brand').notNull().default(''),
    last4: text('last4').notNull().default(''),
    /** MM/YYYY. */
    expires: text('expires').notNull().default(''),
    isDefault: boolean('is_default').notNull().default(false),
    createdAt: time('created_at').notNull(),
    removedAt: time('removed_at'),
  },
  (table) => [index('payment_methods_org').on(table.organizationId)],
);

/** A top-up at a provider. Its bill shows people its status; `state` says whether anything can still happen to it. */
export const payments = pgTable(
  'payments',
  {
    id: text('id').primaryKey(),
    billId: text('bill_id').notNull(),
    organizationId: text('org_id').notNull(),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    /** The provider's id; null until we have heard from it. */
    providerId: text('provider_id'),
    methodId: text('method_id'),
    /** The payer; null for automatic ones. */
    accountId: text('account_id'),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    state: text('state', { enum: PAYMENT_STATES }).notNull(),
    /** The amount that arrived, and when we first heard of it: recorded before posting, so that every attempt posts the same. */
    paid: amount('paid').notNull(),
    paidAt: time('paid_at'),
    /** The staff member who said how much arrived; null where the provider did. */
    confirmedBy: text('confirmed_by'),
    /** The approval by a second person, where it took one. */
    approval: text('approval'),
    /** How much of it has been paid back, or is on its way. */
    refunded: amount('refunded').notNull(),
    /** 'person', or 'auto'. */
    initiator: text('initiator', { enum: ['person', 'auto'] }).notNull(),
    failure: text('failure'),
    /** The provider's status of a dispute, the most serious one of several; null if there is none. */
    dispute: text('dispute'),
    /** The way disputes are booked if that is not automatic: those from before 0003 were only noted. */
    disputeBooking: text('dispute_booking', { enum: DISPUTE_BOOKINGS }),
    /** How often the provider was asked what went back: of two answers the one that was asked for later counts. */
    reversalTurn: integer('reversal_turn').notNull().default(0),
    /** The data with which a person continues: a provider's client secret is never stored, a bank's reference is. */
    next: jsonb('next').$type<Record<string, string>>().notNull(),
    createdAt: time('created_at').notNull(),
    changedAt: time('changed_at').notNull(),
    /** When to ask the provider for the state, unless it reports by itself. */
    askAt: time('ask_at'),
  },
  (table) => [
    // Each provider numbers for itself.
    uniqueIndex('payments_provider').on(table.channel, table.providerId),
    index('payments_bill').on(table.billId),
    index('payments_org').on(table.organizationId, table.createdAt),
    index('payments_created_at').on(table.createdAt, table.id),
    index('payments_id_prefix').on(table.id.op('text_pattern_ops')),
    index('payments_provider_prefix').on(table.providerId.op('text_pattern_ops')),
    index('payments_ask').on(table.askAt).where(sql`${table.askAt} IS NOT NULL`),
    // Never two automatic ones at once.
    uniqueIndex('payments_auto').on(table.organizationId).where(sql`"initiator" = 'auto' AND "state" = 'open'`),
    // Beyond `paid` for a moment, where the same money is sent back here and at the provider at once: one of the two fails.
    check('payments_back', sql`${table.refunded} >= 0`),
  ],
);

/** Money on its way back. `taken`: it has left the wallet; `sent`: the provider has it. */
export const refunds = pgTable(
  'refunds',
  {
    id: text('id').primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    organizationId: text('org_id').notNull(),
    amount: amount('amount').notNull(),
    state: text('state', { enum: REFUND_STATES }).notNull(),
    providerId: text('provider_id'),
    failure: text('failure'),
    /** The staff member, and the reason. */
    by: text('by').notNull(),
    reason: text('reason').notNull(),
    /** The approval by a second person, where it took one. */
    approval: text('approval'),
    createdAt: time('created_at').notNull(),
    changedAt: time('changed_at').notNull(),
    askAt: time('ask_at'),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    index('refunds_ask').on(table.askAt).where(sql`${table.askAt} IS NOT NULL`),
  ],
);

export interface DisputeMove {
  of: 'payment' | 'fee';
  /** Micro-units; below zero it came back. */
  amount: string;
  currency: string;
  at: string;
}

/** A bank disputes a payment. The provider says how much is taken; each change of that is a move, written down before it is posted. */
export const disputes = pgTable(
  'disputes',
  {
    /** `<channel>/<the provider's id>`. */
    id: text('id').primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    organizationId: text('org_id').notNull(),
    /** In the provider's words. */
    status: text('status').notNull(),
    moves: jsonb('moves').$type<DisputeMove[]>().notNull(),
    /** Which of the payment's questions answered so. */
    turn: integer('turn').notNull().default(0),
    createdAt: time('created_at').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [index('disputes_payment').on(table.paymentId)],
);

/** Webhooks and callbacks as they came in: each counts once, in whatever order. */
export const providerEvents = pgTable('provider_events', {
  /** `<channel>/<the provider's id of the event>`. */
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  at: time('at').notNull(),
  outcome: text('outcome').notNull(),
});

/** One row per organisation, made with its wallet. */
export const billingProfiles = pgTable('billing_profiles', {
  organizationId: text('org_id')
    .primaryKey()
    .references(() => organizations.id),
  /** IANA; an invoice is a month there. */
  zone: text('zone').notNull().default('UTC'),
  legalName: text('legal_name').notNull().default(''),
  address: text('address').notNull().default(''),
  taxId: text('tax_id').notNull().default(''),
  /** The provider's id of us as its customer. */
  customerId: text('customer_id'),
  autoRecharge: boolean('auto_recharge').notNull().default(false),
  /** Below this balance the default card is charged `rechargeAmount`, at most `rechargeDailyLimit` in a UTC day. */
  rechargeBelow: amount('recharge_below'),
  rechargeAmount: amount('recharge_amount'),
  rechargeDailyLimit: amount('recharge_daily_limit'),
  /** A month's spending at most; absent: no cap. */
  monthlyCap: amount('monthly_cap'),
  /** Each member's cap, by account id. */
  memberCaps: jsonb('member_caps').$type<Record<string, string>>().notNull().default({}),
  /** The last low-balance message that was sent; cleared by a top-up. */
  warned: text('warned').notNull().default(''),
  /** Since when it has no credit; its data are kept for a while after that. */
  outOfCreditSince: time('out_of_credit_since'),
  warnings: integer('warnings').notNull().default(0),
});

/** Orders that are paid in advance: a host's months, a plan's month. */
export const orders = pgTable(
  'orders',
  {
    /** `<host uid>/<month>/<nodes>`, `plan/<org>/<month>`. */
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    billId: text('bill_id').notNull(),
    subject: text('subject').notNull(),
    sku: text('sku').notNull(),
    priceId: text('price_id').notNull(),
    quantity: integer('quantity').notNull(),
    from: time('from').notNull(),
    to: time('to').notNull(),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** The row of `discounts` behind it, as text like `priceId`. */
    discountId: text('discount_id'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('orders_org').on(table.organizationId, table.from), index('orders_subject').on(table.subject)],
);
