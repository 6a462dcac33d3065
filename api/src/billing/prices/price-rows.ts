// Prices, discounts and plans as the operators' console lists and changes them. There are few enough prices and discounts for all
// to be looked at.
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { PriceRowOf } from '@gantry/contract/http/admin-prices.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, count, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { organizations } from '../../db/schema/people.ts';
import { discounts, prices } from '../../db/schema/prices.ts';
import { capOf, type HostCaps, type Plans } from './plans.ts';
import { capShown, factsOf } from './price-views.ts';
import type { Tariffs } from './tariffs.ts';

interface Page<Row> {
  items: Row[];
  total: number;
}

export interface PriceRowsParts {
  db: Database;
  clock: Clock;
  tariffs: Pick<Tariffs, 'prices' | 'discounts' | 'setPrice' | 'setDiscount'>;
  plans: Pick<Plans, 'ofMany' | 'change'>;
  hosts: HostCaps;
}

export class PriceRows {
  readonly #parts: PriceRowsParts;

  constructor(parts: PriceRowsParts) {
    this.#parts = parts;
  }

  async prices(query: AdminQuery): Promise<Page<PriceRowOf<'prices'>>> {
    const { db, clock, tariffs } = this.#parts;
    const now = clock.now();
    const rows = (await db.sql.select().from(prices)).map(
      (row): PriceRowOf<'prices'> => ({
        id: `${row.id}`,
        sku: row.sku,
        region: row.region,
        currency: row.currency,
        amount: moneyText(row.amount),
        state: tariffs.prices.stateOf(row, now),
        valid_from: row.validFrom.toISOString(),
        created_at: row.createdAt.toISOString(),
        created_by: row.createdBy,
      }),
    );
    return pageOf(rows, query, ['sku'], { id: Number, amount: (row) => Number(parseMoney(row.amount)) });
  }

  async discounts(query: AdminQuery): Promise<Page<PriceRowOf<'discounts'>>> {
    const { db, clock, tariffs } = this.#parts;
    const now = clock.now();
    const rows = (await db.sql.select().from(discounts)).map(
      (row): PriceRowOf<'discounts'> => ({
        id: `${row.id}`,
        organization_id: row.organizationId,
        source: row.source,
        percent: row.basisPoints / 100,
        state: tariffs.discounts.stateOf(row, now),
        valid_from: row.validFrom.toISOString(),
        created_at: row.createdAt.toISOString(),
        created_by: row.createdBy,
        reason: row.reason,
      }),
    );
    return pageOf(rows, query, ['organization_id', 'reason'], {});
  }

  async plans({ sort: [field, order], range: [first, last], filter }: AdminQuery): Promise<Page<PriceRowOf<'plans'>>> {
    const { db, plans, hosts } = this.#parts;
    const { id, name } = organizations;
    const where = and(
      isNull(organizations.deletedAt),
      filter.id === undefined ? undefined : inArray(id, [filter.id].flat().map(String)),
      filter.q === undefined
        ? undefined
        : or(...[id, name].map((column) => sql`strpos(lower(${column}), lower(${filter.q})) > 0`)),
    );
    const found = await db.sql
      .select({ id, name })
      .from(organizations)
      .where(where)
      .orderBy((order === 'DESC' ? desc : asc)(field === 'name' ? name : id), asc(id))
      .offset(first)
      .limit(last - first + 1);
    const [all] = await db.sql.select({ total: count() }).from(organizations).where(where);
    const states = await plans.ofMany(found.map((row) => row.id));
    const items = found.flatMap((row) => {
      const state = states.get(row.id);
      if (!state) return [];
      return [
        {
          ...row,
          plan: state.plan,
          since: isoOf(state.since),
          paid_to: isoOf(state.paidTo),
          next_plan: state.next?.plan ?? null,
          next_at: isoOf(state.next?.at),
          hosts_held: hosts.held(row.id),
          hosts_cap: capShown(capOf(hosts, row.id, state.plan)),
        },
      ];
    });
    return { items, total: all?.total ?? 0 };
  }

  async setPrice(wish: SetPrice, by: string): Promise<PriceRowOf<'prices'>> {
    const { sku, region, currency, amount, valid_from } = wish;
    if (!factsOf(sku)) throw problem('sku_unknown', { sku }, { field: 'sku' });
    const id = await this.#parts.tariffs.setPrice(
      { sku, region, currency, amount: parseMoney(amount), validFrom: momentOf(valid_from) },
      by,
    );
    return onlyOne(await this.prices(queryFor(`${id}`)));
  }

  async setDiscount(wish: SetDiscount, by: string): Promise<PriceRowOf<'discounts'>> {
    const { organization_id, source, percent, valid_from, reason } = wish;
    const id = await this.#parts.tariffs.setDiscount(
      {
        organizationId: organization_id,
        source,
        basisPoints: Math.round(percent * 100),
        validFrom: momentOf(valid_from),
        reason,
      },
      by,
    );
    return onlyOne(await this.discounts(queryFor(`${id}`)));
  }

  async givePlan(organizationId: string, plan: PlanId, by: string): Promise<PriceRowOf<'plans'>> {
    const [found] = await this.#parts.db.sql
      .select({ id: organizations.id })
      .from(organizations)
      .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
    if (!found) throw problem('not_found', { what: organizationId });
    await this.#parts.plans.change({ organizationId, plan, by, isStaff: true });
    return onlyOne(await this.plans(queryFor(organizationId)));
  }
}

interface SetPrice {
  sku: string;
  region?: string | undefined;
  currency?: string | undefined;
  amount: string;
  valid_from?: string | undefined;
}

interface SetDiscount {
  organization_id: string;
  source: SourceType;
  percent: number;
  valid_from?: string | undefined;
  reason: string;
}

const queryFor = (id: string): AdminQuery => ({ sort: ['id', 'ASC'], range: [0, 0], filter: { id } });
const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
const isoOf = (moment: number | undefined) => (moment === undefined ? null : new Date(moment).toISOString());

function onlyOne<Row>({ items: [row] }: Page<Row>): Row {
  if (!row) throw new Error('what was written just now is not there');
  return row;
}

/** `numbers`: fields that sort as numbers though they are text. */
function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  { sort: [field, order], range: [first, last], filter }: AdminQuery,
  searched: readonly (keyof Row)[],
  numbers: Partial<Record<string, (row: Row) => number>>,
): Page<Row> {
  const { q, ...equal } = filter;
  const sortedBy = (row: Row) => {
    const number = field === 'id' ? Number(row.id) : numbers[field]?.(row);
    return number ?? (row[field as keyof Row] as string | number);
  };
  const direction = order === 'DESC' ? -1 : 1;
  const found = rows
    .filter((row) =>
      Object.entries(equal).every(
        ([name, wanted]) =>
          wanted === undefined || [wanted].flat().some((one) => `${one}` === `${row[name as keyof Row]}`),
      ),
    )
    .filter(
      (row) => q === undefined || searched.some((name) => `${row[name]}`.toLowerCase().includes(`${q}`.toLowerCase())),
    )
    .sort((a, b) => direction * compare(sortedBy(a), sortedBy(b)) || Number(a.id) - Number(b.id));
  return { items: found.slice(first, last + 1), total: found.length };
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
