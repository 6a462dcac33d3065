// What was used, as it was reported, and what of it is posted. Reports may come twice, late and in any order; whatever is
// settled is settled once: slices, charges and how far an interval is settled change in one transaction or not at all.
import type { SourceType, Use } from '@gantry/contract/billing/resources.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { type Micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Database, Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { billingProfiles } from '../../db/schema/payments.ts';
import { anyOf, rowsAs } from '../ledger/columns.ts';
import type { Used } from '../ledger/free-money.ts';
import type { Charge, Wallets } from '../ledger/wallets.ts';
import type { Cumulative, Tariff } from '../prices/rate.ts';
import { FirstPrices } from './first-prices.ts';
import { ANOMALIES, type Found, type Intake, type Known, takeIn } from './intake.ts';
import type { MeteringMetrics } from './metering-metrics.ts';
import { Repeats } from './repeats.ts';
import type { Seen } from './seen.ts';
import { givenBack, type Metered, type Piece, piecesOf, type Slice } from './settlement.ts';

export interface MeterParts {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly wallets: Pick<Wallets, 'charge'>;
  readonly tariffs: { of(organizationId: string): Tariff; knownTo?(): number };
  readonly metrics?: MeteringMetrics;
}

/** Which intervals; all where nothing is said. */
export interface Which {
  readonly uids?: readonly string[] | undefined;
  readonly organizationId?: string | undefined;
  /** All but these, of objects. */
  readonly except?: readonly string[] | undefined;
  /** Of objects, these, and all that no hold covers to the moment. */
  readonly orUncovered?: readonly string[] | undefined;
}

export interface Settled {
  /** Slices of one use that were written. */
  slices: number;
  /** Intervals of which some, or all, waits for a price. */
  waiting: number;
  /** Intervals that could not be settled for now; the log says why. */
  failed: number;
}

export interface AccrualLine {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly list: Micros;
  readonly net: Micros;
  /** SKUs without a price, for which this waits. */
  readonly unpriced: readonly string[];
}

export interface Accrual {
  readonly list: Micros;
  readonly net: Micros;
  readonly lines: readonly AccrualLine[];
}

/** A row of `meters` as settlement needs it. */
interface Row extends Metered {
  readonly uid: string;
  readonly seq: number;
  readonly organizationId: string;
  readonly region: string;
  readonly kind: string;
  readonly name: string;
  /** As it was last heard. */
  readonly displayName: string | undefined;
  readonly accountId: string | null;
  readonly to: number | undefined;
  /** Where the next interval of the object begins: use ends there at the latest. */
  readonly nextFrom: number | undefined;
}

/** What one transaction posts. */
interface Batch {
  readonly charges: Charge[];
  readonly slices: (Slice & { row: Row; isCorrection: boolean; transferKey: string | null })[];
  /** By row: where it was settled before, and is then. */
  readonly moves: Map<string, { row: Row; before: number; to: number; cost: readonly Cumulative[] }>;
  /** By row: where batches before this one have settled it. */
  readonly settled: Map<string, number>;
}

/** Somebody else has settled it meanwhile: nothing was written. */
class SettledElsewhere extends Error {}

const PAGE = 500;
/** So that no transaction grows with the length of an outage. */
const MOST_SLICES = 2_000;
const MOST_TRIES = 3;
/** Some megabytes. What is forgotten is heard again with the object's next change. */
const MOST_NAMES = 50_000;

const SOURCES: ReadonlyMap<string, SourceType> = new Map(
  (Object.values(KINDS) as readonly KindFacts[]).flatMap(({ kind, cost }) => (cost ? [[kind, cost.source]] : [])),
);

export class Meter {
  readonly #parts: MeterParts;
  readonly #repeats = new Repeats();
  /** By uid. Whatever may yet be charged is reported to every process that starts, so that they need no table. */
  readonly #names = new Map<string, string>();

  constructor(parts: MeterParts) {
    this.#parts = parts;
  }

