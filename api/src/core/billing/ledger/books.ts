// Watches the books while the gateway runs: seals postings, and keeps checking the invariants. Findings go to metrics and the
// log; it corrects nothing.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { OPEN_CHECKS } from './checks.ts';
import { LedgerSealer, settledTransfers } from './ledger-sealer.ts';
import { faultsOf } from './verify-books.ts';

const SEAL_MS = 5_000;
const CHECK_MS = 60_000;
const FOLD = 'wallets_are_what_was_posted';

interface Parts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: Registry;
}

export class Books {
  readonly #parts: Parts;
  readonly #sealer: LedgerSealer;
  readonly #faults: Gauge<'check'>;
  readonly #sealed: Gauge;
  readonly #checked: Gauge;
  /** Balances of all accounts over the transfers up to `#upTo`: no transfer below it can still appear. */
  readonly #folded = new Map<string, bigint>();
  #upTo = 0n;
  #reported = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sealer = new LedgerSealer(parts);
    const registers = [parts.registry];
    this.#faults = new Gauge({
      name: 'gantry_books_faults',
      help: 'What does not hold in the books, by check, as of the latest look; more than twenty count as twenty. Anything but 0 is an alarm.',
      labelNames: ['check'],
      registers,
    });
    this.#sealed = new Gauge({
      name: 'gantry_books_sealed_timestamp_seconds',
      help: 'When all that was posted was last sealed, in this process.',
      registers,
    });
    this.#checked = new Gauge({
      name: 'gantry_books_checked_timestamp_seconds',
      help: 'When the books were last checked, in this process.',
      registers,
    });
  }

  /** Until the signal: for the one gateway whose turn it is. A look that fails is followed by the next. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let nextCheck = clock.monotonic();
    while (!signal.aborted) {
      try {
        await this.seal();
        if (clock.monotonic() >= nextCheck) {
          nextCheck = clock.monotonic() + CHECK_MS;
          await this.check();
        }
      } catch (error) {
        log.warn({ err: error }, 'the books are neither sealed nor checked for the moment');
      }
      await pause(clock, SEAL_MS, signal);
    }
  }

  /** Resolves with how many transfers are sealed now that were not before. */
  async seal(): Promise<number> {
    const sealed = await this.#sealer.seal();
    this.#sealed.set(this.#parts.clock.now() / 1_000);
    return sealed;
  }

  /** Resolves with a sentence for each thing that does not hold. */
  async check(): Promise<readonly string[]> {
    const { db, clock, log } = this.#parts;
    const settled = await settledTransfers(db);
    const found = await db.transaction((tx) => this.#look(tx, settled), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    });
    for (const [check, faults] of found) this.#faults.set({ check }, faults.length);
    this.#checked.set(clock.now() / 1_000);
    const faults = [...found.values()].flat();
    for (const fault of faults) if (!this.#reported.has(fault)) log.error({ fault }, 'the books do not hold');
    this.#reported = new Set(faults);
    return faults;
  }

  async #look(tx: Sql, settled: bigint): Promise<Map<string, readonly string[]>> {
    const now = new Date(this.#parts.clock.now());
    const found = new Map<string, readonly string[]>();
    for (const [check, statement] of Object.entries(OPEN_CHECKS)) found.set(check, await faultsOf(tx, statement(now)));
    const upTo = settled > this.#upTo ? settled : this.#upTo;
    const fold = await balancesBetween(tx, this.#upTo, upTo);
    const open = await balancesBetween(tx, upTo, undefined);
    const wallets = await walletBalances(tx);
    // Nothing is awaited from here on: a look that fails half way adds nothing.
    for (const [account, balance] of fold) this.#folded.set(account, (this.#folded.get(account) ?? 0n) + balance);
    this.#upTo = upTo;
    const balanceOf = (account: string) => (this.#folded.get(account) ?? 0n) + (open.get(account) ?? 0n);
    const wrong = wallets.filter(({ account, balance }) => balance !== balanceOf(account));
    found.set(
      FOLD,
      wrong
        .slice(0, 20)
        .map(
          ({ account, balance }) => `${account} has ${balance} in its wallet, and ${balanceOf(account)} in the books`,
        ),
    );
    return found;
  }
}

async function balancesBetween(tx: Sql, after: bigint, upTo: bigint | undefined): Promise<Map<string, bigint>> {
  const within =
    upTo === undefined
      ? sql`transfer_id > ${`${after}`}::bigint`
      : sql`transfer_id > ${`${after}`}::bigint and transfer_id <= ${`${upTo}`}::bigint`;
  const rows = await rowsOf<{ account: string; balance: string }>(
    tx,
    sql`select account, sum(amount)::text as balance from (
        select credit as account, amount from postings where ${within}
        union all select debit, -amount from postings where ${within}
      ) as entries group by account`,
  );
  return new Map(rows.map(({ account, balance }) => [account, BigInt(balance)]));
}

async function walletBalances(tx: Sql): Promise<{ account: string; balance: bigint }[]> {
  const rows = await rowsOf<{ account: string; balance: string }>(
    tx,
    sql`select org_id || '/' || type || '/' || currency as account, balance::text from wallets,
      lateral (values ('cash', cash), ('credits', credits), ('receivable', -debt)) as v(type, balance)`,
  );
  return rows.map(({ account, balance }) => ({ account, balance: BigInt(balance) }));
}
