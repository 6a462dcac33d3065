// How often each GPU model could be had: one gateway looks once a minute and counts by the day, and everybody reads the last 30 days.
import { DAYS_OF_AVAILABILITY, type MarketModelView } from '@gantry/contract/areas/portal/market.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { asc, gte, lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { marketDays } from '../../platform/db/schema/portal.ts';
import { dayOf, firstDayOf, percentOf } from './counted-days.ts';

const MINUTE_MS = 60_000;
/** So many are counted: more models than any installation has. */
const MOST_MODELS = 200;

export interface Looked {
  model: string;
  /** An instance of one card could have started. */
  isAvailable: boolean;
}

/** Of one model: the days that were counted, the earliest first. */
export interface DaysOfModel {
  all: MarketModelView['availability'];
  days: { day: string; percent: number }[];
}

export const NEVER_LOOKED: DaysOfModel = {
  all: { since: null, percent: null, looks: 0, available_looks: 0 },
  days: [],
};

interface Parts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

export class MarketLooks {
  readonly #parts: Parts;
  #read: { minute: number; byModel: Promise<ReadonlyMap<string, DaysOfModel>> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks once a minute until the signal; models of regions out of reach are not asked for. */
  run(look: () => readonly Looked[], signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: MINUTE_MS, signal },
      () => this.count(look()),
      (error) => log.warn({ err: error }, 'what the market has was not counted'),
    );
  }

  /** Counts one look, and forgets days that nobody is shown. */
  async count(looked: readonly Looked[]): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const [day, minute] = [dayOf(now), Math.floor(now / MINUTE_MS)];
    const rows = looked
      .slice(0, MOST_MODELS)
      .map(({ model, isAvailable }) => ({ day, model, looks: 1, available: isAvailable ? 1 : 0, minute }));
    if (rows.length > 0)
      await db.sql
        .insert(marketDays)
        .values(rows)
        .onConflictDoUpdate({
          target: [marketDays.day, marketDays.model],
          set: {
            looks: sql`${marketDays.looks} + 1`,
            available: sql`${marketDays.available} + excluded.available`,
            minute: sql`excluded.minute`,
          },
          setWhere: sql`${marketDays.minute} < excluded.minute`,
        });
    await db.sql.delete(marketDays).where(lt(marketDays.day, firstDayOf(now, DAYS_OF_AVAILABILITY)));
    this.#read = undefined;
  }

  /** By model; at most a minute old. */
  byModel(): Promise<ReadonlyMap<string, DaysOfModel>> {
    const minute = Math.floor(this.#parts.clock.now() / MINUTE_MS);
    if (this.#read?.minute !== minute) {
      const byModel = this.#readAll();
      this.#read = { minute, byModel };
      byModel.catch(() => {
        this.#read = undefined;
      });
    }
    return this.#read.byModel;
  }

  async #readAll(): Promise<ReadonlyMap<string, DaysOfModel>> {
    const { db, clock } = this.#parts;
    const rows = await db.sql
      .select()
      .from(marketDays)
      .where(gte(marketDays.day, firstDayOf(clock.now(), DAYS_OF_AVAILABILITY)))
      .orderBy(asc(marketDays.day));
    return new Map([...Map.groupBy(rows, ({ model }) => model)].map(([model, own]) => [model, daysOf(own)]));
  }
}

function daysOf(rows: readonly (typeof marketDays.$inferSelect)[]): DaysOfModel {
  const sum = (of: 'looks' | 'available') => rows.reduce((all, row) => all + row[of], 0);
  const [looks, available] = [sum('looks'), sum('available')];
  return {
    all: {
      since: rows[0]?.day ?? null,
      percent: looks === 0 ? null : percentOf(available, looks),
      looks,
      available_looks: available,
    },
    days: rows.map((row) => ({ day: row.day, percent: percentOf(row.available, row.looks) })),
  };
}
