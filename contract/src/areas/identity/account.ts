// People by themselves: registering, logging in, and what one changes about oneself.
import * as z from 'zod';
import { LANGUAGES } from '../../fields/language.ts';
import { accountName, email, password, phone, sixDigits, typedPassword } from '../../fields/person.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';
import { ORG_ROLES, PLATFORM_ROLES } from '../../roles.ts';

const time = z.iso.datetime();
const id = z.string().min(1).max(63);
const locale = z.enum(LANGUAGES);
/** 32 bytes by chance. */
const ticket = z.string().min(1).max(64);
const address = { email: email.optional(), phone: phone.optional() };

/** Exactly one of them: it is the address that the code went to. */
const oneAddress = (input: { email?: string | undefined; phone?: string | undefined }): boolean =>
  (input.email === undefined) !== (input.phone === undefined);
/** The code proves one address: another beside it would be taken unproven. */
const atMostOneAddress = (input: { email?: string | undefined; phone?: string | undefined }): boolean =>
  input.email === undefined || input.phone === undefined;
const oneAddressRule = { error: 'email_rule', path: ['email'] };

/** The puzzle as its widget takes it (ALTCHA, second format). */
export const puzzle = z.object({
  parameters: z.record(z.string(), z.unknown()),
  signature: z.string(),
});

const session = {
  token: z.string().meta({ description: 'For X-Token. It is shown this once.' }),
  expires_at: time,
  account_id: z.string(),
  org_id: z.string(),
};

export const loginAnswer = z.object({
  token: session.token.optional(),
  expires_at: time.optional(),
  account_id: z.string().optional(),
  org_id: z.string().optional(),
  /** There is no token yet: POST /auth/v1/login again, with `ticket` and the `code` of the second factor. */
  second_factor: z.boolean().optional(),
  /** There is no token yet: POST /auth/v1/password/reset with `ticket` and a new `password`, then log in with it. */
  must_change_password: z.boolean().optional(),
  ticket: z.string().optional(),
  /** At a provider: open `url`, then ask GET /auth/v1/login/{id} with `secret` in X-Login-Secret. */
  id: z.string().optional(),
  url: z.string().optional(),
  secret: z.string().optional(),
  /** The provider has not answered yet: ask again. */
  pending: z.boolean().optional(),
});

export const account = z.object({
  account_id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  phone_num: z.string().nullable(),
  type: z.enum(['personal', 'enterprise']),
  locale,
  has_password: z.boolean(),
  second_factor: z.boolean(),
  create_time: time,
});

const me = account.extend({
  org_id: z.string(),
  role: z.enum(ORG_ROLES),
  platform_roles: z.array(z.enum(PLATFORM_ROLES)),
});

const ownSession = z.object({
  id: z.string(),
  org_id: z.string(),
  org_name: z.string(),
  create_time: time,
  last_used_time: time,
  expiration_time: time,
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  is_current: z.boolean(),
});

