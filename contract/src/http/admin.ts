// The operators' console, in the dialect of ra-data-simple-rest: bare JSON, `sort=["name","ASC"]`, `range=[0,24]` and
// `filter={…}` as JSON in the query, `Content-Range: users 0-24/319` on a list, `filter={"id":[…]}` for several at once. One row
// of the table is one resource; whatever changes something asks for a reason, which the audit log keeps.
import * as z from 'zod';
import { dateTime } from '../fields/date-time.ts';
import { plainLines, plainText } from '../fields/plain-text.ts';
import type { AdminMenu } from '../roles.ts';
import { AUDIT_RESOURCES } from './admin-audit.ts';
import { BILLING_RESOURCES } from './admin-billing.ts';
import { COMPUTING_RESOURCES } from './admin-computing.ts';
import { DISCOUNT_RESOURCES } from './admin-discount.ts';
import { PEOPLE_RESOURCES } from './admin-people.ts';
import { PRICE_RESOURCES } from './admin-prices.ts';
import { type AdminResource, ignored, oneOf, q, time, wireRow } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';
import { PAYMENT_RESOURCES } from './payments.ts';

const MOST_AT_ONCE = 1000;
const MOST_PLACES = 1_000_000;
const id = z.string().min(1).max(200);

const words = z.strictObject({ en: plainLines(4000), zh: plainLines(4000), ja: plainLines(4000) });
const title = z.strictObject({ en: plainText(200), zh: plainText(200), ja: plainText(200) });

const announcement = { title, content: words, starts_at: dateTime, ends_at: dateTime };

export const ADMIN_RESOURCES = {
  ...PEOPLE_RESOURCES,
  ...AUDIT_RESOURCES,
  announcements: {
    menu: 'operation',
    one: 'announcement',
    row: z.object({
      id: z.string(),
      ...announcement,
      starts_at: time,
      ends_at: time,
      created_at: time,
      created_by: z.string().nullable(),
    }),
    columns: ['title', 'starts_at', 'ends_at', 'created_by', 'created_at'],
    order: ['starts_at', 'DESC'],
    references: { created_by: 'users' },
    sort: ['id', 'starts_at', 'ends_at', 'created_at'],
    filter: {},
    edits: ['title', 'content', 'starts_at', 'ends_at'],
  },
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

/** Where a page ended: the value it was sorted by, as the database writes it, and the id. Null sorts as the greatest. */
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

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });

/** react-admin sends the whole row; fields that cannot be changed are ignored. */
const change = <T extends z.ZodRawShape>(name: AdminResourceName, shape: T) => {
  return z.strictObject({ ...ignored(ADMIN_RESOURCES[name].row), ...shape, reason } as T & { reason: typeof reason });
};

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

const ofOne = z.object({ id });

export const ADMIN_CHANGES = {
  adminCreateAnnouncement: defineRoute({
    id: 'adminCreateAnnouncement',
    method: 'POST',
    path: '/admin/announcements',
    tag,
    summary: 'Tells everybody something, from a start to an end.',
    access: { platform: 'operation' },
    body: z.strictObject({ ...announcement, reason }),
    answer: { raw: ADMIN_RESOURCES.announcements.row },
    status: 201,
    problems: ['announcement_times'],
  }),
  adminEditAnnouncement: defineRoute({
    id: 'adminEditAnnouncement',
    method: 'PUT',
    path: '/admin/announcements/{id}',
    tag,
    summary: 'Changes an announcement, also for those who have it.',
    access: { platform: 'operation' },
    params: ofOne,
    body: change('announcements', {
      title: title.optional(),
      content: words.optional(),
      starts_at: dateTime.optional(),
      ends_at: dateTime.optional(),
    }),
    answer: { raw: ADMIN_RESOURCES.announcements.row },
    problems: ['announcement_times', 'edited_meanwhile'],
  }),
  adminDeleteAnnouncement: defineRoute({
    id: 'adminDeleteAnnouncement',
    method: 'DELETE',
    path: '/admin/announcements/{id}',
    tag,
    summary: 'Takes an announcement from every reader; the header X-Reason says why, percent-encoded.',
    access: { platform: 'operation' },
    params: ofOne,
    answer: { raw: ADMIN_RESOURCES.announcements.row },
    problems: ['reason_needed'],
  }),
};
