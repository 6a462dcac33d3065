// An organisation's logins to private registries. A login's password is in a Secret of the platform's and nowhere else: neither we
// nor members can read it again.

import { MOST_REGISTRIES } from '@gantry/contract/areas/identity/registries.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { registries } from '../../../platform/db/schema/registries.ts';
import type { Caller } from '../../../platform/http/caller.ts';

export type Registry = typeof registries.$inferSelect;

export interface RegistryLogin {
  server: string;
  user: string;
  token: string;
}

interface SecretName {
  namespace: string;
  name: string;
}

/** The Secrets of the cluster that hold such logins. */
export interface RegistrySecrets {
  /** The Secret's uid; `taken` where another has the name, undefined while there is no namespace. */
  create(secret: SecretName, login: RegistryLogin): Promise<string | 'taken' | undefined>;
  /** One that is gone already is no error. Without a uid it is known by its name; a member's own Secret of that name stays. */
  remove(secret: SecretName & { uid: string | undefined }): Promise<void>;
}

export interface RegistriesParts {
  db: Database;
  clock: Clock;
  secrets: RegistrySecrets;
  log: { warn(facts: object, text: string): void };
}

export class Registries {
  readonly #parts: RegistriesParts;

  constructor(parts: RegistriesParts) {
    this.#parts = parts;
  }

  list(organizationId: string, asked: CursorPage): Promise<CursorRows<Registry>> {
    const { sql: db } = this.#parts.db;
    const own = eq(registries.organizationId, organizationId);
    const list = { table: registries, columns: { id: registries.name }, own, sort: ['id', 'ASC'] as ['id', 'ASC'] };
    return cursorPage(db, list, asked, db.select().from(registries).$dynamic(), ({ name }) => name);
  }

  /** The row comes first: whatever ends this halfway, members see the name in the list, and can delete it with its Secret. */
  async add(caller: Caller, name: string, login: RegistryLogin): Promise<Registry> {
    const { db, clock, secrets } = this.#parts;
    const row = {
      organizationId: caller.organization.id,
      name,
      secretUid: null,
      server: login.server,
      username: login.user,
      creatorId: caller.account.id,
      createdAt: new Date(clock.now()),
    };
    await this.#reserve(row);
    const secret = { namespace: caller.organization.namespace, name };
    const uid = await secrets.create(secret, login).catch(async (error: unknown) => {
      await this.#giveUp(row, secret);
      throw error;
    });
    if (uid === undefined || uid === 'taken') {
      await db.sql.delete(registries).where(unfinished(row));
      throw uid === 'taken' ? problem('registry_exists', {}, { field: 'id' }) : problem('organization_not_ready');
    }
    const kept = await db.sql.update(registries).set({ secretUid: uid }).where(unfinished(row)).returning();
    if (kept[0]) return kept[0];
    // Somebody deleted the row meanwhile, and found no Secret yet.
    await secrets.remove({ ...secret, uid });
    throw problem('not_found', { what: name });
  }

  async remove(caller: Caller, name: string): Promise<void> {
    const { db, secrets } = this.#parts;
    const one = and(eq(registries.organizationId, caller.organization.id), eq(registries.name, name));
    const [found] = await db.sql.select().from(registries).where(one);
    if (!found) throw problem('not_found', { what: name });
    const { secretUid } = found;
    await secrets.remove({ namespace: caller.organization.namespace, name, uid: secretUid ?? undefined });
    const same = secretUid === null ? isNull(registries.secretUid) : eq(registries.secretUid, secretUid);
    await db.sql.delete(registries).where(and(one, same));
  }

  #reserve(row: Registry): Promise<void> {
    return this.#parts.db.transaction(async (tx) => {
      const ours = eq(registries.organizationId, row.organizationId);
      // The organisation's row is the queue: else two at once would both be the last one.
      await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, row.organizationId))
        .for('update');
      const names = await tx.select({ name: registries.name }).from(registries).where(ours);
      if (names.some(({ name }) => name === row.name)) throw problem('registry_exists', {}, { field: 'id' });
      if (names.length >= MOST_REGISTRIES) throw problem('too_many_registries', { most: MOST_REGISTRIES });
      await tx.insert(registries).values(row);
    });
  }

  /** The Secret may exist although its creation failed. While it cannot be removed its row stays. */
  async #giveUp(row: Registry, secret: SecretName): Promise<void> {
    const { db, secrets, log } = this.#parts;
    try {
      await secrets.remove({ ...secret, uid: undefined });
      await db.sql.delete(registries).where(unfinished(row));
    } catch (error) {
      log.warn({ err: error, ...secret }, 'a private registry whose Secret could not be created stays listed');
    }
  }
}

/** This row, as long as no Secret is known to be its own. */
const unfinished = ({ organizationId, name, creatorId, createdAt }: Registry) =>
  and(
    eq(registries.organizationId, organizationId),
    eq(registries.name, name),
    eq(registries.creatorId, creatorId),
    eq(registries.createdAt, createdAt),
    isNull(registries.secretUid),
  );
