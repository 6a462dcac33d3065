// Money from outside, and what billing remembers of an organisation.
import { PAYMENT_CHANNELS } from '@gantry/contract/billing/bill.ts';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { amount } from './amount.ts';
import { organizations } from './people.ts';
import { time } from './time.ts';

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
    /** The provider's id. */
    providerId: text('provider_id').notNull().unique(),
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

/** A recharge, or a refund of one, at a provider. Its bill says how far it is. */
export const payments = pgTable(
  'payments',
  {
    id: text('id').primaryKey(),
    billId: text('bill_id').notNull(),
    organizationId: text('org_id').notNull(),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    /** What the provider calls it; absent until it has heard of it. */
    providerId: text('provider_id').unique(),
    methodId: text('method_id'),
    amount: amount('amount').notNull(),
    /** Of it, what has been paid back. */
    refunded: amount('refunded').notNull(),
    currency: text('currency').notNull(),
    /** 'person', 'auto', or who of the staff. */
    initiator: text('initiator').notNull(),
    failure: text('failure'),
    /** What a person needs to go on: a provider's client secret is never kept, a bank's reference is. */
    next: jsonb('next').$type<Record<string, string>>().notNull(),
    createdAt: time('created_at').notNull(),
    changedAt: time('changed_at').notNull(),
    /** When the provider is asked how it stands, where it does not say so by itself. */
    askAt: time('ask_at'),
  },
  (table) => [index('payments_bill').on(table.billId), index('payments_org').on(table.organizationId)],
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
  /** Of each member, by account id. */
  memberCaps: jsonb('member_caps').$type<Record<string, string>>().notNull().default({}),
  /** Of the low-balance messages, which was sent last; empty again after a top-up. */
  warned: text('warned').notNull().default(''),
  /** Since when it has no credit; what it holds is kept for a while from then on. */
  outOfCreditSince: time('out_of_credit_since'),
  warnings: integer('warnings').notNull().default(0),
});

/** What was ordered and paid ahead: a host's months, a plan's month. */
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
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('orders_org').on(table.organizationId, table.from), index('orders_subject').on(table.subject)],
);