  /**
   * Takes reports in, once each; resolves with those that can not be true yet. One statement for objects that are new and for
   * what another process was told before; what is news of a known object is written in another.
   */
  async record(reports: readonly Seen[]): Promise<readonly Seen[]> {
    if (reports.length === 0) return [];
    const { db, clock, metrics } = this.#parts;
    const now = clock.now();
    this.#hearNames(reports);
    const news = reports.filter((seen) => !this.#repeats.has(seen, now));
    const alone = takeIn(news, [], now);
    const { added, known, certain } = await addUnknown(db.sql, alone);
    for (const seen of certain) this.#repeats.add(seen);
    const uids = new Set(known.map(({ uid }) => uid));
    const { add, close, anomalies, refused } = takeIn(
      uids.size === 0 ? [] : news.filter(({ uid }) => uids.has(uid)),
      known,
      now,
    );
    await write(db.sql, add, close);
    await this.#show([...alone.anomalies.filter(({ seen }) => !uids.has(seen.uid)), ...anomalies]);
    metrics?.recorded(added + add.length, close.length);
    return [...alone.refused.filter(({ uid }) => !uids.has(uid)), ...refused];
  }

  /**
   * Posts what ended by a moment, and of what runs the whole hours and stretches under one price before it. Idempotent, also
   * beside another process that does the same. What one organisation can not be charged holds up no other.
   */
  async settle(until: number, which: Which = {}): Promise<Settled> {
    const known = this.#parts.tariffs.knownTo?.() ?? Number.POSITIVE_INFINITY;
    const end = Math.min(until, known);
    const settled: Settled = { slices: 0, waiting: 0, failed: 0 };
    let after: Row | undefined;
    for (;;) {
      const rows = await this.#due(end, which, after);
      await this.#settleRows(rows, end, settled);
      after = rows.at(-1);
      if (rows.length < PAGE) break;
    }
    if (which.uids === undefined && which.organizationId === undefined) this.#parts.metrics?.waits(settled.waiting);
    return settled;
  }

  /** The highest sequence number up to which every closed interval is settled. An open one never counts as posted. */
  async postedSeqOf(uid: string): Promise<number> {
    return (await this.postedSeqs([uid])).get(uid) ?? 0;
  }

  async postedSeqs(uids: readonly string[]): Promise<Map<string, number>> {
    const rows = await rowsOf<{ uid: string; posted: number | string }>(
      this.#parts.db.sql,
      sql`select uid, coalesce(min(seq) filter (where "to" is null or settled_to <> "to") - 1, max(seq)) as posted
        from meters where uid in (select json_array_elements_text(${JSON.stringify(uids)}::json)) group by uid`,
    );
    return new Map(rows.map(({ uid, posted }) => [uid, Number(posted)]));
  }

  /** Whether nothing of it is open, and nothing waits. */
  async isAllPosted(uid: string): Promise<boolean> {
    const due = await rowsOf(
      this.#parts.db.sql,
      sql`select 1 from meters where uid = ${uid} and ("to" is null or settled_to <> "to") limit 1`,
    );
    return due.length === 0;
  }

  /** What was used since it was last posted: computed, never written. */
  accrual(of: { organizationId: string } | { uid: string }, now: number): Promise<Accrual> {
    return this.#accrual('uid' in of ? { uids: [of.uid] } : of, now, this.#parts.db.sql);
  }

  /** The same of these objects, and of all that no hold covers to this moment: reads nothing of what does not count. */
  readonly readUse = async (
    connection: Sql,
    organizationId: string,
    uids: readonly string[],
    now: number,
  ): Promise<readonly Used[]> => (await this.#accrual({ organizationId, orUncovered: uids }, now, connection)).lines;

  async #accrual(which: Which, now: number, connection: Sql): Promise<Accrual> {
    const lines = new Map<string, AccrualLine>();
    let after: Row | undefined;
    for (;;) {
      const rows = await this.#due(now, which, after, connection);
      const zones = await this.#zones(rows, connection);
      for (const row of rows) {
        const { list, net, unpriced } = accrued(row, now, this.#tariff(row, now), zones);
        const line = lines.get(row.uid);
        lines.set(row.uid, {
          uid: row.uid,
          kind: row.kind,
          name: row.name,
          accountId: row.accountId,
          list: sumOf([line?.list ?? ZERO, list]),
          net: sumOf([line?.net ?? ZERO, net]),
          unpriced: [...new Set([...(line?.unpriced ?? []), ...unpriced])],
        });
      }
      after = rows.at(-1);
      if (rows.length < PAGE) break;
    }
    const all = [...lines.values()];
    return { list: sumOf(all.map(({ list }) => list)), net: sumOf(all.map(({ net }) => net)), lines: all };
  }

  /** Objects of a region that have an interval open. */
  async openUids(region: string): Promise<string[]> {
    const rows = await rowsOf<{ uid: string }>(
      this.#parts.db.sql,
      sql`select distinct uid from meters where "to" is null and region = ${region}`,
    );
    return rows.map(({ uid }) => uid);
  }

  /**
   * Closes what is open of an object that will never tell its end, at the moment it was last known: never beyond the next
   * interval. With `below`, only intervals of smaller numbers.
   */
  async closeOpen(uid: string, at: number, reason: 'vanished' | 'neverClosed', below?: number): Promise<number> {
    const closed = await rowsOf<SeenRow>(
      this.#parts.db.sql,
      sql`update meters m set "to" = greatest(m."from", least(${instant(at)},
          coalesce((select min(n."from") from meters n where n.uid = m.uid and n.seq > m.seq), 'infinity')))
        where m.uid = ${uid} and m."to" is null ${below === undefined ? sql`` : sql`and m.seq < ${below}`}
        returning ${SEEN_COLUMNS}`,
    );
    await this.#show(
      closed.map((row) => ({ seen: seenFrom(row), reason, detail: `closed at ${new Date(at).toISOString()}` })),
    );
    return closed.length;
  }

  /** When all objects of a region were last known to be there. */
  async lastSign(region: string): Promise<number | undefined> {
    const [row] = await rowsOf<{ at: string }>(
      this.#parts.db.sql,
      sql`select ${msOf(sql`seen_at`)} as at from meter_signs where region = ${region}`,
    );
    return row && Number(row.at);
  }

  async sign(region: string, at: number): Promise<void> {
    await this.#parts.db.sql.execute(
      sql`insert into meter_signs (region, seen_at) values (${region}, ${instant(at)})
        on conflict (region) do update set seen_at = greatest(meter_signs.seen_at, excluded.seen_at)`,
    );
  }

