// Brings a database to this version's schema, one transaction per migration. Processes that start at the same time take turns,
// and each applies what is still missing. A database that another history of migrations made is refused, not guessed at; one that
// a newer version only added to is taken as it is, so that an upgrade can be taken back.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { onlyAdds } from './only-adds.ts';
import type { Database, Sql } from './open.ts';
import { rowsOf } from './rows-of.ts';
import { sqlStateOf } from './sqlstate.ts';

type Migration = ReturnType<typeof readMigrationFiles>[number];

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Any number that nobody else on the server takes: the first eight bytes of SHA-256 of "gantry migrations". */
const LOCK = '-3042463451598408451';

/** How long a migration on PostgreSQL waits for a table: writers that come after it wait behind it for as long. */
const LOCK_WAIT_MS = 1_000;
const LOCK_PAUSE_MS = 1_000;
const MOST_TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

export async function migrate(database: Database): Promise<void> {
  const wanted = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  for (let tries = 1; ; ) {
    try {
      if (await isAtNewest(database, wanted)) return;
      tries = 1;
    } catch (error) {
      if (tries === MOST_TRIES || sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      tries += 1;
      // Those that queued behind the lock have their turn.
      await sleep(LOCK_PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

/** Applies the first migration that is missing, in a transaction of its own: it gives back its locks before the next one. */
function isAtNewest(database: Database, wanted: readonly Migration[]): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Held until the transaction ends, however it ends.
    await tx.execute(sql.raw(`select pg_advisory_xact_lock(${LOCK})`));
    // After the advisory lock, which may be waited for as long as another process migrates.
    if (database.kind === 'postgres') await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`));
    await tx.execute(sql`create table if not exists gantry_migrations (
      at bigint primary key, hash text not null, applied_at timestamptz not null default now())`);
    await tx.execute(
      sql`alter table gantry_migrations add column if not exists only_adds boolean not null default false`,
    );
    const applied = await rowsOf<{ at: string; hash: string; only_adds: boolean }>(
      tx,
      sql`select at, hash, only_adds from gantry_migrations order by at`,
    );
    applied.forEach(({ at, hash, only_adds: isHarmless }, index) => {
      const known = wanted[index];
      const isFine = known ? known.folderMillis === Number(at) && known.hash === hash : isHarmless;
      if (!isFine) throw new Error(STRANGE);
    });
    const next = wanted[applied.length];
    if (next) await apply(tx, next);
    return applied.length + 1 >= wanted.length;
  });
}

const STRANGE =
  'this database was made by another version of Gantry, whose changes this one does not know: start that version, or one that follows it';

async function apply(tx: Sql, { sql: statements, folderMillis, hash }: Migration) {
  // One that was built beforehand, while writers went on, is taken.
  for (const statement of statements)
    await tx.execute(sql.raw(statement.replace(/^CREATE INDEX (?=")/, 'CREATE INDEX IF NOT EXISTS ')));
  await tx.execute(
    sql`insert into gantry_migrations (at, hash, only_adds) values (${folderMillis}, ${hash}, ${onlyAdds(statements)})`,
  );
}
