// The rows of metering: what is written to `meters`, `slices`, `meter_anomalies` and `meter_signs`. Many rows go as one parameter
// per column (`rowsAs`), many texts as one (`anyOf`).
import type { SourceType, Use } from '@gantry/contract/billing/resources.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { anyOf, instant, rowsAs } from '../ledger/columns.ts';
import type { Cumulative } from '../prices/rate.ts';
import type { Anomaly, Found, Intake, Known } from './intake.ts';
import type { Seen } from './seen.ts';
import type { Metered, Slice } from './settlement.ts';

/** Which intervals; all by default. */
export interface Which {
  readonly uids?: readonly string[] | undefined;
  readonly organizationId?: string | undefined;
  /** All but these, of objects. */
  readonly except?: readonly string[] | undefined;
  /** Intervals of these objects, and of all that no hold covers up to the moment. */
  readonly orUncovered?: readonly string[] | undefined;
}

/** The row after which `readDue` goes on. */
type After = Pick<Row, 'organizationId' | 'uid' | 'seq'> | undefined;

/** A row of `meters` as settlement needs it. */
export interface Row extends Metered, Pick<Seen, 'uid' | 'seq' | 'organizationId' | 'region' | 'kind' | 'name'> {
  /** As it was last heard. */
  readonly displayName: string | undefined;
  readonly accountId: string | null;
  readonly to: number | undefined;
  /** The start of the object's next interval: use ends there at the latest. */
  readonly nextFrom: number | undefined;
}

/** How far a row is settled: only if it is still settled to `before`. */
export interface Move {
  readonly row: Row;
  readonly before: number;
  readonly to: number;
  readonly cost: readonly Cumulative[];
}

export interface SliceRow extends Slice {
  readonly row: Row;
  readonly isCorrection: boolean;
  /** Null if nothing was due. */
  readonly transferKey: string | null;
}

/** So many rows `readDue` reads at once. */
export const PAGE = 500;

const SOURCES: ReadonlyMap<string, SourceType> = new Map(
  (Object.values(KINDS) as readonly KindFacts[]).flatMap(({ kind, cost }) => (cost ? [[kind, cost.source]] : [])),
);

const iso = (at: number): string => new Date(at).toISOString();
const msOf = (column: SQL): SQL => sql`(extract(epoch from ${column}) * 1000)::bigint`;

interface KnownRow {
  added: number;
  unknown: number;
  fresh: number;
  uid: string | null;
  seq: number;
  from: string;
  to: string | null;
  subject: string;
  uses: Use[];
}

const INSERT = sql`insert into meters as m (uid, seq, org_id, region, kind, name, account_id, subject_uid, run, parts, uses, "from", "to", settled_to, cost)
  select uid, seq, org, region, kind, name, account, coalesce(subject, ''), run, parts, uses, "from", "to", "from", '[]'::jsonb from`;
/** The first end that anybody writes stands. */
const ON_CONFLICT = sql`on conflict (uid, seq) do update set "to" = excluded."to" where m."to" is null and excluded."to" >= m."from"`;

/**
 * `fresh` is the result if nothing were known about any object: adds the intervals of objects for which that is so, and skips
 * reports that the books already contain word for word, if the object has no anomalies. For other objects it resolves with the
 * known intervals, from the first reported one and its predecessor. What it resolves with as certain is in the books unchanged.
 */
