// Usage as reported, and what of it is posted. Reports may come twice, late and in any order; each is settled once: slices,
// charges and the settled position of an interval change in one transaction or not at all.
import { type Micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Database, Sql } from '../../../platform/db/open.ts';
import type { Used } from '../ledger/free-money.ts';
import type { Wallets } from '../ledger/wallets.ts';
import type { Tariff } from '../prices/rate.ts';
import { accrued, addGivenBack, addPiece, type Batch, emptyBatch, endOf } from './batch.ts';
import { FirstPrices } from './first-prices.ts';
import { ANOMALIES, type Found, takeIn } from './intake.ts';
import { KnownReports } from './known-reports.ts';
import {
  addUnknown,
  isSomeDue,
  PAGE,
  type Posted,
  type Row,
  readCosts,
  readDue,
  readOpenOutside,
  readOpenUids,
  readPosted,
  readSign,
  readSlices,
  readZones,
  type Which,
  writeAnomalies,
  writeEnds,
  writeMoves,
  writeNews,
  writeSign,
  writeSlices,
} from './meter-rows.ts';
import type { MeteringMetrics } from './metering-metrics.ts';
import type { Seen } from './seen.ts';
import { piecesOf } from './settlement.ts';

export interface MeterParts {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly wallets: Pick<Wallets, 'charge'>;
  readonly tariffs: { of(organizationId: string): Tariff; knownTo?(): number };
  readonly metrics?: MeteringMetrics;
  /** Whether it is in a data centre that is no longer configured, and seen nowhere else: nobody knows how long it goes on. */
  readonly isAbandoned?: (of: Pick<Row, 'uid' | 'region' | 'organizationId'>) => boolean;
}

export interface Settled {
  /** Slices of one use that were written. */
  slices: number;
  /** Intervals that wait, entirely or in part, for a price. */
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

/** Another process has settled it meanwhile: nothing was written. */
class SettledElsewhere extends Error {}

/** So that no transaction grows with the length of an outage. */
const MOST_SLICES = 2_000;
const MOST_TRIES = 3;
/** Some megabytes. What is forgotten is heard again with the object's next change. */
const MOST_NAMES = 50_000;

export class Meter {
  readonly #parts: MeterParts;
  readonly #knownReports = new KnownReports();
  /** By uid. Whatever may yet be charged is reported to every process that starts, so that they need no table. */
  readonly #names = new Map<string, string>();

  constructor(parts: MeterParts) {
    this.#parts = parts;
  }

