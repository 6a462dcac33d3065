// Prices and plans as the operators' console lists and changes them. There are few enough prices for all to be looked at.

import type { PriceRowOf } from '@gantry/contract/areas/billing/admin-prices.ts';
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { type Page, pageOfRows } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { plansHeld, prices } from '../../../platform/db/schema/prices.ts';
import { capOf, type HostCaps, type Plans } from './plans.ts';
import type { PriceItems } from './price-items.ts';
import { capShown } from './price-views.ts';
import { rowPage } from './row-page.ts';
import type { Tariffs } from './tariffs.ts';

export interface PriceRowsParts {
  db: Database;
  clock: Clock;
  tariffs: Pick<Tariffs, 'prices' | 'setPrice'>;
  plans: Pick<Plans, 'ofMany' | 'change'>;
  hosts: HostCaps;
  items: Pick<PriceItems, 'require'>;
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
    return rowPage(rows, query, ['sku'], { id: Number, amount: (row) => Number(parseMoney(row.amount)) });
  }

  async plans(query: AdminQuery): Promise<Page<PriceRowOf<'plans'>>> {
    const { db, clock, plans, hosts } = this.#parts;
    const { filter } = query;
    const { id, name } = organizations;
    // As `planState` decides it.
    const plan = sql`coalesce((
      select ${plansHeld.plan} from ${plansHeld}
      where ${plansHeld.organizationId} = ${id} and ${plansHeld.validFrom} <= ${new Date(clock.now()).toISOString()}::timestamptz
      order by ${plansHeld.validFrom} desc, ${plansHeld.id} desc limit 1), 'free')`;
    const where = and(
      isNull(organizations.deletedAt),
      filter.id === undefined ? undefined : inArray(id, [filter.id].flat().map(String)),
      filter.plan === undefined ? undefined : inArray(plan, [filter.plan].flat().map(String)),
      filter.q === undefined
        ? undefined
        : or(...[id, name].map((column) => sql`strpos(lower(${column}), lower(${filter.q})) > 0`)),
    );
    const { items: found, ...page } = await pageOfRows(
      { columns: { id, name }, where },
      query,
      (key) => db.sql.select({ id, name, key }).from(organizations).$dynamic(),
      db.sql.select({ total: count() }).from(organizations).$dynamic(),
    );
    const states = await plans.ofMany(found.map((row) => row.id));
    const items = found.flatMap((row) => {
      const state = states.get(row.id);
      if (!state) return [];
      return [
        {
          id: row.id,
          name: row.name,
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
    return { ...page, items };
  }

  async setPrice(wish: SetPrice, by: string): Promise<PriceRowOf<'prices'>> {
    const { sku, region, currency, amount, valid_from } = wish;
    this.#parts.items.require(sku, 'sku');
    const id = await this.#parts.tariffs.setPrice(
      { sku, region, currency, amount: parseMoney(amount), validFrom: momentOf(valid_from) },
      by,
    );
    return onlyOne(await this.prices(queryFor(`${id}`)));
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

export interface SetPrice {
  sku: string;
  region?: string | undefined;
  currency?: string | undefined;
  amount: string;
  valid_from?: string | undefined;
}

const queryFor = (id: string): AdminQuery => ({ sort: ['id', 'ASC'], range: [0, 0], filter: { id } });
const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
const isoOf = (moment: number | undefined) => (moment === undefined ? null : new Date(moment).toISOString());

function onlyOne<Row>({ items: [row] }: Page<Row>): Row {
  if (!row) throw new Error('what was written just now is not there');
  return row;
}
