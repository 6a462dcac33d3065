// People by themselves over HTTP. An API token stands for its rights in one organisation, never for the person.
import { ACCOUNT_ROUTES, type account, type loginAnswer } from '@gantry/contract/areas/identity/account.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type * as z from 'zod';
import type { Caller } from '../../platform/http/caller.ts';
import { addressKey } from '../../platform/http/rate-limits.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import type { People } from './open-people.ts';
import type { Account } from './people/new-account.ts';
import type { LoginOutcome } from './sessions/login.ts';
import type { LoginOrigin, NewSession } from './sessions/sessions.ts';

type LoginAnswer = z.input<typeof loginAnswer>;

const COOKIE_LIFE_S = 300;

/**
 * The cookie of a login that a provider is to answer. With the prefix, a browser takes it from this very host alone, so that no
 * neighbour below the same domain can set it; the prefix needs TLS and the path `/`.
 */
export function loginCookie({ protocol, pathname }: Pick<URL, 'protocol' | 'pathname'>) {
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Host-gantry-login' : 'gantry-login';
  const facts = ['HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure', 'Path=/'] : [`Path=${pathname}`])].join('; ');
  return {
    with: (value: string, seconds = COOKIE_LIFE_S): string => `${name}=${value}; Max-Age=${seconds}; ${facts}`,
    in: (header: string | undefined): string | undefined =>
      header
        ?.split(';')
        .map((each) => each.trim())
        .find((each) => each.startsWith(`${name}=`))
        ?.slice(name.length + 1),
  };
}

/** In the audit log: what ended with a password. */
const reasonOf = ({ apiTokens, kubeconfigs }: { apiTokens: number; kubeconfigs: number }): string =>
  `revoked with the password: ${apiTokens} API tokens, ${kubeconfigs} kubeconfigs`;

