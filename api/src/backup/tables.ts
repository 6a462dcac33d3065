// The database's part of a backup: every row of every table, of one moment; and back into tables that are empty.
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../db/open.ts';
import { rowsOf } from '../db/rows-of.ts';
import type { Line } from './archive.ts';

const AT_ONCE = 500;

/** Owned by the migrations. */
const MIGRATIONS = 'gantry_migrations';

export async function migrationsOf(connection: Sql): Promise<string[]> {
  const rows = await rowsOf<{ hash: string }>(connection, sql`select hash from gantry_migrations order by at`);
  return rows.map(({ hash }) => hash);
}

/** Passes every row to `each`; no table comes before one that it refers to. */
export function readTables(db: Database, each: (line: Line) => Promise<void>): Promise<void> {
  return db.transaction(
    async (tx) => {
      for (const table of await tablesOf(tx)) {
        await tx.execute(
          sql`declare rows_of_table no scroll cursor for select to_jsonb(t)::text as row from ${sql.identifier(table)} t`,
        );
        for (;;) {
          const rows = await rowsOf<{ row: string }>(tx, sql.raw(`fetch ${AT_ONCE} from rows_of_table`));
          for (const { row } of rows) await each({ table, row });
          if (rows.length < AT_ONCE) break;
        }
        await tx.execute(sql`close rows_of_table`);
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** A sentence that says why nothing can be restored here, or nothing. */
export async function whyNotInto(tx: Sql, migrations: readonly string[]): Promise<string | undefined> {
  if (`${await migrationsOf(tx)}` !== `${migrations}`) {
    return 'the backup is of another version of Gantry, whose tables are not the same: restore it with that version';
  }
  for (const table of await tablesOf(tx)) {
    const [found] = await rowsOf(tx, sql`select from ${sql.identifier(table)} limit 1`);
    if (found)
      return `the database is not empty, ${table} has rows: a backup is restored only into an empty one, before the gateway's first start`;
  }
  return undefined;
}

/** In the order of the backup. */
export class TableWriter {
  readonly #tx: Sql;
  #table = '';
  #rows: string[] = [];

  constructor(tx: Sql) {
    this.#tx = tx;
  }

  async add(table: string, row: string): Promise<void> {
    if (table !== this.#table || this.#rows.length >= AT_ONCE) await this.flush();
    this.#table = table;
    this.#rows.push(row);
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const table = sql.identifier(this.#table);
    const rows = `[${this.#rows.join(',')}]`;
    this.#rows = [];
    await this.#tx.execute(
      sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`,
    );
  }

  /** Sequences continue after the last restored number. */
  async end(): Promise<void> {
    await this.flush();
    const counters = await rowsOf<{ table: string; column: string; sequence: string }>(
      this.#tx,
      sql`select t.relname as table, a.attname as column, s.oid::regclass::text as sequence
        from pg_class s
        join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        join pg_class t on t.oid = d.refobjid and t.relnamespace = 'public'::regnamespace
        join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
        where s.relkind = 'S'`,
    );
    for (const { table, column, sequence } of counters) {
      const last = sql`(select max(${sql.identifier(column)}) from ${sql.identifier(table)})`;
      await this.#tx.execute(sql`select setval(${sequence}::regclass, ${last}) where ${last} is not null`);
    }
  }
}

async function tablesOf(tx: Sql): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    tx,
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> ${MIGRATIONS} order by 1`,
  );
  const references = await rowsOf<{ of: string; to: string }>(
    tx,
    sql`select c.relname as of, r.relname as to from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and f.conrelid <> f.confrelid`,
  );
  const ordered: string[] = [];
  const visit = (table: string): void => {
    if (ordered.includes(table)) return;
    for (const { of, to } of references) if (of === table) visit(to);
    ordered.push(table);
  };
  for (const { name } of tables) visit(name);
  return ordered;
}
