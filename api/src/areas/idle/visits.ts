// When people last did something with what an instance serves: kept here for a moment, and in SQL for the gateway that decides.
import type { Clock } from '@gantry/kube/clock.ts';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';

const FLUSH_MS = 20_000;
/** Some hundred kilobytes. */
const MOST = 5_000;
const KEEP_DAYS = 31;

interface VisitsParts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

export class Visits {
  readonly #parts: VisitsParts;
  readonly #seen = new Map<string, { namespace: string; name: string; at: number }>();
  #cancel: () => void = () => undefined;

  constructor(parts: VisitsParts) {
    this.#parts = parts;
  }

  note(namespace: string, name: string): void {
    if (this.#seen.size < MOST || this.#seen.has(`${namespace}/${name}`))
      this.#seen.set(`${namespace}/${name}`, { namespace, name, at: this.#parts.clock.now() });
  }

  start(): void {
    this.#cancel = this.#parts.clock.after(FLUSH_MS, () => {
      this.flush()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'visits are written down later'))
        .finally(() => this.start());
    });
  }

  stop(): void {
    this.#cancel();
    this.start = () => undefined;
  }

  async flush(): Promise<void> {
    if (this.#seen.size === 0) return;
    const rows = [...this.#seen.values()];
    const input = JSON.stringify(rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })));
    await rowsOf(
      this.#parts.db.sql,
      sql`insert into idle_visits (namespace, name, at)
        select namespace, name, at from jsonb_to_recordset(${input}::jsonb) as g(namespace text, name text, at timestamptz)
        on conflict (namespace, name) do update set at = greatest(idle_visits.at, excluded.at)`,
    );
    for (const row of rows)
      if (this.#seen.get(`${row.namespace}/${row.name}`) === row) this.#seen.delete(`${row.namespace}/${row.name}`);
    const old = new Date(this.#parts.clock.now() - KEEP_DAYS * 86_400_000).toISOString();
    await rowsOf(this.#parts.db.sql, sql`delete from idle_visits where at < ${old}::timestamptz`);
  }
}