export async function addUnknown(
  connection: Sql,
  { add, anomalies }: Intake,
): Promise<{ added: number; known: readonly Known[]; certain: readonly Seen[] }> {
  if (add.length === 0) return { added: 0, known: [], certain: [] };
  const odd = new Set(anomalies.map(({ seen }) => seen.uid));
  const rows = await rowsOf<KnownRow>(
    connection,
    sql`with judged as materialized (
        select g.*, case
            when (select true from meters m where m.uid = g.uid limit 1) is null then 'new'
            when (select m."from" = g."from" and m.subject_uid = coalesce(g.subject, '') and m.uses = g.uses and (g."to" is null or m."to" = g."to")
              from meters m where m.uid = g.uid and m.seq = g.seq) and not g.uid = ${anyOf([...odd])} then 'said'
            else 'known' end as state
        from ${rowsOfSeen(add)}),
      added as (${INSERT} judged where state = 'new' ${ON_CONFLICT} returning m.xmax = 0 as is_fresh),
      known as (
        select m.uid, m.seq, ${msOf(sql`m."from"`)} as from, ${msOf(sql`m."to"`)} as to, m.subject_uid as subject, m.uses
        from (select uid, min(seq) as low from judged group by uid having bool_or(state = 'known')) g
        cross join lateral (select * from meters m where m.uid = g.uid
          and m.seq >= coalesce((select max(b.seq) from meters b where b.uid = g.uid and b.seq < g.low), g.low) offset 0) m)
      select sums.*, known.* from (
          select count(*)::int as added, count(*) filter (where is_fresh)::int as fresh,
            (select count(*)::int from judged where state = 'new') as unknown from added) as sums
        left join known on true`,
  );
  const [{ added, fresh, unknown } = { added: 0, fresh: 0, unknown: 0 }] = rows;
  for (const { uid } of rows) if (uid !== null) odd.add(uid);
  return {
    added,
    // If another process was faster with one of them, it is not known what that wrote.
    certain: fresh === unknown ? add.filter(({ uid }) => !odd.has(uid)) : [],
    known: rows.flatMap(({ uid, seq, from, to, subject, uses }) =>
      uid === null
        ? []
        : {
            uid,
            seq: Number(seq),
            from: Number(from),
            to: to === null ? undefined : Number(to),
            subjectUid: subject,
            uses,
          },
    ),
  };
}

/** Writes news about known objects. */
export async function writeNews(
  connection: Sql,
  added: readonly Seen[],
  closed: readonly { uid: string; seq: number; to: number }[],
): Promise<void> {
  if (added.length > 0) await connection.execute(sql`${INSERT} ${rowsOfSeen(added)} ${ON_CONFLICT}`);
  if (closed.length > 0) {
    const input = rowsAs('g', closed, {
      uid: ['text', ({ uid }) => uid],
      seq: ['int', ({ seq }) => seq],
      to: ['timestamptz', ({ to }) => iso(to)],
    });
    await connection.execute(
      sql`update meters m set "to" = g."to" from ${input} where m.uid = g.uid and m.seq = g.seq and m."to" is null`,
    );
  }
}

/** As `g`. Uses are sent once, however many have them: reading JSON is the dearest of it. */
function rowsOfSeen(rows: readonly Seen[]): SQL {
  const places = new Map<string, number>();
  const placeOf = ({ uses }: Seen): number => {
    const text = JSON.stringify(uses);
    const place = places.get(text) ?? places.size + 1;
    if (place > places.size) places.set(text, place);
    return place;
  };
  const input = rowsAs('t', rows, {
    uid: ['text', ({ uid }) => uid],
    seq: ['int', ({ seq }) => seq],
    org: ['text', ({ organizationId }) => organizationId],
    region: ['text', ({ region }) => region],
    kind: ['text', ({ kind }) => kind],
    name: ['text', ({ name }) => name],
    account: ['text', ({ accountId }) => accountId],
    subject: ['text', ({ subjectUid }) => subjectUid],
    run: ['int', ({ run }) => run],
    parts: ['text', ({ parts }) => parts],
    from: ['timestamptz', ({ from }) => iso(from)],
    to: ['timestamptz', ({ to }) => (to === undefined ? undefined : iso(to))],
    place: ['int', placeOf],
  });
  const uses = rowsAs('u', [...places], {
    uses: ['jsonb', ([text]) => text],
    place: ['int', ([, place]) => place],
  });
  return sql`(select t.*, (select array_agg(u.uses order by u.place) from ${uses})[t.place] as uses from ${input} offset 0) as g`;
}

