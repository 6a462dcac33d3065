// Prices and plans in the operators' console. Rows of prices are only added: past usage keeps its price.
import * as z from 'zod';
import { PLAN_IDS } from '../../billing/plans.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { dateTime } from '../../fields/date-time.ts';
import { plainText } from '../../fields/plain-text.ts';
import { approval_id, editedRow, givenRow, ignored, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';

const organization_id = z.string().min(1).max(63);
const plan = z.enum(PLAN_IDS);
/** Whether it holds now, will, or has been followed by another. */
export const dated = z.enum(['holds', 'later', 'over']);

export const PRICE_RESOURCES = {
  prices: {
    menu: 'billing',
    one: 'price',
    row: z.object({
      id: z.string(),
      sku: z.string(),
      region: z.string(),
      currency: currencyCode,
      amount: money,
      state: dated,
      valid_from: time,
      created_at: time,
      created_by: z.string(),
    }),
    columns: ['sku', 'region', 'amount', 'state', 'valid_from', 'created_by'],
    references: { created_by: 'users' },
    order: ['valid_from', 'DESC'],
    sort: ['id', 'sku', 'region', 'currency', 'amount', 'valid_from', 'created_at'],
    filter: {
      ...q,
      sku: oneOf(z.string().max(100)),
      region: oneOf(z.string().max(63)),
      currency: oneOf(currencyCode),
      state: oneOf(dated),
    },
  },
  plans: {
    menu: 'billing',
    one: "organisation's plan",
    row: z.object({
      id: z.string(),
      name: z.string(),
      plan,
      since: time.nullable(),
      paid_to: time.nullable(),
      next_plan: plan.nullable(),
      next_at: time.nullable(),
      hosts_held: z.int(),
      hosts_cap: z.int().nullable(),
    }),
    columns: ['id', 'name', 'plan', 'since', 'paid_to', 'next_plan', 'next_at', 'hosts_held', 'hosts_cap'],
    references: { id: 'organizations' },
    sort: ['id', 'name'],
    filter: { ...q, plan: oneOf(plan) },
    edits: ['plan'],
  },
} as const;
export type PriceResourceName = keyof typeof PRICE_RESOURCES;
export type PriceRowOf<Name extends PriceResourceName> = z.output<(typeof PRICE_RESOURCES)[Name]['row']>;

const region = z.string().min(1).max(63);
const currency = currencyCode.optional().meta({ description: "The installation's where absent." });
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'price_rule')
  .meta({ description: 'Decimal with at most six decimals.' });
const MOST_SIMULATED = 50;

/** Each with the discounts that applied then. `billed`: as it was posted; `now` and `proposed`: at today's and at the proposed prices. */
const costs = { currency: currencyCode, billed: money, now: money, proposed: money, difference: money };
export const simulation = z.object({
  month: z.string().meta({ description: 'YYYY-MM, UTC.' }),
  totals: z.array(z.object(costs)),
  skus: z.array(
    z.object({
      sku: z.string(),
      region: z.string(),
      /** Units times hours, or months of 730 hours. */
      quantity: z.string(),
      unit: z.enum(['card', 'core', 'GiB', 'node', 'plan']),
      per: z.enum(['hour', 'month']),
      price_now: money.nullable(),
      price_proposed: money,
      ...costs,
    }),
  ),
  /** Those with the largest differences, of so many. */
  organizations: z.array(z.object({ organization_id: z.string(), organization_name: z.string(), ...costs })),
  organization_count: z.int(),
  /** SKUs that are paid ahead, and those of tokens and stored files: no metered usage tells what they would bring. */
  not_metered: z.array(z.string()),
});
export type PriceSimulation = z.output<typeof simulation>;

/** Everything that can have a price, with what it costs now. */
export const priceItems = z.object({
  currency: currencyCode.meta({ description: "The installation's." }),
  currencies: z.array(currencyCode).meta({ description: 'That organisations or prices have.' }),
  regions: z.array(z.object({ region: z.string(), name: z.string() })),
  items: z.array(
    z.object({
      sku: z.string(),
      /** In the caller's language. */
      name: z.string(),
      group: z.string(),
      /** What a price is for: `card` and `hour` is a card for an hour; `tokens` and `million` a million of them. */
      unit: z.enum(['card', 'core', 'GiB', 'node', 'plan', 'tokens']),
      per: z.enum(['hour', 'month', 'million']),
      /** Those that hold now. */
      prices: z.array(
        z.object({
          region: z.string().nullable().meta({ description: 'Null: every region without a price of its own.' }),
          currency: currencyCode,
          amount: money,
          valid_from: time.nullable().meta({ description: 'Null: from the beginning.' }),
        }),
      ),
    }),
  ),
});
export type PriceItems = z.output<typeof priceItems>;
export type PriceItem = PriceItems['items'][number];

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const valid_from = dateTime.optional().meta({
  description: 'Some seconds ahead at least, so that every gateway knows it by then; as soon as that where absent.',
});

export const PRICE_COMMANDS = {
  adminListPriceItems: defineRoute({
    id: 'adminListPriceItems',
    method: 'GET',
    path: '/admin/price-items',
    tag: 'admin',
    summary: 'Everything that can have a price, with its name, unit and present prices.',
    access: { platform: 'billing' },
    answer: { raw: priceItems },
    problems: [],
  }),
  adminSetPrice: defineRoute({
    id: 'adminSetPrice',
    method: 'POST',
    path: '/admin/prices',
    tag: 'admin',
    summary: 'Gives something a price from a moment on, for one unit over its period.',
    access: { platform: 'billing' },
    body: z.strictObject({
      sku: z.string().min(1).max(100),
      region: region.optional().meta({ description: 'Every region without a price of its own where absent.' }),
      currency,
      amount,
      valid_from,
      reason,
    }),
    answer: { raw: givenRow(PRICE_RESOURCES.prices.row) },
    status: 201,
    problems: ['price_rule', 'price_in_past', 'sku_unknown'],
  }),
  adminSimulatePrices: defineRoute({
    id: 'adminSimulatePrices',
    method: 'POST',
    path: '/admin/prices/simulate',
    tag: 'admin',
    summary: "What last month's metered usage would cost at other prices, by SKU and by organisation. Changes nothing.",
    access: { platform: 'billing' },
    body: z.strictObject({
      prices: z
        .array(z.strictObject({ sku: z.string().min(1).max(100), region: region.optional(), currency, amount }))
        .min(1)
        .max(MOST_SIMULATED),
    }),
    answer: { raw: simulation },
    problems: ['price_rule', 'sku_unknown', 'simulation_too_long'],
  }),
  adminGivePlan: defineRoute({
    id: 'adminGivePlan',
    method: 'PUT',
    path: '/admin/plans/{id}',
    tag: 'admin',
    summary: 'Gives an organisation a plan at once, with as many hosts as that allows.',
    access: { platform: 'billing' },
    params: z.object({ id: organization_id }),
    // react-admin sends the whole row; fields that cannot be changed are ignored.
    body: z.strictObject({
      ...ignored(PRICE_RESOURCES.plans.row),
      plan,
      reason,
    } as { plan: typeof plan; reason: typeof reason }),
    answer: { raw: editedRow(PRICE_RESOURCES.plans.row).extend({ approval_id }) },
    problems: ['edited_meanwhile'],
  }),
};
