// The past and possible effect of a discount: who had it and what it saved them, as it was posted; and its effect on last month's usage.
// For slices from before they named their discount, an organisation's own are recognised by time and source.

import type { DiscountRow, DiscountUse } from '@gantry/contract/areas/billing/admin-discount.ts';
import { dividedRounded, type Micros, micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { isoOf, rowsOf } from '../../../platform/db/rows-of.ts';
import { HOST_KINDS, instant } from '../documents/charged.ts';
import { askedInTime, lastMonth } from './last-month.ts';

const MOST_ROWS = 100;
/** For each of four looks. */
const MOST_SECONDS = 6;

interface Saved {
  currency: string;
  list: string;
  net: string;
}

export async function discountUse(
  { db, clock }: { db: Database; clock: Clock },
  discount: DiscountRow,
): Promise<DiscountUse> {
  const { month, from, to } = lastMonth(clock.now());
  return askedInTime(db, MOST_SECONDS, async (tx) => {
    const posted = postedBy(discount);
    const organizations = await rowsOf<Saved & Record<'organization' | 'name' | 'first' | 'last' | 'counted', string>>(
      tx,
      sql`select c.organization, coalesce(o.name, '') as name, coalesce(o.currency, '') as currency, sum(c.list)::text as list,
          sum(c.net)::text as net, ${isoOf(sql`min(c.at)`)} as first, ${isoOf(sql`max(c.at)`)} as last, count(*) over ()::text as counted
        from (${posted}) c left join organizations o on o.id = c.organization
        group by c.organization, o.name, o.currency order by sum(c.list - c.net) desc, c.organization limit ${MOST_ROWS}`,
    );
    const totals = await rowsOf<Saved & { organizations: string }>(
      tx,
      sql`select o.currency, sum(c.list)::text as list, sum(c.net)::text as net, count(distinct c.organization)::text as organizations
        from (${posted}) c join organizations o on o.id = c.organization group by o.currency order by 1`,
    );
    const inMonth = sql`c.at >= ${instant(from)} and c.at < ${instant(to)}`;
    const postedThen = await rowsOf<Saved>(
      tx,
      sql`select o.currency, sum(c.list)::text as list, sum(c.net)::text as net
        from (${posted}) c join organizations o on o.id = c.organization where ${inMonth} group by o.currency order by 1`,
    );
    const skus = await rowsOf<Saved & { sku: string }>(
      tx,
      sql`select s.sku, o.currency, sum(s.list)::text as list, '0' as net
        from slices s join meters m on m.uid = s.uid and m.seq = s.seq join organizations o on o.id = s.org_id
        where s."from" >= ${instant(from)} and s."from" < ${instant(to)} and s.sku <> '' and ${isFor(discount)}
        group by s.sku, o.currency order by sum(s.list) desc, s.sku limit ${MOST_ROWS}`,
    );
    return {
      totals: totals.map(({ organizations: counted, ...row }) => ({ ...savedOf(row), organizations: Number(counted) })),
      organizations: organizations.map(({ organization, name, first, last, ...row }) => ({
        organization_id: organization,
        organization_name: name,
        ...savedOf(row),
        first_at: first,
        last_at: last,
      })),
      organization_count: Number(organizations[0]?.counted ?? 0),
      redemptions: await redeemedBy(tx, discount),
      last_month: {
        month,
        posted: postedThen.map(savedOf),
        alone: aloneOf(skus, discount.percent),
        skus: skus.map((row) => ({ sku: row.sku, ...offOf(row, discount.percent) })),
      },
    };
  });
}

/** Columns: organization, at, list, net. Slices of use, and orders of hosts. */
function postedBy(discount: DiscountRow): SQL {
  const { id, type, organization_id: organization, source, valid_from, valid_to } = discount;
  // Until the next row of the same organisation and source.
  const older =
    type === 'organization' && organization !== null
      ? sql` union all select s.org_id, s."from", s.list, s.net from slices s join meters m on m.uid = s.uid and m.seq = s.seq
          where s.org_id = ${organization} and s.discount_id is null and s.discount_basis_points > 0
            and s."from" >= ${valid_from}::timestamptz and ${valid_to === null ? sql`true` : sql`s."from" < ${valid_to}::timestamptz`}
            and s."from" < coalesce((select min(d.valid_from) from discounts d
              where d.org_id = ${organization} and d.source is not distinct from ${source} and d.id > ${id}::bigint), 'infinity')
            and ${isOfSource(source)}`
      : sql``;
  return sql`select s.org_id as organization, s."from" as at, s.list::numeric as list, s.net::numeric as net from slices s where s.discount_id = ${id}::bigint
    ${older} union all select r.org_id, r.created_at, r.list, r.net from orders r where r.discount_id = ${id}`;
}

/** Whether the discount is for slices `s` with their meters `m`, whatever else applied. */
function isFor({ type, target, source }: DiscountRow): SQL {
  const of = {
    organization: sql`s.org_id = ${target}`,
    plan: sql`coalesce((select h.plan from plans_held h where h.org_id = s.org_id and h.valid_from <= s."from"
        order by h.valid_from desc, h.id desc limit 1), 'free') = ${target}`,
    sku: target.endsWith('/any') ? sql`starts_with(s.sku, ${target.slice(0, -'any'.length)})` : sql`s.sku = ${target}`,
    code: sql`s.org_id in (select org_id from discount_redemptions where code = ${target})`,
  }[type];
  return sql`${of} and ${isOfSource(source)}`;
}

function isOfSource(source: DiscountRow['source']): SQL {
  if (source === null) return sql`true`;
  return source === 'host_rent' ? sql`m.kind in ${HOST_KINDS}` : sql`m.kind not in ${HOST_KINDS}`;
}

async function redeemedBy(tx: Sql, { type, target }: DiscountRow): Promise<DiscountUse['redemptions']> {
  if (type !== 'code') return [];
  const rows = await rowsOf<Record<'organization' | 'name' | 'account' | 'person' | 'at', string>>(
    tx,
    sql`select r.org_id as organization, coalesce(o.name, '') as name, r.account_id as account, coalesce(a.name, r.account_id) as person,
        ${isoOf(sql`r.created_at`)} as at
      from discount_redemptions r left join organizations o on o.id = r.org_id left join accounts a on a.id = r.account_id
      where r.code = ${target} order by r.created_at desc, r.org_id limit ${MOST_ROWS}`,
  );
  return rows.map(({ organization, name, account, person, at }) => ({
    organization_id: organization,
    organization_name: name,
    account_id: account,
    account_name: person,
    redeemed_at: at,
  }));
}

const amount = (text: string): Micros => micros(BigInt(text.replace(/\..*$/, '')));

const savedOf = ({ currency, list, net }: Saved) => ({
  currency,
  list: moneyText(amount(list)),
  saved: moneyText(micros(amount(list) - amount(net))),
});

const off = (list: Micros, percent: number): Micros =>
  micros(dividedRounded(list * BigInt(Math.round(percent * 100)), 10_000n));

const offOf = ({ currency, list }: Saved, percent: number) => ({
  currency,
  list: moneyText(amount(list)),
  saved: moneyText(off(amount(list), percent)),
});

function aloneOf(rows: readonly Saved[], percent: number) {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, of]) => {
    const list = micros(of.reduce((sum, row) => sum + amount(row.list), 0n));
    return { currency, list: moneyText(list), saved: moneyText(off(list, percent)) };
  });
}
