// Chains postings: new transfers become a block that names the previous block's hash. Code that posts never reads the chain. Each
// new head goes to the process's log, which is stored elsewhere: a chain whose end was cut off is consistent in itself.
import type { Clock } from '@gantry/kube/clock.ts';
import { desc, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { LEDGER_WRITERS_LOCK } from '../../../platform/db/guards.ts';
import type { Database } from '../../../platform/db/open.ts';
import { ledgerBlocks } from '../../../platform/db/schema/ledger.ts';
import { settledUpTo } from '../../../platform/db/settled.ts';
import { hashOfBlock, hashOfTransfer, NOTHING_BEFORE, writtenBetween } from './block.ts';

const MOST_AT_ONCE = 5_000;
const WAIT_MS = 1_000;

/** Only one gateway's sealer works at a time. */
const SEALERS_LOCK = 7_115_014;

/** The highest transfer below which no other can still appear. */
export const settledTransfers = (db: Database, waitMs = WAIT_MS): Promise<bigint> =>
  settledUpTo(db, LEDGER_WRITERS_LOCK, sql`select coalesce(max(id), 0)::text as id from transfers`, waitMs);

export class LedgerSealer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'info'>;
  readonly #waitMs: number;

  constructor(parts: { db: Database; clock: Clock; log: Pick<Logger, 'info'>; waitMs?: number }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#waitMs = parts.waitMs ?? WAIT_MS;
  }

  /** Resolves with how many transfers are sealed now that were not before. */
  async seal(): Promise<number> {
    const settled = await settledTransfers(this.#db, this.#waitMs);
    let sealed = 0;
    for (let more = MOST_AT_ONCE; more === MOST_AT_ONCE; sealed += more) more = await this.#sealUpTo(settled);
    return sealed;
  }

  async #sealUpTo(settled: bigint): Promise<number> {
    const { count, block } = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${SEALERS_LOCK})`);
      const [head] = await tx.select().from(ledgerBlocks).orderBy(desc(ledgerBlocks.number)).limit(1);
      const written = await writtenBetween(tx, head?.toId ?? 0n, settled, MOST_AT_ONCE);
      if (written.length === 0) return { count: 0 };
      const number = (head?.number ?? 0n) + 1n;
      const previous = head?.hash ?? NOTHING_BEFORE;
      const transfers = written.map((transfer): [string, string] => [transfer.id, hashOfTransfer(transfer)]);
      const hash = hashOfBlock(number, previous, transfers);
      const toId = BigInt(written.at(-1)?.id ?? 0);
      const block = { number, transfers, toId, hash, previous, sealedAt: new Date(this.#clock.now()) };
      await tx.insert(ledgerBlocks).values(block);
      return { count: written.length, block };
    });
    if (block) this.#log.info({ number: `${block.number}`, hash: block.hash }, 'the books are sealed up to here');
    return count;
  }
}
