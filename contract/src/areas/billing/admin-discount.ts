// Discounts in the operators' console: by organisation, plan, SKU or code. Rows are only added: past usage keeps its discount.
import * as z from 'zod';
import { DISCOUNT_CODE, DISCOUNT_TYPES } from '../../billing/discounts.ts';
import { PLAN_IDS } from '../../billing/plans.ts';
import { SOURCE_TYPES } from '../../billing/resources.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { dateTime } from '../../fields/date-time.ts';
import { plainText } from '../../fields/plain-text.ts';
import { givenRow, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { dated } from './admin-prices.ts';

const organization_id = z.string().min(1).max(63);
const source = z.enum(SOURCE_TYPES);
const type = z.enum(DISCOUNT_TYPES);
const plan = z.enum(PLAN_IDS);
const sku = z.string().min(1).max(100);
const code = z.string().regex(DISCOUNT_CODE, 'discount_code_rule');

export const DISCOUNT_RESOURCES = {
  discounts: {
    menu: 'discount',
    one: 'discount',
    row: z.object({
      id: z.string(),
      type,
      /** The organisation, plan, SKU or code that it is for; of these fields one has it. */
      target: z.string(),
      organization_id: organization_id.nullable(),
      organization_name: z.string(),
      plan: plan.nullable(),
      sku: sku.nullable(),
      code: z.string().nullable(),
      /** Null: whatever the money is for. */
      source: source.nullable(),
      percent: z.number(),
      state: dated,
      valid_from: time,
      valid_to: time.nullable(),
      /** For a code: the number of organisations that redeemed it, and the most that may. */
      uses: z.int().nullable(),
      most_uses: z.int().nullable(),
      created_at: time,
      created_by: z.string(),
      reason: z.string(),
    }),
    columns: [
      'type',
      'target',
      'source',
      'percent',
      'state',
      'valid_from',
      'valid_to',
      'uses',
      'most_uses',
      'reason',
      'created_by',
    ],
    order: ['valid_from', 'DESC'],
    references: { organization_id: 'organizations', created_by: 'users' },
    sort: ['id', 'type', 'target', 'organization_id', 'source', 'percent', 'valid_from', 'valid_to', 'created_at'],
    filter: {
      ...q,
      type: oneOf(type),
      state: oneOf(dated),
      organization_id: oneOf(organization_id),
      plan: oneOf(plan),
      sku: oneOf(sku),
      code: oneOf(z.string().max(40)),
      source: oneOf(source),
    },
  },
} as const;
export type DiscountRow = z.output<typeof DISCOUNT_RESOURCES.discounts.row>;

const saved = { currency: currencyCode, list: money, saved: money };

/** The effect of a discount so far, and the effect it would have had. */
export const discountUse = z.object({
  /** So far, as it was posted. */
  totals: z.array(z.object({ ...saved, organizations: z.int() })),
  /** Those that saved most, of so many. */
  organizations: z.array(
    z.object({
      organization_id: z.string(),
      organization_name: z.string(),
      ...saved,
      first_at: time,
      last_at: time,
    }),
  ),
  organization_count: z.int(),
  /** Redemptions of a code, the newest first. */
  redemptions: z.array(
    z.object({
      organization_id: z.string(),
      organization_name: z.string(),
      account_id: z.string(),
      account_name: z.string(),
      redeemed_at: time,
    }),
  ),
  last_month: z.object({
    month: z.string().meta({ description: 'YYYY-MM, UTC.' }),
    /** The amount that it took off, as it was posted. */
    posted: z.array(z.object(saved)),
    /** The amount that it alone would have taken off the metered usage that it is for, at the list prices of then. */
    alone: z.array(z.object(saved)),
    skus: z.array(z.object({ sku: z.string(), ...saved })),
  }),
});
export type DiscountUse = z.output<typeof discountUse>;

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });

export const DISCOUNT_COMMANDS = {
  adminSetDiscount: defineRoute({
    id: 'adminSetDiscount',
    method: 'POST',
    path: '/admin/discounts',
    tag: 'admin',
    summary:
      'Takes so much off the list price from a moment on, for one organisation, plan, SKU or code; 0 ends an earlier one.',
    access: { platform: 'discount' },
    body: z.strictObject({
      type: type.default('organization'),
      organization_id: organization_id.optional(),
      plan: plan.optional(),
      sku: sku.optional(),
      code: code.optional(),
      source: source.nullable().optional().meta({ description: 'Whatever the money is for where absent.' }),
      percent: z.number().min(0).max(100).multipleOf(0.01),
      most_uses: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .meta({ description: 'How many organisations may redeem a code.' }),
      valid_from: dateTime.optional().meta({
        description:
          'Some seconds ahead at least, so that every gateway knows it by then; as soon as that where absent.',
      }),
      valid_to: dateTime.optional().meta({ description: 'For good where absent.' }),
      reason,
    }),
    answer: { raw: givenRow(DISCOUNT_RESOURCES.discounts.row) },
    status: 201,
    problems: ['not_found', 'price_in_past', 'sku_unknown', 'discount_target', 'discount_code_rule', 'discount_times'],
  }),
  adminGetDiscountUse: defineRoute({
    id: 'adminGetDiscountUse',
    method: 'GET',
    path: '/admin/discounts/{id}/use',
    tag: 'admin',
    summary: 'Who a discount applied to, what it saved them, and its effect on last month.',
    access: { platform: 'discount' },
    params: z.object({ id: z.string().min(1).max(63) }),
    answer: { raw: discountUse },
    problems: ['simulation_too_long'],
  }),
};
