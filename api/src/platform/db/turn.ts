// Work that only one gateway does at a time: the holder of the row in `turns` works, the others wait until it expires. It saves
// work and is not a fence: between two checks two gateways may believe that they hold it, so the work must tolerate being done
// twice.
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from './open.ts';
import { rowsOf } from './rows-of.ts';
import { turns } from './schema/turns.ts';

/** By the database's clock, so that those of the gateways need not agree. */
const LIFE_SECONDS = 20;
const LOOK_MS = 5_000;
/** Not renewed for so long, it is given up before another may take it. */
const GIVE_UP_MS = 15_000;

interface Parts {
  readonly db: Database;
  readonly clock: {
    monotonic(): number;
    after(ms: number, run: () => void): () => void;
  };
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

/** Runs several jobs in parallel until the signal. If one ends earlier, all end: the next turn finds nobody at work. */
export async function together(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  const ended = await Promise.allSettled(works.map((work) => work(within).finally(() => over.abort())));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

export class Turn {
  readonly #parts: Parts;
  readonly #name: string;
  readonly #holder = randomUUID();
  #ending: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  constructor(parts: Parts, name: string) {
    this.#parts = parts;
    this.#name = name;
  }

  /**
   * From now on `work` runs whenever it is our turn, with a signal that ends with the turn. Work that ends or fails early starts
   * again.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void {
    const end = new AbortController();
    this.#ending = () => end.abort();
    this.#ended = this.#run(work, end.signal);
  }

  /** Resolves once the work has ended and the next may have its turn. */
  async stop(): Promise<void> {
    this.#ending?.();
    await this.#ended;
  }

  async #run(work: (signal: AbortSignal) => Promise<void>, end: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let turn: AbortController | undefined;
    let working: Promise<void> = Promise.resolve();
    let renewedAt = clock.monotonic();
    const leave = async () => {
      turn?.abort();
      turn = undefined;
      await working;
    };
    for (;;) {
      const asked = clock.monotonic();
      const had = end.aborted ? false : await this.#take();
      if (had) renewedAt = asked;
      const isOver = had === false || (had === undefined && clock.monotonic() - renewedAt > GIVE_UP_MS);
      if (isOver || end.aborted) await leave();
      if (end.aborted) break;
      if (had && !turn) {
        const mine = new AbortController();
        turn = mine;
        log.info({ turn: this.#name }, 'it is our turn');
        working = work(mine.signal)
          .catch((error: unknown) => log.warn({ err: error, turn: this.#name }, 'work was given up, and begins again'))
          .finally(() => {
            mine.abort();
            if (turn === mine) turn = undefined;
          });
      }
      await this.#pause(end);
    }
    await this.#give();
  }

  /** Undefined where the database does not say. */
  async #take(): Promise<boolean | undefined> {
    const { db, log } = this.#parts;
    // A PGlite folder has one process: the previous holder is gone.
    const isFree = db.kind === 'pglite' ? sql`true` : sql`${turns.holder} = ${this.#holder} OR ${turns.until} < now()`;
    try {
      const taken = await rowsOf(
        db.sql,
        sql`INSERT INTO ${turns} (name, holder, until) VALUES (${this.#name}, ${this.#holder}, now() + make_interval(secs => ${LIFE_SECONDS}))
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE ${isFree} RETURNING name`,
      );
      return taken.length > 0;
    } catch (error) {
      log.warn({ err: error, turn: this.#name }, 'nobody says whose turn it is');
      return undefined;
    }
  }

  async #give(): Promise<void> {
    const { db, log } = this.#parts;
    await db.sql
      .delete(turns)
      .where(and(eq(turns.name, this.#name), eq(turns.holder, this.#holder)))
      .catch((error: unknown) => log.warn({ err: error, turn: this.#name }, 'the turn runs out by itself'));
  }

  #pause(end: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (end.aborted) return resolve();
      const done = () => {
        cancel();
        end.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#parts.clock.after(LOOK_MS, done);
      end.addEventListener('abort', done);
    });
  }
}