/** The columns of `meters` that both readers select. */
interface MeterColumns {
  uid: string;
  seq: number;
  org: string;
  region: string;
  kind: string;
  name: string;
  uses: Use[];
  from: string;
}

interface DueRow extends MeterColumns {
  account: string | null;
  cost: { list: string; net: string }[];
  to: string | null;
  settled: string;
  next: string | null;
}

/** One page, in order, of intervals to settle up to a moment, or settled beyond their end. */
export async function readDue(
  connection: Sql,
  until: number,
  { uids, organizationId, except = [], orUncovered }: Which,
  after: After,
  names: ReadonlyMap<string, string>,
): Promise<Row[]> {
  const rows = await rowsOf<DueRow>(
    connection,
    sql`select m.uid, m.seq, m.org_id as org, m.region, m.kind, m.name, m.account_id as account, m.uses, m.cost,
        ${msOf(sql`m."from"`)} as from, ${msOf(sql`m."to"`)} as to, ${msOf(sql`m.settled_to`)} as settled,
        ${msOf(sql`(select min(n."from") from meters n where n.uid = m.uid and n.seq > m.seq and m."to" is null)`)} as next
      from meters m
      where (m."to" is null or m.settled_to <> m."to")
        and (m.settled_to < ${instant(until)} or m."to" < m.settled_to)
        ${uids === undefined ? sql`` : sql`and m.uid = ${anyOf(uids)}`}
        ${except.length === 0 ? sql`` : sql`and not m.uid = ${anyOf(except)}`}
        ${organizationId === undefined ? sql`` : sql`and m.org_id = ${organizationId}`}
        ${orUncovered === undefined ? sql`` : sql`and (m.uid = ${anyOf(orUncovered)} or not exists (select 1 from holds h where h.subject = m.uid and h.until > ${instant(until)}))`}
        ${after === undefined ? sql`` : sql`and (m.org_id, m.uid, m.seq) > (${after.organizationId}, ${after.uid}, ${after.seq})`}
      order by m.org_id, m.uid, m.seq limit ${PAGE}`,
  );
  return rows.map((row) => rowFrom(row, names.get(row.uid)));
}

function rowFrom(row: DueRow, displayName: string | undefined): Row {
  return {
    uid: row.uid,
    seq: Number(row.seq),
    organizationId: row.org,
    region: row.region,
    kind: row.kind,
    name: row.name,
    displayName,
    accountId: row.account,
    uses: row.uses,
    source: SOURCES.get(row.kind) ?? 'container_rent',
    cost: row.cost.map(({ list, net }) => ({ list: BigInt(list), net: BigInt(net) })),
    from: Number(row.from),
    to: row.to === null ? undefined : Number(row.to),
    settledTo: Number(row.settled),
    nextFrom: row.next === null ? undefined : Number(row.next),
  };
}

/** The zones of organisations that have a billing profile. */
export async function readZones(connection: Sql, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ organizationId }) => organizationId))];
  if (ids.length === 0) return new Map();
  const found = await rowsOf<{ id: string; zone: string }>(
    connection,
    sql`select org_id as id, zone from billing_profiles where org_id = ${anyOf(ids)}`,
  );
  return new Map(found.map(({ id, zone }) => [id, zone]));
}

/** By uid, the highest sequence number up to which every closed interval is settled. */
export async function readPosted(connection: Sql, uids: readonly string[]): Promise<Map<string, Posted>> {
  const rows = await rowsOf<{ uid: string; posted: number | string; net: string | null }>(
    connection,
    sql`select m.uid, coalesce(min(m.seq) filter (where m."to" is null or m.settled_to <> m."to") - 1, max(m.seq)) as posted,
        (select sum(s.net)::text from slices s where s.uid = m.uid) as net
      from meters m where m.uid = ${anyOf(uids)} group by m.uid`,
  );
  return new Map(rows.map(({ uid, posted, net }) => [uid, { seq: Number(posted), net: BigInt(net ?? 0) as Micros }]));
}

