// Reads the audit log and its chains again, and names each chain's first entry or block that differs from what was sealed.
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database, Sql } from '../db/open.ts';
import { rowsOf } from '../db/rows-of.ts';
import { auditBlocks, auditLog } from '../db/schema/audit.ts';
import { hashOfBlock, hashOfEntry, NOTHING_BEFORE } from './entry.ts';

export interface Verdict {
  /** The total over all chains; entries beyond the last block are not sealed yet. */
  readonly entries: number;
  readonly unsealed: number;
  /** The last block of each chain. Compared with the gateway's log of that time, it reveals a chain that was cut or rebuilt. */
  readonly heads: readonly { readonly organizationId: string; readonly seq: number; readonly hash: string }[];
  /** One sentence for each chain that is broken, with its first fault. */
  readonly faults: readonly string[];
}

/** Reads one snapshot: entries written meanwhile are ignored. */
export function verifyAuditLog(db: Database): Promise<Verdict> {
  return db.transaction(
    async (tx) => {
      const chains = await rowsOf<{ id: string }>(
        tx,
        sql`select organization_id as id from audit_log union select organization_id from audit_blocks order by 1`,
      );
      const [counted] = await rowsOf<{ entries: string; unsealed: string }>(
        tx,
        sql`select count(*) as entries, count(*) filter (where id > (select coalesce(max(to_id), 0) from audit_blocks)) as unsealed from audit_log`,
      );
      const upTo = await newestSealed(tx);
      const heads: { organizationId: string; seq: number; hash: string }[] = [];
      const faults: string[] = [];
      for (const { id } of chains) {
        const end = await followChain(tx, id, upTo);
        if ('fault' in end) faults.push(`${id === '' ? 'the platform' : `organisation ${id}`}: ${end.fault}`);
        else if (end.seq > 0) heads.push({ organizationId: id, seq: end.seq, hash: end.hash });
      }
      return { entries: Number(counted?.entries), unsealed: Number(counted?.unsealed), heads, faults };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** The newest entry that any chain has sealed; 0 before the first. */
export async function newestSealed(connection: Sql): Promise<number> {
  const [row] = await rowsOf<{ id: string }>(connection, sql`select coalesce(max(to_id), 0) as id from audit_blocks`);
  return Number(row?.id);
}

export type End = { fault: string } | { seq: number; hash: string };

/** How far it has come; throws to give up. */
type Progress = (entries: number, blocks: number) => Promise<void> | void;

/**
 * Block by block, so that a chain of any length fits. Outside a transaction too: entries and blocks only grow, and those sealed
 * meanwhile are looked at as well. `sealedUpTo` is `newestSealed` of its beginning.
 */
export async function followChain(
  tx: Sql,
  organizationId: string,
  sealedUpTo: number,
  progress: Progress = () => {},
): Promise<End> {
  let [seq, hash, lastId] = [0, NOTHING_BEFORE, Number.MIN_SAFE_INTEGER];
  let entries = 0;
  for (;;) {
    const [block] = await tx
      .select()
      .from(auditBlocks)
      .where(and(eq(auditBlocks.organizationId, organizationId), gt(auditBlocks.seq, seq)))
      .orderBy(asc(auditBlocks.seq))
      .limit(1);
    const upTo = block?.toId ?? sealedUpTo;
    const rows = await tx
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.organizationId, organizationId), gt(auditLog.id, lastId), lte(auditLog.id, upTo)))
      .orderBy(asc(auditLog.id));
    if (!block) return rows[0] ? { fault: `entry ${rows[0].id} was added after its time was sealed` } : { seq, hash };
    if (block.seq !== seq + 1) return { fault: `block ${seq + 1} is missing` };
    const fault = faultOf(block, hash, rows);
    if (fault) return { fault };
    [seq, hash, lastId] = [block.seq, block.hash, block.toId];
    entries += rows.length;
    await progress(entries, seq);
  }
}

type Rows = (typeof auditLog.$inferSelect)[];

function faultOf(block: typeof auditBlocks.$inferSelect, previousHash: string, rows: Rows): string | undefined {
  const { organizationId, seq, entries } = block;
  const isWhole =
    block.previousHash === previousHash &&
    block.hash === hashOfBlock(organizationId, seq, previousHash, entries) &&
    block.fromId === entries[0]?.[0] &&
    block.toId === entries.at(-1)?.[0];
  if (!isWhole) return `block ${seq} is not what was sealed`;
  const sealed = new Map(entries);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const id of [...new Set([...sealed.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const row = found.get(id);
    if (!row) return `entry ${id} is missing`;
    if (!sealed.has(id)) return `entry ${id} was added after its time was sealed`;
    if (sealed.get(id) !== hashOfEntry(row)) return `entry ${id} was changed`;
  }
  return undefined;
}
