// Prices and discounts at hand: all of them in memory, at most a second behind the database. Rows are only ever added, and a new
// one holds a few seconds after it was written at the earliest: so every gateway knows it before it holds, and nobody rates by
// what is over.
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
  /** Of this gateway's cluster. */
  region: string;
  /** Of organisations that are made here. */
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
/** Whose prices the default list's are. */
const BY_DEFAULT = 'default';
const SEED_LOCK = 7_115_011;

export class Tariffs {
  readonly #parts: TariffsParts;
  readonly #listeners = new Set<() => void>();
  #prices = new PriceTable([]);
  #discounts = new Discounts([]);
  /** Of those few organisations whose currency is another than this installation's. */
  #currencies: ReadonlyMap<string, string> = new Map();
  /** When each row begins to hold, in order: how many have begun says whether something is to be told. */
  #moments: readonly number[] = [];
  #begun = 0;
  /** What the database had when it was last read. */
  #seen = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: TariffsParts) {
    this.#parts = parts;
  }

  /** Makes the default price list where there is none, reads everything, and goes on following. */
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

  /** Up to this moment nothing can become another price than is known here: whoever posts stops there, or refreshes first. */
  knownTo(): number {
    // Half of the notice is for a row that is written slowly, and for clocks that differ.
    return this.#readAt + this.#noticeMs / 2;
  }

  /** Tells when something else begins to hold, or is known to begin later. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads what is new in the database. One at a time: what was read earlier must not come later. */
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

  /** Gives the row's id. Throws price_in_past for a moment that is too soon. */
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

  /** Gives the row's id. */
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

  /** The default price list, where no price was ever set. It has held since ever: what was used before it has its price. */
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
        .catch((error) => this.#parts.log?.warn({ err: error }, 'prices can not be read'))
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