  async #show(anomalies: readonly Found[]): Promise<void> {
    if (anomalies.length === 0) return;
    const { db, clock, log, metrics } = this.#parts;
    const once = new Map(anomalies.map((found) => [`${found.seen.uid}/${found.seen.seq}/${found.reason}`, found]));
    const given = [...once.values()].map(({ seen, reason, detail }) => ({
      uid: seen.uid,
      seq: seen.seq,
      reason,
      org: seen.organizationId,
      kind: seen.kind,
      name: seen.name,
      detail,
    }));
    const fresh = await rowsOf<{ uid: string; seq: number; reason: keyof typeof ANOMALIES }>(
      db.sql,
      sql`insert into meter_anomalies (uid, seq, reason, org_id, kind, name, detail, at)
        select uid, seq, reason, org, kind, name, detail, ${instant(clock.now())}
        from json_to_recordset(${JSON.stringify(given)}::json) as g(uid text, seq int, reason text, org text, kind text, name text, detail text)
        on conflict do nothing returning uid, seq, reason`,
    );
    for (const { uid, seq, reason } of fresh) {
      const found = once.get(`${uid}/${seq}/${reason}`);
      metrics?.anomaly(reason);
      log.warn(
        { uid, seq, reason, kind: found?.seen.kind, name: found?.seen.name, reported: found?.detail },
        `a reported interval is not billed as it stands: ${ANOMALIES[reason]}`,
      );
    }
  }

  /** A bill keeps the newest: it is what is left of the name once the object is gone. */
  #hearNames(reports: readonly Seen[]): void {
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    for (const { uid, displayName } of reports) if (displayName) this.#names.set(uid, displayName);
  }

  async #due(
    until: number,
    { uids, organizationId, except = [], orUncovered }: Which,
    after: Row | undefined,
    connection: Sql = this.#parts.db.sql,
  ): Promise<Row[]> {
    const rows = await rowsOf<DueRow>(
      connection,
      sql`select m.uid, m.seq, m.org_id as org, m.region, m.kind, m.name, m.account_id as account, m.uses, m.cost,
          ${msOf(sql`m."from"`)} as from, ${msOf(sql`m."to"`)} as to, ${msOf(sql`m.settled_to`)} as settled,
          ${msOf(sql`(select min(n."from") from meters n where n.uid = m.uid and n.seq > m.seq and m."to" is null)`)} as next
        from meters m
        where (m."to" is null or m.settled_to <> m."to")
          and (m.settled_to < ${instant(until)} or m."to" < m.settled_to)
          ${uids === undefined ? sql`` : sql`and m.uid in (select json_array_elements_text(${JSON.stringify(uids)}::json))`}
          ${except.length === 0 ? sql`` : sql`and m.uid not in (select json_array_elements_text(${JSON.stringify(except)}::json))`}
          ${organizationId === undefined ? sql`` : sql`and m.org_id = ${organizationId}`}
          ${orUncovered === undefined ? sql`` : sql`and (m.uid = ${anyOf(orUncovered)} or not exists (select 1 from holds h where h.subject = m.uid and h.until > ${instant(until)}))`}
          ${after === undefined ? sql`` : sql`and (m.org_id, m.uid, m.seq) > (${after.organizationId}, ${after.uid}, ${after.seq})`}
        order by m.org_id, m.uid, m.seq limit ${PAGE}`,
    );
    return rows.map((row) => rowFrom(row, this.#names.get(row.uid)));
  }

  async #zones(rows: readonly Row[], connection: Sql = this.#parts.db.sql): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(rows.map(({ organizationId }) => organizationId))];
    if (ids.length === 0) return new Map();
    const found = await connection
      .select({ id: billingProfiles.organizationId, zone: billingProfiles.zone })
      .from(billingProfiles)
      .where(inArray(billingProfiles.organizationId, ids));
    return new Map(found.map(({ id, zone }) => [id, zone]));
  }

  /** Of where the object is. */
  #tariff({ organizationId, region }: Row, until: number): Tariff {
    const tariff = this.#parts.tariffs.of(organizationId);
    return { ...tariff, region, prices: new FirstPrices(tariff.prices, until) };
  }

  /** All organisations' at once; one by one where that fails, so that one of them holds up no other. */
  async #settleRows(rows: readonly Row[], until: number, settled: Settled): Promise<void> {
    const byOrganization = Map.groupBy(rows, (row) => row.organizationId);
    try {
      if (byOrganization.size > 1) return await this.#settleOnce(rows, until, settled);
    } catch {
      // What was posted before it failed is found as settled.
    }
    for (const [organizationId, those] of byOrganization) {
      const uids = [...new Set(those.map(({ uid }) => uid))];
      const again = () => this.#due(until, { uids, organizationId }, undefined);
      await this.#settleOf(organizationId, byOrganization.size > 1 ? await again() : those, again, until, settled);
    }
  }

  async #settleOf(
    organizationId: string,
    rows: readonly Row[],
    again: () => Promise<Row[]>,
    until: number,
    settled: Settled,
  ): Promise<void> {
    let left = rows;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#settleOnce(left, until, settled);
      } catch (error) {
        if (error instanceof SettledElsewhere && tries < MOST_TRIES) {
          left = await again();
          continue;
        }
        settled.failed += left.length;
        this.#parts.metrics?.failed();
        this.#parts.log.warn(
          { err: error, organization: organizationId },
          'usage could not be posted; it is tried again',
        );
        return;
      }
    }
  }

  async #settleOnce(rows: readonly Row[], until: number, settled: Settled): Promise<void> {
    const zones = await this.#zones(rows);
    let waiting = 0;
    let batch = emptyBatch();
    const flush = async () => {
      if (batch.moves.size > 0) await this.#post(batch);
      settled.slices += batch.slices.length;
      for (const [key, { to }] of batch.moves) batch.settled.set(key, to);
      batch = emptyBatch(batch.settled);
    };
    for (const row of rows) {
      const zone = zones.get(row.organizationId) ?? 'UTC';
      const tariff = this.#tariff(row, until);
      if (row.to !== undefined && row.to < row.settledTo) {
        await this.#giveBack(batch, row, row.to, tariff, zone);
        continue;
      }
      const pieces = piecesOf(
        row,
        { until: endOf(row, until), isCut: row.to !== undefined && row.to <= until },
        tariff,
        zone,
      );
      for (let next = pieces.next(); ; next = pieces.next()) {
        if (next.done) {
          if (next.value !== undefined) {
            waiting++;
            this.#tellUnpriced(row, next.value);
          }
          break;
        }
        addPiece(batch, row, next.value);
        if (batch.slices.length >= MOST_SLICES) await flush();
      }
    }
    await flush();
    settled.waiting += waiting;
  }

  /** What was settled beyond the end. */
  async #giveBack(batch: Batch, row: Row, end: number, tariff: Tariff, zone: string): Promise<void> {
    const really: Piece[] = [
      ...piecesOf({ ...row, settledTo: row.from, cost: [] }, { until: end, isCut: true }, tariff, zone),
    ];
    const cost = row.uses.map((_use, use) => {
      const own = really.flatMap(({ slices }) => slices.filter((slice) => slice.use === use));
      return { list: sumOf(own.map(({ list }) => list)), net: sumOf(own.map(({ net }) => net)) };
    });
    const posted = await slicesOf(this.#parts.db.sql, row);
    for (const [from, slices] of Map.groupBy(givenBack(end, cost, posted), (slice) => slice.from)) {
      // On the bill that it was posted on, whatever bills are called by now.
      const billId = slices.find((slice) => slice.billId !== undefined)?.billId;
      addSlices(batch, row, slices, { key: `use/${row.uid}/${row.seq}/${from}/back`, isCorrection: true, billId });
    }
    move(batch, row, end, really.at(-1)?.cost ?? []);
    this.#parts.log.info(
      { uid: row.uid, seq: row.seq, end: new Date(end).toISOString(), settled: new Date(row.settledTo).toISOString() },
      'an interval ended sooner than it was posted: the rest is given back',
    );
  }

  async #post({ charges, slices, moves }: Batch): Promise<void> {
    const also = async (tx: Sql) => {
      const moved = [...moves.values()].map(({ row, before, to, cost }) => ({
        uid: row.uid,
        seq: row.seq,
        before: iso(before),
        to: iso(to),
        cost: cost.map(({ list, net }) => ({ list: `${list}`, net: `${net}` })),
      }));
      const updated = await rowsOf(
        tx,
        sql`update meters m set settled_to = g."to", cost = g.cost
          from json_to_recordset(${JSON.stringify(moved)}::json) as g(uid text, seq int, before timestamptz, "to" timestamptz, cost jsonb)
          where m.uid = g.uid and m.seq = g.seq and m.settled_to = g.before returning m.seq`,
      );
      if (updated.length !== moved.length) throw new SettledElsewhere('another process has settled it');
      await insertSlices(tx, slices);
    };
    if (charges.length === 0) await this.#parts.db.transaction(also);
    else await this.#parts.wallets.charge(charges, also);
    this.#parts.metrics?.posted(slices.length);
  }

  readonly #told = new Set<string>();

  #tellUnpriced({ organizationId, region, kind, name }: Row, sku: string): void {
    const { currency } = this.#parts.tariffs.of(organizationId);
    const place = `${sku} ${region} ${currency}`;
    if (this.#told.has(place)) return;
    this.#told.add(place);
    this.#parts.log.warn(
      { sku, region, currency, kind, name },
      'use has no price: it is not posted, and waits for one',
    );
  }
}

