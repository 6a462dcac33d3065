// An organisation's logins to private registries. The Secret is made and deleted as the calling member; its password is nowhere
// else, and neither we nor members can read it again.
import type { Page } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { MOST_REGISTRIES } from '@gantry/contract/http/registries.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { organizations } from '../../db/schema/people.ts';
import { registries } from '../../db/schema/registries.ts';
import type { Caller } from '../caller.ts';

export type Registry = typeof registries.$inferSelect;

export interface RegistryLogin {
  server: string;
  user: string;
  token: string;
}

/** The Secrets of the cluster, as a member who may write them. */
export interface RegistrySecrets {
  /** The Secret's uid; `taken` where another has the name, undefined while there is no namespace. */
  create(caller: Caller, name: string, login: RegistryLogin): Promise<string | 'taken' | undefined>;
  /** One that is gone already is no error. */
  remove(caller: Caller, secret: { name: string; uid: string }): Promise<void>;
}

export interface RegistriesParts {
  db: Database;
  clock: Clock;
  secrets: RegistrySecrets;
}

export class Registries {
  readonly #parts: RegistriesParts;

  constructor(parts: RegistriesParts) {
    this.#parts = parts;
  }

  async list(organizationId: string, { page, size }: { page: number; size: number }): Promise<Page<Registry>> {
    const { sql: db } = this.#parts.db;
    const ours = eq(registries.organizationId, organizationId);
    const items = await db
      .select()
      .from(registries)
      .where(ours)
      .orderBy(asc(registries.name))
      .limit(size)
      .offset((page - 1) * size);
    return { items, total: await db.$count(registries, ours) };
  }

  async add(caller: Caller, name: string, login: RegistryLogin): Promise<Registry> {
    const { db, clock, secrets } = this.#parts;
    const organizationId = caller.organization.id;
    const kept = await db.sql.select().from(registries).where(eq(registries.organizationId, organizationId));
    if (kept.some((each) => each.name === name)) throw problem('registry_exists', {}, { field: 'id' });
    if (kept.length >= MOST_REGISTRIES) throw problem('too_many_registries', { most: MOST_REGISTRIES });
    const uid = await secrets.create(caller, name, login);
    if (uid === undefined) throw problem('organization_not_ready');
    if (uid === 'taken') throw problem('registry_exists', {}, { field: 'id' });
    const row = {
      organizationId,
      name,
      secretUid: uid,
      server: login.server,
      username: login.user,
      creatorId: caller.account.id,
      createdAt: new Date(clock.now()),
    };
    try {
      await db.transaction(async (tx) => {
        // The organisation's row is the queue: else two at once would both be the last one.
        await tx
          .select({ id: organizations.id })
          .from(organizations)
          .where(eq(organizations.id, organizationId))
          .for('update');
        if ((await tx.$count(registries, eq(registries.organizationId, organizationId))) >= MOST_REGISTRIES)
          throw problem('too_many_registries', { most: MOST_REGISTRIES });
        await tx.insert(registries).values(row);
      });
    } catch (error) {
      // Nobody would find it in a list, and its name would stay taken.
      await secrets.remove(caller, { name, uid }).catch(() => {});
      throw error;
    }
    return row;
  }

  async remove(caller: Caller, name: string): Promise<void> {
    const { db, secrets } = this.#parts;
    const one = and(eq(registries.organizationId, caller.organization.id), eq(registries.name, name));
    const [found] = await db.sql.select().from(registries).where(one);
    if (!found) throw problem('not_found', { what: name });
    await secrets.remove(caller, { name, uid: found.secretUid });
    await db.sql.delete(registries).where(and(one, eq(registries.secretUid, found.secretUid)));
  }
}
