// The counters of all gateways, in SQL: each writes its own every two seconds, and whoever needs a sum reads the fresh ones.
import { randomUUID } from 'node:crypto';
import type { RequestView, TrafficView } from '@gantry/contract/areas/container-services/container-services.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { serviceSteps, serviceTraffic } from '../db/schema/traffic.ts';
import {
  AT,
  COUNTS,
  FLOW_MINUTES,
  type Flow,
  type Meter,
  MINUTE_MS,
  MOST_RECENT,
  percentileOf,
  type RecentRequest,
  STEP_MS,
  STEPS,
} from './meter.ts';

export const POST_MS = 2_000;
/** A gateway that has not written for so long is not heard. */
const FRESH_MS = 10_000;
/** Then it is dead, and what it had in flight has ended. */
const DEAD_MS = 180_000;
const HOUR_MS = STEP_MS * STEPS;
/** In one statement. */
const MOST_ROWS = 500;

/** The load of one service, for autoscaling. */
export interface Load {
  /** Undefined: a gateway that had some is not heard. */
  inFlight: number | undefined;
  perSecond: number;
  /** Milliseconds since 1970; 0: never. */
  lastActiveAt: number;
}

/** Requests that went the same way. */
export interface FlowCount {
  /** '': none, as for what was refused. */
  replica: string;
  /** The alias by which they came; '': none. */
  via: string;
  requests: number;
  errors: number;
}

/** The requests that reach one service or model, and their ways. */
export interface Flowing extends Load {
  flows: FlowCount[];
}

export interface Metered {
  uid: string;
  meter: Meter;
}

export class TrafficStore {
  readonly #db: Database;
  readonly #clock: Clock;
  /** Another one after every start: what the one before had in flight is over. */
  readonly #gateway = randomUUID();

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Writes what has changed. What could not be written is there the next time. */
  async post(services: Iterable<Metered>): Promise<void> {
    const now = this.#clock.now();
    const changed = [...services].filter(({ meter }) => meter.isChanged || meter.inFlight > 0);
    for (let from = 0; from < changed.length; from += MOST_ROWS)
      await this.#post(changed.slice(from, from + MOST_ROWS), now);
  }

