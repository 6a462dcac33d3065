// The charges of tenants, net of discounts, as the books have them: today and this month, beside last month up to the same moment. Sums of
// whole hours are kept, so that a look costs the last few hours and not two months.
import { type Micros, micros, sumOf } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';

export interface RevenueOf {
  currency: string;
  today: Micros;
  todayBefore: Micros;
  month: Micros;
  monthBefore: Micros;
  /** How much of the month credits paid at once. */
  monthByCredits: Micros;
  since: Date;
}

export interface RevenueParts {
  db: Pick<Database, 'sql'>;
  clock: Clock;
  /** The installation's, which is shown even if nothing was charged. */
  currency: string;
}

interface Hour {
  net: Micros;
  credits: Micros;
}

const HOUR_MS = 3_600_000;
/** Usage is posted some time after it happened: younger hours are read each time, all of them once an hour. */
const YOUNG_HOURS = 2;

export class Revenue {
  readonly #parts: RevenueParts;
  /** `<hour since 1970> <currency>` */
  #hours = new Map<string, Hour>();
  /** The hour in which all were read. */
  #readIn = Number.NaN;

  constructor(parts: RevenueParts) {
    this.#parts = parts;
  }

  async read(): Promise<RevenueOf[]> {
    const now = this.#parts.clock.now();
    const spans = spansOf(now);
    const hour = Math.floor(now / HOUR_MS);
    if (this.#readIn !== hour) {
      this.#hours = await this.#sums(spans.lastMonth, now + 1);
      this.#readIn = hour;
    } else {
      const from = (hour - YOUNG_HOURS) * HOUR_MS;
      const young = await this.#sums(from, now + 1);
      for (const key of this.#hours.keys()) if (Number.parseInt(key, 10) * HOUR_MS >= from) this.#hours.delete(key);
      for (const [key, one] of young) this.#hours.set(key, one);
    }
    // In the hour that contains the same moment of last month, only the time before that moment counts.
    const part = await this.#sums(Math.floor(spans.sameMoment / HOUR_MS) * HOUR_MS, spans.sameMoment);
    const currencies = new Set([
      this.#parts.currency,
      ...[...this.#hours.keys()].map((key) => key.split(' ')[1] ?? ''),
    ]);
    return [...currencies].sort().map((currency) => this.#of(currency, spans, part, now));
  }

  #of(currency: string, spans: Spans, part: ReadonlyMap<string, Hour>, now: number): RevenueOf {
    const partial = sumOf([...part].flatMap(([key, { net }]) => (key.endsWith(` ${currency}`) ? [net] : [])));
    const between = (from: number, to: number, of: keyof Hour = 'net') => {
      const amounts: Micros[] = [];
      for (const [key, hour] of this.#hours) {
        const at = Number.parseInt(key, 10) * HOUR_MS;
        if (at >= from && at < to && key.endsWith(` ${currency}`)) amounts.push(hour[of]);
      }
      return sumOf(amounts);
    };
    const wholeHours = Math.floor(spans.sameMoment / HOUR_MS) * HOUR_MS;
    return {
      currency,
      today: between(spans.today, now + 1),
      todayBefore: micros(between(spans.sameDay, wholeHours) + partial),
      month: between(spans.month, now + 1),
      monthBefore: micros(between(spans.lastMonth, wholeHours) + partial),
      monthByCredits: between(spans.month, now + 1, 'credits'),
      since: new Date(spans.today),
    };
  }

  async #sums(from: number, to: number): Promise<Map<string, Hour>> {
    const rows = await rowsOf<{ hour: string; currency: string; net: string; credits: string }>(
      this.#parts.db.sql,
      sql`select floor(extract(epoch from t.at) / 3600)::bigint::text as hour, t.currency,
          sum(case when p.credit = 'platform/revenue/' || t.currency then p.amount else -p.amount end)::text as net,
          sum(case when split_part(p.debit, '/', 2) = 'credits' then p.amount
                   when split_part(p.credit, '/', 2) = 'credits' then -p.amount else 0 end)::text as credits
        from transfers t join postings p on p.transfer_id = t.id
        where t.at >= ${new Date(from).toISOString()}::timestamptz and t.at < ${new Date(to).toISOString()}::timestamptz
          and 'platform/revenue/' || t.currency in (p.debit, p.credit)
          and 'platform/discounts/' || t.currency not in (p.debit, p.credit)
        group by 1, 2`,
    );
    return new Map(
      rows.map(({ hour, currency, net, credits }) => [
        `${hour} ${currency}`,
        { net: micros(BigInt(net)), credits: micros(BigInt(credits)) },
      ]),
    );
  }
}

interface Spans {
  today: number;
  month: number;
  lastMonth: number;
  /** The same day and time of last month; its last day where it is shorter. */
  sameMoment: number;
  /** When that day began. */
  sameDay: number;
}

export function spansOf(now: number): Spans {
  const at = new Date(now);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const today = Date.UTC(year, month, day);
  const daysThen = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const sameDay = Date.UTC(year, month - 1, Math.min(day, daysThen));
  return {
    today,
    month: Date.UTC(year, month, 1),
    lastMonth: Date.UTC(year, month - 1, 1),
    sameMoment: sameDay + (now - today),
    sameDay,
  };
}
