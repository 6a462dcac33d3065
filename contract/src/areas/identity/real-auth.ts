// Real-name verification: the submission, who sees which part of it, and the auditor's decision.
import * as z from 'zod';
import { idCard } from '../../fields/id-card.ts';
import { countryCode, DOCUMENTS, documentNumber, OTHER_DOCUMENTS } from '../../fields/identity-document.ts';
import { contactPhone } from '../../fields/person.ts';
import { plainLines, plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';

export const REAL_AUTH_TYPE = { personal: 1, enterprise: 2 } as const;
export type RealAuthType = (typeof REAL_AUTH_TYPE)[keyof typeof REAL_AUTH_TYPE];

/** The spec's display codes. */
export const REAL_AUTH_STATUS = { unauthenticated: 0, certified: 1, failed: 2, pendingReview: 3 } as const;
export const REAL_AUTH_STATES = ['pending', 'manualReview', 'approved', 'rejected'] as const;
export type RealAuthState = (typeof REAL_AUTH_STATES)[number];
export type RealAuthStatus = (typeof REAL_AUTH_STATUS)[keyof typeof REAL_AUTH_STATUS];

/** How a submission in this state is shown. */
export const REAL_AUTH_STATUS_OF: Record<RealAuthState, RealAuthStatus> = {
  pending: REAL_AUTH_STATUS.pendingReview,
  manualReview: REAL_AUTH_STATUS.pendingReview,
  approved: REAL_AUTH_STATUS.certified,
  rejected: REAL_AUTH_STATUS.failed,
};

/** The version of the mining commitment; raised with its text, and stored with every submission. */
export const COMMITMENT_VERSION = '2026-11';

export const PICTURE_BYTES = 5 * 1024 ** 2;

const tag = 'real-auth';
const time = z.iso.datetime();
const ofOne = z.object({ id: z.string().min(1).max(63) });
const type = z.union([z.literal(REAL_AUTH_TYPE.personal), z.literal(REAL_AUTH_TYPE.enterprise)]);
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
const pictureId = z.string().min(1).max(63);
const commitment = z.literal(true, 'commitment_missing').meta({ description: 'The mining commitment was ticked.' });

const byIdCard = { document: z.literal('idCard').optional(), id_card: idCard };
const byOther = {
  document: z.enum(OTHER_DOCUMENTS),
  document_country: countryCode,
  document_number: documentNumber,
  document_picture: pictureId,
};
const person = { type: z.literal(REAL_AUTH_TYPE.personal), name: plainText(63), phone: contactPhone, commitment };
const enterprise = {
  type: z.literal(REAL_AUTH_TYPE.enterprise),
  legal_name: plainText(63),
  enterprise_name: plainText(127),
  contact_name: plainText(63),
  license_picture: pictureId,
  commitment,
};

const submission = z.discriminatedUnion('type', [
  z.discriminatedUnion('document', [
    z.strictObject({ ...person, ...byIdCard }),
    z.strictObject({ ...person, ...byOther }),
  ]),
  z.discriminatedUnion('document', [
    z.strictObject({
      ...enterprise,
      ...byIdCard,
      /** Unified social credit code: 18 characters without I, O, S, V, Z; older ones have 15. */
      credit_code: z.string().regex(/^([0-9A-HJ-NP-RT-UW-Y]{18}|[0-9A-Z]{15})$/, 'credit_code_rule'),
      id_front_picture: pictureId,
      id_back_picture: pictureId,
    }),
    z.strictObject({
      ...enterprise,
      ...byOther,
      /** As its country's register has it. */
      credit_code: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z ./-]{1,31}$/, 'registration_number_rule'),
    }),
  ]),
]);
export type RealAuthSubmission = z.output<typeof submission>;

/** The answer of an adapter that checks real names. A rejection gives the person a reason. */
export const realNameVerdict = z.discriminatedUnion('result', [
  z.object({ result: z.literal('approved') }),
  z.object({ result: z.literal('rejected'), reason: plainLines(1024).refine((text) => text.trim() !== '') }),
  z.object({ result: z.literal('unsure') }),
]);

/** One submission, as its submitter and audit managers see it. */
const realAuth = z.object({
  id: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  type,
  status,
  state: z.enum(REAL_AUTH_STATES),
  /** The person's, or the legal person's. */
  name: z.string(),
  document: z.enum(DOCUMENTS),
  /** Set for an ID card; other documents have the next three. */
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
  commitment_version: z.string(),
  commitment_time: time,
  submit_time: time,
  audit_time: time.nullable(),
  reason: z.string().nullable(),
});

