// Tenants' consoles opened by staff: a ticket of thirty seconds, used once, becomes a session that reads one organisation for half
// an hour. Its person must still be one of the staff whose roles open it, at every call. Start and end are in the audit log, and the
// organisation's owners hear of it.
import { PEOPLE_COMMANDS } from '@gantry/contract/areas/identity/admin-people.ts';
import { VIEW_MINUTES, VIEW_TICKET_S } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { mayStaffCall, type OrgRole, ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { accounts, organizations, platformGrants } from '../../../platform/db/schema/people.ts';
import { views } from '../../../platform/db/schema/staff.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Messages } from '../../../platform/messages/open.ts';
import type { Platform } from '../../../platform/open.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import type { Origin, Sessions } from './sessions.ts';
import { endOfView, tellOwnersOfView, type View } from './view-news.ts';

/** A view's token begins with this, which distinguishes it from a session's. */
const TOKEN_PREFIX = 'gtv_';
const SWEEP_MS = 15_000;
const KEPT_MS = 365 * 24 * 3_600_000;

type Row = typeof views.$inferSelect;

export class ViewSessions {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log' | 'audit'>;
  readonly #sessions: Pick<Sessions, 'forget'>;
  readonly #messages: () => Pick<Messages, 'store'> | undefined;
  #callOff: (() => void) | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'log' | 'audit'>,
    sessions: Pick<Sessions, 'forget'>,
    /** Undefined before they are open. */
    messages: () => Pick<Messages, 'store'> | undefined,
  ) {
    this.#platform = platform;
    this.#sessions = sessions;
    this.#messages = messages;
  }

  /** Opens a view; the frame has checked the caller's roles. Throws not_found for an organisation that no longer exists. */
  async open(by: Caller, organizationId: string, reason: string): Promise<{ ticket: string; expiresAt: Date }> {
    const { db, clock } = this.#platform;
    const now = clock.now();
    const ticket = newToken();
    const expiresAt = new Date(now + VIEW_TICKET_S * 1000);
    const [found] = await db.sql
      .select({ id: organizations.id })
      .from(organizations)
      .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
    if (!found) throw problem('not_found', { what: organizationId });
    await db.sql.insert(views).values({
      id: newId('viw'),
      ticketHash: sha256(ticket),
      accountId: by.account.id,
      organizationId,
      reason,
      createdAt: new Date(now),
      expiresAt,
    });
    return { ticket, expiresAt };
  }

  /** Starts the session; if two bring the same ticket, one gets it. Throws view_ticket. */
  async start(ticket: string, origin: Origin): Promise<{ token: string; view: View; caller: Caller }> {
    const { db, clock, log } = this.#platform;
    const now = clock.now();
    const token = TOKEN_PREFIX + newToken();
    const hash = sha256(token);
    const [taken] = await db.sql
      .update(views)
      .set({
        tokenHash: hash,
        startedAt: new Date(now),
        expiresAt: new Date(now + VIEW_MINUTES * 60_000),
        ip: origin.ip,
        userAgent: origin.userAgent?.slice(0, 200).toWellFormed().replaceAll('\0', '') ?? null,
      })
      .where(and(eq(views.ticketHash, sha256(ticket)), isNull(views.startedAt), gt(views.expiresAt, new Date(now))))
      .returning();
    const caller = taken && (await this.authenticate(hash));
    if (!taken || !caller) throw problem('view_ticket');
    const [organization] = await db.sql
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, taken.organizationId));
    const view = viewOf(taken, caller.account.name, organization?.name ?? taken.organizationId);
    tellOwnersOfView(this.#messages(), log, view);
    return { token, view, caller };
  }

  /** By the token's SHA-256. Undefined once it is over, or its person may no longer open it. */
  async authenticate(tokenHash: string): Promise<Caller | undefined> {
    const [row] = await this.#valid(eq(views.tokenHash, tokenHash));
    if (!row) return undefined;
    const { view, account } = row;
    return {
      account: { ...account, platformRoles: [] },
      organization: { id: view.organizationId, role: 'viewer', namespace: organizationNamespace(view.organizationId) },
      session: { id: view.id, kind: 'view', scopes: ROLE_RIGHTS.viewer, expiresAt: view.expiresAt.getTime() },
    };
  }

  /** For those who stay connected: the role of each that is not over. */
  async rolesOf(ids: readonly string[]): Promise<ReadonlyMap<string, OrgRole>> {
    const wanted = ids.filter((id) => id.startsWith('viw-'));
    if (wanted.length === 0) return new Map();
    const rows = await this.#valid(inArray(views.id, wanted));
    return new Map(rows.map(({ view }) => [view.id, 'viewer']));
  }

  /** Its person has ended it. */
  async end(id: string): Promise<void> {
    const { db, clock } = this.#platform;
    const now = new Date(clock.now());
    await db.sql
      .update(views)
      .set({ endedAt: now, expiresAt: now })
      .where(and(eq(views.id, id), isNull(views.endedAt)));
    this.#sessions.forget({ sessionId: id });
  }

  startSweeping(): void {
    this.#callOff = this.#platform.clock.after(SWEEP_MS, () => {
      this.#sweeping = this.sweep()
        .catch((error: unknown) => this.#platform.log.warn({ err: error }, 'the end of a view is recorded later'))
        .finally(() => {
          if (this.#callOff) this.startSweeping();
        });
    });
  }

  async stop(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    await this.#sweeping;
  }

  /** Records the end of those whose time is over. It is recorded before it is marked: rather twice than not at all. */
  async sweep(): Promise<void> {
    const { db, clock, audit } = this.#platform;
    const now = new Date(clock.now());
    const over = await db.sql
      .select({ id: views.id, organizationId: views.organizationId, accountName: accounts.name })
      .from(views)
      .innerJoin(accounts, eq(accounts.id, views.accountId))
      .where(and(isNotNull(views.startedAt), isNull(views.endedAt), lte(views.expiresAt, now)))
      .limit(100);
    for (const view of over) {
      await audit(endOfView(view));
      await db.sql
        .update(views)
        .set({ endedAt: sql`${views.expiresAt}` })
        .where(and(eq(views.id, view.id), isNull(views.endedAt)));
    }
    await db.sql.delete(views).where(lte(views.createdAt, new Date(now.getTime() - KEPT_MS)));
  }

  async #valid(which: ReturnType<typeof eq>) {
    const { db, clock } = this.#platform;
    const rows = await db.sql
      .select({
        view: views,
        account: { id: accounts.id, name: accounts.name, email: accounts.email, locale: accounts.locale },
        roles: sql<Caller['account']['platformRoles']>`array(select ${platformGrants.role} from ${platformGrants}
          where ${platformGrants.accountId} = ${accounts.id} order by 1)`,
      })
      .from(views)
      .innerJoin(accounts, eq(accounts.id, views.accountId))
      .innerJoin(organizations, eq(organizations.id, views.organizationId))
      .where(
        and(
          which,
          isNotNull(views.startedAt),
          isNull(views.endedAt),
          gt(views.expiresAt, new Date(clock.now())),
          isNull(accounts.disabledAt),
          isNull(organizations.deletedAt),
        ),
      );
    return rows.filter(({ roles }) => mayStaffCall(roles, PEOPLE_COMMANDS.adminViewTenant.access));
  }
}

const viewOf = (row: Row, accountName: string, organizationName: string): View => ({
  id: row.id,
  account: { id: row.accountId, name: accountName },
  organization: { id: row.organizationId, name: organizationName },
  reason: row.reason,
  startedAt: row.startedAt ?? row.createdAt,
  expiresAt: row.expiresAt,
});
