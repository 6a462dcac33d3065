// Rows of organisations shown on the cluster as Organization resources. Level-triggered: whatever happened, row and resource
// are compared and the resource is made to follow. Several processes may do so at once: all of it can be done twice.
//
// The row wins, with two exceptions. A resource that nobody has a row for was made by kubectl, and gets one. A resource that
// is being deleted was deleted by platform staff on purpose (a policy asks for that), and its row follows; a personal
// organisation's does not, and is shown again once the old one is gone. One that is merely absent is made again.
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, exists, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { events } from '../../../platform/db/schema/events.ts';
import { keyRemovals } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { NOTICES, type Notify } from './notices.ts';
import { buryOrganization, type Forgets, lockLiving } from './organizations.ts';
import { forgetPayers } from './payers.ts';

type Sql = Database['sql'];

export interface ShownMember {
  account: string;
  role: OrgRole;
}

/** The part of the row that the resource shows. Staff set the quota, so it is not included. */
export interface ShownOrganization {
  displayName: string;
  description: string;
  members: readonly ShownMember[];
}

/** An Organization as the cluster has it. */
export interface SeenOrganization {
  id: string;
  displayName: string | undefined;
  description: string | undefined;
  members: readonly ShownMember[];
  isGoing: boolean;
  /** Staff let it inherit from the deleted organisation of its name. */
  inherits: boolean;
  /** The gateway of another cluster made it here for its own people. */
  isOthers?: boolean;
}

/** The Organizations of the cluster: looked at in a cache, written at the API server. */
export interface OrganizationResources {
  list(): readonly SeenOrganization[];
  get(id: string): SeenOrganization | undefined;
  /** Creates it, or changes the shown fields and nothing else. Rejects if the cluster does not answer or refuses. */
  apply(id: string, shown: ShownOrganization): Promise<void>;
  /** With everything in it. One that is gone already is no error. */
  delete(id: string): Promise<void>;
  on(changed: (id: string) => void): void;
}

export interface ProjectionParts {
  db: Database;
  clock: Clock;
  resources: OrganizationResources;
  /** The currency of organisations created with kubectl. */
  currency: string;
  sessions: Forgets;
  notify: Notify;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

/** How often rows are looked for that another process has changed; and how often everything is compared. */
const LOOK_MS = 10_000;
const RESYNC_MS = 5 * 60_000;
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 30_000;
const AT_ONCE = 4;

export class Projection {
  readonly #parts: ProjectionParts;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #callOffs = new Set<() => void>();
  /** When everything was last compared: a look that failed does not count. */
  #comparedAt = Number.NEGATIVE_INFINITY;
  #stopped = true;
  #looking = Promise.resolve();

  constructor(parts: ProjectionParts) {
    this.#parts = parts;
    parts.resources.on((id) => this.wake(id));
  }

  /** Compares everything, and goes on following until stopped. */
  async start(): Promise<void> {
    this.#stopped = false;
    await this.#look(true);
  }

  /** Running work is finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const callOff of this.#callOffs) callOff();
    this.#callOffs.clear();
    this.#waiting.clear();
    await Promise.all([this.#looking, ...this.#running.values()]);
  }

  wake(id: string): void {
    if (this.#stopped) return;
    this.#waiting.add(id);
    this.#pump();
  }

  /** Resolves when no look is under way, nothing waits and nothing runs; what failed and is tried later does not count. */
  async settled(): Promise<void> {
    await this.#looking;
    while (this.#waiting.size + this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #pump(): void {
    for (const id of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      // Changes made meanwhile are handled afterwards.
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      const run = this.#try(id).finally(() => {
        this.#running.delete(id);
        this.#pump();
      });
      this.#running.set(id, run);
    }
  }

