// Rows F1 and F2: the cost of posting. F1 writes the same rows into the same tables, with their constraints and triggers, by COPY
// (PostgreSQL) or by INSERTs of many rows (PGlite), transaction for transaction; F2 has everything on one account.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { accountOf } from '../../api/src/core/billing/ledger/accounts.ts';
import { Ledger, type Transfer } from '../../api/src/core/billing/ledger/ledger.ts';
import type { Charge } from '../../api/src/core/billing/ledger/wallet-rules.ts';
import { Wallets } from '../../api/src/core/billing/ledger/wallets.ts';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { rowsOf } from '../../api/src/platform/db/rows-of.ts';
import { organizations } from '../../api/src/platform/db/schema/people.ts';
import { copyIn, copyOut } from './copy-rows.ts';
import type { Pair } from './measure.ts';
import { type Cost, type MeasuredPostgres, startMeasuredPostgres } from './measured-postgres.ts';
import { sized } from './stage.ts';
import { pairsOf } from './wire.ts';

const PAIRS = 5;
/** As an hour's settlement has them. */
const CHARGES_PER_TRANSACTION = 1_000;
const TRANSACTIONS = sized(20);
/** Net of a discount: of the tenant's credit, and of the platform's discounts. */
const LEGS = 2;
const TENANTS = 200;
const CREDIT = micros(1_000_000_000_000n);
const [LIST, NET] = [micros(2_000), micros(1_800)];
const AT = new Date('2026-11-22T00:00:00Z');

/** Postings for each CPU-second of this process and the database's; and for each second. */
export interface Speeds {
  readonly perCpuSecond: readonly Pair[];
  readonly perSecond: readonly Pair[];
}

type Turn = (pair: number) => Promise<Cost>;

async function speedsOf(postings: number, play: { ours: Turn; peer: Turn }): Promise<Speeds> {
  const perSecond: { ours: number; peer: number }[] = Array.from({ length: PAIRS }, () => ({ ours: 0, peer: 0 }));
  const turn = (who: keyof Pair) => async (pair: number) => {
    const { cpuMs, ms } = await play[who](pair);
    const speeds = perSecond[pair];
    if (speeds) speeds[who] = (1_000 * postings) / ms;
    return (1_000 * postings) / cpuMs;
  };
  // Once before it counts: plans are made, files grow, code is compiled.
  for (const who of ['ours', 'peer'] as const) await play[who](PAIRS);
  return { perCpuSecond: await pairsOf(PAIRS, { ours: turn('ours'), peer: turn('peer') }), perSecond };
}

// The poster

const tenant = (index: number): string => `t${`${index % TENANTS}`.padStart(7, '0')}`;

/** Its own wallet each, with credit. */
class Poster {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly wallets: Wallets;

  private constructor(database: Database) {
    this.database = database;
    this.ledger = new Ledger({ db: database, clock: systemClock });
    this.wallets = new Wallets({ db: database, clock: systemClock, ledger: this.ledger });
  }

  static async open(database: Database, currencyOf = (_tenant: number) => 'USD'): Promise<Poster> {
    const poster = new Poster(database);
    const tenants = Array.from({ length: TENANTS }, (_, index) => ({ id: tenant(index), currency: currencyOf(index) }));
    await database.sql
      .insert(organizations)
      .values(tenants.map(({ id, currency }) => ({ id, name: id, currency, createdAt: AT })));
    for (const { id, currency } of tenants) {
      await poster.wallets.open(id, currency);
      await poster.wallets.grant({
        key: `grant/${id}`,
        organizationId: id,
        amount: CREDIT,
        at: AT,
        bill: { id: `grant/${id}`, reference: 'bench' },
      });
    }
    return poster;
  }

  post(transfers: readonly Transfer[]): Promise<unknown> {
    return this.database.transaction((tx) => this.ledger.post(tx, transfers));
  }
}

