// Aliases in SQL, and in memory as requests read them: at most some seconds behind another gateway.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { modelAliases } from '../../platform/db/schema/tokens.ts';
import { isUniqueViolation } from '../../platform/db/sqlstate.ts';
import { idOf } from '../../platform/ids.ts';
import type { Alias, Target } from './aliases.ts';

export type AliasRow = typeof modelAliases.$inferSelect;

const MOST_ALIASES = 100;
const EVERY_MS = 3_000;
const NONE: ReadonlyMap<string, Alias> = new Map();

export class AliasRows {
  readonly #db: Database;
  readonly #clock: Clock;
  #known: ReadonlyMap<string, ReadonlyMap<string, Alias>> = new Map();
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  of(organization: string): ReadonlyMap<string, Alias> {
    return this.#known.get(organization) ?? NONE;
  }

  /** Looks now, and from then on again and again. `failed`: a look was in vain. */
  start(failed: (error: unknown) => void): void {
    const again = () => {
      void this.refresh()
        .catch(failed)
        .finally(() => {
          if (!this.#isStopped) this.#cancel = this.#clock.after(EVERY_MS, again);
        });
    };
    again();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async refresh(): Promise<void> {
    const rows = await this.#db.sql.select().from(modelAliases);
    const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId);
    this.#known = new Map(
      [...byOrganization].map(([organization, own]) => [
        organization,
        new Map(own.map(({ name, targets, createdAt }) => [name, { targets, createdAt: createdAt.getTime() }])),
      ]),
    );
  }

  list(organizationId: string): Promise<AliasRow[]> {
    return this.#db.sql
      .select()
      .from(modelAliases)
      .where(eq(modelAliases.organizationId, organizationId))
      .orderBy(modelAliases.name);
  }

  /** Under the same key it is the same alias. Throws model_alias_exists, too_many_model_aliases. */
  async create(
    { organizationId, accountId }: { organizationId: string; accountId: string },
    wish: AliasWish,
    key?: string,
  ): Promise<AliasRow> {
    const now = new Date(this.#clock.now());
    const id = idOf('als', key);
    const [known] = await this.#db.sql.select().from(modelAliases).where(ofOne(organizationId, id));
    if (known) return known;
    const count = await this.#db.sql.$count(modelAliases, eq(modelAliases.organizationId, organizationId));
    if (count >= MOST_ALIASES) throw problem('too_many_model_aliases', { most: MOST_ALIASES });
    const made = {
      id,
      organizationId,
      name: wish.name,
      targets: [...wish.targets],
      creatorId: accountId,
      createdAt: now,
      updatedAt: now,
    };
    await named(wish, this.#db.sql.insert(modelAliases).values(made));
    await this.refresh();
    return made;
  }

  /** Throws not_found, model_alias_exists. */
  async edit(organizationId: string, id: string, wish: AliasWish): Promise<AliasRow> {
    const set = { name: wish.name, targets: [...wish.targets], updatedAt: new Date(this.#clock.now()) };
    const [row] = await named(
      wish,
      this.#db.sql.update(modelAliases).set(set).where(ofOne(organizationId, id)).returning(),
    );
    if (!row) throw problem('not_found', { what: id });
    await this.refresh();
    return row;
  }

  /** Throws not_found. */
  async remove(organizationId: string, id: string): Promise<void> {
    const gone = await this.#db.sql
      .delete(modelAliases)
      .where(ofOne(organizationId, id))
      .returning({ id: modelAliases.id });
    if (gone.length === 0) throw problem('not_found', { what: id });
    await this.refresh();
  }
}

interface AliasWish {
  name: string;
  targets: readonly Target[];
}

const ofOne = (organizationId: string, id: string) =>
  and(eq(modelAliases.organizationId, organizationId), eq(modelAliases.id, id));

async function named<T>({ name }: AliasWish, work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? problem('model_alias_exists', { name }, { field: 'name' }) : error;
  }
}