  async #try(id: string): Promise<void> {
    try {
      // A stranger's object is not projected: members of ours of that name would come into it.
      if (!this.#parts.resources.get(id)?.isOthers) await this.#project(id);
      this.#failures.delete(id);
    } catch (error) {
      const failures = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, failures);
      const againInMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
      this.#parts.log.warn({ organization: id, failures, againInMs, err: error }, 'an organisation is not shown yet');
      this.#later(againInMs, () => this.wake(id));
    }
  }

  async #project(id: string): Promise<void> {
    const { db, resources } = this.#parts;
    const [row] = await db.sql.select().from(organizations).where(eq(organizations.id, id));
    const seen = resources.get(id);
    if (!row) {
      if (seen && !seen.isGoing) await this.#adopt(seen);
      return;
    }
    if (row.deletedAt) {
      if (!seen) await this.#note(id, row.revision);
      // The old one was seen to go: this is another, made by kubectl under the same name. It does not own what the old one had,
      // and billing says so on it until staff let it inherit.
      else if (!seen.isGoing && row.projected >= row.revision) await (seen.inherits ? this.#adopt(seen) : undefined);
      else if (!seen.isGoing) await resources.delete(id);
      return;
    }
    if (seen?.isGoing) {
      if (row.personalOf === null) await this.#follow(id);
      return;
    }
    const shown = { displayName: row.name, description: row.description, members: await membersFor(db.sql, id, seen) };
    if (!seen || !isShown(shown, seen)) await resources.apply(id, shown);
    await this.#note(id, row.revision);
  }

  /** Only ever forwards: a slower process does not take back what a faster one noted. */
  async #note(id: string, revision: number): Promise<void> {
    await this.#parts.db.sql
      .update(organizations)
      .set({ projected: revision })
      .where(and(eq(organizations.id, id), lt(organizations.projected, revision)));
  }

  /** Members who have an account come along; others stay on the resource, which is all that knows them. */
  async #adopt(seen: SeenOrganization): Promise<void> {
    const { db, clock, currency, log } = this.#parts;
    const at = new Date(clock.now());
    const isNew = await db.transaction(async (tx) => {
      const row = {
        name: seen.displayName ?? seen.id,
        description: seen.description ?? '',
        isNew: false,
        createdAt: at,
      };
      const made = await tx
        .insert(organizations)
        .values({ id: seen.id, currency, ...row })
        .onConflictDoUpdate({
          target: organizations.id,
          set: { ...row, deletedAt: null, revision: sql`${organizations.revision} + 1` },
          setWhere: isNotNull(organizations.deletedAt),
        })
        .returning({ id: organizations.id });
      if (made.length === 0) return false;
      await forgetPayers(tx, seen.id, clock.now());
      await tx
        .insert(events)
        .values({
          id: newId('evt'),
          type: 'organization_adopted',
          once: `organization_adopted/${seen.id}`,
          organizationId: seen.id,
          at,
          payload: {},
        })
        .onConflictDoNothing({ target: events.once });
      const known = await knownAmong(tx, seen.members);
      const members = seen.members.filter(({ account }) => known.has(account));
      if (members.length > 0)
        await tx.insert(memberships).values(
          members.map(({ account, role }) => ({
            organizationId: seen.id,
            accountId: account,
            role,
            createdAt: at,
          })),
        );
      return true;
    });
    if (isNew && seen.inherits) await this.#tellHeirs(seen.id);
    if (isNew)
      log.info({ organization: seen.id, inherits: seen.inherits }, 'an organisation that kubectl made has a row now');
    this.wake(seen.id);
  }

  async #tellHeirs(id: string): Promise<void> {
    const heirs = await this.#parts.db.sql.select().from(memberships).where(eq(memberships.organizationId, id));
    for (const { accountId } of heirs)
      this.#parts.notify({ accountId, ...NOTICES.organizationInherits, args: { organization: id } });
  }

  async #follow(id: string): Promise<void> {
    const { db, clock, sessions, log } = this.#parts;
    const wasLiving = await db.transaction(async (tx) => {
      if (!(await lockLiving(tx, id))) return false;
      await buryOrganization(tx, id, clock.now());
      // Nothing is left to be done on the cluster.
      await tx
        .update(organizations)
        .set({ projected: sql`${organizations.revision}` })
        .where(eq(organizations.id, id));
      return true;
    });
    if (!wasLiving) return;
    sessions.forget({ organizationId: id });
    log.info({ organization: id }, 'an organisation was deleted on the cluster');
  }

  #look(all: boolean): Promise<void> {
    this.#looking = this.#wakeChanged(all);
    return this.#looking;
  }

  async #wakeChanged(all: boolean): Promise<void> {
    try {
      const rows = await this.#parts.db.sql
        .select({ id: organizations.id })
        .from(organizations)
        .where(
          or(all ? isNull(organizations.deletedAt) : undefined, lt(organizations.projected, organizations.revision)),
        )
        .orderBy(asc(organizations.id));
      for (const { id } of rows) if (all || !this.#failures.has(id)) this.wake(id);
      if (all) {
        for (const { id } of this.#parts.resources.list()) this.wake(id);
        this.#comparedAt = this.#parts.clock.monotonic();
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'organisations cannot be read');
    }
    this.#later(LOOK_MS, () => void this.#look(this.#parts.clock.monotonic() - this.#comparedAt >= RESYNC_MS));
  }

  #later(ms: number, run: () => void): void {
    if (this.#stopped) return;
    const callOff = this.#parts.clock.after(ms, () => {
      this.#callOffs.delete(callOff);
      run();
    });
    this.#callOffs.add(callOff);
  }
}

/**
 * Members of the row whose account is not disabled, plus members of the resource without an account. Sorted, so that equal lists
 * compare equal. While SSH keys are still to be removed from instances there everybody stays: a member's name is needed for that.
 */
async function membersFor(db: Sql, id: string, seen: SeenOrganization | undefined): Promise<ShownMember[]> {
  const rows = await db
    .select({ account: memberships.accountId, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.organizationId, id),
        or(
          isNull(accounts.disabledAt),
          exists(
            db
              .select({ id: keyRemovals.id })
              .from(keyRemovals)
              .where(eq(keyRemovals.namespace, organizationNamespace(id))),
          ),
        ),
      ),
    );
  const known = seen ? await knownAmong(db, seen.members) : new Set<string>();
  const others = (seen?.members ?? []).filter(({ account }) => !known.has(account));
  return inOrder([...rows, ...others]);
}

async function knownAmong(db: Sql, members: readonly ShownMember[]): Promise<Set<string>> {
  if (members.length === 0) return new Set();
  const ids = members.map(({ account }) => account);
  const rows = await db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.id, ids));
  return new Set(rows.map(({ id }) => id));
}

const inOrder = (members: readonly ShownMember[]): ShownMember[] =>
  members
    .map(({ account, role }) => ({ account, role }))
    .sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0));

const isShown = (shown: ShownOrganization, seen: SeenOrganization): boolean =>
  shown.displayName === seen.displayName &&
  shown.description === (seen.description ?? '') &&
  JSON.stringify(shown.members) === JSON.stringify(inOrder(seen.members));
