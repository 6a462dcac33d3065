// Things still to be removed from the cluster: SSH keys on instances, tokens of kubeconfigs. Each is a row until it is done, so that an
// unreachable cluster only delays it. Several processes may do the same: everything can be done twice.
import { organizationNamespace, organizationOf } from '@gantry/contract/names.ts';
import { mayRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, exists, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { keyRemovals, kubeconfigs, pubKeys } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { roleIn } from '../organizations/memberships.ts';
import { living, type Wakes } from '../organizations/organizations.ts';

/** Rejects where the cluster does not answer. */
export interface InstanceKeys {
  /** From every instance of the namespace, in the name of `actor`, a member with the right. */
  remove(key: { namespace: string; actor: string; publicKey: string }): Promise<void>;
}

export interface TokenRevocation {
  revoke(secret: { namespace: string; name: string; uid: string }): Promise<void>;
}

export interface LeftoverParts {
  db: Database;
  clock: Clock;
  instanceKeys: InstanceKeys;
  tokens: TokenRevocation;
  projection: Wakes;
  log: { warn(facts: object, text: string): void };
}

/** How often is looked without being woken: for what failed, what another process left, and what expired. */
const LOOK_MS = 15_000;
/** Another gateway believes an ended session for a second, and a call takes its time: younger removals are done once more. */
const MAY_COME_BACK_MS = 5_000;
const AT_ONCE = 100;

export class Leftovers {
  readonly #parts: LeftoverParts;
  #round: Promise<void> = Promise.resolve();
  #running = false;
  #again = false;
  #stopped = true;
  #callOff: (() => void) | undefined;

  constructor(parts: LeftoverParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.#round;
  }

  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#running) this.#round = this.#rounds();
  }

  /** Resolves when every existing row has been tried once. */
  settled(): Promise<void> {
    return this.#round;
  }

  async #rounds(): Promise<void> {
    this.#running = true;
    this.#callOff?.();
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#keys();
        await this.#kubeconfigs();
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'leftovers cannot be read');
      }
    }
    this.#running = false;
    if (!this.#stopped) this.#callOff = this.#parts.clock.after(LOOK_MS, () => this.wake());
  }

  async #keys(): Promise<void> {
    const { sql: db } = this.#parts.db;
    const dueAfter = (last: string) =>
      db.select().from(keyRemovals).where(gt(keyRemovals.id, last)).orderBy(asc(keyRemovals.id)).limit(AT_ONCE);
    await this.#each(dueAfter, ({ id, namespace, publicKey, accountId, createdAt }) =>
      this.#try({ namespace, account: accountId }, 'an SSH key is still on instances', async () => {
        const stays = await this.#isHeld({ namespace, accountId, publicKey });
        const actor = stays ? undefined : await this.#actorIn(namespace, accountId);
        // Without an owner the organisation is deleted, and its instances with it.
        if (actor !== undefined) {
          await this.#parts.instanceKeys.remove({ namespace, actor, publicKey });
          if (this.#parts.clock.now() - createdAt.getTime() < MAY_COME_BACK_MS) return;
        }
        await db.delete(keyRemovals).where(eq(keyRemovals.id, id));
        await this.#showWithoutDisabled(organizationOf(namespace) ?? '');
      }),
    );
  }

  /** A member has it again: it was added again, or its owner was enabled, before it could be removed. */
  async #isHeld({
    namespace,
    accountId,
    publicKey,
  }: Pick<typeof keyRemovals.$inferSelect, 'namespace' | 'accountId' | 'publicKey'>): Promise<boolean> {
    const [held] = await this.#parts.db.sql
      .select({ id: pubKeys.id })
      .from(pubKeys)
      .innerJoin(accounts, eq(accounts.id, pubKeys.accountId))
      .innerJoin(memberships, eq(memberships.accountId, pubKeys.accountId))
      .where(
        and(
          eq(pubKeys.accountId, accountId),
          eq(pubKeys.publicKey, publicKey),
          isNull(accounts.disabledAt),
          eq(memberships.organizationId, organizationOf(namespace) ?? ''),
        ),
      );
    return held !== undefined;
  }

  /** They stayed on the resource for as long as keys were to be taken off. */
  async #showWithoutDisabled(organizationId: string): Promise<void> {
    const { sql: db } = this.#parts.db;
    const disabled = db
      .select({ id: accounts.id })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(eq(memberships.organizationId, organizationId), isNotNull(accounts.disabledAt)));
    const raised = await db
      .update(organizations)
      .set({ revision: sql`${organizations.revision} + 1` })
      .where(and(living(organizationId), exists(disabled)))
      .returning({ id: organizations.id });
    if (raised.length > 0) this.#parts.projection.wake(organizationId);
  }

  /** The person themselves, if they may still write there; otherwise an owner. */
  async #actorIn(namespace: string, accountId: string): Promise<string | undefined> {
    const { sql: db } = this.#parts.db;
    const organizationId = organizationOf(namespace) ?? '';
    const role = await roleIn(db, organizationId, accountId);
    if (role && mayRole(role, 'use')) return accountId;
    const [owner] = await db
      .select({ accountId: memberships.accountId })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(living(organizationId), eq(memberships.role, 'owner')))
      .orderBy(sql`${accounts.disabledAt} nulls first`, asc(memberships.createdAt))
      .limit(1);
    return owner?.accountId;
  }

  async #kubeconfigs(): Promise<void> {
    const { sql: db } = this.#parts.db;
    const over = or(isNotNull(kubeconfigs.revokedAt), lte(kubeconfigs.expiresAt, new Date(this.#parts.clock.now())));
    const dueAfter = (last: string) =>
      db
        .select({
          id: kubeconfigs.id,
          organizationId: kubeconfigs.organizationId,
          secretUid: kubeconfigs.secretUid,
          deletedAt: organizations.deletedAt,
        })
        .from(kubeconfigs)
        .innerJoin(organizations, eq(organizations.id, kubeconfigs.organizationId))
        .where(and(over, gt(kubeconfigs.id, last)))
        .orderBy(asc(kubeconfigs.id))
        .limit(AT_ONCE);
    await this.#each(dueAfter, async ({ id, organizationId, secretUid, deletedAt }) => {
      const namespace = organizationNamespace(organizationId);
      await this.#try({ namespace, kubeconfig: id }, 'a kubeconfig is not revoked yet', async () => {
        // With the namespace go its Secrets, and the gateway's right to delete one.
        if (secretUid !== null && deletedAt === null)
          await this.#parts.tokens.revoke({ namespace, name: id, uid: secretUid });
        // One whose Secret was just made has got its uid since: it stays for the next round.
        await db
          .delete(kubeconfigs)
          .where(
            and(
              eq(kubeconfigs.id, id),
              secretUid === null ? isNull(kubeconfigs.secretUid) : eq(kubeconfigs.secretUid, secretUid),
            ),
          );
      });
    });
  }

  /** All that are due, page by page and each once: those that fail do not keep later ones from their turn. */
  async #each<Row extends { id: string }>(
    dueAfter: (last: string) => Promise<Row[]>,
    work: (row: Row) => Promise<void>,
  ): Promise<void> {
    let last: string | undefined = '';
    while (last !== undefined && !this.#stopped) {
      const due: Row[] = await dueAfter(last);
      for (const row of due) await work(row);
      last = due.length < AT_ONCE ? undefined : due.at(-1)?.id;
    }
  }

  /** A failure does not delay the others, and is retried in the next round. */
  async #try(facts: object, trouble: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn({ ...facts, err: error }, trouble);
    }
  }
}
