// The storage of organisations' models, hour by hour, and its cost: recorded once, with its cost in the books in the same transaction.
// Hours that nobody could record are recorded later, a day's at most, as large as models are then.
import { HOURS_OF_A_STORED_MONTH } from '@gantry/contract/billing/model-storage.ts';
import { dividedRounded, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { modelFiles, modelStorage, models, modelVersions } from '../../platform/db/schema/models.ts';
import { GIB } from './quota.ts';

/** The price of a GiB for a month. */
export interface StoragePrice {
  amount: Micros;
  /** The part of it left after a discount, in ten-thousandths. */
  left: bigint;
}

/** An hour of one organisation's models. */
export interface StorageCharge {
  readonly key: string;
  readonly organizationId: string;
  readonly at: Date;
  readonly list: Micros;
  readonly net: Micros;
}

export interface StorageMeterParts {
  db: Database;
  clock: Clock;
  /** Undefined: it is free. */
  priceOf(organizationId: string, at: number): StoragePrice | undefined;
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
        log.warn({ err: error }, 'what models take was not recorded; it is tried again'),
      );
      await pause(clock, EVERY_MS, signal);
    }
  }

  /** All hours that have ended and are not recorded. */
  async record(): Promise<void> {
    const { db, clock } = this.#parts;
    const latest = Math.floor(clock.now() / HOUR_MS) - 1;
    const [known] = await db.sql.select({ hour: max(modelStorage.hour) }).from(modelStorage);
    const last = known?.hour ? known.hour.getTime() / HOUR_MS : latest - 1;
    const sizes = last < latest ? await this.#sizes() : [];
    for (let hour = Math.max(last + 1, latest - MOST_MISSED + 1); hour <= latest; hour++)
      await this.#recordHour(new Date(hour * HOUR_MS), sizes);
  }

  async #recordHour(hour: Date, sizes: readonly { organizationId: string; bytes: number }[]): Promise<void> {
    if (sizes.length === 0) return;
    const { db, charge, priceOf } = this.#parts;
    const rows = sizes.map(({ organizationId, bytes }) => {
      const cost = costOf(bytes, priceOf(organizationId, hour.getTime()));
      const isFree = cost.list === 0n && cost.net === 0n;
      const transferKey = isFree ? null : `model-storage/${organizationId}/${hour.toISOString()}`;
      return { hour, organizationId, bytes, ...cost, transferKey };
    });
    const charges = rows.flatMap(({ transferKey: key, organizationId, list, net }) =>
      key === null ? [] : [{ key, organizationId, at: hour, list, net }],
    );
    const also = async (tx: Sql) => {
      await tx.insert(modelStorage).values(rows).onConflictDoNothing();
    };
    if (charges.length > 0) await charge(charges, also);
    else await db.transaction(also);
  }

  /** The sizes of ready versions, equal files of an organisation once. */
  async #sizes(): Promise<{ organizationId: string; bytes: number }[]> {
    const { db } = this.#parts;
    const files = db.sql
      .selectDistinctOn([models.organizationId, modelFiles.digest], {
        organizationId: sql<string>`${models.organizationId}`.as('organization_id'),
        size: sql<number>`${modelFiles.sizeBytes}`.as('size'),
      })
      .from(modelFiles)
      .innerJoin(modelVersions, eq(modelVersions.id, modelFiles.versionId))
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(and(eq(modelVersions.state, 'ready'), isNotNull(modelFiles.digest)))
      .as('files');
    const rows = await db.sql
      .select({ organizationId: files.organizationId, bytes: sql<string>`sum(${files.size})` })
      .from(files)
      .groupBy(files.organizationId);
    return rows.map(({ organizationId, bytes }) => ({ organizationId, bytes: Number(bytes) }));
  }
}

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
