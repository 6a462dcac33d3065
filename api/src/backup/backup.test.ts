// A backup restores everything that it saw, on both databases, and refuses to restore where that would do harm.
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../test/support/database.ts';
import type { Database } from '../db/open.ts';
import { rowsOf } from '../db/rows-of.ts';
import { accounts, memberships, organizations, platformGrants } from '../db/schema/people.ts';
import type { Line } from './archive.ts';
import { backUp, restore } from './backup.ts';
import { readTables } from './tables.ts';

const at = new Date('2026-01-01T00:00:00Z');
const version = '1.2.3';

const emptyCluster = () => new MemoryCluster([], { fieldManager: 'test' });

const object = (kind: string, name: string, namespace?: string, metadata: Partial<KubeObject['metadata']> = {}) =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind,
    metadata: { name, ...(namespace && { namespace }), ...metadata },
    spec: { displayName: `the ${name}` },
    status: { phase: 'running' },
  }) as KubeObject;

/** Three wishes, and a Snapshot that the operator made. */
function clusterOfTwo(): MemoryCluster {
  const cluster = emptyCluster();
  cluster.put(
    object('GpuInstance', 'ins-1', 'org-aaa', {
      labels: { team: 'a' },
      annotations: { note: 'mine', 'gantry.dev/paused': 'true', 'gantry.dev/confirm-delete': 'ins-1' },
      finalizers: ['gantry.dev/metered'],
    }),
  );
  cluster.put(object('Organization', 'aaa'));
  cluster.put(
    object('Snapshot', 'ins-1-1', 'org-aaa', {
      ownerReferences: [
        { apiVersion: 'gantry.dev/v1alpha1', kind: 'GpuInstance', name: 'ins-1', uid: 'u', controller: true },
      ],
    }),
  );
  cluster.put(object('DataDisk', 'disk-1', 'org-aaa'));
  return cluster;
}

async function fill(db: Database): Promise<void> {
  await db.sql.insert(accounts).values([
    { id: 'acc-1', name: 'Ann "the\nquoted" 安', email: 'ann@example.org', passwordHash: '$argon2id$', createdAt: at },
    { id: 'acc-2', name: 'bob', createdAt: at },
  ]);
  await db.sql
    .insert(organizations)
    .values({ id: 'aaa', name: 'Ann', personalOf: 'acc-1', currency: 'USD', createdAt: at });
  await db.sql.insert(memberships).values({ organizationId: 'aaa', accountId: 'acc-1', role: 'owner', createdAt: at });
  await db.sql.insert(platformGrants).values({ accountId: 'acc-2', role: 'support', createdAt: at });
  // Numbers and times that JavaScript would round, and more rows than one statement carries.
  await db.sql.execute(sql`insert into audit_log (id, at, actor_kind, organization_id, request_id, action, decision, status, ip)
    select 9007199254740000 + n, timestamptz '2026-01-01T00:00:00.123456Z', 'system', 'aaa', 'r', 'a', 'allowed', 200, ''
    from generate_series(1, 1001) n`);
  await db.sql.execute(sql`insert into audit_blocks (organization_id, seq, from_id, to_id, entries, previous_hash, hash, sealed_at)
    values ('aaa', 1, 9007199254740993, 9007199254740993, '[[1.50, "a"]]', '0', '1', now())`);
}