export interface Posted {
  readonly seq: number;
  /** The cost of all of it so far. */
  readonly net: Micros;
}

/** By uid, what is posted. */
export async function readCosts(connection: Sql, uids: readonly string[]): Promise<Map<string, Micros>> {
  const rows = await rowsOf<{ uid: string; net: string }>(
    connection,
    sql`select uid, sum(net)::text as net from slices where uid = ${anyOf(uids)} group by uid`,
  );
  return new Map(rows.map(({ uid, net }) => [uid, BigInt(net) as Micros]));
}

/** Whether something of an object is open, or waits. */
export async function isSomeDue(connection: Sql, uid: string): Promise<boolean> {
  const due = await rowsOf(
    connection,
    sql`select 1 from meters where uid = ${uid} and ("to" is null or settled_to <> "to") limit 1`,
  );
  return due.length > 0;
}

export async function readOpenUids(connection: Sql, region: string): Promise<string[]> {
  const rows = await rowsOf<{ uid: string }>(
    connection,
    sql`select distinct uid from meters where "to" is null and region = ${region}`,
  );
  return rows.map(({ uid }) => uid);
}

/** Objects with an open interval in other regions than these, and where each is. */
export async function readOpenOutside(
  connection: Sql,
  regions: readonly string[],
): Promise<{ uid: string; region: string }[]> {
  return rowsOf(
    connection,
    sql`select distinct uid, region from meters where "to" is null and not region = ${anyOf(regions)}`,
  );
}

interface SeenRow extends MeterColumns {
  subject: string;
}

const SEEN_COLUMNS = sql`m.uid, m.seq, m.org_id as org, m.region, m.kind, m.name, m.subject_uid as subject, m.uses, ${msOf(sql`m."from"`)} as from`;

const seenFrom = ({ org, subject, from, seq, ...row }: SeenRow): Seen => ({
  ...row,
  seq: Number(seq),
  organizationId: org,
  subjectUid: subject,
  from: Number(from),
});

/** Ends an object's open intervals at a moment, or where its next interval begins; with `below`, only smaller numbers. */
export async function writeEnds(connection: Sql, uid: string, at: number, below: number | undefined): Promise<Seen[]> {
  const closed = await rowsOf<SeenRow>(
    connection,
    sql`update meters m set "to" = greatest(m."from", least(${instant(at)},
        coalesce((select min(n."from") from meters n where n.uid = m.uid and n.seq > m.seq), 'infinity')))
      where m.uid = ${uid} and m."to" is null ${below === undefined ? sql`` : sql`and m.seq < ${below}`}
      returning ${SEEN_COLUMNS}`,
  );
  return closed.map(seenFrom);
}

export async function readSign(connection: Sql, region: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ at: string }>(
    connection,
    sql`select ${msOf(sql`seen_at`)} as at from meter_signs where region = ${region}`,
  );
  return row && Number(row.at);
}

export async function writeSign(connection: Sql, region: string, at: number): Promise<void> {
  await connection.execute(
    sql`insert into meter_signs (region, seen_at) values (${region}, ${instant(at)})
      on conflict (region) do update set seen_at = greatest(meter_signs.seen_at, excluded.seen_at)`,
  );
}

/** Each once; resolves with those that are new. */
export async function writeAnomalies(
  connection: Sql,
  anomalies: readonly Found[],
  at: number,
): Promise<{ uid: string; seq: number; reason: Anomaly }[]> {
  const input = rowsAs('g', anomalies, {
    uid: ['text', ({ seen }) => seen.uid],
    seq: ['int', ({ seen }) => seen.seq],
    reason: ['text', ({ reason }) => reason],
    org: ['text', ({ seen }) => seen.organizationId],
    kind: ['text', ({ seen }) => seen.kind],
    name: ['text', ({ seen }) => seen.name],
    detail: ['text', ({ detail }) => detail],
  });
  return await rowsOf<{ uid: string; seq: number; reason: Anomaly }>(
    connection,
    sql`insert into meter_anomalies (uid, seq, reason, org_id, kind, name, detail, at)
      select uid, seq, reason, org, kind, name, detail, ${instant(at)} from ${input}
      on conflict do nothing returning uid, seq, reason`,
  );
}

