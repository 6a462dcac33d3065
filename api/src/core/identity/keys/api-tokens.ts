// API tokens: a membership's, narrowed to some of its rights. What the role loses, the token loses; with the membership it
// ends. The secret is shown once; here is its SHA-256.

import { MOST_API_TOKENS } from '@gantry/contract/areas/identity/keys.ts';
import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { mayRole, type Right, ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage, newestFirst } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { apiTokens } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import { ofMember, shownTo } from '../organizations/memberships.ts';
import type { Forgets } from '../organizations/organizations.ts';

export type ApiToken = typeof apiTokens.$inferSelect & { creator: string };

/** Every API token begins with this, which distinguishes it from a session's. */
const API_TOKEN_PREFIX = 'gty_';
/** Uses are noted this seldom, so that reads stay reads. */
const NOTE_USE_MS = 60_000;
/** For one that does not expire: the last moment that a date can hold. */
const NEVER_MS = 8.64e15;

type Who = { accountId: string; organizationId: string; role: Caller['organization']['role'] };

export class ApiTokens {
  readonly #parts: { db: Database; clock: Clock; sessions: Forgets };

  constructor(parts: { db: Database; clock: Clock; sessions: Forgets }) {
    this.#parts = parts;
  }

  async list(who: Who, asked: CursorPage): Promise<CursorRows<ApiToken>> {
    const { sql: db } = this.#parts.db;
    const own = shownTo(apiTokens, who);
    const { items, ...rest } = await cursorPage(
      db,
      newestFirst(apiTokens, own),
      asked,
      db
        .select({ token: apiTokens, creator: accounts.name })
        .from(apiTokens)
        .innerJoin(accounts, eq(accounts.id, apiTokens.accountId))
        .$dynamic(),
      ({ token }) => token.id,
    );
    return { items: items.map(({ token, creator }) => ({ ...token, creator })), ...rest };
  }

  async get(who: Who, id: string): Promise<ApiToken> {
    const [row] = await this.#parts.db.sql
      .select({ token: apiTokens, creator: accounts.name })
      .from(apiTokens)
      .innerJoin(accounts, eq(accounts.id, apiTokens.accountId))
      .where(and(shownTo(apiTokens, who), eq(apiTokens.id, id)));
    if (!row) throw problem('not_found', { what: id });
    return { ...row.token, creator: row.creator };
  }

  /** Returns the secret: nobody can ask for it again. */
  async add(
    who: Who,
    wanted: { remark: string; scopes: readonly Right[]; expiresAt: Date | null; limits?: TokenLimits | null },
  ): Promise<ApiToken & { secret: string }> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    if (wanted.expiresAt && wanted.expiresAt.getTime() <= now)
      throw problem('expiry_passed', {}, { field: 'expiration_time' });
    const beyond = wanted.scopes.find((right) => !mayRole(who.role, right));
    if (beyond) throw problem('scope_beyond_role', { right: beyond }, { field: 'scopes' });
    const secret = API_TOKEN_PREFIX + newToken();
    const row = {
      id: newId('tok'),
      tokenHash: sha256(secret),
      accountId: who.accountId,
      organizationId: who.organizationId,
      remark: wanted.remark,
      scopes: [...wanted.scopes],
      expiresAt: wanted.expiresAt,
      createdAt: new Date(now),
      lastUsedAt: null,
      limits: wanted.limits ?? null,
    };
    const creator = await db.transaction(async (tx) => {
      // The membership's row is the queue; without one there is nothing to hold a token.
      const [member] = await tx
        .select({ name: accounts.name })
        .from(memberships)
        .innerJoin(accounts, eq(accounts.id, memberships.accountId))
        .where(ofMember(memberships, who.organizationId, who.accountId))
        .for('update', { of: memberships });
      if (!member) throw problem('not_found', { what: who.organizationId });
      const held = await tx.$count(apiTokens, ofMember(apiTokens, who.organizationId, who.accountId));
      if (held >= MOST_API_TOKENS) throw problem('too_many_api_tokens', { most: MOST_API_TOKENS });
      await tx.insert(apiTokens).values(row);
      return member.name;
    });
    return { ...row, creator, secret };
  }

  async remove(who: Who, id: string): Promise<void> {
    const { db, sessions } = this.#parts;
    const [gone] = await db.sql
      .delete(apiTokens)
      .where(and(shownTo(apiTokens, who), eq(apiTokens.id, id)))
      .returning({ accountId: apiTokens.accountId });
    if (!gone) throw problem('not_found', { what: id });
    sessions.forget({ accountId: gone.accountId });
  }

  /** By the token's SHA-256. Undefined for one that is unknown or over, or whose membership, account or organisation is. */
  async authenticate(tokenHash: string): Promise<Caller | undefined> {
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const [row] = await db.sql
      .select({
        token: apiTokens,
        role: memberships.role,
        account: { id: accounts.id, name: accounts.name, email: accounts.email, locale: accounts.locale },
      })
      .from(apiTokens)
      .innerJoin(accounts, eq(accounts.id, apiTokens.accountId))
      .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
      .innerJoin(
        memberships,
        and(eq(memberships.organizationId, apiTokens.organizationId), eq(memberships.accountId, apiTokens.accountId)),
      )
      .where(
        and(
          eq(apiTokens.tokenHash, tokenHash),
          or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
          isNull(accounts.disabledAt),
          isNull(organizations.deletedAt),
        ),
      );
    if (!row) return undefined;
    const { token, role, account } = row;
    const noted = new Date(now.getTime() - NOTE_USE_MS);
    if (!token.lastUsedAt || token.lastUsedAt < noted)
      await db.sql
        .update(apiTokens)
        .set({ lastUsedAt: now })
        .where(and(eq(apiTokens.id, token.id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, noted))));
    return {
      // The platform's staff sign in: no token that lies about in a script has their menus.
      account: { ...account, platformRoles: [] },
      organization: { id: token.organizationId, role, namespace: organizationNamespace(token.organizationId) },
      session: {
        id: token.id,
        kind: 'apiToken',
        scopes: ROLE_RIGHTS[role].filter((right) => token.scopes.includes(right)),
        expiresAt: token.expiresAt?.getTime() ?? NEVER_MS,
        ...(token.limits && { limits: token.limits }),
      },
    };
  }
}
