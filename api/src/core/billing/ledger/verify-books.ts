// Proves the books: reads the chain again, transfer by transfer, and compares all that follows from the books with them.
import { asc, count, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { ledgerBlocks, transfers as transfersTable } from '../../../platform/db/schema/ledger.ts';
import { hashOfBlock, hashOfTransfer, NOTHING_BEFORE, type WrittenTransfer, writtenBetween } from './block.ts';
import { OPEN_CHECKS, WHOLE_CHECKS } from './checks.ts';
import { readLegs } from './ledger.ts';
import { faultOf, isTransferType } from './pairs.ts';

export interface BooksVerdict {
  readonly transfers: number;
  /** Transfers beyond the last block. */
  readonly unsealed: number;
  /** The last block. Compared with the gateway's log of that time, it reveals a chain that was cut or rebuilt. */
  readonly head: { readonly number: string; readonly hash: string } | undefined;
  /** Balances of the platform's accounts, in micro-units, for a person to read. */
  readonly balances: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

const PAGE = 2_000;
const [OLDEST, NEWEST] = [-(2n ** 62n), 2n ** 62n];

/** Transfers that were read and checks that were made, of how many of both. It must not use the database. */
export type BooksProgress = (done: number, total: number) => void;

export interface BooksRun {
  progress?: BooksProgress;
  /** Gives the proof up: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Reads one snapshot: transfers posted meanwhile are ignored. */
export function verifyBooks(db: Database, now: Date, { progress, signal }: BooksRun = {}): Promise<BooksVerdict> {
  return db.transaction(
    (tx) =>
      untilAborted(db, tx, signal, async () => {
        const checks = Object.values({ ...OPEN_CHECKS, ...WHOLE_CHECKS });
        const [counted] = progress ? await tx.select({ all: count() }).from(transfersTable) : [];
        const total = (counted?.all ?? 0) + checks.length;
        const chain = await followChain(tx, (read) => {
          signal?.throwIfAborted();
          progress?.(read, total);
        });
        const faults = [...chain.faults];
        for (const [at, check] of checks.entries()) {
          signal?.throwIfAborted();
          faults.push(...(await faultsOf(tx, check(now))));
          progress?.(total - checks.length + at + 1, total);
        }
        const { transfers, unsealed, head } = chain;
        return { transfers, unsealed, head, balances: await platformBalances(tx), faults };
      }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** A check of all transfers is one statement, which PostgreSQL is told to cancel. PGlite finishes it. */
async function untilAborted<T>(
  db: Database,
  tx: Sql,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  if (db.kind !== 'postgres') return work();
  const [own] = await rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
  let cancelled: Promise<unknown> | undefined;
  const cancel = () => {
    cancelled = db.sql.execute(sql`select pg_cancel_backend(${own?.pid})`).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  try {
    const verdict = await work();
    signal.throwIfAborted();
    return verdict;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // The connection is another's after this transaction, and must not be cancelled then.
    await cancelled;
  }
}

export const faultsOf = async (connection: Sql, check: ReturnType<typeof sql>): Promise<string[]> =>
  (await rowsOf<{ fault: string }>(connection, check)).map(({ fault }) => fault);

/** `revenue USD` and its balance, for a person to look at. */
async function platformBalances(tx: Sql): Promise<Record<string, string>> {
  const rows = await rowsOf<{ account: string; balance: string }>(
    tx,
    sql`select account, sum(amount)::text as balance from (
        select credit as account, amount from postings union all select debit, -amount from postings
      ) as entries where account like 'platform/%' group by account order by account`,
  );
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

interface Chain {
  transfers: number;
  unsealed: number;
  head: BooksVerdict['head'];
  /** At most one of the chain, its first; and those of transfers that no pair allows. */
  faults: string[];
}

async function followChain(tx: Sql, progress: (read: number) => void): Promise<Chain> {
  const chain: Chain = { transfers: 0, unsealed: 0, head: undefined, faults: [] };
  let [number, previous, toId, isWhole] = [0n, NOTHING_BEFORE, OLDEST, true];
  for (;;) {
    const [block] = await tx
      .select()
      .from(ledgerBlocks)
      .where(sql`${ledgerBlocks.number} > ${`${number}`}::bigint`)
      .orderBy(asc(ledgerBlocks.number))
      .limit(1);
    const written = await allBetween(tx, toId, block?.toId ?? NEWEST, chain, progress);
    progress(chain.transfers);
    if (!block) {
      chain.unsealed = written.length;
      return chain;
    }
    if (isWhole) {
      const fault =
        block.number === number + 1n ? blockFault(block, previous, written) : `block ${number + 1n} is missing`;
      if (fault) chain.faults.push(fault);
      else chain.head = { number: `${block.number}`, hash: block.hash };
      isWhole = fault === undefined;
    }
    [number, previous, toId] = [block.number, block.hash, block.toId];
  }
}

/** Counts them, and looks at each, on the way. */
async function allBetween(
  tx: Sql,
  after: bigint,
  upTo: bigint,
  chain: Chain,
  progress: (read: number) => void,
): Promise<WrittenTransfer[]> {
  const all: WrittenTransfer[] = [];
  for (let last = after; ; ) {
    const page = await writtenBetween(tx, last, upTo, PAGE);
    progress(chain.transfers);
    for (const transfer of page) {
      const fault = writtenFault(transfer);
      if (fault) chain.faults.push(fault);
    }
    all.push(...page);
    chain.transfers += page.length;
    if (page.length < PAGE) return all;
    last = BigInt(page.at(-1)?.id ?? 0);
  }
}

function writtenFault({ key, type, org, currency, at, legs }: WrittenTransfer): string | undefined {
  if (!isTransferType(type)) return `transfer ${key}: there is no ${type}`;
  try {
    return faultOf({
      key,
      type,
      organizationId: org,
      currency,
      at: new Date(Number(at) / 1_000),
      legs: readLegs(legs),
    });
  } catch (error) {
    return `transfer ${key}: ${(error as Error).message}`;
  }
}

function blockFault(
  { number, previous, hash, toId, transfers }: typeof ledgerBlocks.$inferSelect,
  before: string,
  written: readonly WrittenTransfer[],
): string | undefined {
  const isWhole =
    previous === before && hash === hashOfBlock(number, previous, transfers) && `${toId}` === transfers.at(-1)?.[0];
  if (!isWhole) return `block ${number} is not what was sealed`;
  const found = new Map(written.map((transfer) => [transfer.id, transfer]));
  for (const [id, sealed] of transfers) {
    const transfer = found.get(id);
    if (!transfer) return `transfer ${id} is missing`;
    if (hashOfTransfer(transfer) !== sealed) return `transfer ${id} was changed`;
    found.delete(id);
  }
  const [added] = found.keys();
  return added === undefined ? undefined : `transfer ${added} was added after its time was sealed`;
}
