// Payments: cards, top-ups, automatic top-ups, providers' webhooks, and staff's actions on payments. A failed payment is an
// answer, and says so in `status` and `message`; no stored answer holds a provider's client secret.
import * as z from 'zod';
import { BILL_STATUSES, type BillStatus, PAYMENT_CHANNELS, type PaymentChannel } from '../../billing/bill.ts';
import {
  DISPUTE_BOOKINGS,
  PAYMENT_FAILURES,
  PAYMENT_STATES,
  type PaymentFailure,
  REFUND_STATES,
} from '../../billing/payments.ts';
import { amountToPay, currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { approval_id, givenRow } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';

const time = z.iso.datetime();
const id = z.string().min(1).max(63);
const channels = (Object.keys(PAYMENT_CHANNELS) as PaymentChannel[]).filter((name) => name !== 'balance');
export const channel = z.enum(channels as [PaymentChannel, ...PaymentChannel[]]);
const statuses = Object.keys(BILL_STATUSES) as [BillStatus, ...BillStatus[]];
const failures = Object.keys(PAYMENT_FAILURES) as [PaymentFailure, ...PaymentFailure[]];

const offered = z.object({
  payment_channel: channel,
  name: z.string(),
  publishable_key: z.string().nullable().meta({ description: "For the card provider's own form." }),
  script_url: z.string().nullable().meta({ description: "The provider's script, which makes that form." }),
  is_test: z.boolean().meta({ description: 'No money moves.' }),
});

const method = z.object({
  payment_id: z.string(),
  payment_channel: channel,
  brand: z.string(),
  last4: z.string(),
  exp_time: z.string().meta({ description: 'MM/YYYY' }),
  is_default: z.boolean(),
  create_time: time,
});

/** The data with which a person continues the payment. */
const next = z.object({
  type: z.enum(['card', 'redirect', 'transfer']),
  client_secret: z
    .string()
    .optional()
    .meta({ description: "For the card provider's own form; asked for anew each time." }),
  publishable_key: z.string().optional(),
  url: z.string().optional(),
  reference: z.string().optional().meta({ description: 'To be put on the transfer.' }),
  account: z.string().optional().meta({ description: 'Where to transfer it.' }),
});

const paymentFields = {
  id: z.string(),
  amount: money,
  currency: currencyCode,
  payment_channel: channel,
  status: z.enum(statuses),
  message: z.string(),
  failure: z.enum(failures).nullable(),
  is_test: z.boolean(),
  create_time: time,
};

const autoRecharge = {
  enabled: z.boolean(),
  below: money.nullable(),
  amount: money.nullable(),
  daily_limit: money.nullable(),
};

const refund = z.object({
  id: z.string(),
  amount: money,
  state: z.enum(REFUND_STATES),
  failure: z.enum(failures).nullable(),
  by: z.string(),
  reason: z.string(),
  create_time: time,
});

/** As staff see it. */
const staffPayment = z.object({
  id: z.string(),
  organization_id: z.string(),
  organization_name: z.string(),
  account_id: z.string().nullable(),
  waits: z.boolean().meta({
    description: 'For staff: an open bank transfer, an amount that differs, a dispute that is undecided.',
  }),
  amount: money,
  paid: money,
  refunded: money,
  charged_back: money.meta({ description: 'What a bank took back by a dispute, and keeps.' }),
  refundable: money.meta({
    description:
      'What can be refunded now: not more than is in cash, and nothing while a refund or a dispute is under way.',
  }),
  currency: currencyCode,
  payment_channel: channel,
  state: z.enum(PAYMENT_STATES),
  status: z.enum(statuses),
  failure: z.enum(failures).nullable(),
  dispute: z.string().nullable().meta({ description: 'In the words of the provider; the gravest of several.' }),
  dispute_booking: z.enum(DISPUTE_BOOKINGS).nullable().meta({
    description:
      'Of a dispute that an earlier version noted and did not book: staff decide. Null: it is booked by itself.',
  }),
  initiator: z.enum(['person', 'auto']),
  provider_id: z.string().nullable(),
  reference: z.string().nullable().meta({ description: 'On a bank transfer.' }),
  created_at: time,
  changed_at: time,
});

export type StaffPayment = z.output<typeof staffPayment>;

const oneOf = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).max(1000)]).optional();

