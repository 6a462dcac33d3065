// Staff's gifts that wait for a second person, and proofs of the books.

import { APPROVAL_STATES, PROOF_STATES } from '@gantry/contract/areas/billing/admin-billing.ts';
import { GIFT_CAUSES, GIFT_KINDS } from '@gantry/contract/billing/gifts.ts';
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

/** The request never changes; the decider, and whether it is booked, are written once. */
export const approvals = pgTable(
  'approvals',
  {
    id: text('id').primaryKey(),
    /** The organisation that gains; '' is everybody whom it applies to. */
    organizationId: text('org_id').notNull(),
    kind: text('kind', { enum: GIFT_KINDS }).notNull(),
    cause: text('cause', { enum: GIFT_CAUSES }).notNull().default('above'),
    /** The balance of a transfer; `credits` for all others: the version before, which knows transfers alone, refuses to carry these out. */
    of: text('of', { enum: ['cash', 'credits'] }).notNull(),
    /** '' where nobody can say what it comes to. */
    currency: text('currency').notNull(),
    /** Below zero takes back. */
    amount: amount('amount').notNull(),
    detail: text('detail').notNull().default(''),
    /** The wish to carry out; the version before kept transfers alone, in the columns above. */
    wish: jsonb('wish').$type<Record<string, unknown>>(),
    reason: text('reason').notNull(),
    state: text('state', { enum: APPROVAL_STATES }).notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: time('requested_at').notNull(),
    decidedBy: text('decided_by'),
    decidedAt: time('decided_at'),
    decisionReason: text('decision_reason'),
    /** The time at which an approved one was carried out. */
    postedAt: time('posted_at'),
  },
  (table) => [
    index('approvals_state').on(table.state, table.requestedAt),
    index('approvals_org').on(table.organizationId, table.requestedAt),
    check('approvals_two_people', sql`${table.decidedBy} <> ${table.requestedBy}`),
    check('approvals_decided', sql`(${table.state} = 'pending') = (${table.decidedBy} IS NULL)`),
  ],
);

export const proofs = pgTable(
  'book_proofs',
  {
    id: text('id').primaryKey(),
    state: text('state', { enum: PROOF_STATES }).notNull(),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at'),
    /** The staff member; null for the command. */
    startedBy: text('started_by'),
    reason: text('reason').notNull().default(''),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** While it runs: when its gateway last said so. */
    aliveAt: time('alive_at').notNull(),
    transfers: integer('transfers'),
    unsealed: integer('unsealed'),
    head: jsonb('head').$type<{ number: string; hash: string }>(),
    /** Balances of the platform's accounts, in micro-units. */
    balances: jsonb('balances').$type<Record<string, string>>().notNull().default({}),
    /** The first of them. */
    faults: jsonb('faults').$type<string[]>().notNull().default([]),
    faultCount: integer('fault_count'),
  },
  (table) => [
    index('book_proofs_started').on(table.startedAt),
    // One at a time, whichever gateway it is in.
    uniqueIndex('book_proofs_running').on(table.state).where(sql`"state" = 'running'`),
  ],
);