const emptyBatch = (settled = new Map<string, number>()): Batch => ({
  charges: [],
  slices: [],
  moves: new Map(),
  settled,
});

/** Use ends with the interval, and with the beginning of the next one at the latest. */
const endOf = ({ to, nextFrom, from }: Row, until: number): number =>
  Math.min(until, to ?? Number.POSITIVE_INFINITY, Math.max(from, nextFrom ?? Number.POSITIVE_INFINITY));

const keyOf = ({ uid, seq }: Row): string => `${uid}/${seq}`;

function addPiece(batch: Batch, row: Row, piece: Piece): void {
  addSlices(batch, row, piece.slices, { key: `use/${row.uid}/${row.seq}/${piece.from}`, isCorrection: false });
  move(batch, row, piece.to, piece.cost);
}

function move(batch: Batch, row: Row, to: number, cost: readonly Cumulative[]): void {
  const key = keyOf(row);
  const before = batch.moves.get(key)?.before ?? batch.settled.get(key) ?? row.settledTo;
  batch.moves.set(key, { row, before, to, cost });
}

interface Posting {
  readonly key: string;
  readonly isCorrection: boolean;
  /** Of what was posted before. */
  readonly billId?: string | undefined;
}

function addSlices(batch: Batch, row: Row, slices: readonly Slice[], { key, isCorrection, billId }: Posting): void {
  const list = sumOf(slices.map((slice) => slice.list));
  const net = sumOf(slices.map((slice) => slice.net));
  const isFree = list === 0n && net === 0n;
  for (const slice of slices) batch.slices.push({ ...slice, row, isCorrection, transferKey: isFree ? null : key });
  const from = slices[0]?.from;
  if (isFree || from === undefined) return;
  batch.charges.push({
    key,
    organizationId: row.organizationId,
    list,
    net,
    // A slice lies within one day and one month, which its end need not.
    at: new Date(from),
    bill: {
      id: billId ?? `use/${row.uid}/${iso(from).slice(0, 10)}${row.accountId === null ? '' : `/${row.accountId}`}`,
      type: 'consumption',
      source: row.source,
      accountId: row.accountId ?? undefined,
      reference: `${row.kind}/${row.name}`,
      detail: row.displayName,
    },
    subject: row.uid,
  });
}

