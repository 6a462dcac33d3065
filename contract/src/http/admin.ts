// The operators' console, in the dialect of ra-data-simple-rest: bare JSON, `sort=["name","ASC"]`, `range=[0,24]` and
// `filter={…}` as JSON in the query, `Content-Range: users 0-24/319` on a list, `filter={"id":[…]}` for several at once. One row
// of the table is one resource; whatever changes something asks for a reason, which the audit log keeps.
import * as z from 'zod';
import { AUDIT_RESOURCES } from '../areas/audit/admin-audit.ts';
import { BILLING_RESOURCES } from '../areas/billing/admin-billing.ts';
import { DISCOUNT_RESOURCES } from '../areas/billing/admin-discount.ts';
import { PRICE_RESOURCES } from '../areas/billing/admin-prices.ts';
import { PAYMENT_RESOURCES } from '../areas/billing/payments.ts';
import { DATASET_RESOURCES } from '../areas/datasets/admin-datasets.ts';
import { DOCTOR_RESOURCES } from '../areas/doctor/admin-doctor.ts';
import { PEOPLE_RESOURCES } from '../areas/identity/admin-people.ts';
import { COMPUTING_RESOURCES } from '../areas/kinds/admin-computing.ts';
import { MODEL_RESOURCES } from '../areas/models/admin-models.ts';
import { PORTAL_RESOURCES } from '../areas/portal/admin-portal.ts';
import { STATUS_RESOURCES } from '../areas/portal/status.ts';
import { OPERATION_RESOURCES } from '../areas/settings/admin-operation.ts';
import { type AdminResource, oneOf, wireRow } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';

const MOST_AT_ONCE = 1000;
const MOST_PLACES = 1_000_000;
const id = z.string().min(1).max(200);

export const ADMIN_RESOURCES = {
  ...PEOPLE_RESOURCES,
  ...AUDIT_RESOURCES,
  ...OPERATION_RESOURCES,
  ...DOCTOR_RESOURCES,
  ...PORTAL_RESOURCES,
  ...STATUS_RESOURCES,
  ...MODEL_RESOURCES,
  ...DATASET_RESOURCES,
  ...COMPUTING_RESOURCES,
  ...BILLING_RESOURCES,
  ...PAYMENT_RESOURCES,
  ...PRICE_RESOURCES,
  ...DISCOUNT_RESOURCES,
} as const satisfies Record<string, AdminResource>;
export type AdminResourceName = keyof typeof ADMIN_RESOURCES;
export type AdminRow<Name extends AdminResourceName> = z.output<(typeof ADMIN_RESOURCES)[Name]['row']>;

/**
 * Room for a filter of a hundred ids, each with an organisation and a name. All fields of a query together fit into the limit of
 * headers, where one character may take twelve bytes.
 */
const MOST_FILTER = 4_000;
const MOST_TEXT = 100;

/** JSON in a query's field. */
const jsonOf = <T extends z.ZodType>(schema: T, byDefault: string, most = MOST_TEXT) =>
  z
    .string()
    .max(most)
    .default(byDefault)
    .transform((text, context): z.output<T> => {
      const parsed = schema.safeParse(parsedOf(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: 'admin_query_rule' });
      return z.NEVER;
    });

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The end of a page: the value it was sorted by, as the database writes it, and the id. Null sorts as the greatest. */
export interface PageKey {
  value: string | null;
  id: string;
}

export interface AdminQuery {
  sort: [field: string, order: 'ASC' | 'DESC'];
  /** Both ends are in it. */
  range: [first: number, last: number];
  /** Instead of the range's beginning: the rows after this one. */
  after?: PageKey;
  filter: Record<string, unknown>;
}

const place = z.int().min(0).max(MOST_PLACES);

/** The query of a resource's list. */
export const adminListQuery = ({ sort, filter }: AdminResource) =>
  z.strictObject({
    sort: jsonOf(z.tuple([z.enum(sort), z.enum(['ASC', 'DESC'])]), '["id","ASC"]'),
    range: jsonOf(
      z.tuple([place, place]).refine(([first, last]) => first <= last && last - first < MOST_AT_ONCE),
      `[0,${MOST_AT_ONCE - 1}]`,
    ),
    filter: jsonOf(
      z.strictObject({ id: oneOf(z.union([z.string().max(200), z.int()])), ...filter }),
      '{}',
      MOST_FILTER,
    ),
  });

const tag = 'admin';
const NAMES = Object.keys(ADMIN_RESOURCES) as AdminResourceName[];
export const pascal = (name: string) =>
  name.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

/** `adminListUsers`. */
export const adminListId = (name: AdminResourceName) => `adminList${pascal(name)}`;
/** `adminGetUsers`. */
export const adminGetId = (name: AdminResourceName) => `adminGet${pascal(name)}`;

const readsOf = (name: AdminResourceName) => {
  const resource: AdminResource = ADMIN_RESOURCES[name];
  const access = { platform: resource.menu };
  return [
    defineRoute({
      id: adminListId(name),
      method: 'GET',
      path: `/admin/${name}`,
      tag,
      summary: `Rows of ${name} of the whole platform; Content-Range says which of how many.`,
      access,
      query: adminListQuery(resource),
      answer: { raw: z.array(wireRow(resource)) },
      problems: ['admin_query_rule'],
    }),
    defineRoute({
      id: adminGetId(name),
      method: 'GET',
      path: `/admin/${name}/{id}`,
      tag,
      summary: `One ${resource.one}.`,
      access,
      params: z.object({ id }),
      answer: { raw: wireRow(resource) },
      problems: [],
    }),
  ] as const;
};

/** A list and one row of each resource, by the routes' ids. */
export const ADMIN_READS = Object.fromEntries(NAMES.flatMap(readsOf).map((route) => [route.id, route]));
