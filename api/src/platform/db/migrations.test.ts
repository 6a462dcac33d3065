// Migrates existing databases: one with rows, made by the first migration alone, is brought to the newest.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { memoryDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { startPostgres } from '../../../../test/support/postgres-server.ts';
import { emptyPglite } from '../../../../test/support/prepared-databases.ts';
import { verifyBooks } from '../../core/billing/ledger/verify-books.ts';
import { usedBytes } from '../../core/files/quota.ts';
import { type Database, openDatabase } from './open.ts';
import { rowsOf } from './rows-of.ts';
import { oldDatabase } from './testing/old-database.ts';

const LIMIT_MS = 180_000;
const MIGRATIONS = 'api/src/platform/db/migrations';

test('the first migration is what released databases were made by', async () => {
  const text = await readFile(join(MIGRATIONS, '0000_first.sql'));
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'aafce740a52837cdf1ae096f4d7db715a91e53bd77bfdbe2725f057d2e043422',
  );
});

test(
  'the migrations say what the schema says',
  async () => {
    const child = spawn(process.execPath, ['--no-warnings', 'api/src/platform/db/generate.ts', '--check'], {
      stdio: 'inherit',
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

test('an index that was built beforehand is taken', async () => {
  const server = await startPostgres();
  try {
    const url = await server.createDatabase('prepared');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(await oldDatabase('0034_attention_heads.sql', ''));
    await client.query('create index concurrently if not exists token_usage_model on token_usage (model_uid, at)');
    await client.end();
    await (await openDatabase({ url })).close();
  } finally {
    await server.end();
  }
}, 60_000);

describe.each(['pglite', 'postgres'] as const)('a database of the first version, on %s', (kind) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  const opened = (statements: string) => openedOn(kind, statements, ends);

  test(
    'keeps its rows, and has the tables, columns, indexes and guards of a new one',
    async () => {
      const old = await opened(
        await oldDatabase(
          '0000_first.sql',
          `${await readFile('api/src/platform/db/testing/first.sql', 'utf8')};
          update payments set dispute = 'lost' where amount = 50000000;
          update payments set dispute = 'warning_needs_response' where amount = 51000000`,
        ),
      );
      ends.push(() => old.close());
      const fresh = await memoryDatabase();
      ends.push(() => fresh.close());

      const migrations = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'));
      expect(await rowsOf(old.sql, sql`select from gantry_migrations`)).toHaveLength(migrations.length);
      expect(await shapeOf(old)).toEqual(await shapeOf(fresh));
      await expect(old.sql.execute(sql`delete from transfers`)).rejects.toMatchObject({
        cause: { message: 'transfers may only grow' },
      });

      const { transfers, head, faults } = await verifyBooks(old, new Date('2026-03-02T11:00:00Z'));
      expect({ transfers, head: head?.number, faults }).toEqual({ transfers: 18, head: '1', faults: [] });
      const topUps = await rowsOf<{ says: string }>(
        old.sql,
        sql`select total / 1000000 || ': ' || status || ', ' || paid / 1000000 || ' paid, ' || refunded / 1000000 || ' refunded' as says
          from bills where type = 'recharge' order by total`,
      );
      expect(topUps.map(({ says }) => says)).toEqual([
        '50: paid, 50 paid, 20 refunded',
        '51: refunded, 51 paid, 51 refunded',
        '52: paid, 52 paid, 0 refunded',
        '53: paid, 53 paid, 0 refunded',
        '54: refunding, 54 paid, 24 refunded',
        '55: refunding, 55 paid, 25 refunded',
        '60: partially_paid, 59 paid, 9 refunded',
      ]);
      const forStaff = sql`select amount / 1000000 as of from payments where dispute_booking = 'undecided'`;
      expect((await rowsOf<{ of: string }>(old.sql, forStaff)).map(({ of }) => `${of}`)).toEqual(['50']);
    },
    LIMIT_MS,
  );
});

describe.each(['pglite', 'postgres'] as const)(
  'models of the last version without one table of files, on %s',
  (kind) => {
    const ends: (() => Promise<unknown>)[] = [];
    afterAll(async () => {
      for (const end of ends.reverse()) await end();
    });

    test(
      'keep their files, go on with what had not arrived, and keep what was metered',
      async () => {
        const rows = await readFile('api/src/platform/db/testing/model-files.sql', 'utf8');
        const old = await openedOn(kind, await oldDatabase('0041_staff_gifts.sql', rows), ends);
        ends.push(() => old.close());
        expect(
          await rowsOf(
            old.sql,
            sql`select id, owner_kind, owner_id, org_id, path, state, received_bytes::int, digest, last_part, next_part, kept_at is not null as kept
            from files order by id`,
          ),
        ).toEqual([
          fileRow({ id: 'mfl-1', owner_id: 'mvr-ready', path: 'a', state: 'ready', received_bytes: 7, digest: 'aa' }),
          fileRow({ id: 'mfl-2', owner_id: 'mvr-ready', path: 'b', state: 'ready', received_bytes: 7, digest: 'aa' }),
          fileRow({
            id: 'mfl-3',
            owner_id: 'mvr-half',
            path: 'c',
            received_bytes: 33_554_432,
            last_part: 2,
            next_part: 4,
          }),
          fileRow({ id: 'mfl-4', owner_id: 'mvr-half', path: 'd', last_part: 0, next_part: 2 }),
          fileRow({ id: 'mfl-5', owner_id: 'mvr-failed', path: 'e', state: 'failed', last_part: 0, next_part: 2 }),
        ]);
        expect([await usedBytes(old.sql, 'org-a')]).toEqual([7 + 50_000_000 + 9]);
        expect(
          await rowsOf(old.sql, sql`select org_id, owner_kind, bytes::int, transfer_key from stored_hours`),
        ).toEqual([{ org_id: 'org-a', owner_kind: 'model', bytes: 14, transfer_key: null }]);
        expect(
          await rowsOf(old.sql, sql`select org_id, kind, name, sealed, creator_id from sealed_credentials`),
        ).toEqual([{ org_id: 'org-a', kind: 'hub', name: 'hub', sealed: 'sealed', creator_id: 'acc-a' }]);
      },
      LIMIT_MS,
    );
  },
);

const fileRow = (more: object) => ({
  ...{ owner_kind: 'model', org_id: 'org-a', state: 'arriving', received_bytes: 0, digest: null },
  ...{ last_part: 1, next_part: 3, kept: 'digest' in more },
  ...more,
});

test(
  'writers of the old version are not stalled by migrations that wait, and two processes migrate at once',
  async () => {
    const server = await startPostgres();
    const clients: pg.Client[] = [];
    const connected = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      clients.push(client);
      await client.connect();
      return client;
    };
    try {
      const url = await server.createDatabase('busy');
      const holder = await connected(url);
      await holder.query(await oldDatabase('0013_registry_rows_first.sql', ''));
      // As any write takes it, to the end of its transaction.
      const write = 'lock table discounts in row exclusive mode';
      // A long transaction of the old version has written to a table that 0016 changes.
      await holder.query('begin');
      await holder.query(write);
      const opening = Promise.all([openDatabase({ url }), openDatabase({ url })]);
      const writer = await connected(url);
      await eventually('a migration waits for the table', async () => {
        const { rows } = await writer.query(
          "select from pg_locks where not granted and locktype = 'relation' and relation = 'discounts'::regclass",
        );
        return rows.length === 1;
      });
      await writer.query(`begin; ${write}; commit`);
      // The earlier migrations are there already.
      const { rows } = await writer.query('select from gantry_migrations');
      expect(rows).toHaveLength(16);
      await holder.query('commit');
      const opened = await opening;
      const migrations = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'));
      expect(await rowsOf((opened[0] as Database).sql, sql`select from gantry_migrations`)).toHaveLength(
        migrations.length,
      );
      for (const database of opened) await database.close();
    } finally {
      for (const client of clients) await client.end();
      await server.end();
    }
  },
  LIMIT_MS,
);

async function openedOn(
  kind: 'pglite' | 'postgres',
  statements: string,
  ends: (() => Promise<unknown>)[],
): Promise<Database> {
  if (kind === 'postgres') {
    const server = await startPostgres();
    ends.push(() => server.end());
    const url = await server.createDatabase('old');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statements);
    await client.end();
    return openDatabase({ url });
  }
  const folder = join(await mkdtemp(join(tmpdir(), 'gantry-old-')), 'data');
  ends.push(() => rm(join(folder, '..'), { recursive: true }));
  const client = await PGlite.create({ dataDir: folder, loadDataDir: await emptyPglite() });
  await client.exec(statements);
  await client.close();
  return openDatabase({ folder });
}

async function shapeOf(database: Database) {
  return {
    columns: await rowsOf(
      database.sql,
      sql`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
        where table_schema = 'public' order by 1, 2`,
    ),
    indexes: await rowsOf(database.sql, sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    constraints: await rowsOf(
      database.sql,
      sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as says from pg_constraint
        where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
    ),
    triggers: await rowsOf(
      database.sql,
      sql`select tgname, pg_get_triggerdef(oid) as says from pg_trigger where not tgisinternal order by 1`,
    ),
  };
}
