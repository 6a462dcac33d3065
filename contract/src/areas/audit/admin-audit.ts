// Real names to decide on, and the audit log with the proof of its chains: the menu "audit".
import * as z from 'zod';
import { DOCUMENTS } from '../../fields/identity-document.ts';
import { plainText } from '../../fields/plain-text.ts';
import { editedRow, ignored, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { REAL_AUTH_STATES } from '../identity/real-auth.ts';

const ofOne = z.object({ id: z.string().min(1).max(200) });
const tag = 'admin';

const realAuth = z.object({
  id: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  /** The submitter's language, in which they read why they are rejected. */
  account_locale: z.string(),
  type: z.union([z.literal(1), z.literal(2)]),
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
  /** The first of two approvals, where the installation requires two. */
  first_approved_by: z.string().nullable(),
  first_approved_at: time.nullable(),
  first_reason: z.string().nullable(),
  decided_at: time.nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
});

export const CHECK_STATES = ['running', 'whole', 'broken', 'failed'] as const;

export const AUDIT_RESOURCES = {
  'real-auths': {
    isSealed: true,
    menu: 'audit',
    one: 'submission of a real name',
    row: realAuth,
    columns: ['account_name', 'type', 'state', 'name', 'document', 'submitted_at', 'first_approved_by', 'decided_at'],
    order: ['submitted_at', 'ASC'],
    references: { account_id: 'users' },
    sort: ['id', 'account_id', 'type', 'state', 'submitted_at', 'decided_at'],
    filter: {
      state: oneOf(z.enum(REAL_AUTH_STATES)),
      type: oneOf(z.union([z.literal(1), z.literal(2)])),
      account_id: oneOf(z.string().max(63)),
    },
    // A decision made meanwhile is refused with a sentence of its own; this detects content that was sent again.
    edits: ['submitted_at'],
  },
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
      /** What people call it, in the reader's language; null for one of an earlier version. */
      action_label: z.string().nullable(),
      object: z.string().nullable(),
      /** The name of the object, where it still has one. */
      object_label: z.string().nullable(),
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
      object: oneOf(z.string().max(200)),
      request_id: oneOf(z.string().max(64)),
      action: oneOf(z.string().max(64)),
      decision: oneOf(z.enum(['allowed', 'denied', 'failed'])),
      /** Inclusive. */
      from: time.optional(),
      /** Exclusive. */
      to: time.optional(),
    },
  },
  'audit-checks': {
    menu: 'audit',
    one: 'check of the audit log',
    row: z.object({
      id: z.string(),
      /** '' is the platform's chain. */
      organization_id: z.string(),
      state: z.enum(CHECK_STATES),
      entries: z.int(),
      /** Newer than the last block; they are sealed within seconds. */
      unsealed: z.int().nullable(),
      blocks: z.int(),
      head_hash: z.string().nullable(),
      fault: z.string().nullable(),
      started_at: time,
      ended_at: time.nullable(),
      started_by: z.string(),
    }),
    columns: [
      'organization_id',
      'state',
      'entries',
      'unsealed',
      'blocks',
      'fault',
      'started_at',
      'ended_at',
      'started_by',
    ],
    order: ['started_at', 'DESC'],
    references: { organization_id: 'organizations', started_by: 'users' },
    sort: ['id', 'organization_id', 'started_at', 'ended_at'],
    filter: { organization_id: oneOf(z.string().max(63)) },
  },
} as const;
export type AuditResourceName = keyof typeof AUDIT_RESOURCES;
export type AuditRow<Name extends AuditResourceName> = z.output<(typeof AUDIT_RESOURCES)[Name]['row']>;

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });

export const AUDIT_COMMANDS = {
  adminAuditRealAuth: defineRoute({
    id: 'adminAuditRealAuth',
    method: 'PUT',
    path: '/admin/real-auths/{id}',
    tag,
    summary: 'Approves (1), rejects (2) or takes a submission for manual review (3).',
    access: { platform: 'audit' },
    params: ofOne,
    // react-admin sends the whole row; fields that cannot be changed are ignored.
    body: z.strictObject({
      ...ignored(realAuth),
      result: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      reason,
    } as unknown as {
      result: z.ZodUnion<[z.ZodLiteral<1>, z.ZodLiteral<2>, z.ZodLiteral<3>]>;
      reason: typeof reason;
    }),
    answer: { raw: editedRow(realAuth) },
    problems: [
      'real_auth_state',
      'own_real_auth',
      'real_auth_own_organization',
      'real_auth_decided',
      'second_reviewer',
      'edited_meanwhile',
    ],
  }),
  adminWatchRealAuth: defineRoute({
    id: 'adminWatchRealAuth',
    method: 'GET',
    path: '/admin/real-auths/{id}/watch',
    tag,
    summary: 'Notes that the caller has a submission open, and says who else has, and who has decided meanwhile.',
    access: { platform: 'audit' },
    params: ofOne,
    answer: {
      raw: z.object({
        id: z.string(),
        state: z.enum(REAL_AUTH_STATES),
        decided_by: z.string().nullable(),
        /** How many approvals it needs. */
        reviewers: z.int(),
        others: z.array(z.object({ account_id: z.string(), name: z.string(), since: time })),
        /** The next that waits for the caller and that nobody else has open; null: none. */
        next: z.string().nullable(),
        /** How many wait for the caller, besides this one. */
        waiting: z.int(),
      }),
    },
    problems: [],
  }),
  adminCheckAuditLog: defineRoute({
    id: 'adminCheckAuditLog',
    method: 'POST',
    path: '/admin/audit-checks',
    tag,
    summary: "Begins to verify the chain of an organisation's log, or the platform's; the result appears in the list.",
    access: { platform: 'audit' },
    body: z.strictObject({
      organization_id: z.string().max(63).meta({ description: "Empty: the platform's own." }),
      reason,
    }),
    answer: { raw: AUDIT_RESOURCES['audit-checks'].row },
    status: 202,
    problems: ['audit_check_running', 'not_found'],
  }),
};
