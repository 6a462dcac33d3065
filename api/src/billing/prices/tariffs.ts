// Prices and discounts in memory, at most a second behind the database. Rows are only added, and a new one takes effect a few
// seconds after it was written at the earliest: so every gateway knows it before it applies, and nobody uses an outdated one.
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, ne, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { organizations } from '../../db/schema/people.ts';
import { discounts, prices } from '../../db/schema/prices.ts';
import { defaultPrices } from './default-prices.ts';
import { type Discount, Discounts, type Price, PriceTable } from './price-table.ts';
import type { Tariff } from './rate.ts';

export interface TariffsParts {
  db: Database;
  clock: Clock;
  /** The region of this gateway's cluster. */
  region: string;
  /** The currency of organisations created here. */
  currency: string;
  /** How long before it holds a price has to be known; five seconds where absent. */
  noticeMs?: number;
  log?: { warn(facts: object, text: string): void };
}

export interface PriceWish {
  sku: string;
  region?: string | undefined;
  currency?: string | undefined;
  amount: Micros;
  /** As soon as possible where absent. */
  validFrom?: number | undefined;
}

export interface DiscountWish {
  organizationId: string;
  source: SourceType;
  basisPoints: number;
  validFrom?: number | undefined;
  reason: string;
}

const LOOK_MS = 1_000;
const NOTICE_MS = 5_000;
/** The author of the default list's prices. */
const BY_DEFAULT = 'default';
const SEED_LOCK = 7_115_011;

export class Tariffs {
  readonly #parts: TariffsParts;
  readonly #listeners = new Set<() => void>();
  #prices = new PriceTable([]);
  #discounts = new Discounts([]);
  /** The few organisations whose currency differs from this installation's. */
  #currencies: ReadonlyMap<string, string> = new Map();
  /** When each row takes effect, in order: the number of past ones says whether listeners have to be called. */
  #moments: readonly number[] = [];
  #begun = 0;
  /** The database's state at the last read. */
  #seen = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: TariffsParts) {
    this.#parts = parts;
  }

  /** Creates the default price list if there is none, reads everything, and keeps following. */
  async start(): Promise<void> {
    await this.seed();
    await this.refresh();
    this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff?.();
  }

  get prices(): PriceTable {
    return this.#prices;
  }

  get discounts(): Discounts {
    return this.#discounts;
  }

  of(organizationId: string): Tariff {
    const { region, currency } = this.#parts;
    return {
      prices: this.#prices,
      discounts: this.#discounts,
      region,
      currency: this.#currencies.get(organizationId) ?? currency,
      organizationId,
    };
  }

  /** Up to this moment no price can still change: code that posts stops there, or refreshes first. */
  knownTo(): number {
    // Half of the notice is for a row that is written slowly, and for clocks that differ.
    return this.#readAt + this.#noticeMs / 2;
  }

  /** Calls back when another row takes effect, or is known to take effect later. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads new rows from the database. One read at a time: an older result must not come later. */
  refresh(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }
  #reading: Promise<void> = Promise.resolve();

  async #read(): Promise<void> {
    const { db, clock, currency } = this.#parts;
    const readAt = clock.now();
    const [counted] = await rowsOf<{ seen: string }>(
      db.sql,
      sql`select (select count(*) from ${prices}) || '/' || (select count(*) from ${discounts}) as seen`,
    );
    const seen = counted?.seen ?? '';
    if (seen !== this.#seen) {
      const priceRows = await db.sql.select().from(prices);
      const discountRows = await db.sql.select().from(discounts);
      const others = await db.sql
        .select({ id: organizations.id, currency: organizations.currency })
        .from(organizations)
        .where(ne(organizations.currency, currency));
      this.#prices = new PriceTable(priceRows.map(priceOf));
      this.#discounts = new Discounts(discountRows.map(discountOf));
      this.#currencies = new Map(others.map((row) => [row.id, row.currency]));
      this.#moments = [...priceRows, ...discountRows].map(({ validFrom }) => validFrom.getTime()).sort((a, b) => a - b);
    }
    const begun = this.#moments.filter((moment) => moment <= readAt).length;
    const isNew = seen !== this.#seen || begun !== this.#begun;
    this.#seen = seen;
    this.#begun = begun;
    this.#readAt = Math.max(this.#readAt, readAt);
    if (isNew) for (const listener of this.#listeners) listener();
  }

  /** Returns the row's id. Throws price_in_past for a moment that is too soon. */
  async setPrice(wish: PriceWish, by: string): Promise<bigint> {
    const { db, clock, currency } = this.#parts;
    const now = clock.now();
    const row = {
      sku: wish.sku,
      region: wish.region ?? '*',
      currency: wish.currency ?? currency,
      amount: wish.amount,
      validFrom: new Date(this.#fromWhen(wish.validFrom, now)),
      createdAt: new Date(now),
      createdBy: by,
    };
    const [made] = await db.sql.insert(prices).values(row).returning({ id: prices.id });
    await this.refresh();
    return (made as { id: bigint }).id;
  }

  /** Returns the row's id. */
  async setDiscount({ validFrom, ...wish }: DiscountWish, by: string): Promise<bigint> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const [found] = await db.sql
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.id, wish.organizationId));
    if (!found) throw problem('not_found', { what: wish.organizationId });
    const row = {
      ...wish,
      validFrom: new Date(this.#fromWhen(validFrom, now)),
      createdAt: new Date(now),
      createdBy: by,
    };
    const [made] = await db.sql.insert(discounts).values(row).returning({ id: discounts.id });
    await this.refresh();
    return (made as { id: bigint }).id;
  }

  /** The default price list, if no price was ever set. It has always applied: earlier usage has its price. */
  async seed(): Promise<void> {
    const { db, clock, currency } = this.#parts;
    const list = defaultPrices(currency);
    if (!list) return;
    const createdAt = new Date(clock.now());
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
      if (await hasPrices(tx)) return;
      const row = { region: '*', currency, validFrom: new Date(0), createdAt, createdBy: BY_DEFAULT };
      await tx.insert(prices).values(list.map((one) => ({ ...row, ...one })));
    });
  }

  get #noticeMs(): number {
    return this.#parts.noticeMs ?? NOTICE_MS;
  }

  #fromWhen(wanted: number | undefined, now: number): number {
    const soonest = now + this.#noticeMs;
    if (wanted !== undefined && wanted < soonest)
      throw problem('price_in_past', { soonest: new Date(soonest).toISOString() }, { field: 'valid_from' });
    return wanted ?? soonest;
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#callOff = this.#parts.clock.after(LOOK_MS, () => {
      this.refresh()
        .catch((error) => this.#parts.log?.warn({ err: error }, 'prices cannot be read'))
        .finally(() => this.#look());
    });
  }
}

async function hasPrices(tx: Sql): Promise<boolean> {
  const [found] = await tx.select({ id: prices.id }).from(prices).limit(1);
  return found !== undefined;
}

const priceOf = ({ createdAt: _, createdBy: __, validFrom, ...row }: typeof prices.$inferSelect): Price => ({
  ...row,
  validFrom: validFrom.getTime(),
});

const discountOf = (row: typeof discounts.$inferSelect): Discount => ({
  id: row.id,
  organizationId: row.organizationId,
  source: row.source,
  basisPoints: row.basisPoints,
  validFrom: row.validFrom.getTime(),
});
