// The databases that tests run on: PostgreSQL, as in most production gateways, and PGlite for what may differ there.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { rowsOf } from '../../api/src/platform/db/rows-of.ts';
import { startPostgres } from './postgres-server.ts';
import { MIGRATED, migratedPglite, migratedPostgres } from './prepared-databases.ts';

const START_LIMIT_MS = 180_000;

/** Locks, migrations, recursion and the ledger: these files run on both databases, the others on PostgreSQL. */
const ON_BOTH = [
  'api/src/areas/backups/backup.test.ts',
  'api/src/core/billing/ledger/wallets.test.ts',
  'api/src/core/lineage/lineage.test.ts',
  'api/src/core/billing/payments/any-order.test.ts',
  'api/src/platform/db/open.test.ts',
  'api/src/areas/idle/idle-watch.test.ts',
  'api/src/areas/portal/market-looks.test.ts',
  'api/src/platform/http/idempotency.test.ts',
];

/**
 * `tests` runs once per database; `database()` is empty at the beginning of each test. Costs a file about half a second.
 *
 * forEachDatabase((database) => { test('…', async () => { await database().sql.select()… }) })
 */
export function forEachDatabase(tests: (database: () => Database, name: Database['kind']) => void): void {
  const moved = ON_BOTH.filter((file) => !existsSync(file));
  if (moved.length > 0) throw new Error(`test/support/database.ts names files that are not there: ${moved.join(', ')}`);
  const isOnBoth = ON_BOTH.some((file) => expect.getState().testPath?.endsWith(`/${file}`));
  describe.each(isOnBoth ? (['pglite', 'postgres'] as const) : (['postgres'] as const))('on %s', (name) => {
    let opened: Database | undefined;
    const database = () => {
      if (opened === undefined) throw new Error('the database is open only while tests run');
      return opened;
    };
    beforeAll(async () => {
      opened = await (name === 'postgres' ? migratedDatabase() : memoryDatabase());
    }, START_LIMIT_MS);
    beforeEach(() => resetDatabase(database()));
    afterAll(() => opened?.close());
    tests(database, name);
  });
}

/** Empty again, including sequences and append-only tables, which only a superuser can empty. */
export async function resetDatabase(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const named = await rowsOf<{ name: string }>(
      tx,
      sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'gantry_migrations'`,
    );
    // TRUNCATE gives every table a new file, which is slow in PGlite: most tables of most tests are empty anyway.
    const asked = named.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
    const filled = await rowsOf<{ name: string }>(tx, sql.raw(asked.join(' union all ')));
    // Triggers and references rest while a transaction "replicates".
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const { name } of filled) await tx.execute(sql.raw(`delete from ${name}`));
    await tx.execute(
      sql`select setval(format('%I', sequencename)::regclass, start_value, false) from pg_sequences where last_value is not null`,
    );
  });
}

/** A PostgreSQL of the caller's own, migrated and without rows; closing it ends its server. */
export async function migratedDatabase(): Promise<Database> {
  const server = await startPostgres({ from: await migratedPostgres() });
  try {
    const { close, ...opened } = await openDatabase({ url: server.url(MIGRATED) });
    return { ...opened, close: () => close().finally(server.end) };
  } catch (error) {
    await server.end();
    throw error;
  }
}

/** PGlite in memory: a second and a half of processor time, and each statement costs more than PostgreSQL's. */
export async function memoryDatabase(): Promise<Database> {
  return openDatabase({ memory: true, from: await migratedPglite() });
}
