// Credentials: SSH keys, API tokens, kubeconfigs.
import * as z from 'zod';
import { dateTime } from '../../fields/date-time.ts';
import { plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';
import { RIGHTS } from '../../roles.ts';
import { tokenLimits } from './token-limits.ts';

export const MOST_PUB_KEYS = 10;
export const MOST_API_TOKENS = 100;
export const MOST_KUBECONFIGS = 20;
/** A kubeconfig's token always ends. */
export const LONGEST_KUBECONFIG_DAYS = 365;

const tag = 'keys';
const time = z.iso.datetime();
const remark = plainText(63);
/** A date, or null for Permanent: left out, it was not confirmed. */
const confirmedExpiry = dateTime.nullable().meta({ description: 'A date, or null: permanent, picked on purpose.' });
const ofOne = z.object({ id: z.string().min(1).max(63) });

const expiry = { expiration_time: time.nullable(), status: z.enum(['permanent', 'active', 'expired']) };

const pubKey = z.object({
  id: z.string(),
  remark: z.string(),
  public_key: z.string(),
  /** `SHA256:…`, as ssh-keygen shows it. */
  fingerprint: z.string(),
  ...expiry,
  create_time: time,
});

const apiTokenRow = {
  id: z.string(),
  remark: z.string(),
  /** The account's name. */
  creator: z.string(),
  creator_id: z.string(),
  scopes: z.array(z.enum(RIGHTS)),
  ...expiry,
  create_time: time,
  last_used_time: time.nullable(),
  limits: tokenLimits.nullable().meta({ description: 'What it may use of models, at most; null: no limit.' }),
};

const kubeconfig = z.object({
  id: z.string(),
  remark: z.string(),
  creator: z.string(),
  creator_id: z.string(),
  expiration_time: time,
  create_time: time,
});

export const KEY_ROUTES = {
  listPubKeys: defineRoute({
    id: 'listPubKeys',
    method: 'GET',
    path: '/account/v1/pub-key',
    tag,
    summary: 'The own SSH keys, newest first.',
    access: 'account',
    query: z.strictObject(cursorQuery(MOST_PUB_KEYS)),
    answer: { list: pubKey },
    problems: ['cursor_rule'],
  }),
  createPubKey: defineRoute({
    id: 'createPubKey',
    method: 'POST',
    path: '/account/v1/pub-key',
    tag,
    summary: 'Keeps an SSH key; at most 10 per user.',
    access: 'account',
    body: z.strictObject({ remark, public_key: z.string().min(1).max(16_384), expiration_time: confirmedExpiry }),
    answer: { result: pubKey },
    status: 201,
    problems: ['session_needed', 'ssh_key_broken', 'expiry_passed', 'too_many_pub_keys', 'pub_key_exists'],
  }),
  deletePubKey: defineRoute({
    id: 'deletePubKey',
    method: 'DELETE',
    path: '/account/v1/pub-key/{id}',
    tag,
    summary: 'Forgets an SSH key, and takes it off the instances that carry it.',
    access: 'account',
    params: ofOne,
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),

  listApiTokens: defineRoute({
    id: 'listApiTokens',
    method: 'GET',
    path: '/account/v1/api-token',
    tag,
    summary: "The own API tokens in this organisation; whoever manages it sees everybody's.",
    access: 'account',
    query: z.strictObject(cursorQuery(10)),
    answer: { list: z.object(apiTokenRow) },
    problems: ['cursor_rule'],
  }),
  createApiToken: defineRoute({
    id: 'createApiToken',
    method: 'POST',
    path: '/account/v1/api-token',
    tag,
    summary: 'Makes an API token for this organisation; its secret is shown in this answer and never again.',
    access: 'account',
    body: z.strictObject({
      remark,
      scopes: z
        .array(z.enum(RIGHTS))
        .min(1)
        .max(RIGHTS.length)
        .transform((scopes) => RIGHTS.filter((right) => scopes.includes(right))),
      expiration_time: confirmedExpiry,
      limits: tokenLimits.nullable().default(null).meta({ description: 'Of models; null: none.' }),
    }),
    answer: { result: z.object({ ...apiTokenRow, token: z.string() }) },
    status: 201,
    secret: true,
    problems: ['session_needed', 'scope_beyond_role', 'expiry_passed', 'too_many_api_tokens'],
  }),
  getApiToken: defineRoute({
    id: 'getApiToken',
    method: 'GET',
    path: '/account/v1/api-token/{id}',
    tag,
    summary: 'An API token without its secret.',
    access: 'account',
    params: ofOne,
    answer: { result: z.object(apiTokenRow) },
    problems: [],
  }),
  deleteApiToken: defineRoute({
    id: 'deleteApiToken',
    method: 'DELETE',
    path: '/account/v1/api-token/{id}',
    tag,
    summary: 'Ends an API token at once.',
    access: 'account',
    params: ofOne,
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),

  listKubeconfigs: defineRoute({
    id: 'listKubeconfigs',
    method: 'GET',
    path: '/account/v1/kubeconfig',
    tag,
    summary: "The own kubeconfigs for this organisation; whoever manages it sees everybody's.",
    access: 'account',
    query: z.strictObject(cursorQuery(10)),
    answer: { list: kubeconfig },
    problems: ['cursor_rule'],
  }),
  createKubeconfig: defineRoute({
    id: 'createKubeconfig',
    method: 'POST',
    path: '/account/v1/kubeconfig',
    tag,
    summary: "Makes a kubeconfig with the rights of one's role here; its token is in this answer and nowhere else.",
    access: 'account',
    body: z.strictObject({ remark, expiration_time: dateTime }),
    answer: { result: kubeconfig.extend({ kubeconfig: z.string().meta({ description: 'The file, as YAML.' }) }) },
    status: 201,
    secret: true,
    problems: ['session_needed', 'expiry_passed', 'expiry_too_far', 'organization_not_ready', 'too_many_kubeconfigs'],
  }),
  deleteKubeconfig: defineRoute({
    id: 'deleteKubeconfig',
    method: 'DELETE',
    path: '/account/v1/kubeconfig/{id}',
    tag,
    summary: 'Revokes a kubeconfig: its token is refused, and watches and shells that it opened are ended.',
    access: 'account',
    params: ofOne,
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),
};