export const ACCOUNT_ROUTES = {
  login: defineRoute({
    id: 'login',
    method: 'POST',
    path: '/auth/v1/login',
    tag: 'auth',
    summary: 'Logs in by account and password, goes on with a second factor, or begins at a provider.',
    access: 'public',
    body: z.strictObject({
      account: z.string().min(1).max(254).optional().meta({ description: 'Name, e-mail address or phone number.' }),
      password: typedPassword.optional(),
      ticket: ticket.optional(),
      code: z.string().min(1).max(32).optional().meta({ description: 'Six digits, or a recovery code.' }),
      provider: z.string().min(1).max(63).optional(),
      terms_version: z
        .string()
        .max(32)
        .optional()
        .meta({ description: 'Needed where a provider’s login makes the account.' }),
      locale: locale.optional(),
    }),
    answer: { result: loginAnswer },
    secret: true,
    attemptsPerMinute: 120,
    problems: [
      'login_by_what',
      'login_failed',
      'login_over',
      'account_closed',
      'code_wrong',
      'provider_unknown',
      'too_many_attempts',
    ],
  }),
  getLogin: defineRoute({
    id: 'getLogin',
    method: 'GET',
    path: '/auth/v1/login/{id}',
    tag: 'auth',
    summary: 'How a login at a provider stands; the token comes once, to the browser that shows X-Login-Secret.',
    access: 'public',
    params: z.object({ id }),
    answer: { result: loginAnswer },
    secret: true,
    problems: [
      'not_found',
      'provider_refused',
      'terms_not_accepted',
      'registration_failed',
      'account_closed',
      'login_over',
    ],
  }),
  loginCallback: defineRoute({
    id: 'loginCallback',
    method: 'GET',
    path: '/auth/v1/login/callback',
    tag: 'auth',
    summary: 'Where a provider sends the browser back to; it goes on to the console.',
    access: 'public',
    // Providers add what they like.
    query: z.looseObject({ state: z.string().max(256).optional() }),
    answer: { stream: 'text/html' },
    status: 303,
    problems: [],
  }),
  logout: defineRoute({
    id: 'logout',
    method: 'POST',
    path: '/auth/v1/logout',
    tag: 'auth',
    summary: 'Ends the session of the token at once.',
    access: 'account',
    body: z.strictObject({ account_id: id.optional() }).optional(),
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),
  switchOrganization: defineRoute({
    id: 'switchOrganization',
    method: 'POST',
    path: '/iam/v1/oauth/switch',
    tag: 'iam',
    summary: 'A new token for an organisation, or for the same one; the old token lives 60 seconds more.',
    access: 'account',
    body: z.strictObject({ org_id: id }),
    answer: { result: z.object(session) },
    secret: true,
    problems: ['not_found', 'session_needed'],
  }),
  captcha: defineRoute({
    id: 'captcha',
    method: 'POST',
    path: '/auth/v1/captcha/{type}',
    tag: 'auth',
    summary: 'A puzzle to solve; or, for a solved one, a code to an e-mail address or phone number.',
    access: 'public',
    params: z.object({ type: z.enum(['challenge', 'email', 'phone']) }),
    body: z
      .strictObject({
        ...address,
        purpose: z.enum(['register', 'reset', 'contact']).default('register'),
        captcha: z.string().max(4096, 'captcha_missing').optional().meta({
          description: 'What the widget gives: base64 of `{challenge, solution}`. Each counts once.',
        }),
      })
      .optional(),
    answer: {
      result: z.object({ challenge: puzzle.optional(), resend_after_s: z.int().optional() }),
    },
    attemptsPerMinute: 60,
    problems: [
      'email_rule',
      'phone_rule',
      'captcha_missing',
      'register_type_closed',
      'cannot_send',
      'code_too_soon',
      'too_many_attempts',
    ],
  }),
  verifyRegistration: defineRoute({
    id: 'verifyRegistration',
    feature: 'registration',
    method: 'POST',
    path: '/auth/v1/register/verify',
    tag: 'auth',
    summary: 'A ticket of ten minutes for the code that was sent.',
    access: 'public',
    body: z.strictObject({ ...address, code: sixDigits }).refine(oneAddress, oneAddressRule),
    answer: { result: z.object({ ticket: z.string() }) },
    secret: true,
    attemptsPerMinute: 60,
    problems: ['email_rule', 'phone_rule', 'code_wrong', 'too_many_attempts'],
  }),
  register: defineRoute({
    id: 'register',
    feature: 'registration',
    method: 'POST',
    path: '/auth/v1/register/account',
    tag: 'auth',
    summary: 'Makes an account with its personal organisation; the ticket is used up by success alone.',
    access: 'public',
    body: z.strictObject({
      username: accountName,
      password,
      ticket,
      terms_version: z.string().min(1).max(32),
      locale: locale.default('en'),
    }),
    answer: { result: z.object({ account_id: z.string(), username: z.string() }) },
    status: 201,
    attemptsPerMinute: 60,
    problems: [
      'username_required',
      'username_rule',
      'username_email',
      'password_rule',
      'password_guessable',
      'terms_not_accepted',
      'registration_failed',
      'username_taken',
    ],
  }),
  verifyReset: defineRoute({
    id: 'verifyReset',
    method: 'POST',
    path: '/auth/v1/password/verify',
    tag: 'auth',
    summary: 'A ticket of ten minutes to set a new password, for the code that was sent.',
    access: 'public',
    body: z.strictObject({ ...address, code: sixDigits }).refine(oneAddress, oneAddressRule),
    answer: { result: z.object({ ticket: z.string() }) },
    secret: true,
    attemptsPerMinute: 60,
    problems: ['email_rule', 'phone_rule', 'code_wrong', 'too_many_attempts'],
  }),
  resetPassword: defineRoute({
    id: 'resetPassword',
    method: 'POST',
    path: '/auth/v1/password/reset',
    tag: 'auth',
    summary: 'Sets a new password for a ticket, ends all sessions, and revokes all API tokens and kubeconfigs.',
    access: 'public',
    body: z.strictObject({ ticket, password }),
    answer: { text: 'ok' },
    attemptsPerMinute: 60,
    problems: ['password_rule', 'password_guessable', 'password_same', 'modification_failed'],
  }),
  getMe: defineRoute({
    id: 'getMe',
    method: 'GET',
    path: '/auth/v1/account/me',
    tag: 'account',
    summary: 'Whose token it is, and for which organisation; an API token is not told the addresses.',
    access: 'account',
    answer: { result: me },
    problems: [],
  }),
  getAccount: defineRoute({
    id: 'getAccount',
    method: 'GET',
    path: '/auth/v1/account/{id}',
    tag: 'account',
    summary: 'The own account; anybody else’s does not exist.',
    access: 'account',
    params: z.object({ id }),
    answer: { result: account },
    problems: ['not_found', 'session_needed'],
  }),
  editAccount: defineRoute({
    id: 'editAccount',
    method: 'PUT',
    path: '/auth/v1/account/{id}',
    tag: 'account',
    summary:
      'Changes name, language, password or address. A new password ends all sessions, gives a new token, and revokes API tokens and kubeconfigs unless `keep_tokens` is set.',
    access: 'account',
    params: z.object({ id }),
    body: z
      .strictObject({
        username: accountName.optional(),
        locale: locale.optional(),
        old_password: typedPassword.optional().meta({ description: 'Needed for a new password or address.' }),
        password: password.optional(),
        keep_tokens: z
          .boolean()
          .optional()
          .meta({ description: 'With a new password: leave API tokens and kubeconfigs as they are.' }),
        ...address,
        code: sixDigits
          .optional()
          .meta({ description: 'That was sent to the new address, for the purpose `contact`.' }),
      })
      .refine(atMostOneAddress, oneAddressRule),
    answer: { result: z.object({ account, token: session.token.optional() }) },
    secret: true,
    problems: [
      'not_found',
      'session_needed',
      'old_password_wrong',
      'password_rule',
      'password_guessable',
      'password_same',
      'username_rule',
      'username_email',
      'username_taken',
      'email_rule',
      'phone_rule',
      'code_wrong',
      'address_taken',
      'too_many_attempts',
    ],
  }),
  listSessions: defineRoute({
    id: 'listSessions',
    method: 'GET',
    path: '/auth/v1/session',
    tag: 'account',
    summary: 'Where one is logged in, the newest first.',
    access: 'account',
    query: z.strictObject(cursorQuery(10)),
    answer: { list: ownSession },
    problems: ['session_needed', 'cursor_rule'],
  }),
  endSession: defineRoute({
    id: 'endSession',
    method: 'DELETE',
    path: '/auth/v1/session/{id}',
    tag: 'account',
    summary: 'Ends one of the own sessions at once.',
    access: 'account',
    params: z.object({ id }),
    answer: { text: 'ok' },
    problems: ['not_found', 'session_needed'],
  }),
  enrolTotp: defineRoute({
    id: 'enrolTotp',
    method: 'POST',
    path: '/auth/v1/totp',
    tag: 'account',
    summary: 'A secret for an authenticator, shown this once; it counts from its confirmation on.',
    access: 'account',
    body: z.strictObject({ password: typedPassword.optional() }),
    answer: { result: z.object({ secret: z.string(), uri: z.string() }) },
    secret: true,
    problems: ['session_needed', 'old_password_wrong', 'totp_on', 'too_many_attempts'],
  }),
  confirmTotp: defineRoute({
    id: 'confirmTotp',
    method: 'POST',
    path: '/auth/v1/totp/confirm',
    tag: 'account',
    summary:
      'Turns the second factor on by a code of the authenticator, and ends all other sessions; gives recovery codes, this once.',
    access: 'account',
    body: z.strictObject({ code: sixDigits }),
    answer: { result: z.object({ recovery_codes: z.array(z.string()) }) },
    secret: true,
    problems: ['session_needed', 'code_wrong', 'totp_on'],
  }),
  dropTotp: defineRoute({
    id: 'dropTotp',
    method: 'POST',
    path: '/auth/v1/totp/disable',
    tag: 'account',
    summary: 'Turns the second factor off, and ends all other sessions.',
    access: 'account',
    body: z.strictObject({ password: typedPassword.optional() }),
    answer: { text: 'ok' },
    problems: ['session_needed', 'old_password_wrong', 'totp_off', 'too_many_attempts'],
  }),
};
