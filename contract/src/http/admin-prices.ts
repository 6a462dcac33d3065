// Prices, discounts and plans in the operators' console. Rows of prices and discounts are only added: past usage keeps its price.
import * as z from 'zod';
import { PLAN_IDS } from '../billing/plans.ts';
import { SOURCE_TYPES } from '../billing/resources.ts';
import { currencyCode, money } from '../fields/amounts.ts';
import { dateTime } from '../fields/date-time.ts';
import { plainText } from '../fields/plain-text.ts';
import { ignored, oneOf, q, time } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';

const organization_id = z.string().min(1).max(63);
const plan = z.enum(PLAN_IDS);
const source = z.enum(SOURCE_TYPES);
/** Whether it holds now, will, or has been followed by another. */
const state = z.enum(['holds', 'later', 'over']);

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
      state,
      valid_from: time,
      created_at: time,
      created_by: z.string(),
    }),
    columns: ['sku', 'region', 'amount', 'state', 'valid_from', 'created_by'],
    order: ['valid_from', 'DESC'],
    sort: ['id', 'sku', 'region', 'currency', 'amount', 'valid_from', 'created_at'],
    filter: {
      ...q,
      sku: oneOf(z.string().max(100)),
      region: oneOf(z.string().max(63)),
      currency: oneOf(currencyCode),
    },
  },
  discounts: {
    menu: 'discount',
    one: 'discount',
    row: z.object({
      id: z.string(),
      organization_id: z.string(),
      source,
      percent: z.number(),
      state,
      valid_from: time,
      created_at: time,
      created_by: z.string(),
      reason: z.string(),
    }),
    columns: ['organization_id', 'source', 'percent', 'state', 'valid_from', 'reason', 'created_by'],
    order: ['valid_from', 'DESC'],
    references: { organization_id: 'organizations' },
    sort: ['id', 'organization_id', 'source', 'percent', 'valid_from', 'created_at'],
    filter: { ...q, organization_id: oneOf(organization_id), source: oneOf(source) },
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
    filter: q,
    edits: ['plan'],
  },
} as const;
export type PriceResourceName = keyof typeof PRICE_RESOURCES;
export type PriceRowOf<Name extends PriceResourceName> = z.output<(typeof PRICE_RESOURCES)[Name]['row']>;

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const valid_from = dateTime.optional().meta({
  description: 'Some seconds ahead at least, so that every gateway knows it by then; as soon as that where absent.',
});

export const PRICE_COMMANDS = {
  adminSetPrice: defineRoute({
    id: 'adminSetPrice',
    method: 'POST',
    path: '/admin/prices',
    tag: 'admin',
    summary: 'Gives something a price from a moment on, for one unit over its period.',
    access: { platform: 'billing' },
    body: z.strictObject({
      sku: z.string().min(1).max(100),
      region: z
        .string()
        .min(1)
        .max(63)
        .optional()
        .meta({ description: 'Every region without a price of its own where absent.' }),
      currency: currencyCode.optional().meta({ description: "The installation's where absent." }),
      amount: z
        .string()
        .regex(/^\d{1,9}(\.\d{1,6})?$/, 'price_rule')
        .meta({ description: 'Decimal with at most six decimals.' }),
      valid_from,
      reason,
    }),
    answer: { raw: PRICE_RESOURCES.prices.row },
    status: 201,
    problems: ['price_rule', 'price_in_past', 'sku_unknown'],
  }),
  adminSetDiscount: defineRoute({
    id: 'adminSetDiscount',
    method: 'POST',
    path: '/admin/discounts',
    tag: 'admin',
    summary: 'Takes so much off the list price for one organisation from a moment on; 0 ends it.',
    access: { platform: 'discount' },
    body: z.strictObject({
      organization_id,
      source,
      percent: z.number().min(0).max(100).multipleOf(0.01),
      valid_from,
      reason,
    }),
    answer: { raw: PRICE_RESOURCES.discounts.row },
    status: 201,
    problems: ['not_found', 'price_in_past'],
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
    answer: { raw: PRICE_RESOURCES.plans.row },
    problems: ['edited_meanwhile'],
  }),
};
