// The cost of last month's metered usage at other prices: as it was billed, at today's prices, and at the proposed ones, each with the
// discounts that applied then. One look at the slices; nothing is written.

import type { PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import { isResource, RESOURCES } from '@gantry/contract/billing/resources.ts';
import { dividedRounded, type Micros, micros, moneyText, parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { instant, MILLI } from '../documents/charged.ts';
import { hoursText } from '../documents/usage.ts';
import { askedInTime, lastMonth } from './last-month.ts';
import type { PriceItems } from './price-items.ts';
import { type Price, PriceTable } from './price-table.ts';
import { factsOf } from './price-views.ts';
import { HOURS_OF_A_MONTH } from './rate.ts';

export interface ProposedPrice {
  sku: string;
  region?: string | undefined;
  currency?: string | undefined;
  amount: string;
}

export interface SimulationParts {
  db: Database;
  clock: Clock;
  tariffs: { prices: PriceTable };
  items: Pick<PriceItems, 'require'>;
  /** The installation's, for proposals without one. */
  currency: string;
}

/** In the answer; the totals are everybody's. */
const MOST_ORGANIZATIONS = 100;
const HOUR_MS = 3_600_000n;
/** For the one look at the slices: an answer has to be there within the gateway's thirty. */
const MOST_SECONDS = 20;
/** Later than every row of the list. */
const PROPOSED = 2n ** 62n;

export async function simulatePrices(
  { db, clock, tariffs, items, currency: usual }: SimulationParts,
  proposed: readonly ProposedPrice[],
): Promise<PriceSimulation> {
  const now = clock.now();
  const { month, from, to } = lastMonth(now);
  const rows = proposed.map(({ sku, region = '*', currency = usual, amount }, at): Price => {
    items.require(sku, 'prices');
    return { id: PROPOSED + BigInt(at), sku, region, currency, amount: parseMoney(amount), validFrom: now };
  });
  const changed = new PriceTable([...tariffs.prices.rows, ...rows]);
  const skus = [...new Set(rows.map(({ sku }) => sku))];
  const metered = skus.filter(isMetered);
  const empty = { month, totals: [], skus: [], organizations: [], organization_count: 0 };
  const not_metered = skus.filter((sku) => !isMetered(sku));
  if (metered.length === 0) return { ...empty, not_metered };

  return askedInTime(db, MOST_SECONDS, async (tx) => {
    await tx.execute(usageOf(metered, from, to));
    const places = await rowsOf<{ sku: string; region: string; currency: string }>(
      tx,
      sql`select distinct sku, region, currency from month_usage`,
    );
    const priced = places.map(({ sku, region, currency }) => ({
      ...{ sku, region, currency },
      now: tariffs.prices.at(sku, { region, currency }, now)?.amount,
      proposed: changed.at(sku, { region, currency }, now)?.amount ?? ZERO,
    }));
    // `any` was proposed, and the model has a price of its own.
    const affected = priced.filter((one) => one.now !== one.proposed || metered.includes(one.sku));
    if (affected.length === 0) return { ...empty, not_metered };
    const bySku = await sums<{ sku: string; region: string; quantity: string }>(tx, affected, ['sku', 'region'], {
      more: sql`, round(sum(u.quantity))::text as quantity`,
    });
    const byOrganization = await sums<{ organization: string; name: string; counted: string }>(
      tx,
      affected,
      ['organization'],
      {
        more: sql`, coalesce((select o.name from organizations o where o.id = u.organization), '') as name, count(*) over ()::text as counted`,
        limit: MOST_ORGANIZATIONS,
      },
    );
    const totals = await sums(tx, affected, [], {});
    return {
      month,
      totals: totals.map(costsOf),
      skus: bySku.map((row) => {
        const place = affected.find(
          (one) => one.sku === row.sku && one.region === row.region && one.currency === row.currency,
        );
        const { unit = 'card', per = 'hour' } = factsOf(row.sku) ?? {};
        const period = per === 'hour' ? 1n : BigInt(HOURS_OF_A_MONTH);
        return {
          sku: row.sku,
          region: row.region,
          quantity: hoursText(BigInt(row.quantity), period),
          unit,
          per,
          price_now: place?.now === undefined ? null : moneyText(place.now),
          price_proposed: moneyText(place?.proposed ?? ZERO),
          ...costsOf(row),
        };
      }),
      organizations: byOrganization.map((row) => ({
        organization_id: row.organization,
        organization_name: row.name,
        ...costsOf(row),
      })),
      organization_count: Number(byOrganization[0]?.counted ?? 0),
      not_metered,
    };
  });
}

const perOf = (sku: string) => {
  const [resource = ''] = sku.split('/');
  return isResource(resource) ? RESOURCES[resource].per : 'rental';
};
/** Rents and plans are paid ahead; tokens and stored files have meters of their own. */
const isMetered = (sku: string): boolean => perOf(sku) !== 'rental';

/** The use of the SKUs, with its discounts: a table of this transaction, so that the slices are read once. */
const usageOf = (skus: readonly string[], from: number, to: number): SQL => sql`
  create temporary table month_usage on commit drop as
  select s.org_id as organization, s.sku, m.region, o.currency, s.discount_basis_points as points,
    sum(${MILLI} * round(extract(epoch from s."to" - s."from") * 1000)) as quantity, sum(s.net)::numeric as billed
  from slices s join meters m on m.uid = s.uid and m.seq = s.seq join organizations o on o.id = s.org_id
  where s."from" >= ${instant(from)} and s."from" < ${instant(to)} and (${sql.join(skus.map(isOfSku), sql` or `)})
  group by 1, 2, 3, 4, 5`;

/** A price for any model is everybody's who has no price of their own. */
const isOfSku = (sku: string): SQL =>
  sku.endsWith('/any') ? sql`starts_with(s.sku, ${sku.slice(0, -'any'.length)})` : sql`s.sku = ${sku}`;

interface Priced {
  sku: string;
  region: string;
  currency: string;
  now: Micros | undefined;
  proposed: Micros;
}

interface Sums {
  currency: string;
  billed: string;
  now: string;
  proposed: string;
}

/** Rounded once per row. The largest differences first. */
async function sums<Key>(
  tx: Sql,
  priced: readonly Priced[],
  keys: readonly ('sku' | 'region' | 'organization')[],
  { more = sql``, limit }: { more?: SQL; limit?: number },
): Promise<(Sums & Key)[]> {
  const prices = sql.join(
    priced.map(
      ({ sku, region, currency, now = ZERO, proposed }) =>
        sql`(${sku}, ${region}, ${currency}, ${`${now}`}::numeric, ${`${proposed}`}::numeric, ${`${partsOf(sku)}`}::numeric)`,
    ),
    sql`, `,
  );
  const at = (price: SQL) => sql`round(sum(u.quantity * ${price} * (10000 - u.points) / (p.parts * 10000)))`;
  const by = sql.raw([...keys, 'currency'].map((key) => `u.${key}`).join(', '));
  return rowsOf<Sums & Key>(
    tx,
    sql`select ${by}, round(sum(u.billed))::text as billed, ${at(sql`p.now`)}::text as now, ${at(sql`p.later`)}::text as proposed ${more}
      from month_usage u join (values ${prices}) as p(sku, region, currency, now, later, parts)
        on p.sku = u.sku and p.region = u.region and p.currency = u.currency
      group by ${by} order by abs(${at(sql`p.later`)} - ${at(sql`p.now`)}) desc, ${by} ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
  );
}

/** By which a quantity (thousandths of a unit times ms) counts in the price's unit and period. */
const partsOf = (sku: string): bigint => 1000n * HOUR_MS * (perOf(sku) === 'hour' ? 1n : BigInt(HOURS_OF_A_MONTH));

const costsOf = ({ currency, billed, now, proposed }: Sums) => ({
  currency,
  billed: moneyText(whole(billed)),
  now: moneyText(whole(now)),
  proposed: moneyText(whole(proposed)),
  difference: moneyText(micros(whole(proposed) - whole(now))),
});

/** Numerics may come with zeros after a point. */
const whole = (text: string): Micros => micros(dividedRounded(BigInt(text.replace(/\..*$/, '')), 1n));
