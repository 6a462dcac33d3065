// Faults 15 and 16, as far as there is something to post: databases and processes that are killed, and two that want one folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { eventually } from '../../../../test/support/eventually.ts';
import { type PostgresServer, startPostgres } from '../../../../test/support/postgres-server.ts';
import { emptyPglite } from '../../../../test/support/prepared-databases.ts';
import { takeFolder } from './folder-lock.ts';
import { type Database, openDatabase } from './open.ts';
import { rowsOf } from './rows-of.ts';
import { accounts } from './schema/people.ts';
import { isUnavailable } from './sqlstate.ts';

const LIMIT_MS = 180_000;

/** The writer's lines, as they come. */
function startWriter(place: string): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, ['--no-warnings', 'api/src/platform/db/testing/writer.ts', place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  return { child, lines };
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/** Every confirmed name is there, and none is half-written. */
async function expectWhole(db: Database, acknowledged: readonly string[]): Promise<void> {
  const names = new Set((await db.sql.select({ name: accounts.name }).from(accounts)).map(({ name }) => name));
  const stems = new Set([...names].map((name) => name.slice(0, -2)));
  expect([...stems].filter((stem) => !names.has(`${stem}-a`) || !names.has(`${stem}-b`))).toEqual([]);
  expect(acknowledged.filter((name) => !stems.has(name))).toEqual([]);
}

describe('a folder of PGlite', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-crash-'));
    // Loading a made one is faster than making one.
    const client = await PGlite.create({ dataDir: join(folder, 'data'), loadDataDir: await emptyPglite() });
    await client.close();
  }, LIMIT_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test(
    'serves one process: a second is refused, and after kill -9 during a write all that was told is there',
    async () => {
      const place = join(folder, 'data');
      const first = startWriter(place);
      await eventually('ten are written', () => first.lines.length > 10, LIMIT_MS);
      const second = startWriter(place);
      await once(second.child, 'close');
      expect(second.lines).toEqual([
        `refused: ${place} is in use by process ${first.child.pid}: a folder of PGlite serves one process at a time`,
      ]);
      await killed(first.child);
      const db = await openDatabase({ folder: place });
      await expectWhole(db, first.lines.slice(1));
      await db.close();
    },
    LIMIT_MS,
  );

  test('a lock of a process that is gone, or whose pid another has by now, is taken over', async () => {
    const place = join(folder, 'other');
    const [mine = ''] = await lockOf(place);
    const [pid = '', started = '', ...boot] = mine.slice('other.lock.'.length).split('-');
    await writeFile(join(folder, ['other.lock.4194999', started, ...boot].join('-')), 'has');
    await writeFile(join(folder, [`other.lock.${pid}`, '1', ...boot].join('-')), 'has');
    await writeFile(join(folder, `other.lock.${pid}-${started}-another-boot`), 'has');
    expect(await lockOf(place)).toEqual([mine]);
  });

  test('one of ten in one process gets it when they ask at once, too', async () => {
    const place = join(folder, 'wanted');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => takeFolder(place)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'fulfilled') await result.value();
  });

  /** The files beside it while it is taken. */
  async function lockOf(place: string): Promise<string[]> {
    const give = await takeFolder(place);
    const files = (await readdir(folder)).filter((name) => name.startsWith('other.lock.'));
    await give();
    return files;
  }
});

describe('PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  let db: Database;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase('test');
    // Two starting processes: one migrates, the other finds it done.
    const [first, second] = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
    await second.close();
    db = first;
  }, LIMIT_MS);
  afterAll(async () => {
    await db?.close();
    await server?.end();
  });

  test('two processes that start at once migrate once', async () => {
    const existing = (await readdir('api/src/platform/db/migrations')).filter((file) => file.endsWith('.sql'));
    expect(await rowsOf(db.sql, sql`select hash from gantry_migrations`)).toHaveLength(existing.length);
  });

  test('a database of another version is refused with a sentence', async () => {
    await db.sql.execute(sql`update gantry_migrations set hash = 'other' || hash`);
    await expect(openDatabase({ url })).rejects.toThrow(/made by another version of Gantry/);
    await db.sql.execute(sql`update gantry_migrations set hash = substr(hash, 6)`);
  });

  test('a database that a newer version only added to is taken as it is; one that it changed is refused', async () => {
    await db.sql.execute(sql`insert into gantry_migrations (at, hash, only_adds) values (9999, 'newer', true)`);
    const older = await openDatabase({ url });
    await older.ping();
    await older.close();
    await db.sql.execute(sql`update gantry_migrations set only_adds = false where at = 9999`);
    await expect(openDatabase({ url })).rejects.toThrow(/made by another version of Gantry/);
    await db.sql.execute(sql`delete from gantry_migrations where at = 9999`);
  });

  test('transactions that do not begin leave their connections to others', async () => {
    const nonsense = { isolationLevel: 'nonsense' as 'serializable' };
    for (let each = 0; each < 11; each++)
      await expect(db.transaction(async () => undefined, nonsense)).rejects.toThrow('Failed query: begin');
    await db.ping();
  });

  test('transactions that cannot be put in a row are repeated until they can: no addition is lost', async () => {
    await db.sql.insert(accounts).values({ id: 'counter', name: 'counter', phone: '0', createdAt: new Date(0) });
    let attempts = 0;
    const allHaveRead = Promise.withResolvers<void>();
    const addOne = () =>
      db.transaction(
        async (tx) => {
          const [row] = await tx.select().from(accounts).where(eq(accounts.id, 'counter'));
          // Nobody writes before all three have read the same: else they might have come one after the other.
          if (++attempts === 3) allHaveRead.resolve();
          await allHaveRead.promise;
          await tx
            .update(accounts)
            .set({ phone: `${Number(row?.phone) + 1}` })
            .where(eq(accounts.id, 'counter'));
        },
        { isolationLevel: 'serializable' },
      );
    await Promise.all([addOne(), addOne(), addOne()]);
    const [row] = await db.sql.select().from(accounts).where(eq(accounts.id, 'counter'));
    expect(row?.phone).toBe('3');
    expect(attempts).toBeGreaterThan(3);
    await db.sql.delete(accounts);
  });

  test(
    'killed in the middle of transactions, and back: no half is left, what was told is there, and the pool goes on',
    async () => {
      const writer = startWriter(url);
      await eventually('ten are written', () => writer.lines.length > 10, LIMIT_MS);
      const ended = once(writer.child, 'close');
      await db
        .transaction(async (tx) => {
          await tx.insert(accounts).values({ id: 'lost', name: 'lost', createdAt: new Date(0) });
          await server.kill();
          await tx.insert(accounts).values({ id: 'lost-too', name: 'lost-too', createdAt: new Date(0) });
        })
        .then(
          () => expect('the transaction').toBe('refused'),
          (error) => expect(isUnavailable(error)).toBe(true),
        );
      expect(isUnavailable(await db.ping().catch((error: unknown) => error))).toBe(true);
      await ended;
      await server.start();
      await eventually('the pool has connections again', () => db.ping().then(() => true));
      expect(await db.sql.select().from(accounts).where(eq(accounts.id, 'lost'))).toEqual([]);
      await expectWhole(
        db,
        writer.lines.filter((line) => /^\d+-\d+$/.test(line)),
      );
    },
    LIMIT_MS,
  );
});
