// One row of the operators' console is changed by one call at a time, across all gateways: between the look at its version and the
// write nobody else comes. A gateway that dies meanwhile holds a row for twenty seconds.
import { randomUUID } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { turns } from '../../platform/db/schema/turns.ts';

const LIFE_SECONDS = 20;
const AGAIN_IN_MS = 50;
const TRIES = 100;

export class EditTurns {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Waits for a few seconds, then throws `conflict`. */
  async alone<T>(row: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const name = `edit ${row}`;
    const holder = randomUUID();
    for (let tries = 0; !(await this.#take(name, holder)); tries++) {
      if (tries >= TRIES || signal.aborted) throw problem('conflict');
      await pause(this.#clock, AGAIN_IN_MS, signal);
    }
    try {
      return await work();
    } finally {
      await this.#db.sql.delete(turns).where(and(eq(turns.name, name), eq(turns.holder, holder)));
    }
  }

  async #take(name: string, holder: string): Promise<boolean> {
    const taken = await rowsOf(
      this.#db.sql,
      sql`INSERT INTO ${turns} (name, holder, until) VALUES (${name}, ${holder}, now() + make_interval(secs => ${LIFE_SECONDS}))
          ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE ${turns.until} < now() RETURNING name`,
    );
    return taken.length > 0;
  }
}
