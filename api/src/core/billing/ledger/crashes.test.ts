// Faults 15, 16 and 18 on the real databases: killed at every statement of a posting, transactions that cannot be serialized, and
// a hundred starts at once on a balance for seven.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PGlite } from '@electric-sql/pglite';
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { eventually } from '../../../../../test/support/eventually.ts';
import { type PostgresServer, startPostgres } from '../../../../../test/support/postgres-server.ts';
import { emptyPglite } from '../../../../../test/support/prepared-databases.ts';
import { type Database, openDatabase, type Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { isUnavailable } from '../../../platform/db/sqlstate.ts';
import { Ledger } from './ledger.ts';
import { LedgerSealer } from './ledger-sealer.ts';
import { chargeOf } from './testing/charge-of.ts';
import { verifyBooks } from './verify-books.ts';
import { Wallets } from './wallets.ts';

const LIMIT_MS = 180_000;
const AT = new Date('2026-01-01T00:00:00Z');
const clock = new SteppedClock();
const log = pino({ level: 'silent' });

const walletsOf = (db: Database) => new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });

async function openOrganizations(db: Database): Promise<void> {
  for (const id of ['aaa', 'bbb'])
    await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt: AT });
  await walletsOf(db).grant({ key: 'welcome', organizationId: 'aaa', amount: micros(50), at: AT });
}

const keysOf = async (db: Database): Promise<string[]> =>
  (await rowsOf<{ key: string }>(db.sql, sql`select key from transfers where type = 'charge' order by id`)).map(
    ({ key }) => key,
  );

/** Seals and proves the books: every reported charge is there, both halves of each or none. */
async function expectProved(db: Database, acknowledged: readonly string[]): Promise<void> {
  await new LedgerSealer({ db, clock, log }).seal();
  const { faults, unsealed } = await verifyBooks(db, new Date(clock.now()));
  expect({ faults, unsealed }).toEqual({ faults: [], unsealed: 0 });
  const keys = new Set(await keysOf(db));
  const stems = new Set([...keys].map((key) => key.slice(0, -2)));
  expect([...stems].filter((stem) => !keys.has(`${stem}-a`) || !keys.has(`${stem}-b`))).toEqual([]);
  expect(acknowledged.filter((key) => !stems.has(key))).toEqual([]);
}

function startPoster(place: string): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, ['--no-warnings', 'api/src/core/billing/ledger/testing/poster.ts', place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  return { child, lines };
}

test(
  'a folder of PGlite whose process is killed while it posts has all that was told, whole, and its books are proved',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-books-'));
    try {
      const place = join(folder, 'data');
      const client = await PGlite.create({ dataDir: place, loadDataDir: await emptyPglite() });
      await client.close();
      const before = await openDatabase({ folder: place });
      await openOrganizations(before);
      await before.close();
      const { child, lines } = startPoster(place);
      await eventually('ten are posted', () => lines.length > 10, LIMIT_MS);
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      const after = await openDatabase({ folder: place });
      await expectProved(after, lines.slice(1));
      await after.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

describe('PostgreSQL', () => {
  let server: PostgresServer;
  let db: Database;
  beforeAll(async () => {
    server = await startPostgres();
    db = await openDatabase({ url: await server.createDatabase('test') });
    await openOrganizations(db);
  }, LIMIT_MS);
  afterAll(async () => {
    await db?.close();
    await server?.end();
  });

  /** The database, with something done before the n-th statement that transactions send. */
  function disturbed(before: (statement: number) => Promise<void>): Database {
    let count = 0;
    const watched = (tx: Sql): Sql =>
      new Proxy(tx, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (name !== 'execute') return typeof value === 'function' ? value.bind(target) : value;
          return async (...args: Parameters<Sql['execute']>) => {
            await before(++count);
            return target.execute(...args);
          };
        },
      });
    return { ...db, transaction: (work, config) => db.transaction((tx) => work(watched(tx)), config) };
  }

  test(
    'killed before each statement of a posting, it has nothing of it; asked again, it is posted once',
    async () => {
      const two = (key: string) => [chargeOf(`${key}-a`, 'aaa', micros(30)), chargeOf(`${key}-b`, 'bbb', micros(5))];
      await walletsOf(db).hold({
        organizationId: 'aaa',
        subject: 'subject-aaa',
        amount: micros(9),
        until: new Date(AT.getTime() + 60_000),
      });
      // The first charge also opens accounts.
      await walletsOf(db).charge(two('zeroth'));
      let statements = 0;
      await walletsOf(disturbed(async () => void statements++)).charge(two('first'));
      expect(statements).toBeGreaterThan(5);
      for (let at = 1; at <= statements; at++) {
        const dying = disturbed(async (statement) => {
          if (statement === at) await server.kill();
        });
        const failure = await walletsOf(dying)
          .charge(two(`at${at}`))
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        expect([at, isUnavailable(failure)]).toEqual([at, true]);
        await server.start();
        await eventually('the pool has connections again', () => db.ping().then(() => true));
        expect((await keysOf(db)).filter((key) => key.startsWith(`at${at}-`))).toEqual([]);
        await walletsOf(db).charge(two(`at${at}`));
        await walletsOf(db).charge(two(`at${at}`));
      }
      await expectProved(
        db,
        Array.from({ length: statements }, (_, index) => `at${index + 1}`),
      );
    },
    LIMIT_MS,
  );

  test(
    'killed while another process posts, it has all that was told',
    async () => {
      const place = await server.createDatabase('other');
      const other = await openDatabase({ url: place });
      await openOrganizations(other);
      const { child, lines } = startPoster(place);
      await eventually('ten are posted', () => lines.length > 10, LIMIT_MS);
      const ended = once(child, 'close');
      await server.kill();
      await ended;
      await server.start();
      await eventually('the pool has connections again', () => other.ping().then(() => true));
      await expectProved(
        other,
        lines.filter((line) => /^\d+-\d+$/.test(line)),
      );
      await other.close();
    },
    LIMIT_MS,
  );

  test('a serialization failure in the middle of a posting is repeated, and posts once', async () => {
    let failures = 2;
    const failing = disturbed(async (statement) => {
      if (statement % 4 === 0 && failures-- > 0)
        throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    const runs: string[][] = [];
    await walletsOf(failing).charge(
      [chargeOf('again-a', 'aaa', micros(1)), chargeOf('again-b', 'bbb', micros(1))],
      async (_tx, posted) => void runs.push([...posted]),
    );
    expect(failures).toBeLessThanOrEqual(0);
    expect(runs).toEqual([['again-a', 'again-b']]);
    await expectProved(db, ['again']);
  });

  test('a hundred starts at once on a balance for seven: seven hold, and each refusal says the numbers', async () => {
    await db.sql.insert(organizations).values({ id: 'ccc', name: 'ccc', currency: 'USD', createdAt: AT });
    const gateways = [walletsOf(db), walletsOf(db), walletsOf(db)];
    await gateways[0]?.grant({ key: 'seven', organizationId: 'ccc', amount: micros(75), at: AT });
    const until = new Date(clock.now() + 3_600_000);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (gateways[index % 3] as Wallets).hold({
          organizationId: 'ccc',
          subject: `start-${index}`,
          amount: micros(10),
          until,
        }),
      ),
    );
    expect(answers.filter(({ held }) => held)).toHaveLength(7);
    const refused = answers.filter(({ held }) => !held);
    expect(
      new Set(
        refused.map((one) => JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
      ),
    ).toEqual(new Set(['{"held":false,"wanted":"10","available":"5"}']));
    expect(await walletsOf(db).balances('ccc')).toMatchObject({ held: micros(70), available: micros(5) });
  });
});
