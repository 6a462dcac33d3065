// All charges, row by row, as one SQL table: slices of metered use, and every other charge or correction in the books with its
// order. Totals, usage and invoices all build on this table, so they cannot differ.
import { SIZE_UNITS } from '@gantry/contract/billing/resources.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { type SQL, sql } from 'drizzle-orm';

/** From `from` (inclusive) to `to` (exclusive), in ms. A slice or a charge counts where it begins. */
export interface Range {
  from?: number | undefined;
  to?: number | undefined;
}

const USE = sql.raw('m.uses -> s.use::int');
const EXACT_PARTS = sql.raw(
  Object.entries(SIZE_UNITS)
    .map(([unit, parts]) => `when '${unit}' then ${parts}`)
    .join(' '),
);

/**
 * The used amount of slices `s` with their meters `m`: thousandths of the resource's unit, rounded; or the exact size, which is in the use.
 */
export const MILLI = sql`coalesce(
  (${USE} -> 'exact' ->> 'count')::numeric * case when s.is_correction then -1000 else 1000 end
    / case ${USE} -> 'exact' ->> 'unit' ${EXACT_PARTS} end,
  s.quantity_milli::numeric)`;

/** Keys of metering's transfers, whose slices have the details. */
const METERED = sql.raw(`'use/%'`);

export const HOST_KINDS = Object.values<KindFacts>(KINDS)
  .filter(({ cost }) => cost?.source === 'host_rent')
  .map(({ kind }) => kind);

/**
 * Columns: type (usage, order, plan), sku, reference, name, account, run and parts (of jobs and services), resource (of use), source, quantity (thousandths of the unit
 * times ms; pieces for orders), begins, ends, price (an id), basis_points, list, net.
 */
export const charged = (organizationId: string, range: Range): SQL => sql`(
  select 'usage' as type, s.sku, m.kind || '/' || m.name as reference, coalesce(n.name, m.name) as name, coalesce(m.account_id, '') as account,
    m.run, m.parts,
    m.uses -> s.use::int ->> 'resource' as resource,
    case when m.kind in ${HOST_KINDS} then 'host_rent' else 'container_rent' end as source,
    ${MILLI} * round(extract(epoch from s."to" - s."from") * 1000) as quantity,
    s."from" as begins, s."to" as ends, coalesce(s.price_id::text, '') as price,
    s.discount_basis_points as basis_points, s.list::numeric, s.net::numeric
  from slices s join meters m on m.uid = s.uid and m.seq = s.seq
  left join (${namesOf(organizationId, range)}) n on n.uid = s.uid
  where s.org_id = ${organizationId} and ${within(sql`s."from"`, range)}
  union all
  select case when t.bill_id like 'plan/%' or o.sku like 'plan/%' then 'plan' else 'order' end, coalesce(o.sku, ''),
    coalesce(b.reference, o.subject, t.bill_id, t.key), coalesce(nullif(b.detail, ''), o.subject, t.bill_id, t.key),
    coalesce(b.account_id, ''), null::int, null::text, '', coalesce(b.source, 'container_rent'),
    case when t.type = 'correction' then 0 else coalesce(o.quantity, 0) * 1000 end,
    t.at, coalesce(o."to", t.at), coalesce(o.price_id, ''), -1, l.list, l.list - l.discount
  from transfers t
  left join bills b on b.id = t.bill_id
  left join lateral (select * from orders o where o.bill_id = t.bill_id order by o.id limit 1) o on true
  cross join lateral (${revenueOf(sql`p.transfer_id = t.id`)}) l
  where t.org_id = ${organizationId} and t.type in ('charge', 'correction') and t.key not like ${METERED}
    and ${within(sql`t.at`, range)}
)`;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The latest names of objects, by uid, from the bills of their use or rent: the objects may be gone. Use is billed by the day, so
 * bills from before the day before `from` are irrelevant; rent may have been paid at any time before.
 */
const namesOf = (organizationId: string, { from }: Range): SQL => sql`
  select distinct on (uid) uid, name from (
    select split_part(id, '/', 2) as uid, at, case when id like ${METERED} then detail else split_part(detail, ': ', 1) end as name
    from bills where org_id = ${organizationId}
      and (id like ${METERED} and detail <> '' and ${within(sql`at`, { from: from && from - DAY_MS })} or id like 'order/%' and detail like '%: %')
  ) named order by uid, at desc`;

/** The keys of the transfers behind `charged`. */
export const chargedKeys = (organizationId: string, range: Range): SQL => sql`(
  select distinct s.transfer_key as key from slices s
  where s.org_id = ${organizationId} and s.transfer_key is not null and ${within(sql`s."from"`, range)}
  union all
  select t.key from transfers t
  where t.org_id = ${organizationId} and t.type in ('charge', 'correction') and t.key not like ${METERED}
    and ${within(sql`t.at`, range)}
)`;

/** The revenue of postings `p`: at the list price, and the discount. */
export const revenueOf = (which: SQL, from: SQL = sql`postings`): SQL => sql`
  select coalesce(sum(case when p.credit like 'platform/revenue/%' then p.amount
      when p.debit like 'platform/revenue/%' then -p.amount else 0 end), 0) as list,
    coalesce(sum(case when p.debit like 'platform/discounts/%' then p.amount
      when p.credit like 'platform/discounts/%' then -p.amount else 0 end), 0) as discount
  from ${from} p where ${which}`;

const within = (column: SQL, { from, to }: Range): SQL =>
  sql`${from === undefined ? sql`true` : sql`${column} >= ${instant(from)}`} and ${to === undefined ? sql`true` : sql`${column} < ${instant(to)}`}`;

/** Drivers differ in how they send a Date within a statement written by hand. */
export const instant = (at: number | Date): SQL => sql`${new Date(at).toISOString()}::timestamptz`;