/** A resource of `admin.ts`. */
export const PAYMENT_RESOURCES = {
  payments: {
    menu: 'billing',
    one: 'payment',
    row: staffPayment,
    columns: [
      'waits',
      'created_at',
      'organization_name',
      'amount',
      'paid',
      'refunded',
      'payment_channel',
      'status',
      'dispute',
    ],
    // Payments that wait for staff come first.
    order: ['waits', 'DESC'],
    references: { organization_id: 'organizations', account_id: 'users' },
    sort: ['id', 'waits', 'organization_id', 'payment_channel', 'state', 'amount', 'created_at', 'changed_at'],
    filter: {
      q: z.string().min(1).max(100).optional(),
      waits: z.boolean().optional(),
      disputed: z.boolean().optional(),
      organization_id: oneOf(z.string().max(63)),
      payment_channel: oneOf(channel),
      state: oneOf(z.enum(PAYMENT_STATES)),
      status: oneOf(z.enum(statuses)),
      initiator: oneOf(z.enum(['person', 'auto'])),
      failure: oneOf(z.enum(failures)),
      dispute_booking: oneOf(z.enum(DISPUTE_BOOKINGS)),
    },
  },
  refunds: {
    menu: 'billing',
    one: 'refund',
    row: z.object({
      id: z.string(),
      payment_id: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      currency: currencyCode,
      amount: money,
      payment_channel: channel,
      state: z.enum(REFUND_STATES),
      failure: z.enum(failures).nullable(),
      /** `provider` made it there. */
      by: z.string(),
      by_name: z.string(),
      reason: z.string(),
      provider_id: z.string().nullable(),
      created_at: time,
      changed_at: time,
    }),
    columns: [
      'created_at',
      'organization_name',
      'amount',
      'payment_channel',
      'state',
      'failure',
      'by_name',
      'reason',
      'payment_id',
    ],
    order: ['created_at', 'DESC'],
    references: { organization_id: 'organizations', payment_id: 'payments' },
    sort: ['id', 'organization_id', 'state', 'amount', 'created_at', 'changed_at'],
    filter: {
      q: z.string().min(1).max(100).optional(),
      organization_id: oneOf(z.string().max(63)),
      payment_id: oneOf(z.string().max(63)),
      state: oneOf(z.enum(REFUND_STATES)),
      payment_channel: oneOf(channel),
    },
  },
  chargebacks: {
    menu: 'billing',
    one: 'chargeback',
    row: z.object({
      /** `<channel>/<the provider's id>`. */
      id: z.string(),
      payment_id: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      payment_channel: channel,
      /** In the provider's words. */
      dispute: z.string(),
      is_decided: z.boolean(),
      currency: currencyCode,
      /** The amount that the bank has of the payment now, and the most that it had. */
      taken: money,
      most_taken: money,
      /** The provider's fee, which is the platform's cost. */
      fee: money,
      fee_currency: currencyCode,
      created_at: time,
      changed_at: time,
    }),
    columns: [
      'created_at',
      'organization_name',
      'dispute',
      'is_decided',
      'taken',
      'most_taken',
      'fee',
      'payment_id',
      'changed_at',
    ],
    order: ['created_at', 'DESC'],
    references: { organization_id: 'organizations', payment_id: 'payments' },
    sort: ['id', 'organization_id', 'dispute', 'created_at', 'changed_at'],
    filter: {
      q: z.string().min(1).max(100).optional(),
      organization_id: oneOf(z.string().max(63)),
      payment_id: oneOf(z.string().max(63)),
      dispute: oneOf(z.string().max(63)),
      is_decided: z.boolean().optional(),
    },
  },
} as const;
export type StaffRefund = z.output<typeof PAYMENT_RESOURCES.refunds.row>;
export type StaffChargeback = z.output<typeof PAYMENT_RESOURCES.chargebacks.row>;

