// Brings a database to this version's schema. Processes that start at the same time take turns, and the second finds
// nothing to do. A database that another history of migrations made is refused, not guessed at.
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database, Sql } from './open.ts';
import { rowsOf } from './rows-of.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Any number that nobody else on the server takes: the first eight bytes of SHA-256 of "gantry migrations". */
const LOCK = '-3042463451598408451';

export async function migrate(database: Database): Promise<void> {
  const wanted = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  await database.transaction(async (tx) => {
    // Held until the transaction ends, however it ends.
    await tx.execute(sql.raw(`select pg_advisory_xact_lock(${LOCK})`));
    await tx.execute(sql`create table if not exists gantry_migrations (
      at bigint primary key, hash text not null, applied_at timestamptz not null default now())`);
    const applied = await rowsOf<{ at: string; hash: string }>(
      tx,
      sql`select at, hash from gantry_migrations order by at`,
    );
    applied.forEach(({ at, hash }, index) => {
      const known = wanted[index];
      if (known?.folderMillis !== Number(at) || known.hash !== hash) throw new Error(STRANGE);
    });
    for (const migration of wanted.slice(applied.length)) await apply(tx, migration);
  });
}

const STRANGE =
  'this database was made by another version of Gantry, whose changes this one does not know: start that version, or one that follows it';

async function apply(tx: Sql, { sql: statements, folderMillis, hash }: ReturnType<typeof readMigrationFiles>[number]) {
  for (const statement of statements) await tx.execute(sql.raw(statement));
  await tx.execute(sql`insert into gantry_migrations (at, hash) values (${folderMillis}, ${hash})`);
}
