// The people who changed the number of replicas through the API. A record of replicas that was seen in the object finds its person here by
// the object's generation, which the API server counts: no clock decides that, and no name that a tenant may choose.
import { desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { accounts } from '../../platform/db/schema/people.ts';
import { scalingWishes } from '../../platform/db/schema/traffic.ts';

export interface ScalingWish {
  generation: number;
  replicas: number;
  /** Null: the platform's staff, or an account that is gone. */
  accountName: string | null;
}

/** The generations that a record knows of the object: with the former number, and with this one. */
export interface Between {
  replicas: number;
  /** Generations; null: not known. */
  before: number | null;
  seen: number | null;
}

export class ScalingWishes {
  readonly #db: Pick<Database, 'sql'>;

  constructor(db: Pick<Database, 'sql'>) {
    this.#db = db;
  }

  async write(wish: typeof scalingWishes.$inferInsert): Promise<void> {
    await this.#db.sql.insert(scalingWishes).values(wish).onConflictDoNothing();
  }

  /** Newest first. */
  of(uid: string, most: number): Promise<ScalingWish[]> {
    return this.#db.sql
      .select({ generation: scalingWishes.generation, replicas: scalingWishes.replicas, accountName: accounts.name })
      .from(scalingWishes)
      .leftJoin(accounts, eq(accounts.id, scalingWishes.accountId))
      .where(eq(scalingWishes.objectUid, uid))
      .orderBy(desc(scalingWishes.generation))
      .limit(most);
  }

  /** Keeps the newest of each object, and none from before. */
  async sweep(before: Date, most: number): Promise<void> {
    await this.#db.sql.delete(scalingWishes).where(
      sql`${scalingWishes.at} < ${before.toISOString()}::timestamptz or (object_uid, generation) in (select object_uid, generation
          from (select object_uid, generation, row_number() over (partition by object_uid order by generation desc) as place
          from ${scalingWishes}) as placed where place > ${most})`,
    );
  }
}

/** The newest one that has made it this number since it was another one. */
export const wishOf = (wishes: readonly ScalingWish[], { replicas, before, seen }: Between): ScalingWish | undefined =>
  seen === null || before === null
    ? undefined
    : wishes.find((wish) => wish.replicas === replicas && wish.generation <= seen && wish.generation > before);
