// Chains committed entries: each organisation's new entries become one block that names the previous block's hash. A changed,
// removed or added entry, or a changed block, no longer fits. Writers of entries never read the chain. Each new head goes to the
// process's log, which is stored elsewhere: a chain whose end was cut off is consistent in itself.
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, desc, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { AUDIT_WRITERS_LOCK } from '../db/guards.ts';
import type { Database, Sql } from '../db/open.ts';
import { rowsOf } from '../db/rows-of.ts';
import { auditBlocks, auditLog } from '../db/schema/audit.ts';
import { settledUpTo } from '../db/settled.ts';
import { hashOfBlock, hashOfEntry, NOTHING_BEFORE, type Row } from './entry.ts';

const MOST_AT_ONCE = 5_000;
const EVERY_MS = 5_000;
const WAIT_MS = 1_000;

/** Only one gateway's sealer works at a time. */
const SEALERS_LOCK = 7_115_002;

export class Sealer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #waitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #sealing: Promise<unknown> = Promise.resolve();

  constructor(parts: { db: Database; clock: Clock; log: Logger; waitMs?: number }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#waitMs = parts.waitMs ?? WAIT_MS;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#sealing = this.seal()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'the audit log is not sealed for the moment'))
        .finally(() => this.#timer && this.start());
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** Seals what there is, once nothing is written any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sealing;
    await this.seal();
  }

  /** Resolves with how many entries are sealed now that were not before. */
  async seal(): Promise<number> {
    const last = sql`select coalesce(max(${auditLog.id}), 0) as id from ${auditLog}`;
    const settled = Number(await settledUpTo(this.#db, AUDIT_WRITERS_LOCK, last, this.#waitMs));
    let sealed = 0;
    for (let more = MOST_AT_ONCE; more === MOST_AT_ONCE; sealed += more) more = await this.#sealUpTo(settled);
    return sealed;
  }

  async #sealUpTo(settled: number): Promise<number> {
    const { sealed, blocks } = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${SEALERS_LOCK})`);
      const [before] = await rowsOf<{ id: string | number }>(
        tx,
        sql`select coalesce(max(${auditBlocks.toId}), 0) as id from ${auditBlocks}`,
      );
      const rows = await tx
        .select()
        .from(auditLog)
        .where(and(gt(auditLog.id, Number(before?.id)), lte(auditLog.id, settled)))
        .orderBy(asc(auditLog.id))
        .limit(MOST_AT_ONCE);
      if (rows.length === 0) return { sealed: 0, blocks: [] };
      const byOrganization = Map.groupBy(rows, (row) => row.organizationId);
      const heads = await headsOf(tx, [...byOrganization.keys()]);
      const sealedAt = new Date(this.#clock.now());
      const blocks = [...byOrganization].map(([id, entries]) => blockOf(heads.get(id), id, entries, sealedAt));
      await tx.insert(auditBlocks).values(blocks);
      return { sealed: rows.length, blocks };
    });
    const heads = blocks.map(({ organizationId, seq, hash }) => ({ organization: organizationId, seq, hash }));
    if (sealed > 0) this.#log.info({ heads }, 'the audit log is sealed up to here');
    return sealed;
  }
}

type Block = typeof auditBlocks.$inferSelect;

async function headsOf(tx: Sql, organizations: readonly string[]): Promise<Map<string, Block>> {
  const heads = await tx
    .selectDistinctOn([auditBlocks.organizationId])
    .from(auditBlocks)
    .where(inArray(auditBlocks.organizationId, [...organizations]))
    .orderBy(auditBlocks.organizationId, desc(auditBlocks.seq));
  return new Map(heads.map((block) => [block.organizationId, block]));
}

function blockOf(head: Block | undefined, organizationId: string, rows: readonly Row[], sealedAt: Date): Block {
  const seq = (head?.seq ?? 0) + 1;
  const previousHash = head?.hash ?? NOTHING_BEFORE;
  const entries = rows.map((row): [number, string] => [row.id, hashOfEntry(row)]);
  const ids = rows.map(({ id }) => id);
  return {
    organizationId,
    seq,
    fromId: ids[0] ?? 0,
    toId: ids.at(-1) ?? 0,
    entries,
    previousHash,
    hash: hashOfBlock(organizationId, seq, previousHash, entries),
    sealedAt,
  };
}