async function everyRow(db: Database): Promise<Line[]> {
  const lines: Line[] = [];
  await readTables(db, async (line) => void lines.push(line));
  return lines.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

forEachDatabase((database) => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-backup-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    file = join(folder, `${crypto.randomUUID()}.backup`);
    await fill(database());
  });
  const backedUp = (cluster = clusterOfTwo()) => backUp({ db: database(), cluster, version }, createWriteStream(file));

  test('every row and every wish comes back', async () => {
    const before = await everyRow(database());
    expect(before).toHaveLength(1_007);
    expect(await backedUp()).toEqual({ rows: 1_007, objects: 3 });

    await resetDatabase(database());
    const cluster = emptyCluster();
    expect(await restore({ db: database(), cluster }, file)).toEqual({
      rows: 1_007,
      objects: 3,
      made: 3,
      alreadyThere: 0,
    });
    expect(await everyRow(database())).toEqual(before);
    expect(cluster.writes).toEqual(['create Organization aaa', 'create GpuInstance ins-1', 'create DataDisk disk-1']);
    const restored = cluster.find('GpuInstance', 'ins-1');
    expect(restored).toMatchObject({
      metadata: { labels: { team: 'a' }, annotations: { note: 'mine', 'gantry.dev/paused': 'true' } },
      spec: { displayName: 'the ins-1' },
    });
    expect(restored?.metadata.finalizers).toBeUndefined();
    expect(restored?.metadata.annotations).not.toHaveProperty('gantry.dev/confirm-delete');
    expect(restored).not.toHaveProperty('status');
  });

  test('sequences continue after the restored values', async () => {
    await backedUp();
    await resetDatabase(database());
    await restore({ db: database(), cluster: emptyCluster() }, file);
    const [made] = await rowsOf<{ id: string }>(
      database().sql,
      sql`insert into audit_log (at, actor_kind, organization_id, request_id, action, decision, status, ip)
        values (now(), 'system', '', 'r', 'a', 'allowed', 200, '') returning id::text`,
    );
    expect(made?.id).toBe('9007199254741002');
  });

  test('objects in the cluster are untouched', async () => {
    await backedUp();
    await resetDatabase(database());
    const cluster = emptyCluster();
    cluster.put({ ...object('Organization', 'aaa'), spec: { displayName: 'newer' } } as KubeObject);
    expect(await restore({ db: database(), cluster }, file)).toMatchObject({ made: 2, alreadyThere: 1 });
    expect(cluster.find('Organization', 'aaa')).toMatchObject({ spec: { displayName: 'newer' } });
  });

  test('an object waits for its namespace', async () => {
    await backedUp();
    await resetDatabase(database());
    const cluster = emptyCluster();
    let asked = 0;
    cluster.refuse = (write) =>
      write === 'create GpuInstance ins-1' && asked++ < 2
        ? { error: new ApiError(404, { reason: 'NotFound', message: 'namespaces "org-aaa" not found' }) }
        : undefined;
    expect(await restore({ db: database(), cluster }, file)).toMatchObject({ made: 3 });
    expect(asked).toBe(3);
  });

  test('a database that is not empty is refused, and nothing is written', async () => {
    await backedUp();
    const before = await everyRow(database());
    const cluster = emptyCluster();
    await expect(restore({ db: database(), cluster }, file)).rejects.toThrow(
      /^the database is not empty, \w+ has rows/,
    );
    expect(await everyRow(database())).toEqual(before);
    expect(cluster.writes).toEqual([]);
  });

  test.each([
    [
      'that ends early',
      async () => writeFile(file, (await readFile(file)).subarray(0, -2_000)),
      /unexpected end of file|ends early/,
    ],
    ['that is something else', () => writeFile(file, 'hello'), /is not a backup that this version/],
    [
      'of other tables',
      () => writeFile(file, headerOnly({ gantryBackup: 1, migrations: ['x'] })),
      /of another version of Gantry/,
    ],
    ['of another format', () => writeFile(file, headerOnly({ gantryBackup: 2 })), /is not a backup that this version/],
  ])('a file %s is refused, and nothing is written', async (_what, spoil, why) => {
    await backedUp();
    await spoil();
    await resetDatabase(database());
    const cluster = emptyCluster();
    await expect(restore({ db: database(), cluster }, file)).rejects.toThrow(why);
    expect(await everyRow(database())).toEqual([]);
    expect(cluster.writes).toEqual([]);
  });

  test('a backup whose file cannot be written, or whose cluster is away, fails', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left')) });
    await expect(backUp({ db: database(), cluster: clusterOfTwo(), version }, full)).rejects.toThrow('no space left');
    const away = Object.assign(emptyCluster(), { list: () => Promise.reject(new Error('away')) });
    await expect(backedUp(away)).rejects.toThrow('away');
  });
});

const headerOnly = (header: object): Buffer => gzipSync(`${JSON.stringify({ header })}\n`);