function accrued(
  row: Row,
  now: number,
  tariff: Tariff,
  zones: ReadonlyMap<string, string>,
): { list: Micros; net: Micros; unpriced: string[] } {
  const end = endOf(row, now);
  const pieces: Piece[] = [];
  const unpriced: string[] = [];
  const all = piecesOf(row, { until: end, isCut: true }, tariff, zones.get(row.organizationId) ?? 'UTC');
  for (let next = all.next(); ; next = all.next()) {
    if (!next.done) pieces.push(next.value);
    else {
      if (next.value !== undefined) unpriced.push(next.value);
      break;
    }
  }
  return { list: sumOf(pieces.map(({ list }) => list)), net: sumOf(pieces.map(({ net }) => net)), unpriced };
}

const iso = (at: number): string => new Date(at).toISOString();
const instant = (at: number): SQL => sql`${iso(at)}::timestamptz`;
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

const INSERT = sql`insert into meters as m (uid, seq, org_id, region, kind, name, account_id, subject_uid, uses, "from", "to", settled_to, cost)
  select uid, seq, org, region, kind, name, account, coalesce(subject, ''), uses, "from", "to", "from", '[]'::jsonb from`;
/** The first end that anybody writes stands. */
const ON_CONFLICT = sql`on conflict (uid, seq) do update set "to" = excluded."to" where m."to" is null and excluded."to" >= m."from"`;

