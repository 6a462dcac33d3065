// The operators' console, in the dialect of ra-data-simple-rest: bare JSON, `sort=["name","ASC"]`, `range=[0,24]` and
// `filter={…}` as JSON in the query, `Content-Range: users 0-24/319` on a list, `filter={"id":[…]}` for several at once. One row
// of the table is one resource; whatever changes something asks for a reason, which the audit log keeps.
import * as z from 'zod';
import { dateTime } from '../fields/date-time.ts';
import { DOCUMENTS } from '../fields/identity-document.ts';
import { plainLines, plainText } from '../fields/plain-text.ts';
import { type AdminMenu, ORG_ROLES, PLATFORM_ROLES } from '../roles.ts';
import { BILLING_RESOURCES } from './admin-billing.ts';
import { DISCOUNT_RESOURCES } from './admin-discount.ts';
import { PRICE_RESOURCES } from './admin-prices.ts';
import { type AdminResource, ignored, oneOf, q, time } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';
import { PAYMENT_RESOURCES } from './payments.ts';
import { REAL_AUTH_STATES } from './real-auth.ts';

const MOST_AT_ONCE = 1000;
const MOST_PLACES = 1_000_000;
const id = z.string().min(1).max(200);

const words = z.strictObject({ en: plainLines(4000), zh: plainLines(4000), ja: plainLines(4000) });
const title = z.strictObject({ en: plainText(200), zh: plainText(200), ja: plainText(200) });

const quota = z.strictObject(
  Object.fromEntries(
    (['gpus', 'cores', 'memoryGi', 'storageGi', 'instances', 'disks', 'hosts'] as const).map((name) => [
      name,
      z.int().min(0).max(100_000).optional(),
    ]),
  ) as Record<'gpus' | 'cores' | 'memoryGi' | 'storageGi' | 'instances' | 'disks' | 'hosts', z.ZodOptional<z.ZodInt>>,
);

const announcement = { title, content: words, starts_at: dateTime, ends_at: dateTime };

/** An object of a kind, of whichever organisation. */
const ofKind = (menu: AdminMenu, one: string) => ({
  menu,
  one,
  row: z.object({
    id: z.string(),
    organization_id: z.string(),
    name: z.string(),
    display_name: z.string(),
    phase: z.string(),
    reason: z.string().nullable(),
    created_at: time,
    spec: z.record(z.string(), z.unknown()),
    status: z.record(z.string(), z.unknown()),
  }),
  columns: ['display_name', 'name', 'organization_id', 'phase', 'reason', 'created_at'],
  order: ['created_at', 'DESC'] as const,
  references: { organization_id: 'organizations' },
  sort: ['id', 'organization_id', 'name', 'display_name', 'phase', 'created_at'],
  filter: { ...q, organization_id: oneOf(z.string().max(63)), phase: oneOf(z.string().max(63)) },
});

