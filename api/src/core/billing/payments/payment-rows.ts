// Payments, refunds and chargebacks in the operators' console: what waits for staff, what went back, what is disputed.

import type { StaffChargeback, StaffPayment, StaffRefund } from '@gantry/contract/areas/billing/payments.ts';
import { isPaymentFailure } from '@gantry/contract/billing/payments.ts';
import { least, type Micros, micros, moneyText, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { count, eq, inArray, sql } from 'drizzle-orm';
import { type Listed, type Page, pageOfRows, placeOf } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { bills, wallets } from '../../../platform/db/schema/ledger.ts';
import { disputes, payments, refunds } from '../../../platform/db/schema/payments.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import { DECIDED, isAtBank, isDecided } from './dispute-status.ts';
import { leftOf } from './payments.ts';

/** A transfer that has to be confirmed, an amount that staff have to name, a dispute that they have to decide about. */
const WAITS = sql<boolean>`(${payments.state} = 'open' and ${payments.channel} = 'bank_transfer'
  or coalesce(${payments.failure}, '') = 'amount_differs' and ${payments.state} = 'open'
  or coalesce(${payments.disputeBooking}, '') = 'undecided')`;

/** Those that wait are together, the newest beside the others' oldest: seconds since 1970 are fewer. */
const WAITS_BY_AGE = {
  sql: sql`(case when ${WAITS} then 1e10 else 0 end + extract(epoch from ${payments.createdAt}))`,
  type: 'numeric',
};

/** Another one cannot begin meanwhile. */
const IS_REFUNDING = sql<boolean>`exists (select from ${refunds} where ${refunds.paymentId} = ${payments.id} and ${refunds.state} in ('asked', 'taken', 'sent'))`;

const PAYMENTS: Listed = {
  columns: {
    id: payments.id,
    organization_id: payments.organizationId,
    payment_channel: payments.channel,
    state: payments.state,
    status: bills.status,
    initiator: payments.initiator,
    failure: payments.failure,
    dispute_booking: payments.disputeBooking,
    amount: payments.amount,
    created_at: payments.createdAt,
    changed_at: payments.changedAt,
  },
  computed: { waits: WAITS, disputed: sql`${payments.dispute} is not null` },
  // A transfer's reference is among them.
  searched: [payments.id, payments.organizationId, payments.providerId, organizations.name],
};

/** Throws not_found. */
export async function paymentRow(db: Pick<Database, 'sql'>, id: string): Promise<StaffPayment> {
  const [row] = (await paymentRows(db, { sort: ['id', 'ASC'], range: [0, 0], filter: { id } })).items;
  if (!row) throw problem('not_found', { what: id });
  return row;
}

export async function paymentRows({ sql: connection }: Pick<Database, 'sql'>, query: AdminQuery) {
  const { columns, where } = placeOf(PAYMENTS, query);
  const { items, ...page } = await pageOfRows(
    { columns: { ...columns, waits: WAITS_BY_AGE }, where },
    query,
    (key) =>
      connection
        .select({
          id: payments.id,
          key,
          payment: payments,
          status: bills.status,
          chargedBack: bills.chargedBack,
          organization: organizations.name,
          cash: wallets.cash,
          waits: WAITS,
          isRefunding: IS_REFUNDING,
        })
        .from(payments)
        .innerJoin(bills, eq(bills.id, payments.billId))
        .leftJoin(organizations, eq(organizations.id, payments.organizationId))
        .leftJoin(wallets, eq(wallets.organizationId, payments.organizationId))
        .$dynamic(),
    connection
      .select({ total: count() })
      .from(payments)
      .innerJoin(bills, eq(bills.id, payments.billId))
      .leftJoin(organizations, eq(organizations.id, payments.organizationId))
      .$dynamic(),
  );
  return { ...page, items: items.map(staffPaymentRow) } satisfies Page<StaffPayment>;
}

const staffPaymentRow = ({
  payment,
  status,
  chargedBack,
  organization,
  cash,
  waits,
  isRefunding,
}: {
  payment: typeof payments.$inferSelect;
  status: StaffPayment['status'];
  chargedBack: Micros;
  organization: string | null;
  cash: Micros | null;
  waits: boolean;
  isRefunding: boolean;
}): StaffPayment => {
  const isFree = payment.state === 'paid' && !isRefunding && (payment.dispute === null || !isAtBank(payment.dispute));
  return {
    id: payment.id,
    organization_id: payment.organizationId,
    organization_name: organization ?? '',
    account_id: payment.accountId,
    waits,
    amount: moneyText(payment.amount),
    paid: moneyText(payment.paid),
    refunded: moneyText(payment.refunded),
    charged_back: moneyText(chargedBack),
    refundable: moneyText(isFree ? least(leftOf(payment, chargedBack), cash ?? ZERO) : ZERO),
    currency: payment.currency,
    payment_channel: payment.channel,
    state: payment.state,
    status,
    failure: failureOf(payment),
    dispute: payment.dispute,
    dispute_booking: payment.disputeBooking,
    initiator: payment.initiator,
    provider_id: payment.providerId,
    reference: payment.channel === 'bank_transfer' ? payment.providerId : null,
    created_at: payment.createdAt.toISOString(),
    changed_at: payment.changedAt.toISOString(),
  };
};

const failureOf = ({ failure }: { failure: string | null }) =>
  failure !== null && isPaymentFailure(failure) ? failure : null;

const REFUNDS: Listed = {
  columns: {
    id: refunds.id,
    payment_id: refunds.paymentId,
    organization_id: refunds.organizationId,
    payment_channel: payments.channel,
    state: refunds.state,
    amount: refunds.amount,
    created_at: refunds.createdAt,
    changed_at: refunds.changedAt,
  },
  searched: [refunds.id, refunds.paymentId, refunds.providerId, refunds.reason, organizations.name],
};

export async function refundRows({ sql: connection }: Pick<Database, 'sql'>, query: AdminQuery) {
  const { items: found, ...page } = await pageOfRows(
    placeOf(REFUNDS, query),
    query,
    (key) =>
      connection
        .select({
          id: refunds.id,
          key,
          refund: refunds,
          channel: payments.channel,
          currency: payments.currency,
          organization: organizations.name,
          byName: accounts.name,
        })
        .from(refunds)
        .innerJoin(payments, eq(payments.id, refunds.paymentId))
        .leftJoin(organizations, eq(organizations.id, refunds.organizationId))
        .leftJoin(accounts, eq(accounts.id, refunds.by))
        .$dynamic(),
    connection
      .select({ total: count() })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .leftJoin(organizations, eq(organizations.id, refunds.organizationId))
      .$dynamic(),
  );
  const items = found.map(
    ({ refund, channel, currency, organization, byName }): StaffRefund => ({
      id: refund.id,
      payment_id: refund.paymentId,
      organization_id: refund.organizationId,
      organization_name: organization ?? '',
      currency,
      amount: moneyText(refund.amount),
      payment_channel: channel,
      state: refund.state,
      failure: failureOf(refund),
      by: refund.by,
      by_name: byName ?? refund.by,
      reason: refund.reason,
      provider_id: refund.providerId,
      created_at: refund.createdAt.toISOString(),
      changed_at: refund.changedAt.toISOString(),
    }),
  );
  return { ...page, items } satisfies Page<StaffRefund>;
}

const CHARGEBACKS: Listed = {
  columns: {
    id: disputes.id,
    payment_id: disputes.paymentId,
    organization_id: disputes.organizationId,
    dispute: disputes.status,
    created_at: disputes.createdAt,
    changed_at: disputes.changedAt,
  },
  computed: { is_decided: inArray(disputes.status, [...DECIDED]) },
  searched: [disputes.id, disputes.paymentId, organizations.name],
};

export async function chargebackRows({ sql: connection }: Pick<Database, 'sql'>, query: AdminQuery) {
  const { items: found, ...page } = await pageOfRows(
    placeOf(CHARGEBACKS, query),
    query,
    (key) =>
      connection
        .select({
          id: disputes.id,
          key,
          dispute: disputes,
          channel: payments.channel,
          currency: payments.currency,
          organization: organizations.name,
        })
        .from(disputes)
        .innerJoin(payments, eq(payments.id, disputes.paymentId))
        .leftJoin(organizations, eq(organizations.id, disputes.organizationId))
        .$dynamic(),
    connection
      .select({ total: count() })
      .from(disputes)
      .innerJoin(payments, eq(payments.id, disputes.paymentId))
      .leftJoin(organizations, eq(organizations.id, disputes.organizationId))
      .$dynamic(),
  );
  const items = found.map(({ dispute, channel, currency, organization }): StaffChargeback => {
    const moved = (of: 'payment' | 'fee') => dispute.moves.filter((move) => move.of === of);
    const sum = (moves: typeof dispute.moves) => sumOf(moves.map(({ amount }) => micros(BigInt(amount))));
    const taken = moved('payment');
    return {
      id: dispute.id,
      payment_id: dispute.paymentId,
      organization_id: dispute.organizationId,
      organization_name: organization ?? '',
      payment_channel: channel,
      dispute: dispute.status,
      is_decided: isDecided(dispute.status),
      currency,
      taken: moneyText(sum(taken)),
      most_taken: moneyText(sum(taken.filter(({ amount }) => BigInt(amount) > 0n))),
      fee: moneyText(sum(moved('fee'))),
      fee_currency: moved('fee')[0]?.currency ?? currency,
      created_at: dispute.createdAt.toISOString(),
      changed_at: dispute.changedAt.toISOString(),
    };
  });
  return { ...page, items } satisfies Page<StaffChargeback>;
}
