// People and organisations in the operators' console: the menu "user".
import * as z from 'zod';
import { PLAN_IDS } from '../../billing/plans.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { editedRow, ignored, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { ORG_ROLES, PLATFORM_ROLES } from '../../roles.ts';

const id = z.string().min(1).max(200);
const ofOne = z.object({ id });
const account_id = oneOf(z.string().max(63));
const organization_id = oneOf(z.string().max(63));
const accountKind = z.enum(['personal', 'enterprise']);
const role = z.enum(ORG_ROLES);

export const SIGN_IN_WAYS = ['password', 'secondFactor', 'provider'] as const;
export const SIGN_IN_OUTCOMES = [
  'signedIn',
  'wrongPassword',
  'wrongCode',
  'locked',
  'disabled',
  'mustChangePassword',
] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** Resources of which an organisation holds a limited amount; the names are those of its quota. */
export const QUOTA_NAMES = [
  'gpus',
  'cores',
  'memoryGi',
  'storageGi',
  'modelsGi',
  'instances',
  'disks',
  'hosts',
] as const;
const amount = z.int().min(0).max(100_000).optional();
const quota = z.strictObject(
  Object.fromEntries(QUOTA_NAMES.map((name) => [name, amount])) as Record<(typeof QUOTA_NAMES)[number], typeof amount>,
);

export const PEOPLE_RESOURCES = {
  users: {
    menu: 'user',
    one: 'user',
    row: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      kind: accountKind,
      locale: z.string(),
      disabled_at: time.nullable(),
      created_at: time,
      second_factor: z.boolean(),
      platform_roles: z.array(z.enum(PLATFORM_ROLES)),
      organizations: z.array(z.object({ id: z.string(), role })),
    }),
    columns: ['name', 'email', 'phone', 'kind', 'platform_roles', 'organizations', 'disabled_at', 'created_at'],
    order: ['created_at', 'DESC'],
    sort: ['id', 'name', 'email', 'phone', 'kind', 'disabled_at', 'created_at'],
    filter: {
      ...q,
      kind: oneOf(accountKind),
      disabled: z.boolean().optional(),
      /** Holders of one of these. */
      platform_roles: oneOf(z.enum(PLATFORM_ROLES)),
    },
    edits: ['disabled_at', 'platform_roles'],
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
    edits: ['quota'],
  },
  members: {
    menu: 'user',
    one: 'membership',
    isPart: true,
    row: z.object({
      id: z.string(),
      organization_id: z.string(),
      account_id: z.string(),
      account_name: z.string(),
      organization_name: z.string(),
      role,
      disabled_at: time.nullable(),
      created_at: time,
    }),
    columns: ['account_name', 'organization_name', 'role', 'disabled_at', 'created_at'],
    order: ['created_at', 'DESC'],
    references: { organization_id: 'organizations', account_id: 'users' },
    sort: ['id', 'organization_id', 'account_id', 'role', 'created_at'],
    filter: { organization_id, account_id, role: oneOf(role) },
  },
  'sign-ins': {
    menu: 'user',
    one: 'sign-in',
    isPart: true,
    row: z.object({
      id: z.string(),
      /** Null: the name that was typed is nobody's. */
      account_id: z.string().nullable(),
      way: z.enum(SIGN_IN_WAYS),
      outcome: z.enum(SIGN_IN_OUTCOMES),
      /** Equal ones of a quarter of an hour are one row. */
      times: z.int(),
      first_at: time,
      last_at: time,
      ip: z.string(),
      user_agent: z.string().nullable(),
    }),
    columns: ['last_at', 'outcome', 'way', 'times', 'ip', 'user_agent'],
    order: ['last_at', 'DESC'],
    references: { account_id: 'users' },
    sort: ['id', 'account_id', 'way', 'outcome', 'first_at', 'last_at', 'ip'],
    filter: { account_id, way: oneOf(z.enum(SIGN_IN_WAYS)), outcome: oneOf(z.enum(SIGN_IN_OUTCOMES)) },
  },
  sessions: {
    menu: 'user',
    one: 'session',
    isPart: true,
    row: z.object({
      id: z.string(),
      account_id: z.string(),
      organization_id: z.string(),
      created_at: time,
      last_used_at: time,
      expires_at: time,
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
    }),
    columns: ['organization_id', 'created_at', 'last_used_at', 'expires_at', 'ip', 'user_agent'],
    order: ['last_used_at', 'DESC'],
    references: { account_id: 'users', organization_id: 'organizations' },
    sort: ['id', 'account_id', 'organization_id', 'created_at', 'last_used_at', 'expires_at'],
    filter: { account_id, organization_id },
  },
  views: {
    menu: 'user',
    one: 'view of a tenant',
    isPart: true,
    row: z.object({
      id: z.string(),
      account_id: z.string(),
      account_name: z.string(),
      organization_id: z.string(),
      reason: z.string(),
      created_at: time,
      /** Null: its ticket was not used. */
      started_at: time.nullable(),
      ended_at: time.nullable(),
      ip: z.string().nullable(),
    }),
    columns: ['account_name', 'organization_id', 'reason', 'started_at', 'ended_at', 'ip'],
    order: ['created_at', 'DESC'],
    references: { account_id: 'users', organization_id: 'organizations' },
    sort: ['id', 'account_id', 'organization_id', 'created_at', 'started_at', 'ended_at'],
    filter: { account_id, organization_id },
  },
} as const;
export type PeopleResourceName = keyof typeof PEOPLE_RESOURCES;
export type PeopleRow<Name extends PeopleResourceName> = z.output<(typeof PEOPLE_RESOURCES)[Name]['row']>;

