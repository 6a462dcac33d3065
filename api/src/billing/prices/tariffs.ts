// Prices and discounts in memory, at most a second behind the database. Rows are only added, and a new one takes effect a few
// seconds after it was written at the earliest: so every gateway knows it before it applies, and nobody uses an outdated one.
import type { DiscountType } from '@gantry/contract/billing/discounts.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, ne, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { organizations } from '../../db/schema/people.ts';
import { discounts, plansHeld, prices, redemptions } from '../../db/schema/prices.ts';
import { defaultPrices } from './default-prices.ts';
import { type Discount, type DiscountMembers, Discounts, type Price, PriceTable } from './price-table.ts';
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
  type: DiscountType;
  /** An organisation's id, a plan, a SKU or a code. */
  target: string;
  /** Whatever the money is for where absent. */
  source?: SourceType | undefined;
  basisPoints: number;
  /** How many organisations may redeem a code. */
  mostUses?: number | undefined;
  validFrom?: number | undefined;
  validTo?: number | undefined;
  reason: string;
}

const LOOK_MS = 1_000;
const NOTICE_MS = 5_000;
/** The author of the default list's prices. */
const BY_DEFAULT = 'default';
const SEED_LOCK = 7_115_011;
/** With the code's hash: of two who redeem its last use at once, the second is refused. */
const REDEEM_LOCK = 7_115_014;

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
      sql`select (select count(*) from ${prices}) || '/' || (select count(*) from ${discounts}) || '/' ||
        (select count(*) from ${redemptions}) || '/' ||
        case when exists (select from ${discounts} where ${BY_PLAN}) then (select count(*) from ${plansHeld}) else 0 end as seen`,
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
      const members = await this.#readMembers(discountRows);
      this.#discounts = new Discounts(discountRows.map(discountOf), members);
      this.#currencies = new Map(others.map((row) => [row.id, row.currency]));
      this.#moments = [
        ...priceRows.map(({ validFrom }) => validFrom.getTime()),
        ...discountRows.flatMap(({ validFrom, validTo }) => [validFrom, ...(validTo ? [validTo] : [])].map(Number)),
        ...[...members.plans.values(), ...members.codes.values()].flat().map(({ validFrom }) => validFrom),
      ].sort((a, b) => a - b);
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

  /** Returns the row's id. Throws not_found for an unknown organisation, price_in_past, discount_times. */
  async setDiscount({ validFrom, validTo, type, target, ...wish }: DiscountWish, by: string): Promise<bigint> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    if (type === 'organization') {
      const [found] = await db.sql
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, target));
      if (!found) throw problem('not_found', { what: target });
    }
    const from = this.#fromWhen(validFrom, now);
    if (validTo !== undefined && validTo <= from) throw problem('discount_times', {}, { field: 'valid_to' });
    const row = {
      ...wish,
      type,
      ...(type === 'organization' ? { organizationId: target } : { target }),
      validFrom: new Date(from),
      validTo: validTo === undefined ? null : new Date(validTo),
      createdAt: new Date(now),
      createdBy: by,
    };
    const [made] = await db.sql.insert(discounts).values(row).returning({ id: discounts.id });
    await this.refresh();
    return (made as { id: bigint }).id;
  }

  /**
   * An organisation redeems a code, once; it applies some seconds later, so that every gateway knows it by then. Throws
   * discount_code_invalid (unknown, over or used up) and discount_code_redeemed.
   */
  async redeem(code: string, organizationId: string, accountId: string): Promise<void> {
    const { db, clock } = this.#parts;
    await this.refresh();
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${REDEEM_LOCK}, hashtext(${code}))`);
      // The notice begins once nobody has to be waited for.
      const now = clock.now();
      const used = await tx
        .select({ organizationId: redemptions.organizationId })
        .from(redemptions)
        .where(eq(redemptions.code, code));
      if (used.some((one) => one.organizationId === organizationId)) throw problem('discount_code_redeemed');
      const discount = this.#discounts.ofCode(code, now);
      const [row] = discount
        ? await tx.select({ mostUses: discounts.mostUses }).from(discounts).where(eq(discounts.id, discount.id))
        : [];
      const isLeft = row !== undefined && (row.mostUses === null || used.length < row.mostUses);
      if (!discount || discount.basisPoints === 0 || !isLeft) throw problem('discount_code_invalid');
      const validFrom = new Date(now + this.#noticeMs);
      await tx.insert(redemptions).values({ code, organizationId, accountId, validFrom, createdAt: new Date(now) });
    });
    await this.refresh();
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

  /** Only what some discount asks about. */
  async #readMembers(rows: readonly (typeof discounts.$inferSelect)[]): Promise<DiscountMembers> {
    const { db } = this.#parts;
    const has = (type: DiscountType) => rows.some((row) => row.type === type);
    const held = has('plan') ? await db.sql.select().from(plansHeld) : [];
    const redeemed = has('code') ? await db.sql.select().from(redemptions) : [];
    const byOrganization = Map.groupBy(held, ({ organizationId }) => organizationId);
    return {
      plans: new Map([...byOrganization].map(([id, plans]) => [id, plansInTime(plans, this.#noticeMs)])),
      codes: Map.groupBy(
        redeemed.map(({ validFrom, ...row }) => ({ ...row, validFrom: validFrom.getTime() })),
        ({ organizationId }) => organizationId,
      ),
    };
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

const BY_PLAN = eq(discounts.type, 'plan' satisfies DiscountType);

const discountOf = (row: typeof discounts.$inferSelect): Discount => ({
  id: row.id,
  type: row.type,
  target: row.organizationId ?? row.target ?? '',
  source: row.source ?? undefined,
  basisPoints: row.basisPoints,
  validFrom: row.validFrom.getTime(),
  validTo: row.validTo?.getTime(),
});

/**
 * A plan may begin at once, and a price may not: a plan's discount follows it by the notice, so that every gateway knows it when it
 * begins.
 */
function plansInTime(held: readonly (typeof plansHeld.$inferSelect)[], noticeMs: number) {
  let before = Number.NEGATIVE_INFINITY;
  return [...held]
    .sort((a, b) => a.validFrom.getTime() - b.validFrom.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ plan, validFrom, createdAt }) => {
      before = Math.max(before, validFrom.getTime(), createdAt.getTime() + noticeMs);
      return { plan, validFrom: before };
    });
}