  async #post(services: readonly Metered[], now: number): Promise<void> {
    const taken = services.map(({ uid, meter }) => ({ uid, meter, steps: meter.take(now) }));
    const gateway = this.#gateway;
    const rows = taken.map(({ uid, meter }) => ({
      serviceUid: uid,
      gateway,
      inFlight: meter.inFlight,
      waiting: meter.waiting,
      perSecond: meter.rate(now),
      lastActiveAt: meter.lastActiveAt === 0 ? null : new Date(meter.lastActiveAt),
      recent: meter.recent(),
      flows: meter.flows(now),
      seenAt: sql`now()`,
    }));
    const steps = taken.flatMap(({ uid, steps }) =>
      steps.map(([step, counts]) => ({ serviceUid: uid, step, gateway, counts: [...counts] })),
    );
    try {
      await this.#db.sql
        .insert(serviceTraffic)
        .values(rows)
        .onConflictDoUpdate({ target: [serviceTraffic.serviceUid, serviceTraffic.gateway], set: excluded(TRAFFIC) });
      for (let from = 0; from < steps.length; from += MOST_ROWS) {
        await this.#db.sql
          .insert(serviceSteps)
          .values(steps.slice(from, from + MOST_ROWS))
          .onConflictDoUpdate({
            target: [serviceSteps.serviceUid, serviceSteps.step, serviceSteps.gateway],
            set: { counts: sql`excluded.counts` },
          });
      }
    } catch (error) {
      for (const { meter, steps } of taken) meter.giveBack(steps, now);
      throw error;
    }
  }

  /** The loads of services with traffic in the last hour, by uid: of all, or of these. */
  async loads(uids?: readonly string[]): Promise<Map<string, Load>> {
    if (uids?.length === 0) return new Map();
    const rows = await this.#db.sql
      .select(LOAD)
      .from(serviceTraffic)
      .where(uids && inArray(serviceTraffic.serviceUid, [...uids]));
    return new Map([...Map.groupBy(rows, ({ uid }) => uid)].map(([uid, own]) => [uid, loadOf(own)]));
  }

  /** The flows of those of these with traffic in the last hour, by uid. Flows are of the last `seconds`, between four and five minutes. */
  async flows(uids: readonly string[]): Promise<{ seconds: number; of: Map<string, Flowing> }> {
    const now = this.#clock.now();
    const first = Math.floor(now / MINUTE_MS) - FLOW_MINUTES + 1;
    const seconds = Math.max(1, Math.round((now - first * MINUTE_MS) / 1000));
    if (uids.length === 0) return { seconds, of: new Map() };
    const rows = await this.#db.sql
      .select({ ...LOAD, flows: serviceTraffic.flows })
      .from(serviceTraffic)
      .where(inArray(serviceTraffic.serviceUid, [...uids]));
    const of = [...Map.groupBy(rows, ({ uid }) => uid)].map(([uid, own]) => {
      const flows = own.flatMap(({ flows }) => (Array.isArray(flows) ? (flows as Flow[]) : []));
      return [uid, { ...loadOf(own), flows: sumOf(flows.filter(([minute]) => minute >= first)) }] as const;
    });
    return { seconds, of: new Map(of) };
  }

  async traffic(uid: string): Promise<TrafficView> {
    const last = Math.floor(this.#clock.now() / STEP_MS);
    const [present, rows] = await Promise.all([
      this.#presentOf(uid),
      this.#db.sql.select().from(serviceSteps).where(eq(serviceSteps.serviceUid, uid)),
    ]);
    const all = new Float64Array(COUNTS);
    const steps = Array.from({ length: STEPS }, () => new Float64Array(COUNTS));
    for (const { step, counts } of rows) {
      const into = steps[step - last + STEPS - 1];
      if (!into || !Array.isArray(counts)) continue;
      for (let at = 0; at < COUNTS; at++) {
        const more = Number(counts[at] ?? 0);
        into[at] = (into[at] ?? 0) + more;
        all[at] = (all[at] ?? 0) + more;
      }
    }
    const fresh = present.filter(({ ageMs }) => ageMs < FRESH_MS);
    const sum = (of: 'inFlight' | 'waiting' | 'perSecond') => fresh.reduce((total, row) => total + row[of], 0);
    const lastActive = Math.max(0, ...present.map(({ lastActiveAt }) => lastActiveAt?.getTime() ?? 0));
    return {
      step_seconds: STEP_MS / 1000,
      end_time: new Date((last + 1) * STEP_MS).toISOString(),
      now: {
        in_flight: sum('inFlight'),
        waiting: sum('waiting'),
        requests_per_second: Math.round(10 * sum('perSecond')) / 10,
        last_request_time: lastActive === 0 ? null : new Date(lastActive).toISOString(),
      },
      hour: { ...countsOf(all), checks: all[AT.checks] ?? 0, wakes: all[AT.wakes] ?? 0 },
      steps: all.some((count) => count > 0) ? steps.map(countsOf) : [],
    };
  }

  async requests(uid: string): Promise<RequestView[]> {
    const rows = await this.#presentOf(uid);
    return rows
      .flatMap(({ recent }) => (Array.isArray(recent) ? (recent as RecentRequest[]) : []))
      .sort((a, b) => b.at - a.at)
      .slice(0, MOST_RECENT)
      .map(({ at, method, path, status, ms, bytes, replica, isCheck }) => ({
        time: new Date(at).toISOString(),
        method,
        path,
        status,
        ms,
        bytes,
        replica,
        is_check: isCheck,
      }));
  }

  async sweep(): Promise<void> {
    const oldest = Math.floor((this.#clock.now() - HOUR_MS) / STEP_MS);
    await this.#db.sql.delete(serviceSteps).where(lt(serviceSteps.step, oldest));
    await this.#db.sql
      .delete(serviceTraffic)
      .where(lt(serviceTraffic.seenAt, sql`now() - make_interval(secs => ${HOUR_MS / 1000})`));
  }

  /** Called by a gateway that stops: it has nothing in flight any more. */
  async leave(services: Iterable<Pick<Metered, 'uid'>>): Promise<void> {
    const uids = [...services].map(({ uid }) => uid);
    if (uids.length === 0) return;
    await this.#db.sql
      .update(serviceTraffic)
      .set({ inFlight: 0, waiting: 0, perSecond: 0 })
      .where(sql`${eq(serviceTraffic.gateway, this.#gateway)} and ${inArray(serviceTraffic.serviceUid, uids)}`);
  }

  #presentOf(uid: string) {
    return this.#db.sql
      .select({
        inFlight: serviceTraffic.inFlight,
        waiting: serviceTraffic.waiting,
        perSecond: serviceTraffic.perSecond,
        lastActiveAt: serviceTraffic.lastActiveAt,
        recent: serviceTraffic.recent,
        ageMs: sql<number>`(extract(epoch from now() - ${serviceTraffic.seenAt}) * 1000)::float8`,
      })
      .from(serviceTraffic)
      .where(eq(serviceTraffic.serviceUid, uid));
  }
}

const LOAD = {
  uid: serviceTraffic.serviceUid,
  inFlight: serviceTraffic.inFlight,
  perSecond: serviceTraffic.perSecond,
  lastActiveAt: serviceTraffic.lastActiveAt,
  ageMs: sql<number>`(extract(epoch from now() - ${serviceTraffic.seenAt}) * 1000)::float8`,
};

/** `rows`: one of each gateway. */
function loadOf(
  rows: readonly { inFlight: number; perSecond: number; lastActiveAt: Date | null; ageMs: number }[],
): Load {
  const load: Load = { inFlight: 0, perSecond: 0, lastActiveAt: 0 };
  for (const { inFlight, perSecond, lastActiveAt, ageMs } of rows) {
    load.lastActiveAt = Math.max(load.lastActiveAt, lastActiveAt?.getTime() ?? 0);
    const isFresh = ageMs < FRESH_MS;
    if (isFresh) load.perSecond += perSecond;
    if (inFlight === 0 || ageMs > DEAD_MS) continue;
    load.inFlight = isFresh && load.inFlight !== undefined ? load.inFlight + inFlight : undefined;
  }
  return load;
}

function sumOf(flows: readonly Flow[]): FlowCount[] {
  const sums = new Map<string, FlowCount>();
  for (const [, replica, via, requests, errors] of flows) {
    const key = `${replica} ${via}`;
    const sum = sums.get(key) ?? { replica, via, requests: 0, errors: 0 };
    sums.set(key, sum);
    sum.requests += requests;
    sum.errors += errors;
  }
  return [...sums.values()];
}

const TRAFFIC = {
  inFlight: 'in_flight',
  waiting: 'waiting',
  perSecond: 'per_second',
  lastActiveAt: 'last_active_at',
  recent: 'recent',
  flows: 'flows',
  seenAt: 'seen_at',
} as const;
const excluded = (columns: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, sql.raw(`excluded.${column}`)]));

const countsOf = (counts: Float64Array) => ({
  requests: counts[AT.requests] ?? 0,
  ok: counts[AT.ok] ?? 0,
  client_errors: counts[AT.clientErrors] ?? 0,
  server_errors: counts[AT.serverErrors] ?? 0,
  bytes_in: counts[AT.bytesIn] ?? 0,
  bytes_out: counts[AT.bytesOut] ?? 0,
  p50_ms: percentileOf(counts, 0.5),
  p95_ms: percentileOf(counts, 0.95),
  p99_ms: percentileOf(counts, 0.99),
});