/** One transaction's charges: each for another object, and so for another bill. */
const chargesOf = (transaction: string, count = CHARGES_PER_TRANSACTION, tenantOf = tenant): Charge[] =>
  Array.from({ length: count }, (_, index) => {
    const uid = `3f1e2a9c-5e5e-4a7c-${transaction.padStart(12, '0')}-${`${index}`.padStart(4, '0')}`;
    return {
      key: `use/${uid}/1/${AT.getTime()}`,
      organizationId: tenantOf(index),
      list: LIST,
      net: NET,
      at: AT,
      bill: {
        id: `use/${uid}/2026-11-22`,
        type: 'consumption',
        source: 'container_rent',
        accountId: 'a1b2c3d4',
        reference: `GpuInstance/ins-${index}`,
      },
    };
  });

/** The transfers that those charges become. */
const transfersOf = (transaction: string): Transfer[] =>
  chargesOf(transaction).map(({ key, organizationId, list, net, at, bill }) => ({
    key,
    type: 'charge',
    organizationId,
    currency: 'USD',
    at,
    billId: bill.id,
    legs: [
      leg(accountOf({ organizationId }, 'credits', 'USD'), net),
      leg(accountOf('platform', 'discounts', 'USD'), micros(list - net)),
    ],
  }));

const leg = (debit: string, amount: Micros) => ({ debit, credit: accountOf('platform', 'revenue', 'USD'), amount });

type Write = (poster: Poster, transaction: string) => Promise<unknown>;

const WAYS = {
  /** Into the books alone. */
  postings: { tables: ['transfers', 'postings'], write: (poster, name) => poster.post(transfersOf(name)) },
  /** As metering does it: the keys are looked up, wallets locked and changed, bills made. */
  charges: {
    tables: ['transfers', 'postings', 'bills'],
    write: (poster, name) => poster.wallets.charge(chargesOf(name)),
  },
} as const satisfies Record<string, { tables: readonly Table[]; write: Write }>;
export type Way = keyof typeof WAYS;

/** The rows that a transaction added to each table, given the transfers that existed before. */
const ADDED = {
  transfers: (before: bigint) => `SELECT * FROM transfers WHERE id > ${before} ORDER BY id`,
  postings: (before: bigint) => `SELECT * FROM postings WHERE transfer_id > ${before} ORDER BY transfer_id, leg`,
  bills: (before: bigint) =>
    `SELECT bills.* FROM bills JOIN transfers ON bill_id = bills.id WHERE transfers.id > ${before} ORDER BY transfers.id`,
} as const;
type Table = keyof typeof ADDED;

const transactionsOf = (pair: number): string[] =>
  Array.from({ length: TRANSACTIONS }, (_, index) => `${pair}-${index}`);

/** Runs everything once in a separate database: `keep` records what each transaction wrote. */
async function written<T>(way: Way, poster: Poster, keep: (query: (table: Table) => string) => Promise<T>) {
  const kept = new Map<string, T>();
  for (let pair = 0; pair <= PAIRS; pair++)
    for (const name of transactionsOf(pair)) {
      const before = await newestOf(poster.database);
      await WAYS[way].write(poster, name);
      kept.set(name, await keep((table) => ADDED[table](before)));
    }
  return kept;
}

async function newestOf(database: Database): Promise<bigint> {
  const [row] = await rowsOf<{ id: string }>(database.sql, sql`SELECT coalesce(max(id), 0)::text AS id FROM transfers`);
  return BigInt(row?.id ?? 0);
}

// F1