/** Why somebody cannot sign in, the gravest first; `nothing` where all is well. */
export const SIGN_IN_FINDINGS = [
  'disabled',
  'noOrganization',
  'lockedEverywhere',
  'lockedHere',
  'mustChangePassword',
  'noPassword',
  'wrongPasswords',
  'wrongCodes',
  'noRecoveryCodes',
  'nothing',
] as const;
export type SignInFinding = (typeof SIGN_IN_FINDINGS)[number];

const access = z.object({
  findings: z.array(
    z.object({
      finding: z.enum(SIGN_IN_FINDINGS),
      /** When it ends by itself, or since when it is so. */
      until: time.nullable(),
      since: time.nullable(),
      /** The address concerned. */
      address: z.string().nullable(),
      times: z.int().nullable(),
    }),
  ),
  has_password: z.boolean(),
  second_factor: z.boolean(),
  /** For the day when the second factor is lost. */
  codes_left: z.int(),
  providers: z.array(z.string()),
  sessions: z.int(),
  last_signed_in: time.nullable(),
});
export type AccessView = z.output<typeof access>;

const organizationSummary = z.object({
  id: z.string(),
  plan: z.enum(PLAN_IDS),
  currency: currencyCode,
  balance: money,
  available: money,
  held: money,
  /** The amount owed. */
  debt: money,
  /** Used and not posted yet. */
  accrued: money,
  per_hour: money,
  hours_left: z.number().nullable(),
  in_credit: z.boolean(),
  reason: z.string().nullable(),
  out_of_credit_since: time.nullable(),
  quota: z.array(z.object({ name: z.enum(QUOTA_NAMES), used: z.number(), allowed: z.number().nullable() })),
  /** Objects by kind, and of those how many are in which phase. */
  objects: z.array(
    z.object({ kind: z.string(), resource: z.string(), total: z.int(), phases: z.record(z.string(), z.int()) }),
  ),
});
export type OrganizationSummaryView = z.output<typeof organizationSummary>;

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const because = z.strictObject({ reason });
const tag = 'admin';

/** react-admin sends the whole row; fields that cannot be changed are ignored. */
const change = <T extends z.ZodRawShape>(row: z.ZodObject, shape: T) =>
  z.strictObject({ ...ignored(row), ...shape, reason } as T & { reason: typeof reason });

