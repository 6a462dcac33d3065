// The database's part of a backup: every row of every table, of one moment; and back into tables that are empty.
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import type { Line } from './archive.ts';

const AT_ONCE = 500;

/** Owned by the migrations. */
const MIGRATIONS = 'gantry_migrations';
/** Tables that belong to this moment and this installation: which gateways run, whose turn it is, which backups there are. */
const PASSING = ['gateways', 'turns', 'backups', 'restores'];

export async function migrationsOf(connection: Sql): Promise<string[]> {
  const rows = await rowsOf<{ hash: string }>(connection, sql`select hash from gantry_migrations order by at`);
  return rows.map(({ hash }) => hash);
}

/** Passes every row to `each`; no table comes before one that it refers to. */
export function readTables(db: Database, each: (line: Line) => Promise<void>): Promise<void> {
  return db.transaction(
    async (tx) => {
      for (const table of await keptTables(tx)) {
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

/** A sentence that says why these tables cannot be restored by this version, or nothing. */
export async function whyNotOfThese(tx: Sql, migrations: readonly string[]): Promise<string | undefined> {
  if (`${await migrationsOf(tx)}` === `${migrations}`) return undefined;
  return 'the backup is of another version of Gantry, whose tables are not the same: restore it with that version';
}

/** The first table that has rows, if any. */
export async function firstFilled(tx: Sql): Promise<string | undefined> {
  for (const table of await keptTables(tx)) {
    const [found] = await rowsOf(tx, sql`select from ${sql.identifier(table)} limit 1`);
    if (found) return table;
  }
  return undefined;
}

/** Whether a gateway has said within this time that it is there. */
export async function hasRunningGateway(tx: Sql, withinMs: number): Promise<boolean> {
  const since = sql`now() - make_interval(secs => ${withinMs / 1000})`;
  return (await rowsOf(tx, sql`select from gateways where seen_at > ${since} limit 1`)).length > 0;
}

/** Removes every row, also from tables that only grow: their owner may lift the guard, inside of this transaction alone. */
export async function emptyTables(tx: Sql): Promise<void> {
  const tables = await keptTables(tx);
  const guarded = await rowsOf<{ name: string }>(
    tx,
    sql`select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  const each = (does: (table: ReturnType<typeof sql.identifier>) => ReturnType<typeof sql>) =>
    guarded.map(({ name }) => does(sql.identifier(name)));
  for (const statement of each((table) => sql`alter table ${table} disable trigger user`)) await tx.execute(statement);
  for (const statement of each((table) => sql`grant delete on ${table} to current_user`)) await tx.execute(statement);
  for (const table of tables.toReversed()) await tx.execute(sql`delete from ${sql.identifier(table)}`);
  for (const statement of each((table) => sql`revoke delete on ${table} from current_user`))
    await tx.execute(statement);
  for (const statement of each((table) => sql`alter table ${table} enable trigger user`)) await tx.execute(statement);
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
    // Also into columns whose numbers only the database gives out.
    const insert = sql`insert into ${table} overriding system value
      select * from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`;
    try {
      await this.#tx.execute(insert);
    } catch (error) {
      // The failure itself quotes every row.
      const { cause } = error as { cause?: Error };
      throw new Error(`the rows of "${this.#table}" cannot be restored: ${cause?.message ?? 'see the database'}`, {
        cause,
      });
    }
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

const keptTables = async (tx: Sql): Promise<string[]> =>
  (await tablesOf(tx)).filter((table) => !PASSING.includes(table));

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
