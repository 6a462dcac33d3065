// Proofs of the books, kept: who began one, how far it is, and what it found. They run in the background, one at a time, whichever
// gateway it is in; a run whose gateway ended counts as broken.

import type { BillingRow } from '@gantry/contract/areas/billing/admin-billing.ts';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, eq, lt } from 'drizzle-orm';
import { type Listed, type Page, pageOfRows, placeOf } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { proofs } from '../../../platform/db/schema/approvals.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { isUniqueViolation } from '../../../platform/db/sqlstate.ts';
import { newId } from '../../../platform/ids.ts';
import { type BooksProgress, type BooksVerdict, verifyBooks } from './verify-books.ts';

export interface ProofsParts {
  db: Database;
  clock: Clock;
  log?: { warn(facts: object, text: string): void };
}

const TELL_MS = 2_000;
/** A run that said nothing for so long has no gateway any more. */
const DEAD_MS = 60_000;
/** Every check has at most twenty sentences. */
const MOST_FAULTS = 200;

const LISTED: Listed = {
  columns: { id: proofs.id, started_at: proofs.startedAt, state: proofs.state },
  searched: [],
};

export class Proofs {
  readonly #parts: ProofsParts;
  readonly #end = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(parts: ProofsParts) {
    this.#parts = parts;
  }

  /** Resolves with its id once it has begun. Throws proof_running. */
  async start(by: string, reason: string): Promise<string> {
    const { db, clock, log } = this.#parts;
    const now = new Date(clock.now());
    await db.sql
      .update(proofs)
      .set({ state: 'broken', finishedAt: now })
      .where(and(eq(proofs.state, 'running'), lt(proofs.aliveAt, new Date(now.getTime() - DEAD_MS))));
    const id = newId('prf');
    try {
      const row = { id, state: 'running' as const, startedAt: now, startedBy: by, reason, aliveAt: now };
      await db.sql.insert(proofs).values(row);
    } catch (error) {
      if (isUniqueViolation(error)) throw problem('proof_running');
      throw error;
    }
    this.#running = this.#run(id).catch((error: unknown) =>
      log?.warn({ err: error, proof: id }, 'a proof of the books was broken off'),
    );
    return id;
  }

  /** Once the run of this process is over. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Breaks off the run of this process, and resolves once its row says so. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.settled();
  }

  /** At once, as the command does it; its result is kept, too. */
  async prove(): Promise<BooksVerdict> {
    const { db, clock } = this.#parts;
    const startedAt = new Date(clock.now());
    const verdict = await verifyBooks(db, startedAt);
    const at = new Date(clock.now());
    await db.sql
      .insert(proofs)
      .values({ id: newId('prf'), startedAt, aliveAt: at, ...resultOf(verdict, at), reason: '' });
    return verdict;
  }

  async rows(query: AdminQuery): Promise<Page<BillingRow<'proofs'>>> {
    const { sql: connection } = this.#parts.db;
    const { items: found, ...page } = await pageOfRows(
      placeOf(LISTED, query),
      query,
      (key) =>
        connection
          .select({ id: proofs.id, key, proof: proofs, name: accounts.name })
          .from(proofs)
          .leftJoin(accounts, eq(accounts.id, proofs.startedBy))
          .$dynamic(),
      connection.select({ total: count() }).from(proofs).$dynamic(),
    );
    const dead = this.#parts.clock.now() - DEAD_MS;
    const items = found.map(
      ({ proof, name }): BillingRow<'proofs'> => ({
        id: proof.id,
        state: proof.state === 'running' && proof.aliveAt.getTime() < dead ? 'broken' : proof.state,
        started_at: proof.startedAt.toISOString(),
        finished_at: proof.finishedAt?.toISOString() ?? null,
        started_by: proof.startedBy,
        started_by_name: name ?? proof.startedBy ?? '',
        reason: proof.reason,
        done: proof.done,
        total: proof.total,
        transfers: proof.transfers,
        unsealed: proof.unsealed,
        head: proof.head,
        balances: Object.entries(proof.balances).map(([account, balance]) => {
          const [, type = '', currency = ''] = account.split('/');
          return { account: type, currency, amount: moneyText(micros(BigInt(balance))) };
        }),
        faults: proof.faults,
        fault_count: proof.faultCount,
      }),
    );
    return { ...page, items };
  }

  async #run(id: string): Promise<void> {
    const { db, clock } = this.#parts;
    let [done, total] = [0, 0];
    const progress: BooksProgress = (...now) => {
      [done, total] = now;
    };
    // Outside of the verification's transaction, on a connection of its own where the database has several.
    let isOver = false;
    let callOff = () => {};
    const tell = () => {
      callOff = clock.after(TELL_MS, () => {
        if (isOver) return;
        const isRunning = and(eq(proofs.id, id), eq(proofs.state, 'running'));
        db.sql
          .update(proofs)
          .set({ done, total, aliveAt: new Date(clock.now()) })
          .where(isRunning)
          .then(tell, tell);
      });
    };
    tell();
    try {
      const verdict = await verifyBooks(db, new Date(clock.now()), { progress, signal: this.#end.signal });
      isOver = true;
      const at = new Date(clock.now());
      await db.sql
        .update(proofs)
        .set({ ...resultOf(verdict, at), done: total, total, aliveAt: at })
        .where(eq(proofs.id, id));
    } catch (error) {
      isOver = true;
      await db.sql
        .update(proofs)
        .set({ state: 'broken', finishedAt: new Date(clock.now()) })
        .where(eq(proofs.id, id));
      throw error;
    } finally {
      callOff();
    }
  }
}

const resultOf = ({ transfers, unsealed, head, balances, faults }: BooksVerdict, finishedAt: Date) => ({
  state: faults.length === 0 ? ('held' as const) : ('faulty' as const),
  finishedAt,
  transfers,
  unsealed,
  head: head ?? null,
  balances: { ...balances },
  faults: faults.slice(0, MOST_FAULTS),
  faultCount: faults.length,
});
