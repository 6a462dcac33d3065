// Keeps sampled requests and answers: what tells who somebody is goes, the rest becomes JSON Lines in the store. Nobody waits for
// it: what finds no room in memory, in the quota or in a record is left out, and counted.
import { Problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, desc, eq, getTableColumns, isNull, lt, or } from 'drizzle-orm';
import { demandRoom, lockOrganization } from '../../../core/files/quota.ts';
import { aside, taskIn } from '../../../platform/aside/aside.ts';
import type { Database } from '../../../platform/db/open.ts';
import { collectedFiles } from '../../../platform/db/schema/collected.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { type ObjectStore, StoreAway } from '../../../platform/object-store/object-store.ts';
import { type CollectedRow, collectedKey } from './collected.ts';
import type { redactedText } from './redact.ts';

/** The owner and the deployment of collected requests. */
export interface Collecting {
  readonly organizationId: string;
  readonly deployment: string;
  readonly dataset: string;
}

export interface CollectorParts {
  db: Database;
  clock: Clock;
  store: Pick<ObjectStore, 'put' | 'remove'> | undefined;
  quotaGi(organizationId: string): number | undefined;
  log: { warn(facts: object, text: string): void };
  random?: () => number;
  /** Tests cannot wait as long, nor fill as much. */
  limits?: Partial<typeof LIMITS>;
}

const MIB = 1024 * 1024;
const MOST_RECORD_BYTES = 64 * 1024;
const LIMITS = {
  /** The most bytes of everything that waits, in one gateway. */
  waitingBytes: 16 * MIB,
  /** The most bytes of one deployment. */
  batchBytes: 4 * MIB,
  /** A file is written when it is so large, or so old. */
  fileBytes: MIB,
  fileMs: 60_000,
  /** The most bytes of one deployment; then the oldest files go. */
  keptBytes: 256 * MIB,
  keptFiles: 1000,
};
const LOOK_MS = 5_000;
/** A gateway that stops has other things to end, and is killed after a minute. */
const STOP_MS = 10_000;
const HOUR_MS = 3_600_000;
/** A row that no gateway has brought into the store for so long is one of a gateway that died. */
const GIVEN_UP_MS = 24 * HOUR_MS;
/** Collected records of a deleted organisation stay for so long. */
const GONE_MS = 30 * 24 * HOUR_MS;
const MOST_SWEPT = 500;
const REDACTED_TEXT = taskIn<typeof redactedText>(new URL('redact.ts', import.meta.url), 'redactedText');

interface Batch extends Collecting {
  /** The id of its file: a second try replaces the first. */
  id: string;
  records: { text: string; at: number; isRedacted: boolean }[];
  bytes: number;
  leftOut: number;
  since: number;
}

