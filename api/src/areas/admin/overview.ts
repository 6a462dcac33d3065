// The operators' home as one answer. It is computed once per interval and gateway, however many screens look: each of them gets the
// parts of its reader's menus, as bytes that were made once, under an ETag that changes only with what is shown.
import { createHash } from 'node:crypto';
import type { Overview as Body } from '@gantry/contract/areas/admin/admin-home.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { count, desc, isNull } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { longestWaits } from './longest-waits.ts';
import type { HourCount } from './run-events.ts';

type Computing = NonNullable<Body['computing']>;

export interface OverviewParts {
  db: Pick<Database, 'sql'>;
  clock: Clock;
  census(): Pick<Computing, 'gpus' | 'requested'>;
  list(facts: KindFacts): readonly KubeObject[];
  staleSince(): number | undefined;
  hours(): Promise<HourCount[]>;
  revenue(): Promise<readonly RevenueShown[]>;
  alarms(): Promise<PlatformAlarms>;
  measured(): Promise<Computing['measured']>;
}

/** Faults of the platform, and the number of firing alarms of tenants. */
export type PlatformAlarms = { alarms: NonNullable<Body['alarms']>; firing: number };

interface RevenueShown {
  currency: string;
  today: Micros;
  todayBefore: Micros;
  month: Micros;
  monthBefore: Micros;
  monthByCredits: Micros;
  since: Date;
}

export interface Answer {
  etag: string;
  bytes: Buffer;
}

const OBJECTS_MS = 3_000;
const HOURS_MS = 10_000;
const NEWEST_MS = 10_000;
const REVENUE_MS = 60_000;
const ALARMS_MS = 10_000;
const MEASURED_MS = 15_000;
const MOST_WAITS = 10;
const MOST_NEWEST = 8;

export class Overview {
  readonly #parts: OverviewParts;
  readonly #computing: Record<Language, () => Promise<Computing>>;
  readonly #revenue: () => Promise<NonNullable<Body['revenue']>>;
  readonly #alarms: () => Promise<PlatformAlarms>;
  readonly #organizations: () => Promise<NonNullable<Body['organizations']>>;
  readonly #answers = new Map<string, { text: string; answer: Answer }>();

  constructor(parts: OverviewParts) {
    this.#parts = parts;
    const { clock } = parts;
    const hours = remembered(clock, HOURS_MS, () => parts.hours());
    const measured = remembered(clock, MEASURED_MS, () => parts.measured());
    const computing = (language: Language) =>
      remembered(clock, OBJECTS_MS, async (): Promise<Computing> => {
        const [counted, busy] = await Promise.all([hours(), measured()]);
        return {
          ...parts.census(),
          measured: busy,
          hours: counted,
          ...longestWaits(parts.list, language, MOST_WAITS),
        };
      });
    this.#computing = { en: computing('en'), zh: computing('zh'), ja: computing('ja') };
    this.#revenue = remembered(clock, REVENUE_MS, async () => (await parts.revenue()).map(revenueShown));
    this.#alarms = remembered(clock, ALARMS_MS, () => parts.alarms());
    this.#organizations = remembered(clock, NEWEST_MS, () => this.#newest());
  }

  async read(may: (menu: AdminMenu) => boolean, language: Language): Promise<Answer> {
    const stale = this.#parts.staleSince();
    const [computing, revenue, newest, alarms] = await Promise.all([
      may('computing') ? this.#computing[language]() : null,
      may('billing') ? this.#revenue() : null,
      may('user') ? this.#organizations() : null,
      may('operation') ? this.#alarms() : null,
    ]);
    const body: Body = {
      computing,
      revenue,
      organizations: newest,
      alarms: alarms?.alarms ?? null,
      tenants_firing: alarms?.firing ?? null,
      stale_since: stale === undefined ? null : new Date(stale).toISOString(),
    };
    const shape = `${language}${[computing, revenue, newest, alarms].map((part) => (part ? '1' : '0')).join('')}`;
    const text = JSON.stringify(body);
    const known = this.#answers.get(shape);
    if (known?.text === text) return known.answer;
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const answer = { etag, bytes: Buffer.from(text) };
    this.#answers.set(shape, { text, answer });
    return answer;
  }

  async #newest(): Promise<NonNullable<Body['organizations']>> {
    const { sql: db } = this.#parts.db;
    const living = isNull(organizations.deletedAt);
    const rows = await db
      .select({ id: organizations.id, name: organizations.name, createdAt: organizations.createdAt })
      .from(organizations)
      .where(living)
      .orderBy(desc(organizations.createdAt), desc(organizations.id))
      .limit(MOST_NEWEST);
    const [all] = await db.select({ total: count() }).from(organizations).where(living);
    return {
      total: all?.total ?? 0,
      newest: rows.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt.toISOString() })),
    };
  }
}

const revenueShown = (one: RevenueShown): NonNullable<Body['revenue']>[number] => ({
  currency: one.currency,
  today: moneyText(one.today),
  today_before: moneyText(one.todayBefore),
  month: moneyText(one.month),
  month_before: moneyText(one.monthBefore),
  month_by_credits: moneyText(one.monthByCredits),
  since: one.since.toISOString(),
});

/** Everybody who asks within `ms` of a beginning gets its result; a failure is forgotten at once. */
function remembered<T>(clock: Clock, ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    const at = clock.monotonic();
    if (last && at - last.at < ms) return last.value;
    const mine = { at, value: read() };
    last = mine;
    mine.value.catch(() => {
      if (last === mine) last = undefined;
    });
    return mine.value;
  };
}