const tag = 'billing';
const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const ofOne = z.object({ id });
const atProvider = ['payment_channel_missing', 'provider_away'] as const;
const withinLimits = ['amount_outside', 'amount_unit', 'currency_not_payable'] as const;

export const PAYMENT_ROUTES = {
  listPaymentChannels: defineRoute({
    id: 'listPaymentChannels',
    method: 'GET',
    path: '/paybill/v1/payment-channel',
    tag,
    summary: 'What can be paid by here, and from how much to how much at once.',
    access: { right: 'pay' },
    answer: {
      result: z.object({
        currency: currencyCode,
        least: money.nullable(),
        most: money.nullable(),
        channels: z.array(offered),
      }),
    },
    problems: [],
  }),
  listPaymentMethods: defineRoute({
    id: 'listPaymentMethods',
    method: 'GET',
    path: '/paybill/v1/customer-payment',
    tag,
    summary: 'Cards that can be paid with; the default first.',
    access: { right: 'pay' },
    answer: { data: z.array(method) },
    problems: [],
  }),
  addPaymentMethod: defineRoute({
    id: 'addPaymentMethod',
    method: 'POST',
    path: '/paybill/v1/customer-payment',
    tag,
    summary: 'Begins to add a card: its data go from the page to the provider; PUT on the payment_id finishes.',
    access: { right: 'pay' },
    body: z.strictObject({ payment_channel: channel.default('card') }),
    answer: { result: z.object({ payment_id: z.string(), next }) },
    status: 201,
    problems: atProvider,
    secret: true,
  }),
  updatePaymentMethod: defineRoute({
    id: 'updatePaymentMethod',
    method: 'PUT',
    path: '/paybill/v1/customer-payment/{id}',
    tag,
    summary: 'Takes a card over as the provider has it now, and makes it the default where that is wanted.',
    access: { right: 'pay' },
    params: ofOne,
    body: z.strictObject({ is_default: z.literal(true).optional() }),
    answer: { result: method },
    problems: ['payment_method_failed', ...atProvider],
  }),
  removePaymentMethod: defineRoute({
    id: 'removePaymentMethod',
    method: 'DELETE',
    path: '/paybill/v1/customer-payment/{id}',
    tag,
    summary: 'Takes a card away, at the provider, too; automatic recharge ends with its card.',
    access: { right: 'pay' },
    params: ofOne,
    answer: { text: 'ok' },
    problems: atProvider,
  }),
  recharge: defineRoute({
    id: 'recharge',
    feature: 'topUps',
    method: 'POST',
    path: '/paybill/v1/wallet-balances-paydo',
    tag,
    summary: 'Pays into the balance; GET on the id says how it goes on, and what a person has to confirm with.',
    access: { right: 'pay' },
    body: z.strictObject({
      amount: amountToPay,
      payment_channel: channel,
      payment_id: id.optional().meta({ description: 'A card; without one the default, else the page asks for it.' }),
    }),
    answer: { result: z.object({ ...paymentFields, next: next.pick({ type: true }).nullable() }) },
    status: 201,
    problems: ['payment_channel_missing', ...withinLimits, 'not_found'],
  }),
  getRecharge: defineRoute({
    id: 'getRecharge',
    method: 'GET',
    path: '/paybill/v1/wallet-balances-paydo/{id}',
    tag,
    summary: 'How a payment stands: the provider is asked where it is open.',
    access: { right: 'pay' },
    params: ofOne,
    answer: { result: z.object({ ...paymentFields, next: next.nullable() }) },
    problems: [],
    secret: true,
  }),
  giveUpRecharge: defineRoute({
    id: 'giveUpRecharge',
    method: 'DELETE',
    path: '/paybill/v1/wallet-balances-paydo/{id}',
    tag,
    summary: 'Calls a payment off that is open; one whose money is on its way goes on.',
    access: { right: 'pay' },
    params: ofOne,
    answer: { result: z.object(paymentFields) },
    problems: ['payment_not_open', 'provider_away'],
  }),
  getAutoRecharge: defineRoute({
    id: 'getAutoRecharge',
    method: 'GET',
    path: '/paybill/v1/auto-recharge',
    tag,
    summary: 'Whether the default card is charged when the balance is low.',
    access: { right: 'pay' },
    answer: { result: z.object(autoRecharge) },
    problems: [],
  }),
  setAutoRecharge: defineRoute({
    id: 'setAutoRecharge',
    method: 'PUT',
    path: '/paybill/v1/auto-recharge',
    tag,
    summary: 'Charges the default card `amount` whenever the balance is below, at most `daily_limit` in a UTC day.',
    access: { right: 'pay' },
    body: z.strictObject({
      enabled: z.boolean(),
      below: amountToPay,
      amount: amountToPay,
      daily_limit: amountToPay,
    }),
    answer: { result: z.object(autoRecharge) },
    problems: ['auto_recharge_card', 'auto_recharge_limit', ...withinLimits],
  }),
  takeWebhook: defineRoute({
    id: 'takeWebhook',
    method: 'POST',
    path: '/paybill/v1/webhook/{channel}',
    tag,
    summary: 'For payment providers: their signature over the raw body says who calls.',
    access: 'public',
    params: z.object({ channel: z.string().min(1).max(40) }),
    answer: { text: 'ok' },
    problems: ['webhook_signature', 'webhook_malformed', 'provider_away', 'too_large'],
    upload: true,
  }),
};

