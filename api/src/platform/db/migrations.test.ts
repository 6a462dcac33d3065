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

test(
  'nodes of collected datasets, those that are gone included, are for managers after an upgrade',
  async () => {
    const ends: (() => Promise<unknown>)[] = [];
    const rows = `insert into accounts (id, name, created_at) values ('acc-a', 'a', '2026-03-01');
      insert into organizations (id, name, currency, created_at) values ('org-a', 'a', 'USD', '2026-03-01');
      insert into datasets (id, org_id, name, type, managers_only, creator_id, created_at, updated_at) values
        ('dst-open', 'org-a', 'open', 'file', false, 'acc-a', '2026-03-01', '2026-03-01'),
        ('dst-kept', 'org-a', 'kept', 'file', true, 'acc-a', '2026-03-01', '2026-03-01');
      insert into lineage_nodes (org_id, kind, ref, uid, digest, name, at) values
        ('org-a', 'deployment', 'mdp-a', 'uid-a', 'a', 'chat', '2026-03-01'),
        ('org-a', 'dataset', 'dst-open', 'dsv-1', 'b', 'open', '2026-03-01'),
        ('org-a', 'dataset', 'dst-kept', 'dsv-2', 'c', 'kept', '2026-03-01'),
        ('org-a', 'dataset', 'dst-gone', 'dsv-3', 'd', 'gone', '2026-03-01'),
        ('org-a', 'dataset', 'dst-gone', 'dsv-4', 'e', 'gone', '2026-03-01');
      insert into lineage_edges (from_id, to_id, org_id, at)
        select f.id, t.id, 'org-a', '2026-03-01' from lineage_nodes f, lineage_nodes t where f.uid = 'uid-a' and t.uid = 'dsv-3';`;
    try {
      const old = await openedOn('pglite', await oldDatabase('0046_dataset_profiles.sql', rows), ends);
      ends.push(() => old.close());
      expect(await rowsOf(old.sql, sql`select uid from lineage_nodes where managers_only order by uid`)).toEqual([
        { uid: 'dsv-2' },
        { uid: 'dsv-3' },
        { uid: 'dsv-4' },
      ]);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
  LIMIT_MS,
);

test(
  'runs and collected sets stand between versions and their sources after an upgrade',
  async () => {
    const ends: (() => Promise<unknown>)[] = [];
    const rows = `insert into accounts (id, name, created_at) values ('acc-a', 'a', '2026-03-01');
      insert into organizations (id, name, currency, created_at) values ('org-a', 'a', 'USD', '2026-03-01');
      insert into datasets (id, org_id, name, type, managers_only, creator_id, created_at, updated_at) values
        ('dst', 'org-a', 'd', 'file', false, 'acc-a', '2026-03-01', '2026-03-01');
      insert into dataset_versions (id, dataset_id, number, state, source, source_ref, asked, message, creator_id, created_at) values
        ('dsv-1', 'dst', 1, 'ready', 'upload', null, null, '', 'acc-a', '2026-03-01'),
        ('dsv-2', 'dst', 2, 'ready', 'process', 'prc', '{"source":"process","task":"prc","taskUid":"t1","run":4}', '', 'acc-a', '2026-03-01'),
        ('dsv-3', 'dst', 3, 'ready', 'collected', 'dep', null, '', 'acc-a', '2026-03-01');
      insert into models (id, organization_id, name, creator_id, created_at, updated_at) values
        ('mdl', 'org-a', 'm', 'acc-a', '2026-03-01', '2026-03-01');
      insert into model_versions (id, model_id, name, state, source, made, creator_id, created_at) values
        ('mdv-1', 'mdl', '1', 'ready', 'upload', null, 'acc-a', '2026-03-01'),
        ('mdv-2', 'mdl', '2', 'ready', 'task', '{"task":"tune","taskUid":"t2","run":1}', 'acc-a', '2026-03-01'),
        ('mdv-3', 'mdl', '3', 'ready', 'task', '{"task":"tune","taskUid":"t2","run":1,"step":9}', 'acc-a', '2026-03-01');
      insert into lineage_nodes (org_id, kind, ref, version, uid, digest, name, at)
        select 'org-a', kind, ref, null, uid, uid, uid, '2026-03-01' from (values
          ('dataset', 'dst', 'dsv-1'), ('dataset', 'dst', 'dsv-2'), ('dataset', 'dst', 'dsv-3'), ('model', 'mdl', 'mdv-1'),
          ('model', 'mdl', 'mdv-2'), ('model', 'mdl', 'mdv-3'), ('model', 'mdl', 'mdv-gone'), ('deployment', 'dep', 'uid-dep')
        ) as v (kind, ref, uid);
      insert into lineage_edges (from_id, to_id, org_id, via, at)
        select f.id, t.id, 'org-a', v.via, '2026-03-01' from (values
          ('dsv-1', 'dsv-2', 't1'), ('uid-dep', 'dsv-3', null), ('mdv-1', 'mdv-2', 't2'), ('dsv-2', 'mdv-2', 't2'),
          ('mdv-1', 'mdv-3', 't2'), ('mdv-2', 'uid-dep', null), ('mdv-1', 'mdv-gone', 't3')
        ) as v (f, t, via) join lineage_nodes f on f.uid = v.f join lineage_nodes t on t.uid = v.t;`;
    try {
      const old = await openedOn('pglite', await oldDatabase('0055_evaluations.sql', rows), ends);
      ends.push(() => old.close());
      const edges = await rowsOf<{ edge: string }>(
        old.sql,
        sql`select f.uid || ' > ' || t.uid as edge from lineage_edges e
          join lineage_nodes f on f.id = e.from_id join lineage_nodes t on t.id = e.to_id order by 1`,
      );
      expect(edges.map(({ edge }) => edge)).toEqual([
        ...['dsv-1 > t1/4', 'dsv-2 > t2/1', 'mdv-1 > mdv-gone', 'mdv-1 > t2/1', 'mdv-2 > uid-dep', 'org-a/dep > dsv-3'],
        ...['t1/4 > dsv-2', 't2/1 > mdv-2', 't2/1 > mdv-3', 'uid-dep > org-a/dep'],
      ]);
      const made = await rowsOf(
        old.sql,
        sql`select kind, ref, version, managers_only as hidden from lineage_nodes where uid like '%/%' order by kind`,
      );
      expect(made).toEqual([
        { kind: 'collected', ref: 'dep', version: null, hidden: true },
        { kind: 'finetune', ref: 'tune', version: '1', hidden: false },
        { kind: 'process', ref: 'prc', version: '4', hidden: false },
      ]);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
  LIMIT_MS,
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