/**
 * Given what reports come to if nothing is known of any object: adds those of objects of which this is so, and passes over what
 * the books say word for word, where nothing about the object was odd. Of other objects, resolves with what is known: of
 * intervals from the first that was reported, and the one before. What it resolves with as certain stands in the books as it is.
 */
async function addUnknown(
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
    // Where another process was quicker with one of them, nobody knows yet what it wrote.
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

/** What is news of objects that are known. */
async function write(
  connection: Sql,
  added: readonly Seen[],
  closed: readonly { uid: string; seq: number; to: number }[],
): Promise<void> {
  if (added.length > 0) await connection.execute(sql`${INSERT} ${rowsOfSeen(added)} ${ON_CONFLICT}`);
  if (closed.length > 0) {
    const given = rowsAs('g', closed, {
      uid: ['text', ({ uid }) => uid],
      seq: ['int', ({ seq }) => seq],
      to: ['timestamptz', ({ to }) => iso(to)],
    });
    await connection.execute(
      sql`update meters m set "to" = g."to" from ${given} where m.uid = g.uid and m.seq = g.seq and m."to" is null`,
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
  const given = rowsAs('t', rows, {
    uid: ['text', ({ uid }) => uid],
    seq: ['int', ({ seq }) => seq],
    org: ['text', ({ organizationId }) => organizationId],
    region: ['text', ({ region }) => region],
    kind: ['text', ({ kind }) => kind],
    name: ['text', ({ name }) => name],
    account: ['text', ({ accountId }) => accountId],
    subject: ['text', ({ subjectUid }) => subjectUid],
    from: ['timestamptz', ({ from }) => iso(from)],
    to: ['timestamptz', ({ to }) => (to === undefined ? undefined : iso(to))],
    place: ['int', placeOf],
  });
  const uses = rowsAs('u', [...places], {
    uses: ['jsonb', ([text]) => text],
    place: ['int', ([, place]) => place],
  });
  return sql`(select t.*, (select array_agg(u.uses order by u.place) from ${uses})[t.place] as uses from ${given} offset 0) as g`;
}

interface DueRow {
  uid: string;
  seq: number;
  org: string;
  region: string;
  kind: string;
  name: string;
  account: string | null;
  uses: Use[];
  cost: { list: string; net: string }[];
  from: string;
  to: string | null;
  settled: string;
  next: string | null;
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

interface SeenRow {
  uid: string;
  seq: number;
  org: string;
  region: string;
  kind: string;
  name: string;
  subject: string;
  uses: Use[];
  from: string;
}

const SEEN_COLUMNS = sql`m.uid, m.seq, m.org_id as org, m.region, m.kind, m.name, m.subject_uid as subject, m.uses, ${msOf(sql`m."from"`)} as from`;

const seenFrom = ({ org, subject, from, seq, ...row }: SeenRow): Seen => ({
  ...row,
  seq: Number(seq),
  organizationId: org,
  subjectUid: subject,
  from: Number(from),
});

/** Those that were billed; what was given back is none of them. */
async function slicesOf(connection: Sql, { uid, seq }: Row): Promise<(Slice & { billId: string | undefined })[]> {
  const rows = await rowsOf<
    Record<'use' | 'from' | 'to' | 'quantity' | 'points' | 'list' | 'net', string> & {
      sku: string;
      price: string | null;
      bill: string | null;
    }
  >(
    connection,
    sql`select use, ${msOf(sql`"from"`)} as from, ${msOf(sql`"to"`)} as to, sku, quantity_milli::text as quantity,
        price_id::text as price, discount_basis_points as points, list::text, net::text, t.bill_id as bill
      from slices left join transfers t on t.key = slices.transfer_key
      where uid = ${uid} and seq = ${seq} and not is_correction order by "from", use`,
  );
  return rows.map(({ use, from, to, sku, quantity, price, points, list, net, bill }) => ({
    billId: bill ?? undefined,
    use: Number(use),
    from: Number(from),
    to: Number(to),
    sku,
    quantityMilli: BigInt(quantity),
    priceId: price === null ? null : BigInt(price),
    basisPoints: Number(points),
    list: BigInt(list) as Micros,
    net: BigInt(net) as Micros,
  }));
}

async function insertSlices(tx: Sql, slices: Batch['slices']): Promise<void> {
  const given = slices.map(({ row, ...slice }) => ({
    uid: row.uid,
    seq: row.seq,
    use: slice.use,
    from: iso(slice.from),
    to: iso(slice.to),
    back: slice.isCorrection,
    org: row.organizationId,
    sku: slice.sku,
    quantity: `${slice.quantityMilli}`,
    price: slice.priceId === null ? null : `${slice.priceId}`,
    points: slice.basisPoints,
    list: `${slice.list}`,
    net: `${slice.net}`,
    key: slice.transferKey,
  }));
  await tx.execute(
    sql`insert into slices (uid, seq, use, "from", "to", is_correction, org_id, sku, quantity_milli, price_id, discount_basis_points, list, net, transfer_key)
      select uid, seq, use, "from", "to", back, org, sku, quantity, price, points, list, net, key
      from json_to_recordset(${JSON.stringify(given)}::json) as g(uid text, seq int, use smallint, "from" timestamptz, "to" timestamptz, back boolean,
        org text, sku text, quantity bigint, price bigint, points int, list bigint, net bigint, key text)`,
  );
}
