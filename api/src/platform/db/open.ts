// Opens the gateway's only database: PostgreSQL by its URL, or PGlite in a folder or in memory. Both have the same schema; code
// that uses a `Database` does not ask which it is. Opening also migrates.
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import pg from 'pg';
import { takeFolder } from './folder-lock.ts';
import { statementLimit } from './in-time.ts';
import { migrate } from './migrate.ts';
import { SCHEMA } from './schema.ts';
import { isWorthRepeating } from './sqlstate.ts';

/** A connection or a transaction. */
export type Sql = PgDatabase<PgQueryResultHKT, typeof SCHEMA>;

export interface Database {
  /** Each statement is its own transaction. Within `transaction` use the connection that it hands in: this one refuses. */
  readonly sql: Sql;
  readonly kind: 'pglite' | 'postgres';
  /**
   * All or nothing. Serialization failures and deadlocks are repeated, so `work` must tolerate running again and touch nothing
   * but the database. Read committed by default.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, config?: PgTransactionConfig): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type Place =
  | { readonly url: string }
  /** On this machine, for one process at a time. */
  | { readonly folder: string }
  /** `from`: the dump of a prepared one, which saves the seconds of making it. */
  | { readonly memory: true; readonly from?: Blob };

const CONNECT_LIMIT_MS = 5_000;
const MOST_CONNECTIONS = 10;
const MOST_TRIES = 6;

/** Rejects with a sentence when another process has the folder, or when the database was made by another version. */
export async function openDatabase(place: Place): Promise<Database> {
  const database = await ('url' in place ? openPostgres(place.url) : openPglite(place));
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** PostgreSQL as it is, of whichever version and however empty: nothing is migrated. */
export const openUnmigrated = (url: string): Promise<Database> => openPostgres(url);

/** Whether this call happens inside of a transaction's work. PGlite has one connection: a second statement would wait forever. */
const within = new AsyncLocalStorage<{ open: boolean }>();

function refuseWithin(): void {
  if (within.getStore()?.open)
    throw new Error('a statement past the transaction that it is in: use what the transaction hands in');
}

class OutsidePglite extends PGlite {
  override query<T>(...args: Parameters<PGlite['query']>) {
    refuseWithin();
    return super.query<T>(...args);
  }
}

class OutsidePool extends pg.Pool {}

OutsidePool.prototype.query = function query(this: pg.Pool, ...args: unknown[]) {
  refuseWithin();
  const limitMs = statementLimit();
  return limitMs === undefined
    ? Reflect.apply(pg.Pool.prototype.query, this, args)
    : queryInTime(this, limitMs, args as Parameters<pg.PoolClient['query']>);
} as pg.Pool['query'];

async function queryInTime(pool: pg.Pool, limitMs: number, args: Parameters<pg.PoolClient['query']>): Promise<unknown> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(`begin; set local statement_timeout = ${limitMs}`);
    const result: unknown = await client.query(...args);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((broken: Error) => {
      failure = broken;
    });
    throw error;
  } finally {
    // A connection whose transaction could not be ended is not used again.
    client.release(failure);
  }
}

async function openPostgres(url: string): Promise<Database> {
  const pool = new OutsidePool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    // If the owner of a transaction hangs, its locks are released.
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'gantry-gateway',
    // Statements of thousands of rows look dear to the planner, and are not: compiling one takes a second, running it ten milliseconds.
    options: '-c jit=off',
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // Nor does one that breaks while a transaction has it: its next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connection = drizzlePostgres(pool, { schema: SCHEMA });
  const clients = new WeakMap<pg.PoolClient, Sql>();
  // Given a pool, drizzle never releases the client of a transaction whose BEGIN fails: ten failures would empty the pool.
  const begin: Sql['transaction'] = async (work, config) => {
    const client = await pool.connect();
    try {
      const known = clients.get(client) ?? drizzlePostgres(client, { schema: SCHEMA });
      clients.set(client, known);
      return await known.transaction(work, config);
    } finally {
      client.release();
    }
  };
  return database('postgres', connection, begin, () => pool.end());
}

async function openPglite(place: Exclude<Place, { url: string }>): Promise<Database> {
  if ('memory' in place) return pgliteOf({ ...(place.from && { loadDataDir: place.from }) }, async () => undefined);
  const give = await takeFolder(place.folder);
  try {
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
    return await pgliteOf({ dataDir: place.folder }, give);
  } catch (error) {
    await give();
    throw error;
  }
}

async function pgliteOf(options: PGliteOptions, afterwards: () => Promise<void>): Promise<Database> {
  const client = new OutsidePglite(options);
  await client.waitReady;
  const connection = drizzlePglite(client, { schema: SCHEMA });
  return database('pglite', connection, connection.transaction.bind(connection), async () => {
    await client.close();
    await afterwards();
  });
}

function database(
  kind: Database['kind'],
  connection: Sql,
  begin: Sql['transaction'],
  end: () => Promise<void>,
): Database {
  let ended: Promise<void> | undefined;
  return {
    kind,
    sql: connection,
    transaction: (work, config) => repeated(() => once(begin, work, config)),
    ping: async () => void (await connection.execute(sql`select 1`)),
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

async function once<T>(
  begin: Sql['transaction'],
  work: (sql: Sql) => Promise<T>,
  config: PgTransactionConfig | undefined,
): Promise<T> {
  refuseWithin();
  // Work that continues in the background, such as a timer, is not within the transaction.
  const here = { open: true };
  // `await` inside: a query of the builder starts only when it is awaited.
  try {
    return await begin((transaction) => within.run(here, async () => await work(transaction)), config);
  } finally {
    here.open = false;
  }
}

async function repeated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MOST_TRIES || !isWorthRepeating(error)) throw error;
      // Apart from each other, or the same two meet again.
      await sleep(Math.random() * 2 ** tries * 5);
    }
  }
}