export async function besideCopy(way: Way): Promise<Speeds> {
  const server = await startMeasuredPostgres();
  const closing: (() => Promise<void>)[] = [() => server.end()];
  try {
    const connected = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      closing.push(() => client.end());
      return client;
    };
    const opened = async (name: string) => {
      const url = await server.createDatabase(name);
      const database = await openDatabase({ url });
      closing.push(() => database.close());
      return { url, database };
    };
    const model = await opened('model');
    const reader = await connected(model.url);
    const { tables, write } = WAYS[way];
    const rows = await written(way, await Poster.open(model.database), (query) =>
      inOrder(tables, async (table) => ({ table, rows: await copyOut(reader, `COPY (${query(table)}) TO STDOUT`) })),
    );
    const ours = await Poster.open((await opened('ours')).database);
    const peer = await connected((await opened('peer')).url);
    const copy = async (name: string) => {
      await peer.query('BEGIN');
      for (const { table, rows: lines } of rows.get(name) ?? []) await copyIn(peer, `COPY ${table} FROM STDIN`, lines);
      await peer.query('COMMIT');
    };
    const speeds = await speedsOf(LEGS * CHARGES_PER_TRANSACTION * TRANSACTIONS, {
      ours: (pair) => server.cost(() => eachOf(transactionsOf(pair), (name) => write(ours, name))),
      peer: (pair) => server.cost(() => eachOf(transactionsOf(pair), copy)),
    });
    return speeds;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** In the embedded database, which is this process. */
export async function besideInserts(way: Way): Promise<Speeds> {
  const closing: (() => Promise<void>)[] = [];
  const opened = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const database = await openDatabase({ folder: join(folder, 'data') });
    closing.push(() => database.close());
    return database;
  };
  try {
    const model = await opened();
    const { tables, write } = WAYS[way];
    const statements = await written(way, await Poster.open(model), (query) =>
      inOrder(tables, (table) => insertOf(model, table, query(table))),
    );
    const [ours, peer] = [await Poster.open(await opened()), await opened()];
    const insert = (name: string) =>
      peer.transaction((tx) => eachOf(statements.get(name) ?? [], (statement) => tx.execute(sql.raw(statement))));
    return await speedsOf(LEGS * CHARGES_PER_TRANSACTION * TRANSACTIONS, {
      ours: (pair) => costOf(() => eachOf(transactionsOf(pair), (name) => write(ours, name))),
      peer: (pair) => costOf(() => eachOf(transactionsOf(pair), insert)),
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** One statement that inserts a query's result. */
async function insertOf(database: Database, table: Table, query: string): Promise<string> {
  const columns = await rowsOf<{ name: string }>(
    database.sql,
    sql`SELECT column_name AS name FROM information_schema.columns WHERE table_name = ${table} ORDER BY ordinal_position`,
  );
  const values = columns.map(({ name }) => `quote_nullable("${name}"::text)`).join();
  const [row] = await rowsOf<{ rows: string }>(
    database.sql,
    sql.raw(`SELECT string_agg('(' || concat_ws(',', ${values}) || ')', ',') AS rows FROM (${query}) AS added`),
  );
  const names = columns.map(({ name }) => `"${name}"`).join();
  return `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE VALUES ${row?.rows}`;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [own, began] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(own);
  return { cpuMs: (user + system) / 1_000, serverMs: 0, ms: performance.now() - began };
}

async function eachOf<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await run(item);
}

async function inOrder<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await read(item));
  return results;
}

// F2

const AT_ONCE = 4;
const SMALL_TRANSACTIONS = sized(100);
const CHARGES_OF_SMALL = 100;
const CURRENCIES = 25;

/** Four callers at once; hot is ours, uniform the peer. */
export async function hotAccounts(): Promise<{ tenant: Speeds; platform: Speeds }> {
  const server = await startMeasuredPostgres();
  const closing: (() => Promise<void>)[] = [() => server.end()];
  const opened = async (name: string) => {
    const database = await openDatabase({ url: await server.createDatabase(name) });
    closing.push(() => database.close());
    return database;
  };
  try {
    const one = await Poster.open(await opened('one'));
    const many = await Poster.open(
      await opened('many'),
      (index) => `X${String.fromCharCode(65 + (index % CURRENCIES))}X`,
    );
    let played = 0;
    const play = (poster: Poster, tenantOf: (index: number) => string) =>
      playWith(server, poster, `${played++}`, tenantOf);
    const postings = LEGS * SMALL_TRANSACTIONS * CHARGES_OF_SMALL;
    return {
      tenant: await speedsOf(postings, { ours: () => play(one, () => tenant(0)), peer: () => play(one, tenant) }),
      // Every tenant's postings meet on the platform's accounts of its currency.
      platform: await speedsOf(postings, { ours: () => play(one, tenant), peer: () => play(many, tenant) }),
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function playWith(server: MeasuredPostgres, poster: Poster, round: string, tenantOf: (index: number) => string) {
  const names = Array.from({ length: SMALL_TRANSACTIONS }, (_, index) => `${round}-${index}`);
  return server.cost(() =>
    inParallel(names, AT_ONCE, async (name) => {
      await poster.wallets.charge(chargesOf(name, CHARGES_OF_SMALL, tenantOf));
    }),
  );
}
