// What organisations' files take, hour by hour and by kind of owner, and what that costs: recorded once, with its cost in the books in
// the same transaction. Hours that nobody could record are recorded later, a day's at most, as large as files are then.
import { FILE_OWNERS, type FileOwner, HOURS_OF_A_STORED_MONTH, storageSku } from '@gantry/contract/billing/storage.ts';
import { dividedRounded, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { files, storedHours } from '../../platform/db/schema/files.ts';
import { GIB } from './quota.ts';

/** The price of a GiB for a month. */
export interface StoragePrice {
  amount: Micros;
  /** The part of it left after a discount, in ten-thousandths. */
  left: bigint;
}

/** What an organisation's files of one kind of owner take. */
interface Stored {
  readonly organizationId: string;
  readonly ownerKind: FileOwner;
  readonly bytes: number;
}

/** An hour of it. */
export interface StorageCharge {
  readonly key: string;
  readonly organizationId: string;
  readonly ownerKind: FileOwner;
  readonly at: Date;
  readonly list: Micros;
  readonly net: Micros;
}

export interface StorageMeterParts {
  db: Database;
  clock: Clock;
  /** Undefined: it is free. */
  priceOf(organizationId: string, ownerKind: FileOwner, at: number): StoragePrice | undefined;
  /** Posts all of them, and runs `also` within the transaction; what was posted before is not posted again. */
  charge(charges: readonly StorageCharge[], also: (tx: Sql) => Promise<void>): Promise<unknown>;
  log: { warn(facts: object, text: string): void };
}

const HOUR_MS = 3_600_000;
const MOST_MISSED = 24;
const EVERY_MS = 60_000;
const WHOLE = 10_000n;

export class StorageMeter {
  readonly #parts: StorageMeterParts;

  constructor(parts: StorageMeterParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      await this.record().catch((error: unknown) =>
        log.warn({ err: error }, 'what files take was not recorded; it is tried again'),
      );
      await pause(clock, EVERY_MS, signal);
    }
  }

  /** All hours that have ended and are not recorded. */
  async record(): Promise<void> {
    const { db, clock } = this.#parts;
    const latest = Math.floor(clock.now() / HOUR_MS) - 1;
    const [known] = await db.sql.select({ hour: max(storedHours.hour) }).from(storedHours);
    const last = known?.hour ? known.hour.getTime() / HOUR_MS : latest - 1;
    const sizes = last < latest ? await this.#sizes() : [];
    for (let hour = Math.max(last + 1, latest - MOST_MISSED + 1); hour <= latest; hour++)
      await this.#recordHour(new Date(hour * HOUR_MS), sizes);
  }

  async #recordHour(hour: Date, sizes: readonly Stored[]): Promise<void> {
    if (sizes.length === 0) return;
    const { db, charge, priceOf } = this.#parts;
    const rows = sizes.map(({ organizationId, ownerKind, bytes }) => {
      const cost = costOf(bytes, priceOf(organizationId, ownerKind, hour.getTime()));
      const isFree = cost.list === 0n && cost.net === 0n;
      const transferKey = isFree ? null : `${storageSku(ownerKind)}/${organizationId}/${hour.toISOString()}`;
      return { hour, organizationId, ownerKind, bytes, ...cost, transferKey };
    });
    const charges = rows.flatMap(({ transferKey: key, organizationId, ownerKind, list, net }) =>
      key === null ? [] : [{ key, organizationId, ownerKind, at: hour, list, net }],
    );
    const also = async (tx: Sql) => {
      await tx.insert(storedHours).values(rows).onConflictDoNothing();
    };
    if (charges.length > 0) await charge(charges, also);
    else await db.transaction(also);
  }

  /** Counts ready files. Equal ones of an organisation count once, for the first kind that has them. */
  async #sizes(): Promise<Stored[]> {
    const { sql: db } = this.#parts.db;
    const each = db
      .selectDistinctOn([files.organizationId, files.digest], {
        organizationId: files.organizationId,
        ownerKind: files.ownerKind,
        size: sql<number>`${files.sizeBytes}`.as('size'),
      })
      .from(files)
      .where(and(eq(files.state, 'ready'), isNotNull(files.digest)))
      .orderBy(files.organizationId, files.digest, sql`array_position(${KINDS}::text[], ${files.ownerKind})`)
      .as('each');
    const rows = await db
      .select({
        organizationId: each.organizationId,
        ownerKind: each.ownerKind,
        bytes: sql<string>`sum(${each.size})`,
      })
      .from(each)
      .groupBy(each.organizationId, each.ownerKind);
    return rows.map(({ bytes, ...row }) => ({ ...row, bytes: Number(bytes) }));
  }
}

const KINDS = sql.raw(`'{${FILE_OWNERS.join(',')}}'`);

/** The cost of an hour, rounded once. */
function costOf(bytes: number, price: StoragePrice | undefined): { list: Micros; net: Micros } {
  if (!price) return { list: ZERO, net: ZERO };
  const exact = BigInt(bytes) * price.amount;
  const parts = BigInt(GIB) * BigInt(HOURS_OF_A_STORED_MONTH);
  return {
    list: micros(dividedRounded(exact, parts)),
    net: micros(dividedRounded(exact * price.left, parts * WHOLE)),
  };
}