export const ADMIN_RESOURCES = {
  users: {
    menu: 'user',
    one: 'user',
    row: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      kind: z.enum(['personal', 'enterprise']),
      locale: z.string(),
      disabled_at: time.nullable(),
      created_at: time,
      platform_roles: z.array(z.enum(PLATFORM_ROLES)),
      organizations: z.array(z.object({ id: z.string(), role: z.enum(ORG_ROLES) })),
    }),
    columns: ['name', 'email', 'phone', 'kind', 'platform_roles', 'organizations', 'disabled_at', 'created_at'],
    order: ['created_at', 'DESC'],
    sort: ['id', 'name', 'email', 'phone', 'kind', 'disabled_at', 'created_at'],
    filter: { ...q, kind: oneOf(z.enum(['personal', 'enterprise'])), disabled: z.boolean().optional() },
  },
  organizations: {
    menu: 'user',
    one: 'organisation',
    row: z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      personal_of: z.string().nullable(),
      currency: z.string(),
      members: z.int(),
      phase: z.string(),
      quota: z.record(z.string(), z.number()),
      created_at: time,
      deleted_at: time.nullable(),
    }),
    columns: ['id', 'name', 'phase', 'members', 'currency', 'personal_of', 'created_at', 'deleted_at'],
    order: ['created_at', 'DESC'],
    references: { personal_of: 'users' },
    sort: ['id', 'name', 'currency', 'created_at', 'deleted_at'],
    filter: { ...q, personal_of: oneOf(z.string().max(63)), deleted: z.boolean().optional() },
  },
  'real-auths': {
    menu: 'audit',
    one: 'submission of a real name',
    row: z.object({
      id: z.string(),
      account_id: z.string(),
      account_name: z.string(),
      type: z.int(),
      state: z.enum(REAL_AUTH_STATES),
      name: z.string(),
      document: z.enum(DOCUMENTS),
      id_card: z.string().nullable(),
      document_country: z.string().nullable(),
      document_number: z.string().nullable(),
      document_picture: z.string().nullable(),
      phone: z.string().nullable(),
      enterprise_name: z.string().nullable(),
      credit_code: z.string().nullable(),
      contact_name: z.string().nullable(),
      license_picture: z.string().nullable(),
      id_front_picture: z.string().nullable(),
      id_back_picture: z.string().nullable(),
      submitted_at: time,
      decided_at: time.nullable(),
      reason: z.string().nullable(),
    }),
    columns: ['account_name', 'type', 'state', 'name', 'document', 'submitted_at', 'decided_at'],
    order: ['submitted_at', 'ASC'],
    references: { account_id: 'users' },
    sort: ['id', 'account_id', 'type', 'state', 'submitted_at', 'decided_at'],
    filter: {
      state: oneOf(z.enum(REAL_AUTH_STATES)),
      type: oneOf(z.union([z.literal(1), z.literal(2)])),
      account_id: oneOf(z.string().max(63)),
    },
  },
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
  },
  hosts: ofKind('computing', 'host'),
  instances: ofKind('computing', 'instance'),
  disks: ofKind('storage', 'disk'),
  images: ofKind('computing', 'image'),
  ...PRICE_RESOURCES,
  ...DISCOUNT_RESOURCES,
  ...BILLING_RESOURCES,
  ...PAYMENT_RESOURCES,
  'audit-log': {
    menu: 'audit',
    one: 'entry of the audit log',
    row: z.object({
      id: z.int(),
      at: time,
      actor_id: z.string().nullable(),
      actor_name: z.string().nullable(),
      actor_kind: z.string(),
      organization_id: z.string(),
      request_id: z.string(),
      action: z.string(),
      object: z.string().nullable(),
      decision: z.string(),
      status: z.int(),
      reason: z.string().nullable(),
      ip: z.string(),
      user_agent: z.string().nullable(),
    }),
    columns: ['at', 'actor_name', 'actor_kind', 'organization_id', 'action', 'object', 'decision', 'reason', 'ip'],
    order: ['id', 'DESC'],
    references: { actor_id: 'users', organization_id: 'organizations' },
    sort: ['id', 'at', 'actor_id', 'organization_id', 'action', 'decision', 'status'],
    filter: {
      ...q,
      actor_id: oneOf(z.string().max(63)),
      actor_kind: oneOf(z.enum(['anonymous', 'session', 'apiToken', 'staff', 'system'])),
      organization_id: oneOf(z.string().max(63)),
      request_id: oneOf(z.string().max(64)),
      action: oneOf(z.string().max(64)),
      decision: oneOf(z.enum(['allowed', 'denied', 'failed'])),
    },
  },
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

export interface AdminQuery {
  sort: [field: string, order: 'ASC' | 'DESC'];
  /** Both ends are in it. */
  range: [first: number, last: number];
  filter: Record<string, unknown>;
}

const place = z.int().min(0).max(MOST_PLACES);

const queryOf = ({ sort, filter }: AdminResource) =>
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
const pascal = (name: string) => name.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

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
      query: queryOf(resource),
      answer: { raw: z.array(resource.row) },
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
      answer: { raw: resource.row },
      problems: [],
    }),
  ] as const;
};

/** A list and one row of each resource, by the routes' ids. */
export const ADMIN_READS = Object.fromEntries(NAMES.flatMap(readsOf).map((route) => [route.id, route]));

const ofOne = z.object({ id });

export const ADMIN_CHANGES = {
  adminEditUser: defineRoute({
    id: 'adminEditUser',
    method: 'PUT',
    path: '/admin/users/{id}',
    tag,
    summary: "Lets an account in or not, which ends whatever it comes in by; gives and takes staff's roles.",
    access: { platform: 'user', role: 'administrator' },
    params: ofOne,
    body: change('users', {
      disabled: z.boolean().optional(),
      platform_roles: z.array(z.enum(PLATFORM_ROLES)).max(PLATFORM_ROLES.length).optional(),
    }),
    answer: { raw: ADMIN_RESOURCES.users.row },
    problems: ['own_access'],
  }),
  adminEditOrganization: defineRoute({
    id: 'adminEditOrganization',
    method: 'PUT',
    path: '/admin/organizations/{id}',
    tag,
    summary: 'Sets what an organisation may hold at once; what is left out stays.',
    access: { platform: 'user', role: 'administrator' },
    params: ofOne,
    body: change('organizations', { quota: quota.optional() }),
    answer: { raw: ADMIN_RESOURCES.organizations.row },
    problems: [],
  }),
  adminAuditRealAuth: defineRoute({
    id: 'adminAuditRealAuth',
    method: 'PUT',
    path: '/admin/real-auths/{id}',
    tag,
    summary: 'Approves (1), rejects (2) or takes a submission for manual review (3).',
    access: { platform: 'audit' },
    params: ofOne,
    body: change('real-auths', { result: z.union([z.literal(1), z.literal(2), z.literal(3)]) }),
    answer: { raw: ADMIN_RESOURCES['real-auths'].row },
    problems: ['real_auth_state', 'own_real_auth'],
  }),
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
    problems: ['announcement_times'],
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
