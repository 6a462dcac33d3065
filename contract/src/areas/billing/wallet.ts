// The wallet: the balance, what may be spent, and estimates.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { placement } from '../../http/kind-bodies.ts';
import { channel } from './payments.ts';

const tag = 'billing';
const account = z.string().min(1).max(63);
const cap = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'amount_rule')
  .meta({ description: 'Decimal, with at most two decimals; 0 stops all that costs.' });

const wallet = z.object({
  currency: currencyCode,
  balance: money.meta({ description: 'Cash and credits less what is owed.' }),
  cash: money,
  credits: money,
  debt: money,
  held: money.meta({ description: 'Reserved for what runs or is ordered.' }),
  overdraft: money,
  available: money.meta({ description: 'What may still be reserved.' }),
  accrued: money.meta({ description: 'Used and not posted yet; computed now.' }),
  per_hour: money.meta({ description: 'What all that is in use costs.' }),
  hours_left: z.number().nullable().meta({
    description:
      'How long the balance lasts, with all that is in use, the plan, and hosts that renew themselves; null while nothing is charged.',
  }),
  in_credit: z.boolean(),
  reason: z.string().nullable(),
});
export type WalletView = z.input<typeof wallet>;

const line = z.object({
  resource: z.string(),
  model: z.string().nullable(),
  quantity: z.number(),
  unit: z.string(),
  per: z.enum(['hour', 'month', 'rental', 'included']),
  unit_price: money.nullable(),
  per_hour: money,
  per_month: money,
});

const estimate = z.object({
  currency: currencyCode,
  lines: z.array(line),
  per_hour: money.meta({ description: 'After the discount.' }),
  per_month: money.meta({ description: 'Of 730 hours.' }),
  list_per_hour: money,
  least_per_hour: money.meta({ description: 'With as few replicas as it may have; of others the same as per_hour.' }),
  most_per_hour: money.meta({ description: 'With as many replicas as it may have; of a job with all of its workers.' }),
  most_in_all: money.nullable().meta({
    description:
      'What a job costs at most, all of its tries included; null without a limit to its time. Of a schedule: one run.',
  }),
  order: money.nullable().meta({ description: 'Paid ahead, once.' }),
  needed: money.meta({ description: 'What has to be available for it to be made.' }),
  available: money,
  balance_after: money,
  hours_left: z
    .number()
    .nullable()
    .meta({ description: 'How long the balance lasts with it; null while nothing is charged.' }),
  unpriced: z.array(z.string()),
  affordable: z.boolean(),
  refusal: z.string().nullable().meta({ description: 'The error with which it would be refused.' }),
});
export type EstimateView = z.input<typeof estimate>;

const caps = z.object({
  currency: currencyCode,
  month: z.string().meta({ description: 'YYYY-MM, UTC.' }),
  organization: z.object({ cap: money.nullable(), spent: money }),
  members: z.array(z.object({ account_id: z.string(), cap: money.nullable(), spent: money })),
});
export type CapsView = z.input<typeof caps>;

export const WALLET_ROUTES = {
  balances: defineRoute({
    id: 'getWalletBalances',
    method: 'GET',
    path: '/paybill/v1/wallet-balances',
    tag,
    summary: "The organisation's wallet: what there is, is held, owed and used up by the hour.",
    access: { right: 'view' },
    query: z.strictObject({
      payment_channel: channel
        .optional()
        .meta({ description: 'Refused where nobody can pay by it here. The wallet is one for all channels.' }),
      org_id: z.string().max(63).optional().meta({ description: "Changes nothing: it is the caller's." }),
    }),
    answer: { result: wallet },
    problems: ['payment_channel_missing'],
  }),
  estimate: defineRoute({
    id: 'estimateCost',
    method: 'POST',
    path: '/paybill/v1/estimate',
    tag,
    summary: 'What something would cost, before it is made. Nothing is reserved.',
    access: { right: 'view' },
    body: z.strictObject({
      kind: z.string().min(1).max(63).meta({ description: 'A kind, such as GpuInstance.' }),
      spec: z.record(z.string(), z.unknown()).meta({ description: 'As the kind has it; defaults are filled in.' }),
      region: placement,
    }),
    answer: { result: estimate },
    problems: ['not_a_member', 'region_closed'],
  }),
  caps: defineRoute({
    id: 'getSpendCaps',
    method: 'GET',
    path: '/paybill/v1/caps',
    tag,
    summary: 'What the organisation and each member may spend in a month, and what is spent.',
    access: { right: 'view' },
    answer: { result: caps },
    problems: [],
  }),
  setCaps: defineRoute({
    id: 'setSpendCaps',
    method: 'PUT',
    path: '/paybill/v1/caps',
    tag,
    summary: 'Sets the caps that are given, of the organisation and of its members; null takes one away.',
    access: { right: 'pay' },
    body: z.strictObject({
      organization: cap.nullable().optional(),
      members: z
        .array(z.strictObject({ account_id: account, cap: cap.nullable() }))
        .max(1000)
        .optional(),
    }),
    answer: { result: caps },
    problems: ['no_such_reference'],
  }),
};
