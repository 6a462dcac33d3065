// Public prices, the plan of an organisation, and the discount codes that it redeems.
import * as z from 'zod';
import { PLAN_FEATURES, PLAN_IDS, type PlanFeature } from '../../billing/plans.ts';
import { RESOURCES, type Resource, SOURCE_TYPES } from '../../billing/resources.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';

const tag = 'billing';
const time = z.iso.datetime();
const plan = z.enum(PLAN_IDS);

const priceRow = z.object({
  sku: z
    .string()
    .meta({ description: '`gpu/NVIDIA-H200`, `disk`, `plan/standard`; `any` is every model that is not named.' }),
  resource: z.string(),
  model: z.string().nullable(),
  unit: z.enum(['card', 'core', 'GiB', 'node', 'plan']),
  per: z
    .enum(['hour', 'month'])
    .meta({ description: 'A month of use has 730 hours; one of rent, or of a plan, is a month.' }),
  amount: money,
  currency: currencyCode,
  valid_from: time,
  next: z
    .object({ amount: money, valid_from: time })
    .nullable()
    .meta({ description: 'A change that is known already.' }),
});
export type PriceRow = z.input<typeof priceRow>;

export const planFacts = z.object({
  plan,
  name: z.string(),
  hosts: z.int().nullable().meta({ description: 'Hosts that may be held at once; null: no cap.' }),
  features: z.array(
    z.object({ feature: z.enum(Object.keys(PLAN_FEATURES) as [PlanFeature, ...PlanFeature[]]), label: z.string() }),
  ),
  price: money.nullable().meta({ description: 'Of a month; null where it is agreed upon with the provider.' }),
  by_staff: z.boolean().meta({ description: 'Only the provider gives it.' }),
});
export type PlanFactsView = z.input<typeof planFacts>;

const ownPlan = z.object({
  plan,
  name: z.string(),
  since: time.nullable(),
  paid_to: time.nullable().meta({ description: 'Of a plan that costs something: the next month is charged then.' }),
  next: z.object({ plan, name: z.string(), at: time }).nullable(),
  hosts_held: z.int(),
  hosts_cap: z.int().nullable(),
  currency: currencyCode,
  plans: z.array(planFacts),
});
export type OwnPlanView = z.input<typeof ownPlan>;

/** The sources of bills, and types that are a part of them or none. */
const BILLING_TYPES = ['container_rent', 'host_rent', 'disk', 'plan'] as const;
export type BillingType = (typeof BILLING_TYPES)[number];

const billingConfig = z.object({
  currency: currencyCode,
  region: z.string(),
  rental_period: z.literal('month'),
  hours_of_a_month: z.int(),
  disk: z
    .object({ amount: money.nullable(), most_gi: z.int() })
    .meta({ description: 'A GiB of a disk for a month, and how large a disk may be.' }),
  snapshot: money.nullable().meta({ description: 'A GiB of what is saved, for a month.' }),
  stored: z.object({ model: money.nullable(), dataset: money.nullable(), task: money.nullable() }).meta({
    description:
      'A GiB of the files of models, of datasets and of checkpoints, for a month; null: keeping them is free.',
  }),
  prices: z.array(priceRow),
  plans: z.array(planFacts),
});
export type BillingConfigView = z.input<typeof billingConfig>;

const redeemed = z.object({
  code: z.string(),
  percent: z.number().meta({ description: '0: it is over.' }),
  source_type: z
    .enum(SOURCE_TYPES)
    .nullable()
    .meta({ description: 'What it is for; null: whatever is used or rented.' }),
  redeemed_at: time,
  valid_to: time.nullable(),
});
export type RedeemedCode = z.output<typeof redeemed>;

export const PRICE_ROUTES = {
  billingConfig: defineRoute({
    id: 'getBillingConfig',
    method: 'GET',
    path: '/paybill/v1/out-billing-config',
    tag,
    summary: 'How this installation charges: its currency, rates and plans.',
    access: 'public',
    query: z.strictObject({ billing_type: z.enum(BILLING_TYPES).optional() }),
    answer: { result: billingConfig },
    problems: [],
  }),
  list: defineRoute({
    id: 'listPrices',
    method: 'GET',
    path: '/paybill/v1/price',
    tag,
    summary: 'The price list: what holds now, and what changes later.',
    access: 'public',
    query: z.strictObject({
      resource: z.enum([...(Object.keys(RESOURCES) as [Resource, ...Resource[]]), 'plan']).optional(),
      model: z.string().max(63).optional(),
    }),
    answer: { data: z.array(priceRow) },
    problems: [],
  }),
  plan: defineRoute({
    id: 'getPlan',
    method: 'GET',
    path: '/paybill/v1/plan',
    tag,
    summary: "The organisation's plan, and what there is beside it.",
    access: { right: 'view' },
    answer: { result: ownPlan },
    problems: [],
  }),
  changePlan: defineRoute({
    id: 'changePlan',
    method: 'PUT',
    path: '/paybill/v1/plan',
    tag,
    summary: "Up at once, for a month's price; down at the end of what is paid. Today's plan calls a change off.",
    access: { right: 'pay' },
    body: z.strictObject({ plan }),
    answer: { result: ownPlan },
    problems: ['plan_not_covered', 'plan_by_staff', 'plan_hosts', 'plan_unpriced'],
  }),
  listDiscountCodes: defineRoute({
    id: 'listDiscountCodes',
    method: 'GET',
    path: '/paybill/v1/discount-code',
    tag,
    summary: 'The discount codes that the organisation redeemed, the newest first.',
    access: { right: 'pay' },
    answer: { data: z.array(redeemed) },
    problems: [],
  }),
  redeemDiscountCode: defineRoute({
    id: 'redeemDiscountCode',
    method: 'POST',
    path: '/paybill/v1/discount-code',
    tag,
    summary: 'Redeems a discount code, from some seconds later on. Of several discounts the largest applies.',
    access: { right: 'pay' },
    body: z.strictObject({ code: z.string().min(1).max(64) }),
    answer: { result: redeemed },
    status: 201,
    problems: ['discount_code_invalid', 'discount_code_redeemed', 'discount_code_own'],
    // Codes can be guessed.
    attemptsPerMinute: 30,
  }),
};
