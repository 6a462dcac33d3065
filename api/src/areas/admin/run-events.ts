// How many instances began to run and how many failed, hour by hour of the last day. Each object keeps its last states itself; what
// is seen of them goes into a small table, where one event is one row whoever writes it. So a restart loses nothing of objects that
// still exist, several gateways count once, and rows are deleted after a day.

import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { runEvents } from '../../platform/db/schema/home.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { type SeenObject, statesSeen } from './seen-states.ts';

export type HourCount = NonNullable<Overview['computing']>['hours'][number];
type Event = typeof runEvents.$inferInsert;

export interface RunEventsParts {
  db: Pick<Database, 'sql'>;
  clock: Clock;
  cache: Pick<WatchCache, 'list' | 'on'>;
  log: { warn(facts: object, text: string): void };
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const KEPT_MS = (HOURS + 1) * HOUR_MS;
const WRITE_MS = 5_000;
const AT_ONCE = 500;
/** While the database is away no more are kept than this: the objects themselves still know the last of them. */
const MOST_WAITING = 20_000;

const FAILED: ReadonlySet<string> = new Set([
  'failed',
  'createFailed',
  'createTimeout',
  'networkTimeout',
  'lost_contact',
]);

export class RunEvents {
  readonly #parts: RunEventsParts;
  readonly #waiting = new Map<string, Event>();
  readonly #since: number;
  #writing: Promise<void> = Promise.resolve();
  #sweptIn = 0;
  #callOff: (() => void) | undefined;
  #unhear: (() => void) | undefined;

  constructor(parts: RunEventsParts) {
    this.#parts = parts;
    this.#since = parts.clock.now();
  }

  /** Also takes in what happened while no gateway looked, as far as objects still know. */
  start(): void {
    const { cache, clock } = this.#parts;
    this.#unhear = cache.on(({ kind, before, after }) => {
      if (kind.kind === gpuInstance.kind && after) this.#take(after as SeenObject, before as SeenObject | undefined);
    });
    for (const object of cache.list<SeenObject>(gpuInstance)) this.#take(object);
    const round = () => {
      this.#writing = this.#write();
      this.#callOff = clock.after(WRITE_MS, round);
    };
    round();
  }

  async stop(): Promise<void> {
    this.#unhear?.();
    this.#callOff?.();
    await this.#writing;
    await this.#write();
  }

  /** The running hour last. Hours before anybody counted are null, which is not zero. */
  async hours(): Promise<HourCount[]> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const first = (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS;
    const rows = await rowsOf<{ hour: string; what: Event['what']; count: string }>(
      db.sql,
      sql`select floor(extract(epoch from ${runEvents.at}) / 3600)::bigint::text as hour, what, count(*)::text as count
        from ${runEvents} where ${runEvents.at} >= ${new Date(now - KEPT_MS).toISOString()}::timestamptz group by 1, 2`,
    );
    const known = Math.min(this.#since, ...rows.map(({ hour }) => Number(hour) * HOUR_MS));
    return Array.from({ length: HOURS }, (_, index) => {
      const at = first + index * HOUR_MS;
      const of = (what: Event['what']) =>
        Number(rows.find((row) => Number(row.hour) * HOUR_MS === at && row.what === what)?.count ?? 0);
      const isKnown = at + HOUR_MS > known;
      return {
        at: new Date(at).toISOString(),
        starts: isKnown ? of('start') : null,
        failures: isKnown ? of('failure') : null,
      };
    });
  }

  #take(object: SeenObject, before?: SeenObject): void {
    // A change of anything else leaves the newest state what it was.
    const [[newest], [former]] = [statesSeen(object), before ? statesSeen(before) : []];
    if (!newest || (former && former.since === newest.since && former.phase === newest.phase)) return;
    for (const event of eventsOf(object, this.#parts.clock.now() - KEPT_MS)) {
      this.#waiting.set(`${event.uid} ${event.at.getTime()} ${event.what}`, event);
      if (this.#waiting.size > MOST_WAITING)
        for (const oldest of this.#waiting.keys()) if (this.#waiting.delete(oldest)) break;
    }
  }

  async #write(): Promise<void> {
    const { db, clock, log } = this.#parts;
    try {
      while (this.#waiting.size > 0) {
        const some = [...this.#waiting].slice(0, AT_ONCE);
        await db.sql
          .insert(runEvents)
          .values(some.map(([, event]) => event))
          .onConflictDoNothing();
        for (const [key] of some) this.#waiting.delete(key);
      }
      const hour = Math.floor(clock.now() / HOUR_MS);
      if (this.#sweptIn !== hour) {
        await db.sql.delete(runEvents).where(lt(runEvents.at, new Date(clock.now() - KEPT_MS)));
        this.#sweptIn = hour;
      }
    } catch (error) {
      log.warn({ err: error }, 'starts and failures are not written for the moment');
    }
  }
}

/** Events from the states that an object still knows, newest first. A reason that changes within a phase is no second start. */
export function eventsOf(object: SeenObject, after: number): Event[] {
  const uid = identityOf(object);
  if (uid === '') return [];
  const states = statesSeen(object);
  return states.flatMap(({ phase, since }, index): Event[] => {
    const what = phase === 'running' ? 'start' : FAILED.has(phase) ? 'failure' : undefined;
    if (what === undefined || since === undefined || since < after || states[index + 1]?.phase === phase) return [];
    return [{ uid, at: new Date(since), what }];
  });
}