const administrators = { platform: 'user', role: 'administrator' } as const;

export const PEOPLE_COMMANDS = {
  adminEditUser: defineRoute({
    id: 'adminEditUser',
    method: 'PUT',
    path: '/admin/users/{id}',
    tag,
    summary: "Lets an account in or not, which ends whatever it comes in by; gives and takes staff's roles.",
    access: administrators,
    params: ofOne,
    body: change(PEOPLE_RESOURCES.users.row, {
      disabled: z.boolean().optional(),
      platform_roles: z.array(z.enum(PLATFORM_ROLES)).max(PLATFORM_ROLES.length).optional(),
    }),
    answer: { raw: editedRow(PEOPLE_RESOURCES.users.row) },
    problems: ['own_access', 'edited_meanwhile'],
  }),
  adminEndSessions: defineRoute({
    id: 'adminEndSessions',
    method: 'POST',
    path: '/admin/users/{id}/end-sessions',
    tag,
    summary: 'Signs a person out everywhere; API tokens and kubeconfigs stay.',
    access: administrators,
    params: ofOne,
    body: because,
    answer: { raw: z.object({ id: z.string(), ended: z.int() }) },
    problems: ['own_access'],
  }),
  adminResetSecondFactor: defineRoute({
    id: 'adminResetSecondFactor',
    method: 'POST',
    path: '/admin/users/{id}/reset-second-factor',
    tag,
    summary: 'Removes the second factor of a person who has lost it, and signs them out everywhere.',
    access: administrators,
    params: ofOne,
    body: because,
    answer: { raw: PEOPLE_RESOURCES.users.row },
    problems: ['own_access', 'totp_off'],
  }),
  adminLiftLockout: defineRoute({
    id: 'adminLiftLockout',
    method: 'POST',
    path: '/admin/users/{id}/lift-lockout',
    tag,
    summary: 'Forgets the wrong attempts at an account, so that its person may try again at once.',
    access: administrators,
    params: ofOne,
    body: because,
    answer: { raw: z.object({ id: z.string() }) },
    problems: [],
  }),
  adminExplainAccess: defineRoute({
    id: 'adminExplainAccess',
    method: 'GET',
    path: '/admin/users/{id}/access',
    tag,
    summary: 'Why a person cannot sign in.',
    access: { platform: 'user' },
    params: ofOne,
    answer: { raw: access },
    problems: [],
  }),
  adminEditOrganization: defineRoute({
    id: 'adminEditOrganization',
    method: 'PUT',
    path: '/admin/organizations/{id}',
    tag,
    summary: 'Sets what an organisation may hold at once; what is left out stays.',
    access: administrators,
    params: ofOne,
    body: change(PEOPLE_RESOURCES.organizations.row, { quota: quota.optional() }),
    answer: { raw: editedRow(PEOPLE_RESOURCES.organizations.row) },
    problems: ['edited_meanwhile'],
  }),
  adminGetStanding: defineRoute({
    id: 'adminGetStanding',
    method: 'GET',
    path: '/admin/organizations/{id}/standing',
    tag,
    summary: 'How an organisation stands: its plan and money, what it holds beside what it may hold.',
    access: { platform: 'user' },
    params: ofOne,
    answer: { raw: organizationSummary },
    problems: [],
  }),
  adminViewTenant: defineRoute({
    id: 'adminViewTenant',
    method: 'POST',
    path: '/admin/organizations/{id}/view',
    tag,
    summary: "Makes a ticket of 30 seconds that opens the tenant's console for reading, for 30 minutes.",
    // For staff who look after tenants' machines: an audit manager sees real names, and needs no more.
    access: { platform: 'computing' },
    params: ofOne,
    body: because,
    answer: { raw: z.object({ id: z.string(), ticket: z.string(), url: z.string(), expires_at: time }) },
    status: 201,
    secret: true,
    problems: [],
  }),
};