/** Billed slices, without those that were given back. */
export async function readSlices(
  connection: Sql,
  { uid, seq }: Row,
): Promise<(Slice & { billId: string | undefined })[]> {
  const rows = await rowsOf<
    Record<'use' | 'from' | 'to' | 'quantity' | 'points' | 'list' | 'net', string> & {
      sku: string;
      price: string | null;
      discount: string | null;
      bill: string | null;
    }
  >(
    connection,
    sql`select use, ${msOf(sql`"from"`)} as from, ${msOf(sql`"to"`)} as to, sku, quantity_milli::text as quantity,
        price_id::text as price, discount_basis_points as points, discount_id::text as discount, list::text, net::text, t.bill_id as bill
      from slices left join transfers t on t.key = slices.transfer_key
      where uid = ${uid} and seq = ${seq} and not is_correction order by "from", use`,
  );
  return rows.map(({ use, from, to, sku, quantity, price, points, discount, list, net, bill }) => ({
    billId: bill ?? undefined,
    use: Number(use),
    from: Number(from),
    to: Number(to),
    sku,
    quantityMilli: BigInt(quantity),
    priceId: price === null ? null : BigInt(price),
    basisPoints: Number(points),
    discountId: discount === null ? null : BigInt(discount),
    list: BigInt(list) as Micros,
    net: BigInt(net) as Micros,
  }));
}

/** False if another process has settled one of them meanwhile. */
export async function writeMoves(tx: Sql, moves: readonly Move[]): Promise<boolean> {
  const input = rowsAs('g', moves, {
    uid: ['text', ({ row }) => row.uid],
    seq: ['int', ({ row }) => row.seq],
    before: ['timestamptz', ({ before }) => iso(before)],
    to: ['timestamptz', ({ to }) => iso(to)],
    cost: ['jsonb', ({ cost }) => JSON.stringify(cost.map(({ list, net }) => ({ list: `${list}`, net: `${net}` })))],
  });
  const updated = await rowsOf(
    tx,
    sql`update meters m set settled_to = g."to", cost = g.cost from ${input}
      where m.uid = g.uid and m.seq = g.seq and m.settled_to = g.before returning m.seq`,
  );
  return updated.length === moves.length;
}

export async function writeSlices(tx: Sql, slices: readonly SliceRow[]): Promise<void> {
  const input = rowsAs('g', slices, {
    uid: ['text', ({ row }) => row.uid],
    seq: ['int', ({ row }) => row.seq],
    use: ['smallint', ({ use }) => use],
    from: ['timestamptz', ({ from }) => iso(from)],
    to: ['timestamptz', ({ to }) => iso(to)],
    back: ['boolean', ({ isCorrection }) => isCorrection],
    org: ['text', ({ row }) => row.organizationId],
    sku: ['text', ({ sku }) => sku],
    quantity: ['bigint', ({ quantityMilli }) => quantityMilli],
    price: ['bigint', ({ priceId }) => priceId ?? undefined],
    points: ['int', ({ basisPoints }) => basisPoints],
    discount: ['bigint', ({ discountId }) => discountId ?? undefined],
    list: ['bigint', ({ list }) => list],
    net: ['bigint', ({ net }) => net],
    key: ['text', ({ transferKey }) => transferKey ?? undefined],
  });
  await tx.execute(
    sql`insert into slices (uid, seq, use, "from", "to", is_correction, org_id, sku, quantity_milli, price_id, discount_basis_points, discount_id, list, net, transfer_key)
      select uid, seq, use, "from", "to", back, org, coalesce(sku, ''), quantity, price, points, discount, list, net, key from ${input}`,
  );
}