/** `usedElsewhere`: the same document has brought it to another account. `none`: nothing is approved, or none is given. */
const WELCOME_CREDIT_STATES = ['none', 'granted', 'usedElsewhere'] as const;
export type WelcomeCreditState = (typeof WELCOME_CREDIT_STATES)[number];

const ownRealAuth = z.object({
  /** The account's status. */
  type: type.nullable(),
  status,
  /** Why the last submission was rejected, even if the account fell back to a certified person. */
  reason: z.string().nullable(),
  welcome_credit: z.enum(WELCOME_CREDIT_STATES),
  personal: realAuth.nullable(),
  enterprise: realAuth.nullable(),
});

const SUBMISSION_PROBLEMS = [
  'session_needed',
  'id_card_format',
  'document_not_accepted',
  'personal_first',
  'real_auth_state',
  'picture_unknown',
] as const;

export const REAL_AUTH_ROUTES = {
  submitRealAuth: defineRoute({
    id: 'submitRealAuth',
    method: 'POST',
    path: '/account/v1/real-auth',
    tag,
    summary: 'Submits a real name for the first time, personal or enterprise.',
    access: 'account',
    body: submission,
    answer: { result: realAuth },
    status: 201,
    attemptsPerMinute: 60,
    problems: SUBMISSION_PROBLEMS,
  }),
  resubmitRealAuth: defineRoute({
    id: 'resubmitRealAuth',
    method: 'PUT',
    path: '/account/v1/real-auth',
    tag,
    summary: 'Submits again what was rejected.',
    access: 'account',
    body: submission,
    answer: { result: realAuth },
    attemptsPerMinute: 60,
    problems: SUBMISSION_PROBLEMS,
  }),
  getOwnRealAuth: defineRoute({
    id: 'getOwnRealAuth',
    method: 'GET',
    path: '/account/v1/user-real-auth',
    tag,
    summary: 'How the own account is authenticated.',
    access: 'account',
    answer: { result: ownRealAuth },
    problems: ['session_needed'],
  }),
  listRealAuths: defineRoute({
    id: 'listRealAuths',
    method: 'GET',
    path: '/account/v1/real-auth',
    tag,
    summary: 'Submissions to audit, the oldest first.',
    access: { platform: 'audit' },
    query: z.strictObject({
      ...cursorQuery(10),
      state: z.enum(REAL_AUTH_STATES).optional(),
      type: z.coerce.number().pipe(type).optional(),
      q: plainText(63).optional(),
    }),
    answer: { list: realAuth },
    problems: ['cursor_rule'],
  }),
  getRealAuth: defineRoute({
    id: 'getRealAuth',
    method: 'GET',
    path: '/account/v1/real-auth/{id}',
    tag,
    summary: 'One submission.',
    access: { platform: 'audit' },
    params: ofOne,
    answer: { result: realAuth },
    problems: [],
  }),
  auditRealAuth: defineRoute({
    id: 'auditRealAuth',
    method: 'PUT',
    path: '/account/v1/real-auth/{id}',
    tag,
    summary: 'Approves (1), rejects (2) or takes a submission for manual review (3), each with a reason.',
    access: { platform: 'audit' },
    params: ofOne,
    body: z.strictObject({
      result: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      reason: plainLines(1024).refine((text) => text.trim() !== '', 'reason_needed'),
    }),
    answer: { result: realAuth },
    problems: [
      'reason_needed',
      'real_auth_state',
      'own_real_auth',
      'real_auth_own_organization',
      'real_auth_decided',
      'second_reviewer',
    ],
  }),
  uploadPicture: defineRoute({
    id: 'uploadPicture',
    method: 'POST',
    path: '/account/v1/real-auth/picture',
    tag,
    summary: 'Takes a JPG or PNG of at most 5 MiB, as the body itself or as the one file of a form.',
    access: 'account',
    answer: { result: z.object({ id: z.string(), media_type: z.string(), bytes: z.int() }) },
    status: 201,
    problems: ['session_needed', 'picture_kind', 'picture_missing', 'too_large'],
    bodyBytes: PICTURE_BYTES,
    exempt: true,
    upload: true,
  }),
  getPicture: defineRoute({
    id: 'getPicture',
    method: 'GET',
    path: '/account/v1/real-auth/picture/{id}',
    tag,
    summary: 'A picture, for whoever submitted it and for audit managers.',
    access: 'account',
    params: ofOne,
    answer: { file: 'image/*' },
    problems: ['not_found', 'session_needed'],
  }),
};
