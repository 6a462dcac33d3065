// Writes what requests have used: each once, with its cost in the books in the same transaction. Rows wait here for a moment, so
// that many go at once; what cannot be written is tried again, and if too much waits, no new request is taken.
import { randomUUID } from 'node:crypto';
import { sumOf } from '@gantry/contract/fields/money.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { lt, sql } from 'drizzle-orm';
import type { TokenCost } from '../../core/billing/tokens/token-charges.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { tokenTotals, tokenUsage } from '../../platform/db/schema/tokens.ts';
import type { Held } from './money.ts';

export type UsageRow = Omit<typeof tokenUsage.$inferSelect, 'transferKey' | 'task'> & { task?: string | null };
export type Outcome = UsageRow['outcome'];

export interface TokenMeterParts {
  db: Database;
  clock: Clock;
  /** Posts all of them, and runs `also` within the transaction; what was posted before is not posted again. */
  charge: (charges: readonly TokenCost[], also: (tx: Sql) => Promise<void>) => Promise<unknown>;
  /** They are in SQL. */
  written: (rows: readonly UsageRow[]) => void;
  log: { warn(facts: object, message: string): void };
}

interface Waiting {
  row: UsageRow;
  held: Held;
}

/** Written together, or not at all. The id makes a second try the same. */
interface Batch {
  id: string;
  waiting: readonly Waiting[];
}

const MOST_OF_A_BATCH = 500;
const MOST_WAITING = 20_000;
const EVERY_MS = 250;
const AGAIN_MS = 1_000;
const KEEP_MS = 40 * 86_400_000;

export class TokenMeter {
  readonly #parts: TokenMeterParts;
  #waiting: Waiting[] = [];
  #batch: Batch | undefined;
  #writing: Promise<void> | undefined;
  readonly #ender = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: TokenMeterParts) {
    this.#parts = parts;
  }

  /** So much waits that no more should come. */
  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  add(row: UsageRow, held: Held): void {
    held.spend(row.net);
    this.#waiting.push({ row, held });
  }

  start(): void {
    const { clock, log } = this.#parts;
    const { signal } = this.#ender;
    const run = async () => {
      while (!signal.aborted) {
        const isWritten = await this.flush().then(
          () => true,
          (error: unknown) => {
            log.warn({ err: error }, 'usage of models was not written; it is tried again');
            return false;
          },
        );
        await pause(clock, isWritten ? EVERY_MS : AGAIN_MS, signal);
      }
    };
    this.#running = run();
  }

  /** Resolves once this request is written, where it waits here; otherwise at once. */
  async whenWritten(id: string): Promise<void> {
    const isIt = ({ row }: Waiting) => row.id === id;
    while (this.#batch?.waiting.some(isIt) || this.#waiting.some(isIt)) await this.#writeNext();
  }

  /** Resolves once nothing waits. */
  async flush(): Promise<void> {
    while (this.#batch || this.#waiting.length > 0) await this.#writeNext();
  }

  #writeNext(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Writes what is left, if that can be. */
  async stop(): Promise<void> {
    this.#ender.abort();
    await this.#running;
    await this.flush().catch((error: unknown) =>
      this.#parts.log.warn({ err: error, requests: this.#waiting.length }, 'usage of models was lost'),
    );
  }

  async sweep(): Promise<void> {
    const { db, clock } = this.#parts;
    await db.sql.delete(tokenUsage).where(lt(tokenUsage.at, new Date(clock.now() - KEEP_MS)));
  }

  async #write(): Promise<void> {
    this.#batch ??= { id: randomUUID(), waiting: this.#waiting.splice(0, MOST_OF_A_BATCH) };
    const { id, waiting } = this.#batch;
    const { db, charge, written } = this.#parts;
    const groups = [...Map.groupBy(waiting, ({ row, held }) => groupOf(row, held)).values()];
    const charges: TokenCost[] = [];
    const rows: (typeof tokenUsage.$inferInsert)[] = [];
    for (const [at, group] of groups.entries()) {
      const [first] = group;
      const list = sumOf(group.map(({ row }) => row.list));
      const net = sumOf(group.map(({ row }) => row.net));
      const key = `tokens/${id}/${at}`;
      const isFree = list === 0n && net === 0n;
      if (first && !isFree) {
        const { organizationId, accountId, modelUid, model, at: moment } = first.row;
        const of = { organizationId, accountId, modelUid, model, at: moment };
        charges.push({ ...of, key, list, net, subject: first.held.subject });
      }
      rows.push(...group.map(({ row }) => ({ ...row, transferKey: isFree ? null : key })));
    }
    const also = (tx: Sql) => writeRows(tx, rows);
    if (charges.length > 0) await charge(charges, also);
    else await db.transaction(also);
    this.#batch = undefined;
    for (const { row, held } of waiting) held.posted(row.net);
    written(waiting.map(({ row }) => row));
  }
}

const groupOf = ({ organizationId, accountId, modelUid, at }: UsageRow, { subject }: Held): string =>
  JSON.stringify([organizationId, accountId, modelUid, dayOf(at), subject]);

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Rows that are there already change nothing, and are in the sums already. */
async function writeRows(tx: Sql, rows: readonly (typeof tokenUsage.$inferInsert)[]): Promise<void> {
  const fresh = await tx
    .insert(tokenUsage)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: tokenUsage.id });
  const ids = new Set(fresh.map(({ id }) => id));
  const sums = new Map<string, typeof tokenTotals.$inferInsert>();
  for (const row of rows) {
    if (!ids.has(row.id)) continue;
    const { organizationId, accountId, modelUid, model } = row;
    const day = dayOf(row.at);
    const tokenId = row.tokenId ?? '';
    const key = JSON.stringify([organizationId, day, accountId, tokenId, modelUid]);
    const sum = sums.get(key);
    sums.set(key, {
      ...{ day, organizationId, accountId, tokenId, modelUid, model },
      requests: (sum?.requests ?? 0) + 1,
      prompt: (sum?.prompt ?? 0) + row.prompt,
      cached: (sum?.cached ?? 0) + row.cached,
      completion: (sum?.completion ?? 0) + row.completion,
      doubtful: (sum?.doubtful ?? 0) + (row.doubt ? 1 : 0),
      list: sum ? sumOf([sum.list, row.list]) : row.list,
      net: sum ? sumOf([sum.net, row.net]) : row.net,
    });
  }
  if (sums.size === 0) return;
  // In one order, so that two gateways do not wait for each other.
  const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  await tx
    .insert(tokenTotals)
    .values(ordered)
    .onConflictDoUpdate({
      target: [
        tokenTotals.organizationId,
        tokenTotals.day,
        tokenTotals.accountId,
        tokenTotals.tokenId,
        tokenTotals.modelUid,
      ],
      set: {
        model: sql`excluded.model`,
        requests: sql`${tokenTotals.requests} + excluded.requests`,
        prompt: sql`${tokenTotals.prompt} + excluded.prompt`,
        cached: sql`${tokenTotals.cached} + excluded.cached`,
        completion: sql`${tokenTotals.completion} + excluded.completion`,
        doubtful: sql`${tokenTotals.doubtful} + excluded.doubtful`,
        list: sql`${tokenTotals.list} + excluded.list`,
        net: sql`${tokenTotals.net} + excluded.net`,
      },
    });
}
