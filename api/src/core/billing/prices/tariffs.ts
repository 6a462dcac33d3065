// Prices and discounts in memory, at most a second behind the database. Rows are only added, and a new one takes effect a few
// seconds after it was written at the earliest: so every gateway knows it before it applies, and nobody uses an outdated one.
import type { DiscountType } from '@gantry/contract/billing/discounts.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, ne, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { discounts, plansHeld, prices, redemptions } from '../../../platform/db/schema/prices.ts';
import { belongsTo } from '../giving/belongs.ts';
import { defaultPrices } from './default-prices.ts';
import { MemberRows } from './member-rows.ts';
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

/** With the organisations whose plan or code alone is new; without, any price may be. */
export type TariffListener = (organizationIds?: ReadonlySet<string>) => void;

const LOOK_MS = 1_000;
const NOTICE_MS = 5_000;
/** The author of the default list's prices. */
const BY_DEFAULT = 'default';
const SEED_LOCK = 7_115_011;
/** With the code's hash: of two who redeem its last use at once, the second is refused. */
const REDEEM_LOCK = 7_115_014;

export class Tariffs {
  readonly #parts: TariffsParts;
  readonly #listeners = new Set<TariffListener>();
  #prices = new PriceTable([]);
  #discounts = new Discounts([]);
  /** The few organisations whose currency differs from this installation's. */
  #currencies: ReadonlyMap<string, string> = new Map();
  #rows: readonly Discount[] = [];
  readonly #members: MemberRows;
  /** When each price and discount takes effect: the number of past ones says whether listeners have to be called. */
  #moments: readonly number[] = [];
  #begun = 0;
  /** The database's state at the last read. */
  #seen = { rules: '', members: '' };
  #readAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: TariffsParts) {
    this.#parts = parts;
    this.#members = new MemberRows(this.#noticeMs);
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
  on(listener: TariffListener): () => void {
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
    const { db, clock } = this.#parts;
    const readAt = clock.now();
    const [counted] = await rowsOf<{ rules: string; members: string }>(
      db.sql,
      sql`select (select count(*) from ${prices}) || '/' || (select count(*) from ${discounts}) as rules,
        (select count(*) from ${redemptions}) || '/' ||
        case when exists (select from ${discounts} where ${BY_PLAN}) then (select count(*) from ${plansHeld}) else 0 end as members`,
    );
    const { rules, members } = counted as { rules: string; members: string };
    const isNewRule = rules !== this.#seen.rules;
    if (isNewRule) await this.#readRules();
    const joined = isNewRule || members !== this.#seen.members ? await this.#readMembers() : [];
    const begun = this.#moments.filter((moment) => moment <= readAt).length;
    const isForAll = isNewRule || begun !== this.#begun;
    const concerned = new Set([...joined, ...this.#membersBegun(readAt)]);
    this.#seen = { rules, members };
    this.#begun = begun;
    this.#readAt = Math.max(this.#readAt, readAt);
    if (isForAll) for (const listener of this.#listeners) listener();
    else if (concerned.size > 0) for (const listener of this.#listeners) listener(concerned);
  }

  async #readRules(): Promise<void> {
    const { db, currency } = this.#parts;
    const priceRows = await db.sql.select().from(prices);
    const discountRows = await db.sql.select().from(discounts);
    const others = await db.sql
      .select({ id: organizations.id, currency: organizations.currency })
      .from(organizations)
      .where(ne(organizations.currency, currency));
    this.#prices = new PriceTable(priceRows.map(priceOf));
    this.#rows = discountRows.map(discountOf);
    this.#currencies = new Map(others.map((row) => [row.id, row.currency]));
    this.#moments = [
      ...priceRows.map(({ validFrom }) => validFrom.getTime()),
      ...discountRows.flatMap(({ validFrom, validTo }) => [validFrom, ...(validTo ? [validTo] : [])].map(Number)),
    ];
  }

  /** Only what some discount asks about. Returns the organisations with new rows. */
  async #readMembers(): Promise<ReadonlySet<string>> {
    const has = (type: DiscountType) => this.#rows.some((row) => row.type === type);
    const joined = await this.#members.read(this.#parts.db, { plans: has('plan'), codes: has('code') });
    this.#discounts = new Discounts(this.#rows, this.#members.members);
    return joined;
  }

  /** Organisations whose plan or code has begun to count since the last read. */
  #membersBegun(readAt: number): string[] {
    const { plans, codes } = this.#discounts.members;
    const isDue = ({ validFrom }: { validFrom: number }) => validFrom > this.#readAt && validFrom <= readAt;
    return [...plans, ...codes].flatMap(([id, rows]) => (rows.some(isDue) ? [id] : []));
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
  async setDiscount(
    { validFrom, validTo, type, target, ...wish }: DiscountWish,
    by: string,
    approvedBy: string | null = null,
  ): Promise<bigint> {
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
      approvedBy,
    };
    const [made] = await db.sql.insert(discounts).values(row).returning({ id: discounts.id });
    await this.refresh();
    return (made as { id: bigint }).id;
  }

  /**
   * An organisation redeems a code, once; it applies some seconds later, so that every gateway knows it by then. Throws
   * discount_code_invalid (unknown, over or used up), discount_code_redeemed, and discount_code_own: whoever made or approved it belongs to the
   * organisation.
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
        ? await tx
            .select({ mostUses: discounts.mostUses, by: discounts.createdBy, approvedBy: discounts.approvedBy })
            .from(discounts)
            .where(eq(discounts.id, discount.id))
        : [];
      // Nobody who approved it knew who would redeem it.
      for (const one of [row?.by, row?.approvedBy])
        if (one && (await belongsTo(tx, organizationId, one, now))) throw problem('discount_code_own');
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
