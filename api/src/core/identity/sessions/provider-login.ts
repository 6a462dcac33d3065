// Logging in through an OpenID Connect provider: code flow with PKCE, state and nonce. The browser that began it keeps a
// secret to fetch its token with, and a cookie that it brings back from the provider: a link that was sent to somebody else
// logs nobody in.
import { randomInt } from 'node:crypto';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { accountName, email, mayBeCalled } from '@gantry/contract/fields/person.ts';
import { isProblemCode, Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, isNull } from 'drizzle-orm';
import * as openid from 'openid-client';
import { count } from '../../../platform/db/counters.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { providerIdentities, providerLogins } from '../../../platform/db/schema/identity.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/mail/mail-queue.ts';
import { newToken, sameText, sha256 } from '../../../platform/secrets.ts';
import { accountAt, accountOf } from '../people/find-account.ts';
import { type Account, makeAccount } from '../people/new-account.ts';
import { assertTerms, type Registration } from '../people/register.ts';
import type { Login, LoginOutcome } from './login.ts';
import type { LoginOrigin } from './sessions.ts';

const LIFE_MS = 5 * 60_000;
const BEGUN_PER_IP = { most: 60, windowMs: 15 * 60_000 };
const LIMIT_S = 10;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface Provider {
  id: string;
  /** Its name on the login page. */
  name: string;
  /** https, or http on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface ProviderLoginParts {
  db: Database;
  clock: Clock;
  login: Login;
  registration: Registration;
  /** They throw while staff have closed it. */
  open?: { registration(language: Language): void; providerLogin(language: Language): void } | undefined;
  providers: readonly Provider[];
  /** The address to which the provider sends browsers back. */
  callbackUrl: string;
  termsVersion: string;
  log: Log;
}

export interface Begun {
  id: string;
  url: string;
  secret: string;
  cookie: string;
}

type LoginRow = typeof providerLogins.$inferSelect;
type Claims = Pick<openid.UserInfoResponse, 'email' | 'email_verified' | 'preferred_username' | 'name'>;

export class ProviderLogins {
  readonly #parts: ProviderLoginParts;
  readonly #found = new Map<string, Promise<openid.Configuration>>();

  constructor(parts: ProviderLoginParts) {
    for (const { issuer } of parts.providers) {
      const { protocol, hostname } = new URL(issuer);
      if (protocol !== 'https:' && !LOOPBACK.includes(hostname)) throw new Error(`${issuer}: a provider needs https`);
    }
    this.#parts = parts;
  }

  async begin(
    wanted: { provider: string; termsVersion: string | undefined; locale: Language },
    network: string,
  ): Promise<Begun> {
    const { db, clock, callbackUrl } = this.#parts;
    this.#parts.open?.providerLogin(wanted.locale);
    const now = clock.now();
    const seconds = await count(db.sql, `provider@${network}`, BEGUN_PER_IP, now);
    if (seconds > 0) throw problem('too_many_attempts', { seconds }, { retryAfterSeconds: seconds });
    const config = await this.#configOf(this.#provider(wanted.provider));
    const id = newId('lgn');
    const [secret, cookie, state, nonce] = [newToken(), newToken(), newToken(), newToken()];
    const codeVerifier = openid.randomPKCECodeVerifier();
    await db.sql.insert(providerLogins).values({
      id,
      provider: wanted.provider,
      secretHash: sha256(secret),
      cookieHash: sha256(cookie),
      stateHash: sha256(state),
      nonce,
      codeVerifier,
      termsVersion: wanted.termsVersion ?? null,
      locale: wanted.locale,
      expiresAt: new Date(now + LIFE_MS),
    });
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { id, url: url.href, secret, cookie };
  }