export const PAYMENT_STAFF_ROUTES = {
  adminConfirmTransfer: defineRoute({
    id: 'adminConfirmTransfer',
    method: 'POST',
    path: '/admin/payments/{id}/confirm',
    tag: 'admin',
    summary:
      'Says how much came: of a bank transfer, or of a payment that differs from what was asked for. Another amount than the announced one needs a second person.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({ amount: amountToPay, reason }),
    answer: { raw: staffPayment.extend({ approval_id }) },
    problems: ['payment_not_open', 'payment_channel_missing', 'bill_not_movable', 'amount_unit'],
  }),
  adminRefundPayment: defineRoute({
    id: 'adminRefundPayment',
    method: 'POST',
    path: '/admin/payments/{id}/refund',
    tag: 'admin',
    summary: 'Pays back what was paid and is still in cash; of a bank transfer staff send it at the bank.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({ amount: amountToPay, reason }),
    answer: { raw: givenRow(refund) },
    status: 201,
    problems: [
      'refund_too_large',
      'refund_under_way',
      'payment_not_open',
      'payment_disputed',
      'payment_channel_missing',
      'amount_unit',
      'wallet_short',
    ],
  }),
  adminBookDisputes: defineRoute({
    id: 'adminBookDisputes',
    method: 'POST',
    path: '/admin/payments/{id}/disputes',
    tag: 'admin',
    summary: 'Decides about disputes that were noted and not booked: booked now, or adjusted by hand and never booked.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({ booking: z.enum(['now', 'by_hand']), reason }),
    answer: { raw: staffPayment.extend({ approval_id }) },
    problems: ['not_found', 'provider_away'],
  }),
  adminListPaymentRefunds: defineRoute({
    id: 'adminListPaymentRefunds',
    method: 'GET',
    path: '/admin/payments/{id}/refund',
    tag: 'admin',
    summary: 'What was paid back of a payment, and how that went.',
    access: { platform: 'billing' },
    params: ofOne,
    answer: { raw: z.array(refund) },
    problems: [],
  }),
};