export function accountRoutes({ people }: { people: People }): Served[] {
  const { login, own, providers, registration, sessions, verification } = people;
  const callback = new URL(`${people.publicUrl}/api/auth/v1/login/callback`);
  const cookie = loginCookie(callback);

  return [
    serve(ACCOUNT_ROUTES.login, async (call) => {
      const { account, password, ticket, code, provider, terms_version, locale } = call.body;
      const ways = [account ?? password, ticket ?? code, provider].filter((way) => way !== undefined);
      if (ways.length === 1) {
        if (account !== undefined && password !== undefined)
          return answerOf(await login.byPassword({ account, password }, originOf(call)), call);
        if (ticket !== undefined && code !== undefined)
          return answerOf(await login.bySecondFactor({ ticket, code }, originOf(call)), call);
        if (provider !== undefined) {
          const wanted = { provider, termsVersion: terms_version, locale: locale ?? call.language };
          const { cookie: secret, ...begun } = await providers.begin(wanted, addressKey(call.ip));
          call.res.setHeader('set-cookie', cookie.with(secret));
          return begun;
        }
      }
      throw problem('login_by_what');
    }),
    serve(ACCOUNT_ROUTES.getLogin, async (call) => {
      const secret = call.req.headers['x-login-secret'];
      const outcome = await providers.finish(
        call.params.id,
        typeof secret === 'string' ? secret : undefined,
        originOf(call),
      );
      if (!outcome) return { id: call.params.id, pending: true };
      call.audit.evenIfRead = true;
      return answerOf(outcome, call);
    }),
    serve(ACCOUNT_ROUTES.loginCallback, async ({ req, res }) => {
      const { searchParams } = new URL(req.url ?? '', callback);
      const id = await providers.callback(searchParams, cookie.in(req.headers.cookie));
      res.setHeader('set-cookie', cookie.with('', 0));
      // The provider's query contains a code: no following page may learn it.
      res.setHeader('referrer-policy', 'no-referrer');
      res.writeHead(303, { location: `${people.publicUrl}/login${id === undefined ? '' : `?login=${id}`}` }).end();
    }),
    serve(ACCOUNT_ROUTES.logout, async (call) => {
      const { account, session } = ownSessionOf(call.caller);
      await sessions.end(account.id, session.id);
    }),
    serve(ACCOUNT_ROUTES.switchOrganization, async (call) => {
      const caller = ownSessionOf(call.caller);
      call.audit.object = `Organization/${call.body.org_id}`;
      const made = await sessions.switch(caller, call.body.org_id, originOf(call));
      if (!made) throw problem('not_found', { what: call.body.org_id });
      return sessionAnswer(made);
    }),

    serve(ACCOUNT_ROUTES.captcha, async ({ params, body, ip, language }) => {
      if (params.type === 'challenge') {
        const { parameters, signature = '' } = await verification.puzzle();
        return { challenge: { parameters: { ...parameters }, signature } };
      }
      const channel = params.type;
      const address = body?.[channel];
      if (!body || address === undefined) throw problem(`${channel}_rule`, {}, { field: channel });
      const { captcha = '', purpose } = body;
      const seconds = await verification.sendCode({
        channel,
        purpose,
        address,
        captcha,
        network: addressKey(ip),
        language,
      });
      return { resend_after_s: seconds };
    }),
    serve(ACCOUNT_ROUTES.verifyRegistration, async ({ body, ip }) => ({
      ticket: await verification.verify('register', body.email ?? body.phone ?? '', body.code, addressKey(ip)),
    })),
    serve(ACCOUNT_ROUTES.register, async (call) => {
      const { username, password, ticket, terms_version, locale } = call.body;
      const made = await registration.register({
        name: username,
        password,
        ticket,
        termsVersion: terms_version,
        locale,
      });
      call.audit.object = `Account/${made.id}`;
      return { account_id: made.id, username: made.name };
    }),
    serve(ACCOUNT_ROUTES.verifyReset, async ({ body, ip }) => ({
      ticket: await verification.verify('reset', body.email ?? body.phone ?? '', body.code, addressKey(ip)),
    })),
    serve(ACCOUNT_ROUTES.resetPassword, async (call) => {
      const { ticket, password } = call.body;
      const { accountId, revoked } = await own.resetPassword(ticket, password, addressKey(call.ip));
      call.audit.object = `Account/${accountId}`;
      call.audit.reason = reasonOf(revoked);
    }),

    serve(ACCOUNT_ROUTES.getMe, async ({ caller }) => ({
      ...view(await own.read(caller.account.id)),
      ...(caller.session.kind !== 'session' && { email: null, phone_num: null }),
      org_id: caller.organization.id,
      role: caller.organization.role,
      platform_roles: [...caller.account.platformRoles],
    })),
    serve(ACCOUNT_ROUTES.getAccount, async ({ caller, params }) =>
      view(await own.read(ownId(ownSessionOf(caller), params.id))),
    ),
    serve(ACCOUNT_ROUTES.editAccount, async (call) => {
      const { caller, body } = call;
      const id = ownId(caller, call.params.id);
      call.audit.object = `Account/${id}`;
      const { username, locale, old_password, password, keep_tokens, email, phone, code } = body;
      const proofs = { oldPassword: old_password, code };
      const change = { name: username, locale, password, keepsTokens: keep_tokens, email, phone, ...proofs };
      const { begun, revoked } = await own.change(ownSessionOf(caller), change, originOf(call));
      if (revoked) call.audit.reason = reasonOf(revoked);
      return { account: view(await own.read(id)), ...(begun && { token: begun.token }) };
    }),
    serve(ACCOUNT_ROUTES.listSessions, async ({ caller, query }) => {
      ownSessionOf(caller);
      const { items, total, ...extra } = await sessions.list(caller.account.id, caller.session.id, query);
      const views = items.map((each) => ({
        id: each.id,
        org_id: each.organizationId,
        org_name: each.organizationName,
        create_time: each.createdAt.toISOString(),
        last_used_time: each.lastUsedAt.toISOString(),
        expiration_time: each.expiresAt.toISOString(),
        ip: each.ip,
        user_agent: each.userAgent,
        is_current: each.id === caller.session.id,
      }));
      return { items: views, total, extra };
    }),
    serve(ACCOUNT_ROUTES.endSession, async (call) => {
      const { account } = ownSessionOf(call.caller);
      call.audit.object = `Session/${call.params.id}`;
      if (!(await sessions.end(account.id, call.params.id))) throw problem('not_found', { what: call.params.id });
    }),
    serve(ACCOUNT_ROUTES.enrolTotp, ({ caller, body, ip }) =>
      own.enrolTotp(ownSessionOf(caller), body.password, addressKey(ip)),
    ),
    serve(ACCOUNT_ROUTES.confirmTotp, async ({ caller, body }) => ({
      recovery_codes: await own.confirmTotp(ownSessionOf(caller), body.code),
    })),
    serve(ACCOUNT_ROUTES.dropTotp, ({ caller, body, ip }) =>
      own.dropTotp(ownSessionOf(caller), body.password, addressKey(ip)),
    ),
  ];
}

const originOf = ({ ip, req }: Pick<Call, 'ip' | 'req'>): LoginOrigin => ({
  ip,
  network: addressKey(ip),
  userAgent: req.headers['user-agent'],
});

function ownSessionOf(caller: Caller): Caller {
  if (caller.session.kind !== 'session') throw problem('session_needed');
  return caller;
}

function ownId({ account }: Caller, id: string): string {
  if (account.id !== id) throw problem('not_found', { what: id });
  return id;
}

function answerOf(outcome: LoginOutcome, call: Pick<Call, 'audit'>): LoginAnswer {
  if ('secondFactor' in outcome) return { second_factor: true, ticket: outcome.ticket };
  if ('mustChangePassword' in outcome) return { must_change_password: true, ticket: outcome.ticket };
  call.audit.object = `Account/${outcome.session.accountId}`;
  return sessionAnswer(outcome.session);
}

const sessionAnswer = ({ token, expiresAt, accountId, organizationId }: NewSession) => ({
  token,
  expires_at: expiresAt.toISOString(),
  account_id: accountId,
  org_id: organizationId,
});

const view = (row: Account & { hasTotp: boolean }): z.input<typeof account> => ({
  account_id: row.id,
  username: row.name,
  email: row.email,
  phone_num: row.phone,
  type: row.kind,
  locale: row.locale,
  has_password: row.passwordHash !== null,
  second_factor: row.hasTotp,
  create_time: row.createdAt.toISOString(),
});
