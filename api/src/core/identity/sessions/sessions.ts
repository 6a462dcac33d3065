// The owner of a session token. Tokens are bound to an organisation; a switch creates another one. What a token stands for is
// read again every second, and at once after any change in this process.

import { organizationNamespace } from '@gantry/contract/names.ts';
import { ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { type CursorPage, cursorPage, newestFirst } from '../../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { totps } from '../../../platform/db/schema/identity.ts';
import { accounts, memberships, organizations, platformGrants, sessions } from '../../../platform/db/schema/people.ts';
import { views } from '../../../platform/db/schema/staff.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';

const LIFE_MS = 7 * 24 * 3_600_000;
export const IDLE_MS = 24 * 3_600_000;
/** Uses are noted this seldom, so that reads stay reads. */
const NOTE_USE_MS = 60_000;
/** So long a token lives on that another has taken the place of. */
export const AFTER_SWITCH_MS = 60_000;
const CACHED_MS = 1_000;
const MOST_CACHED = 20_000;

export interface NewSession {
  token: string;
  id: string;
  accountId: string;
  organizationId: string;
  expiresAt: Date;
}

export interface Origin {
  ip: string;
  userAgent: string | undefined;
}

/** `network` is what failures are counted by: the address, or the part of it that one customer has. */
export interface LoginOrigin extends Origin {
  network: string;
}

/** Which sessions something has changed for. */
export interface Changed {
  sessionId?: string;
  accountId?: string;
  organizationId?: string;
}

export interface SessionParts {
  db: Database;
  clock: Clock;
  /** The owner of an API token, by its SHA-256: asked for tokens that are not a session's. */
  apiToken?: ((tokenHash: string) => Promise<Caller | undefined>) | undefined;
}

export class Sessions {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #ofApiToken: SessionParts['apiToken'];
  readonly #cache = new Map<string, { caller: Caller; until: number }>();
  readonly #reading = new Map<string, Promise<Caller | undefined>>();
  #generation = 0;

  constructor(parts: SessionParts) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#ofApiToken = parts.apiToken;
  }

  /** Undefined for a token that is unknown, expired, idle for a day, of a disabled account or of somebody who is not a member. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const hash = sha256(token);
    const now = this.#clock.now();
    const kept = this.#cache.get(hash);
    if (kept && kept.until > this.#clock.monotonic()) return stillValid(kept.caller, now);
    let reading = this.#reading.get(hash);
    if (!reading) {
      reading = this.#readAndKeep(hash).finally(() => this.#reading.delete(hash));
      this.#reading.set(hash, reading);
    }
    return stillValid(await reading, now);
  }

  /** For whatever changed them elsewhere: a role, a removal, a closed account. Takes effect with the next request. */
  forget(changed: Changed): void {
    this.#generation++;
    // A read in flight may be from before the change.
    this.#reading.clear();
    for (const [hash, { caller }] of this.#cache)
      if (
        caller.session.id === changed.sessionId ||
        caller.account.id === changed.accountId ||
        caller.organization.id === changed.organizationId
      )
        this.#cache.delete(hash);
  }

  /** Into the organisation that was used last, as long as it is still theirs; else into their first. */
  async begin(
    db: Sql,
    accountId: string,
    origin: Origin,
    organizationId?: string,
    signedInAt?: Date,
  ): Promise<NewSession> {
    const wanted = organizationId ?? (await this.#organizationFor(db, accountId));
    const now = this.#clock.now();
    const token = newToken();
    const made = {
      id: newId('ses'),
      accountId,
      organizationId: wanted,
      expiresAt: new Date(now + LIFE_MS),
    };
    await db.insert(sessions).values({
      ...made,
      tokenHash: sha256(token),
      createdAt: signedInAt ?? new Date(now),
      lastUsedAt: new Date(now),
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, 200) ?? null,
    });
    return { ...made, token };
  }

  /** A new token for another organisation, or for the same one; the old one lives a minute more. Undefined: no member. */
  async switch(caller: Caller, organizationId: string, origin: Origin): Promise<NewSession | undefined> {
    const now = this.#clock.now();
    const made = await this.#db.transaction(async (tx) => {
      const [member] = await tx
        .select({ role: memberships.role })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
        .where(
          and(
            eq(memberships.organizationId, organizationId),
            eq(memberships.accountId, caller.account.id),
            isNull(organizations.deletedAt),
          ),
        );
      if (!member) return undefined;
      const [former] = await tx
        .select({ signedInAt: sessions.createdAt })
        .from(sessions)
        .where(eq(sessions.id, caller.session.id));
      const soon = new Date(now + AFTER_SWITCH_MS);
      await tx
        .update(sessions)
        .set({ expiresAt: soon })
        .where(and(eq(sessions.id, caller.session.id), gt(sessions.expiresAt, soon)));
      return this.begin(tx, caller.account.id, origin, organizationId, former?.signedInAt);
    });
    if (made) this.forget({ sessionId: caller.session.id });
    return made;
  }

  /**
   * Valid sessions, the newest first. One in its last minute was replaced by another in the list: only a caller who uses it sees
   * it.
   */
  list(accountId: string, current: string, asked: CursorPage) {
    const { sql: db } = this.#db;
    const now = this.#clock.now();
    const soon = new Date(now + AFTER_SWITCH_MS);
    const own = eq(sessions.accountId, accountId);
    const isLive = and(
      own,
      or(gt(sessions.expiresAt, soon), eq(sessions.id, current)),
      gt(sessions.lastUsedAt, new Date(now - IDLE_MS)),
    );
    return cursorPage(
      db,
      newestFirst(sessions, own, isLive),
      asked,
      db
        .select({
          id: sessions.id,
          organizationId: sessions.organizationId,
          organizationName: organizations.name,
          createdAt: sessions.createdAt,
          lastUsedAt: sessions.lastUsedAt,
          expiresAt: sessions.expiresAt,
          ip: sessions.ip,
          userAgent: sessions.userAgent,
        })
        .from(sessions)
        .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
        .$dynamic(),
      ({ id }) => id,
    );
  }

  /**
   * Says whether there was such a session of this account. Those in their last minute end along: one that was switched away
   * from is not to outlive the one that took its place.
   */
  async end(accountId: string, sessionId: string): Promise<boolean> {
    const now = new Date(this.#clock.now());
    const ended = await this.#db.sql
      .update(sessions)
      .set({ expiresAt: now })
      .where(and(eq(sessions.id, sessionId), eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)))
      .returning({ id: sessions.id });
    if (ended.length === 0) return false;
    const soon = new Date(now.getTime() + AFTER_SWITCH_MS);
    await this.#db.sql
      .update(sessions)
      .set({ expiresAt: now })
      .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now), lte(sessions.expiresAt, soon)));
    this.forget({ accountId });
    return true;
  }

  /**
   * All of an account, with the tenants' consoles that it opened as staff, or those it has in one organisation; says how many of its
   * own. The caller calls `forget` once its transaction is through. The end of a view is recorded as that of any whose time is over.
   */
  async endAll(db: Sql, which: { accountId: string; organizationId?: string; but?: string }): Promise<number> {
    const now = new Date(this.#clock.now());
    const ended = await db
      .update(sessions)
      .set({ expiresAt: now })
      .where(
        and(
          eq(sessions.accountId, which.accountId),
          gt(sessions.expiresAt, now),
          which.organizationId === undefined ? undefined : eq(sessions.organizationId, which.organizationId),
          which.but === undefined ? undefined : ne(sessions.id, which.but),
        ),
      )
      .returning({ id: sessions.id });
    if (which.organizationId === undefined)
      await db
        .update(views)
        .set({ expiresAt: now })
        .where(and(eq(views.accountId, which.accountId), isNull(views.endedAt), gt(views.expiresAt, now)));
    return ended.length;
  }

  async #organizationFor(db: Sql, accountId: string): Promise<string> {
    const [found] = await db
      .select({ id: memberships.organizationId })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .leftJoin(
        sessions,
        and(eq(sessions.organizationId, memberships.organizationId), eq(sessions.accountId, memberships.accountId)),
      )
      .where(and(eq(memberships.accountId, accountId), isNull(organizations.deletedAt)))
      .groupBy(memberships.organizationId, memberships.createdAt)
      .orderBy(sql`max(${sessions.lastUsedAt}) desc nulls last`, memberships.createdAt)
      .limit(1);
    if (!found) throw new Error(`The account ${accountId} is a member of no organisation.`);
    return found.id;
  }

  async #readAndKeep(hash: string): Promise<Caller | undefined> {
    const generation = this.#generation;
    const until = this.#clock.monotonic() + CACHED_MS;
    const caller = await this.#read(hash);
    if (!caller || generation !== this.#generation) return caller;
    // The oldest go first; a token that is in use returns with its next request.
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < MOST_CACHED) break;
      this.#cache.delete(oldest);
    }
    this.#cache.delete(hash);
    this.#cache.set(hash, { caller, until });
    return caller;
  }

  async #read(hash: string): Promise<Caller | undefined> {
    const now = this.#clock.now();
    const idleSince = new Date(now - IDLE_MS);
    const [row] = await this.#db.sql
      .select({
        id: sessions.id,
        expiresAt: sessions.expiresAt,
        lastUsedAt: sessions.lastUsedAt,
        organizationId: sessions.organizationId,
        role: memberships.role,
        account: {
          id: accounts.id,
          name: accounts.name,
          email: accounts.email,
          locale: accounts.locale,
        },
        platformRoles: sql<
          Caller['account']['platformRoles']
        >`array(select ${platformGrants.role} from ${platformGrants}
          where ${platformGrants.accountId} = ${accounts.id} order by 1)`,
        hasSecondFactor: sql<boolean>`exists (select from ${totps}
          where ${totps.accountId} = ${accounts.id} and ${totps.confirmedAt} is not null)`,
      })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
      .innerJoin(
        memberships,
        and(eq(memberships.organizationId, sessions.organizationId), eq(memberships.accountId, sessions.accountId)),
      )
      .where(
        and(
          eq(sessions.tokenHash, hash),
          gt(sessions.expiresAt, new Date(now)),
          gt(sessions.lastUsedAt, idleSince),
          isNull(accounts.disabledAt),
          isNull(organizations.deletedAt),
        ),
      );
    if (!row) return this.#ofApiToken?.(hash);
    if (row.lastUsedAt.getTime() < now - NOTE_USE_MS)
      await this.#db.sql
        .update(sessions)
        .set({ lastUsedAt: new Date(now) })
        .where(and(eq(sessions.id, row.id), lt(sessions.lastUsedAt, new Date(now - NOTE_USE_MS))));
    return {
      account: { ...row.account, platformRoles: row.platformRoles, hasSecondFactor: row.hasSecondFactor },
      organization: { id: row.organizationId, role: row.role, namespace: organizationNamespace(row.organizationId) },
      session: { id: row.id, kind: 'session', scopes: ROLE_RIGHTS[row.role], expiresAt: row.expiresAt.getTime() },
    };
  }
}

const stillValid = (caller: Caller | undefined, now: number): Caller | undefined =>
  caller && caller.session.expiresAt > now ? caller : undefined;