  /**
   * Records reports, each once; resolves with those that cannot be true yet. One statement handles new objects and reports that
   * another process already had; news about a known object takes a second one.
   */
  async record(reports: readonly Seen[]): Promise<readonly Seen[]> {
    if (reports.length === 0) return [];
    const { db, clock, metrics } = this.#parts;
    const now = clock.now();
    this.#hearNames(reports);
    const news = reports.filter((seen) => !this.#knownReports.has(seen, now));
    const alone = takeIn(news, [], now);
    const { added, known, certain } = await addUnknown(db.sql, alone);
    for (const seen of certain) this.#knownReports.add(seen);
    const uids = new Set(known.map(({ uid }) => uid));
    const { add, close, anomalies, refused } = takeIn(
      uids.size === 0 ? [] : news.filter(({ uid }) => uids.has(uid)),
      known,
      now,
    );
    await writeNews(db.sql, add, close);
    await this.#show([...alone.anomalies.filter(({ seen }) => !uids.has(seen.uid)), ...anomalies]);
    metrics?.recorded(added + add.length, close.length);
    return [...alone.refused.filter(({ uid }) => !uids.has(uid)), ...refused];
  }

  /**
   * Posts what ended by a moment, and for running objects the whole hours and stretches under one price before it. Idempotent,
   * even beside another process that does the same. If one organisation cannot be charged, the others still are.
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
    return (await this.posted([uid])).get(uid)?.seq ?? 0;
  }

  /** By uid; the same, and what it has cost. */
  posted(uids: readonly string[]): Promise<Map<string, Posted>> {
    return readPosted(this.#parts.db.sql, uids);
  }

  /** By uid, what is posted. */
  costs(uids: readonly string[]): Promise<Map<string, Micros>> {
    return readCosts(this.#parts.db.sql, uids);
  }

  currencyOf(organizationId: string): string {
    return this.#parts.tariffs.of(organizationId).currency;
  }

  /** Whether nothing of it is open, and nothing waits. */
  async isAllPosted(uid: string): Promise<boolean> {
    return !(await isSomeDue(this.#parts.db.sql, uid));
  }

  /** Usage since the last posting: computed, never written. */
  accrual(of: { organizationId: string } | { uid: string }, now: number): Promise<Accrual> {
    return this.#accrual('uid' in of ? { uids: [of.uid] } : of, now, this.#parts.db.sql);
  }

  /** The same for these objects, and for all that no hold covers up to this moment: reads nothing else. */
  readonly readUse = async (
    connection: Sql,
    organizationId: string,
    uids: readonly string[],
    now: number,
  ): Promise<readonly Used[]> => (await this.#accrual({ organizationId, orUncovered: uids }, now, connection)).lines;

  async #accrual(which: Which, now: number, connection: Sql): Promise<Accrual> {
    const lines = new Map<string, AccrualLine>();
    const signs = new Map<string, number | undefined>();
    let after: Row | undefined;
    for (;;) {
      const rows = await this.#due(now, which, after, connection);
      const zones = await readZones(connection, rows);
      for (const row of rows) {
        const { list, net, unpriced } = accrued(
          row,
          await this.#knownTo(row, now, signs, connection),
          this.#tariff(row, now),
          zones.get(row.organizationId) ?? 'UTC',
        );
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

  /** Up to when a use is counted: what is open where nobody looks any more, up to when it was last seen there. */
  async #knownTo(row: Row, now: number, signs: Map<string, number | undefined>, connection: Sql): Promise<number> {
    if (row.to !== undefined || !this.#parts.isAbandoned?.(row)) return now;
    const { region } = row;
    if (!signs.has(region)) signs.set(region, await readSign(connection, region));
    return Math.min(now, Math.max(row.settledTo, signs.get(region) ?? 0));
  }

  /** Objects of a region that have an interval open. */
  openUids(region: string): Promise<string[]> {
    return readOpenUids(this.#parts.db.sql, region);
  }

  /** Objects with an interval open in other regions than these, and where each is. */
  openOutside(regions: readonly string[]): Promise<{ uid: string; region: string }[]> {
    return readOpenOutside(this.#parts.db.sql, regions);
  }

  /**
   * Closes the open intervals of an object that will never report its end, at the moment it was last known: never beyond the next
   * interval. With `below`, only intervals with smaller numbers.
   */
  async closeOpen(uid: string, at: number, reason: 'vanished' | 'neverClosed', below?: number): Promise<number> {
    const closed = await writeEnds(this.#parts.db.sql, uid, at, below);
    await this.#show(closed.map((seen) => ({ seen, reason, detail: `closed at ${new Date(at).toISOString()}` })));
    return closed.length;
  }

  /** When all objects of a region were last known to be there. */
  lastSign(region: string): Promise<number | undefined> {
    return readSign(this.#parts.db.sql, region);
  }

  sign(region: string, at: number): Promise<void> {
    return writeSign(this.#parts.db.sql, region, at);
  }

  async #show(anomalies: readonly Found[]): Promise<void> {
    if (anomalies.length === 0) return;
    const { db, clock, log, metrics } = this.#parts;
    const once = new Map(anomalies.map((found) => [`${found.seen.uid}/${found.seen.seq}/${found.reason}`, found]));
    const fresh = await writeAnomalies(db.sql, [...once.values()], clock.now());
    for (const { uid, seq, reason } of fresh) {
      const found = once.get(`${uid}/${seq}/${reason}`);
      metrics?.anomaly(reason);
      log.warn(
        { uid, seq, reason, kind: found?.seen.kind, name: found?.seen.name, reported: found?.detail },
        `a reported interval is not billed as it stands: ${ANOMALIES[reason]}`,
      );
    }
  }

  /** A bill keeps the newest name, for when the object is gone. */
  #hearNames(reports: readonly Seen[]): void {
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    for (const { uid, displayName } of reports) if (displayName) this.#names.set(uid, displayName);
  }

  #due(until: number, which: Which, after: Row | undefined, connection: Sql = this.#parts.db.sql): Promise<Row[]> {
    return readDue(connection, until, which, after, this.#names);
  }

  #tariff({ organizationId, region }: Row, until: number): Tariff {
    const tariff = this.#parts.tariffs.of(organizationId);
    return { ...tariff, region, prices: new FirstPrices(tariff.prices, until) };
  }

  /** All organisations at once; one by one if that fails, so that one of them delays no other. */
  async #settleRows(rows: readonly Row[], until: number, settled: Settled): Promise<void> {
    const byOrganization = Map.groupBy(rows, (row) => row.organizationId);
    try {
      if (byOrganization.size > 1) return await this.#settleOnce(rows, until, settled);
    } catch {
      // Rows posted before the failure are found to be settled.
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
    const zones = await readZones(this.#parts.db.sql, rows);
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

  /** Returns what was settled beyond the end. */
  async #giveBack(batch: Batch, row: Row, end: number, tariff: Tariff, zone: string): Promise<void> {
    const posted = await readSlices(this.#parts.db.sql, row);
    addGivenBack(batch, row, end, posted, tariff, zone);
    this.#parts.log.info(
      { uid: row.uid, seq: row.seq, end: new Date(end).toISOString(), settled: new Date(row.settledTo).toISOString() },
      'an interval ended sooner than it was posted: the rest is given back',
    );
  }

  async #post({ charges, slices, moves }: Batch): Promise<void> {
    const also = async (tx: Sql) => {
      if (!(await writeMoves(tx, [...moves.values()]))) throw new SettledElsewhere('another process has settled it');
      await writeSlices(tx, slices);
    };
    if (charges.length === 0) await this.#parts.db.transaction(also);
    else await this.#parts.wallets.charge(charges, also);
    this.#parts.metrics?.posted(slices.length);
  }

  readonly #logged = new Set<string>();

  #tellUnpriced({ organizationId, region, kind, name }: Row, sku: string): void {
    const { currency } = this.#parts.tariffs.of(organizationId);
    const place = `${sku} ${region} ${currency}`;
    if (this.#logged.has(place)) return;
    this.#logged.add(place);
    this.#parts.log.warn(
      { sku, region, currency, kind, name },
      'use has no price: it is not posted, and waits for one',
    );
  }
}