export class Collector {
  readonly #parts: CollectorParts;
  readonly #limits: typeof LIMITS;
  readonly #batches = new Map<string, Batch>();
  #bytes = 0;
  readonly #ender = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
  }

  /** Whether the next request is among so many of a hundred. Never where there is no store. */
  draws(percent: number): boolean {
    return this.#parts.store !== undefined && (this.#parts.random ?? Math.random)() * 100 < percent;
  }

  /** Returns at once; the record is asked for once whoever calls has gone on. Undefined: it is too long. */
  offer(of: Collecting, record: () => object | undefined): void {
    setImmediate(() => this.#take(of, record));
  }

  start(): void {
    const { clock, log } = this.#parts;
    const { signal } = this.#ender;
    const run = async () => {
      let sweepsAt = clock.monotonic();
      while (!signal.aborted) {
        await pause(clock, LOOK_MS, signal);
        if (signal.aborted) return;
        await this.flush().catch((error: unknown) =>
          log.warn({ err: error }, 'collected requests were not written; it is tried again'),
        );
        if (clock.monotonic() < sweepsAt) continue;
        sweepsAt = clock.monotonic() + HOUR_MS;
        await this.sweep().catch((error: unknown) =>
          log.warn({ err: error }, 'collected requests that nobody can reach were not removed'),
        );
      }
    };
    this.#running = run();
  }

  /** Writes what is left, if that can be soon. */
  async stop(): Promise<void> {
    const { clock, log } = this.#parts;
    this.#ender.abort();
    const written = this.#running
      .then(() => this.flush(0))
      .catch((error: unknown) => log.warn({ err: error, bytes: this.#bytes }, 'collected requests were lost'));
    const over = new AbortController();
    await Promise.race([written, pause(clock, STOP_MS, over.signal)]);
    over.abort();
  }

  /** Files that are due. Those that cannot be written wait; if the store is away, so do all. */
  async flush(dueMs = this.#limits.fileMs): Promise<void> {
    let failure: unknown;
    for (const [key, batch] of [...this.#batches]) {
      const isDue = batch.bytes >= this.#limits.fileBytes || batch.since + dueMs <= this.#parts.clock.now();
      if (!isDue || batch.records.length === 0) continue;
      this.#batches.delete(key);
      try {
        await this.#write(batch);
        this.#bytes -= batch.bytes;
      } catch (error) {
        this.#giveBack(key, batch);
        failure = error;
        if (error instanceof StoreAway) break;
      }
    }
    if (failure !== undefined) throw failure;
  }

  /**
   * Removes files that a gateway began before it died, and those of an organisation that is deleted, or from a life before its present one.
   */
  async sweep(): Promise<void> {
    const { db, clock, store } = this.#parts;
    if (!store) return;
    const ago = (ms: number) => new Date(clock.now() - ms);
    const isLost = and(isNull(collectedFiles.storedAt), lt(collectedFiles.lastAt, ago(GIVEN_UP_MS)));
    const isGone = or(
      lt(organizations.deletedAt, ago(GONE_MS)),
      and(lt(collectedFiles.lastAt, organizations.createdAt), lt(organizations.createdAt, ago(GONE_MS))),
    );
    const files = await db.sql
      .select(getTableColumns(collectedFiles))
      .from(collectedFiles)
      .innerJoin(organizations, eq(organizations.id, collectedFiles.organizationId))
      .where(or(isLost, isGone))
      .limit(MOST_SWEPT);
    for (const file of files) {
      if (this.#ender.signal.aborted) return;
      await this.#remove(store, file);
    }
  }

  #take(of: Collecting, record: () => object | undefined): void {
    const { clock } = this.#parts;
    const key = keyOf(of);
    const batch = this.#batches.get(key) ?? newBatch(of, clock.now());
    this.#batches.set(key, batch);
    const text = textOf(record);
    const size = text === undefined ? 0 : Buffer.byteLength(text);
    const { waitingBytes, batchBytes } = this.#limits;
    const hasRoom = this.#bytes + size <= waitingBytes && batch.bytes + size <= batchBytes;
    if (text === undefined || size > MOST_RECORD_BYTES || !hasRoom) {
      batch.leftOut++;
      return;
    }
    if (batch.records.length === 0) batch.since = clock.now();
    batch.records.push({ text, at: clock.now(), isRedacted: false });
    batch.bytes += size;
    this.#bytes += size;
  }

  /** Newer ones may have come meanwhile. */
  #giveBack(key: string, batch: Batch): void {
    const newer = this.#batches.get(key);
    this.#batches.set(key, {
      ...batch,
      records: [...batch.records, ...(newer?.records ?? [])],
      bytes: batch.bytes + (newer?.bytes ?? 0),
      leftOut: batch.leftOut + (newer?.leftOut ?? 0),
    });
  }

  async #write({ id, organizationId, deployment, dataset, records, leftOut }: Batch): Promise<void> {
    const { db, clock, store, quotaGi, log } = this.#parts;
    if (!store) return;
    for (const record of records) {
      if (record.isRedacted) continue;
      record.text = await aside.run(REDACTED_TEXT, [record.text], { lane: organizationId });
      record.isRedacted = true;
    }
    const body = Buffer.from(records.map(({ text }) => `${text}\n`).join(''));
    const of = { organizationId, deployment, dataset };
    const [first = clock.now(), last = first] = [records[0]?.at, records.at(-1)?.at];
    const row = eq(collectedFiles.id, id);
    try {
      await db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId);
        await tx.delete(collectedFiles).where(row);
        await demandRoom(tx, organizationId, body.length, quotaGi(organizationId));
        await tx.insert(collectedFiles).values({
          ...{ id, ...of, leftOut, records: records.length, sizeBytes: body.length },
          ...{ firstAt: new Date(first), lastAt: new Date(last) },
        });
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.warn({ err: error, ...of, records: records.length }, 'collected requests were left out: there is no room');
      const none = { ...newBatch(of, clock.now()), leftOut: leftOut + records.length };
      this.#giveBack(keyOf(of), none);
      return;
    }
    await store.put(collectedKey({ id, ...of }), body);
    const storedAt = new Date(clock.now());
    const [still] = await db.sql.update(collectedFiles).set({ storedAt }).where(row).returning();
    if (!still) {
      // All that the deployment had was deleted meanwhile, and this with it.
      await store.remove(collectedKey({ id, ...of }));
      return;
    }
    // It is written: what is left to do is done after the next one.
    await this.#tidy(store, of).catch((error: unknown) =>
      log.warn({ err: error, ...of }, 'old collected requests were not removed'),
    );
  }

  /** The oldest beyond the limits. */
  async #tidy(store: Pick<ObjectStore, 'remove'>, { organizationId, deployment }: Collecting): Promise<void> {
    const all = await this.#parts.db.sql
      .select()
      .from(collectedFiles)
      .where(and(eq(collectedFiles.organizationId, organizationId), eq(collectedFiles.deployment, deployment)))
      .orderBy(desc(collectedFiles.lastAt), desc(collectedFiles.id));
    let bytes = 0;
    const old = all.filter(({ sizeBytes }, index) => {
      bytes += sizeBytes;
      return index >= this.#limits.keptFiles || bytes > this.#limits.keptBytes;
    });
    for (const file of old) await this.#remove(store, file);
  }

  /** The object first: a row without one is removed again. */
  async #remove(store: Pick<ObjectStore, 'remove'>, file: CollectedRow): Promise<void> {
    await store.remove(collectedKey(file));
    await this.#parts.db.sql.delete(collectedFiles).where(eq(collectedFiles.id, file.id));
  }
}

const keyOf = ({ organizationId, deployment, dataset }: Collecting): string =>
  JSON.stringify([organizationId, deployment, dataset]);

const newBatch = (of: Collecting, since: number): Batch => ({
  ...{ ...of, since, id: newId('cdf') },
  ...{ records: [], bytes: 0, leftOut: 0 },
});

/** An engine's answer may be nested deeper than anything can be written. */
function textOf(record: () => object | undefined): string | undefined {
  try {
    return JSON.stringify(record());
  } catch {
    return undefined;
  }
}
