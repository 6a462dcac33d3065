// How the platform is and was: one gateway at a time checks each component once a minute, and counts by the day what it found. Minutes
// in which nobody checked are in no figure. What a check says beyond yes or no stays here: it could name a tenant, or a host inside.
import { STATUS_COMPONENTS, type StatusComponent } from '@gantry/contract/areas/portal/incident-facts.ts';
import { DAYS_OF_STATUS, type StatusView } from '@gantry/contract/areas/portal/status.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { asc, gte, lt, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { statusDays } from '../../../platform/db/schema/portal.ts';
import { dayOf, firstDayOf, percentOf } from '../counted-days.ts';

const MINUTE_MS = 60_000;
/** An older check says nothing of now. */
const FRESH_MINUTES = 5;

/** Whether each component works; those that the installation does not have are absent. */
export type Checked = ReadonlyMap<StatusComponent, boolean>;
type ComponentView = StatusView['components'][number];
type Stored = typeof statusDays.$inferSelect;

interface Parts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

export class StatusChecks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Checks once a minute until the signal. */
  run(check: () => Promise<Checked>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: MINUTE_MS, signal },
      async () => this.count(await check()),
      (error) => log.warn({ err: error }, 'the platform’s components were not checked'),
    );
  }

  /** Counts one check, and forgets days that nobody is shown. */
  async count(checked: Checked): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const [day, minute] = [dayOf(now), Math.floor(now / MINUTE_MS)];
    const rows = [...checked].map(([component, isUp]) => ({
      ...{ day, component, checks: 1, passed: isUp ? 1 : 0, minute, isUp },
    }));
    if (rows.length > 0)
      await db.sql
        .insert(statusDays)
        .values(rows)
        .onConflictDoUpdate({
          target: [statusDays.day, statusDays.component],
          set: {
            checks: sql`${statusDays.checks} + 1`,
            passed: sql`${statusDays.passed} + excluded.passed`,
            minute: sql`excluded.minute`,
            isUp: sql`excluded.is_up`,
          },
          setWhere: sql`${statusDays.minute} < excluded.minute`,
        });
    await db.sql.delete(statusDays).where(lt(statusDays.day, firstDayOf(now, DAYS_OF_STATUS)));
  }

  /** In the order of the contract. */
  async components(): Promise<ComponentView[]> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const rows = await db.sql
      .select()
      .from(statusDays)
      .where(gte(statusDays.day, firstDayOf(now, DAYS_OF_STATUS)))
      .orderBy(asc(statusDays.day));
    const byComponent = Map.groupBy(rows, ({ component }) => component);
    const minute = Math.floor(now / MINUTE_MS);
    return STATUS_COMPONENTS.flatMap((id) => {
      const own = byComponent.get(id);
      return own ? [viewOf(id, own, minute)] : [];
    });
  }
}

/** `days` has one at least, the earliest first. */
function viewOf(id: StatusComponent, days: readonly Stored[], minute: number): ComponentView {
  const sum = (of: 'checks' | 'passed') => days.reduce((all, row) => all + row[of], 0);
  const [checks, passed] = [sum('checks'), sum('passed')];
  const last = days.at(-1);
  const isFresh = last !== undefined && minute - last.minute <= FRESH_MINUTES;
  return {
    ...{ id, checks, passed },
    state: !isFresh ? 'unknown' : last.isUp ? 'up' : 'down',
    percent: checks === 0 ? null : percentOf(passed, checks),
    days: days.map((row) => ({ day: row.day, percent: percentOf(row.passed, row.checks) })),
  };
}