  /** The browser is back. Returns the login's id, successful or not; undefined for an unknown or expired login. */
  async callback(query: URLSearchParams, cookie: string | undefined): Promise<string | undefined> {
    const { db, clock, log } = this.#parts;
    const row = await this.#takeState(query.get('state') ?? '');
    if (!row) return undefined;
    try {
      if (cookie === undefined || !sameText(row.cookieHash, sha256(cookie)))
        throw problem('provider_refused', { provider: this.#provider(row.provider).name });
      const { subject, claims } = await this.#claimsOf(row, query);
      const account = await this.#accountFor(row, subject, claims, clock.now());
      await db.sql.update(providerLogins).set({ accountId: account.id }).where(eq(providerLogins.id, row.id));
    } catch (error) {
      const known = error instanceof Problem ? error : undefined;
      if (!known) log.warn({ login: row.id, provider: row.provider, err: error }, 'A login at a provider failed');
      const shown = known ?? problem('provider_refused', { provider: this.#provider(row.provider).name });
      await db.sql
        .update(providerLogins)
        .set({ problem: shown.problem, problemArgs: { ...shown.args } })
        .where(eq(providerLogins.id, row.id));
    }
    return row.id;
  }

  /** Undefined while the provider has not answered; then the outcome, once. Throws what became of it instead. */
  async finish(id: string, secret: string | undefined, origin: LoginOrigin): Promise<LoginOutcome | undefined> {
    const { db, clock, login } = this.#parts;
    const [row] = await db.sql
      .select()
      .from(providerLogins)
      .where(and(eq(providerLogins.id, id), gt(providerLogins.expiresAt, new Date(clock.now()))));
    if (!row || secret === undefined || !sameText(row.secretHash, sha256(secret)))
      throw problem('not_found', { what: id });
    if (row.accountId === null && row.problem === null) return undefined;
    const taken = await db.sql.delete(providerLogins).where(eq(providerLogins.id, id)).returning();
    if (taken.length === 0) throw problem('not_found', { what: id });
    if (row.problem !== null && isProblemCode(row.problem)) throw problem(row.problem, row.problemArgs ?? {});
    const account = await accountOf(db.sql, row.accountId ?? '');
    if (!account) throw problem('login_over');
    return await login.afterProvider(account, origin);
  }

  #provider(id: string): Provider {
    const provider = this.#parts.providers.find((each) => each.id === id);
    if (!provider) throw problem('provider_unknown', { provider: id }, { field: 'provider' });
    return provider;
  }

  /** Discovered at first use, so that the gateway starts without its provider; failures are not cached. */
  async #configOf({ id, issuer, clientId, clientSecret }: Provider): Promise<openid.Configuration> {
    let found = this.#found.get(id);
    if (!found) {
      const url = new URL(issuer);
      found = openid.discovery(url, clientId, clientSecret, openid.ClientSecretBasic(clientSecret), {
        timeout: LIMIT_S,
        // The signature is checked, too, although the token comes straight from the provider.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      });
      this.#found.set(id, found);
    }
    try {
      return await found;
    } catch (error) {
      this.#found.delete(id);
      this.#parts.log.warn({ provider: id, err: error }, 'A login provider cannot be reached');
      throw problem('unavailable', { seconds: 5 }, { retryAfterSeconds: 5 });
    }
  }

  /** A state counts once. */
  async #takeState(state: string): Promise<LoginRow | undefined> {
    const { db, clock } = this.#parts;
    const [row] = await db.sql
      .select()
      .from(providerLogins)
      .where(
        and(
          eq(providerLogins.stateHash, sha256(state)),
          gt(providerLogins.expiresAt, new Date(clock.now())),
          isNull(providerLogins.accountId),
          isNull(providerLogins.problem),
        ),
      );
    if (!row) return undefined;
    const taken = await db.sql
      .update(providerLogins)
      .set({ stateHash: `used ${row.id}` })
      .where(and(eq(providerLogins.id, row.id), eq(providerLogins.stateHash, row.stateHash)))
      .returning({ id: providerLogins.id });
    return taken.length > 0 ? row : undefined;
  }

  async #claimsOf(row: LoginRow, query: URLSearchParams): Promise<{ subject: string; claims: Claims }> {
    const config = await this.#configOf(this.#provider(row.provider));
    const back = new URL(this.#parts.callbackUrl);
    back.search = query.toString();
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: row.codeVerifier,
      expectedNonce: row.nonce,
      expectedState: query.get('state') ?? '',
      idTokenExpected: true,
    });
    const said = tokens.claims();
    if (!said) throw new Error('The provider gave no ID token.');
    const more = config.serverMetadata().userinfo_endpoint
      ? await openid.fetchUserInfo(config, tokens.access_token, said.sub)
      : {};
    return { subject: said.sub, claims: { ...said, ...more } as Claims };
  }

  /** Theirs by an earlier login; else by an address that the provider has verified; else a new one. */
  async #accountFor(row: LoginRow, subject: string, claims: Claims, now: number): Promise<Account> {
    const { db, registration, termsVersion } = this.#parts;
    const link = { provider: row.provider, subject };
    const [known] = await db.sql
      .select({ accountId: providerIdentities.accountId })
      .from(providerIdentities)
      .where(and(eq(providerIdentities.provider, row.provider), eq(providerIdentities.subject, subject)));
    const linked = known && (await accountOf(db.sql, known.accountId));
    if (linked) return linked;
    const proven = claims.email_verified === true ? (email.safeParse(claims.email).data ?? null) : null;
    const there = proven === null ? undefined : await accountAt(db.sql, proven);
    if (there) {
      await keepLink(db.sql, { ...link, accountId: there.id }, now);
      return there;
    }
    const locale = LANGUAGES.find((each) => each === row.locale) ?? 'en';
    this.#parts.open?.registration(locale);
    assertTerms(row.termsVersion ?? undefined, termsVersion);
    return await registration.create(async (tx) => {
      for (const name of namesFor(claims, proven)) {
        const account = await makeAccount(tx, { ...registration.base(), name, email: proven, locale, termsVersion });
        if (!account) continue;
        await keepLink(tx, { ...link, accountId: account.id }, now);
        return account;
      }
      throw problem('registration_failed');
    });
  }
}

const keepLink = (db: Sql, link: { provider: string; subject: string; accountId: string }, now: number) =>
  db.insert(providerIdentities).values({ ...link, createdAt: new Date(now) });

/** Their names at the provider, as far as the rules allow, and with four random characters if taken. */
function namesFor({ preferred_username, email: address, name }: Claims, proven: string | null): string[] {
  const said = preferred_username ?? address?.split('@')[0] ?? name ?? '';
  const plain = said.replace(/[^A-Za-z0-9._-]/g, '').slice(0, 15);
  const byChance = () =>
    `${plain || 'user'}-${randomInt(36 ** 4)
      .toString(36)
      .padStart(4, '0')}`;
  return [plain, byChance(), byChance(), byChance()].filter(
    (each) => accountName.safeParse(each).success && mayBeCalled(each, { email: proven, phone: null }),
  );
}
