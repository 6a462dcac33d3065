// A backup restores everything that it saw, on both databases, and refuses to restore where that would do harm.
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { blobs, files } from '../../platform/db/schema/files.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import { type Line, writeArchive } from './archive.ts';
import { backUp, newId } from './backup.ts';
import { noFindings, sentencesOf } from './report.ts';
import { prove, type RestoreParts, restore, unfinishedRestore } from './restore.ts';
import { newKeys } from './sealed.ts';
import { readTables } from './tables.ts';

const at = new Date('2026-01-01T00:00:00Z');
const version = '1.2.3';
const secrets = ['a key of thirty-two letters or so'];
const platformKey = Buffer.from('the platform keeps this one to itself');

const emptyCluster = () => new MemoryCluster([], { fieldManager: 'test' });

const object = (kind: string, name: string, namespace?: string, metadata: Partial<KubeObject['metadata']> = {}) =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind,
    metadata: { name, ...(namespace && { namespace }), ...metadata },
    spec: { displayName: `the ${name}` },
    status: { phase: 'running' },
  }) as KubeObject;

const owned = (by: KubeObject, controller = true) => ({
  ownerReferences: [
    { apiVersion: by.apiVersion, kind: by.kind, name: by.metadata.name, uid: by.metadata.uid ?? '', controller },
  ],
});

const plain = (kind: string, name: string, metadata: Partial<KubeObject['metadata']> = {}, rest: object = {}) =>
  ({ apiVersion: 'v1', kind, metadata: { name, ...metadata }, ...rest }) as KubeObject;

/** An organisation with an instance that runs, and what belongs to them. */
function clusterOfOne(): MemoryCluster {
  const cluster = emptyCluster();
  const organization = cluster.put(object('Organization', 'aaa'));
  const instance = cluster.put(
    object('GpuInstance', 'ins-1', 'org-aaa', {
      labels: { team: 'a' },
      annotations: { note: 'mine', 'gantry.dev/paused': 'true' },
      finalizers: ['gantry.dev/operator', 'others.example/kept'],
      generation: 4,
    }),
  );
  cluster.put(object('DataDisk', 'disk-1', 'org-aaa'));
  cluster.put({
    ...object('Snapshot', 'ins-1-1', 'org-aaa', owned(instance)),
    status: { phase: 'ready' },
  } as KubeObject);
  cluster.put({
    ...object('Snapshot', 'ins-1-2', 'org-aaa', owned(instance)),
    status: { phase: 'copying' },
  } as KubeObject);
  cluster.put(
    plain('Namespace', 'org-aaa', {
      labels: { 'gantry.dev/organization': 'aaa' },
      annotations: { 'gantry.dev/out-of-credit': 'pay first' },
      ...owned(organization),
    }),
  );
  cluster.put(
    plain('Secret', 'ins-1-env', { namespace: 'org-aaa', ...owned(instance, false) }, { data: { A: 'c2VjcmV0' } }),
  );
  cluster.put(plain('Secret', 'theirs', { namespace: 'kube-system' }, { data: { B: 'bm90IG91cnM=' } }));
  cluster.put(
    plain(
      'ResourceQuota',
      'quota',
      { namespace: 'org-aaa', ...owned(organization) },
      { spec: { hard: { pods: '3' } } },
    ),
  );
  cluster.put(
    plain('Pod', 'ins-1-1', { namespace: 'org-aaa', labels: { 'gantry.dev/kind': 'GpuInstance' }, ...owned(instance) }),
  );
  cluster.put(plain('PersistentVolumeClaim', 'ins-1-home', { namespace: 'org-aaa', ...owned(instance) }));
  return cluster;
}

/** Its objects are gone; what was made for them has lost its owner. */
function lost(cluster: MemoryCluster): MemoryCluster {
  const left = emptyCluster();
  for (const [kind, name] of [
    ['Namespace', 'org-aaa'],
    ['Pod', 'ins-1-1'],
    ['PersistentVolumeClaim', 'ins-1-home'],
  ] as const) {
    const { ownerReferences: _, ...metadata } = (cluster.find(kind, name) as KubeObject).metadata;
    left.put({ apiVersion: 'v1', kind, metadata } as KubeObject);
  }
  return left;
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
  // Numbers that only the database gives out.
  await db.sql.execute(sql`insert into prices (sku, region, currency, amount, valid_from, created_at, created_by)
    values ('disk', '*', 'USD', 1, 'epoch', now(), 'default')`);
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
  const backedUp = async (cluster = clusterOfOne()) =>
    backUp(
      { db: database(), cluster, version, platformKey },
      { id: newId(at.getTime()), at: at.getTime(), keys: await newKeys(secrets) },
      createWriteStream(file),
    );
  const restored = async (cluster: MemoryCluster, parts: Partial<RestoreParts> = {}) => {
    const proved = await prove({ file, secrets });
    const all = { db: database(), cluster, intoExisting: false, now: at.getTime(), ...parts };
    return restore(all, { file, secrets }, proved);
  };

  test('every row and every object comes back, with what was known of it', async () => {
    const before = await everyRow(database());
    expect(before).toHaveLength(1_008);
    const cluster = clusterOfOne();
    expect(await backedUp(cluster)).toEqual({ rows: 1_008, objects: 5, companions: 3, references: 2 });

    await resetDatabase(database());
    const into = emptyCluster();
    expect(await restored(into)).toMatchObject({
      ...{ rows: 1_008, made: 4, alreadyThere: 0, adoptedPods: 0, refused: [] },
      ...{ lostPods: ['org-aaa/ins-1-1'], lostVolumes: ['org-aaa/ins-1-home'] },
    });
    expect(await everyRow(database())).toEqual(before);
    const instance = into.find('GpuInstance', 'ins-1') as KubeObject;
    expect(instance).toMatchObject({
      metadata: {
        labels: { team: 'a' },
        annotations: { note: 'mine', 'gantry.dev/paused': 'true' },
        finalizers: ['gantry.dev/operator'],
      },
      spec: { displayName: 'the ins-1' },
      status: { phase: 'running' },
    });
    expect(identityOf(instance)).toBe(cluster.find('GpuInstance', 'ins-1')?.metadata.uid);
    expect(instance.metadata.uid).not.toBe(identityOf(instance));
    // A save that was under way begins anew.
    expect(into.find('Snapshot', 'ins-1-2')).toBeUndefined();
    expect(into.find('Snapshot', 'ins-1-1')?.metadata.ownerReferences?.[0]?.uid).toBe(instance.metadata.uid);
    // Closed for lack of credit it would take nothing back: the operator closes it again.
    expect(into.find('Namespace', 'org-aaa')?.metadata.annotations).toEqual({});
    expect(into.find('Secret', 'ins-1-env')).toMatchObject({
      metadata: { ownerReferences: [{ uid: instance.metadata.uid }] },
      data: { A: 'c2VjcmV0' },
    });
    expect(into.find('Secret', 'theirs')).toBeUndefined();
    expect(into.find('ResourceQuota', 'quota')).toMatchObject({ spec: { hard: { pods: '3' } } });
  });

  test('what still runs goes on as the restored object’s own', async () => {
    const cluster = clusterOfOne();
    await backedUp(cluster);
    await resetDatabase(database());
    const left = lost(cluster);
    const pod = left.find('Pod', 'ins-1-1');
    expect(await restored(left)).toMatchObject({ adoptedPods: 1, lostPods: [], lostVolumes: [], strange: [] });
    const { uid } = left.find('GpuInstance', 'ins-1')?.metadata ?? {};
    expect(left.find('Pod', 'ins-1-1')?.metadata).toMatchObject({ uid: pod?.metadata.uid, ownerReferences: [{ uid }] });
    expect(left.find('PersistentVolumeClaim', 'ins-1-home')?.metadata.ownerReferences).toMatchObject([{ uid }]);
  });

  test('a Pod of the same name that is another one is told, and left alone', async () => {
    const cluster = clusterOfOne();
    await backedUp(cluster);
    await resetDatabase(database());
    const left = lost(cluster);
    left.put({
      ...(left.find('Pod', 'ins-1-1') as KubeObject),
      metadata: { ...left.find('Pod', 'ins-1-1')?.metadata, uid: 'another' } as KubeObject['metadata'],
    });
    expect(await restored(left)).toMatchObject({ adoptedPods: 0, strange: ['Pod org-aaa/ins-1-1'] });
  });

  test('an object that was deleted while the backup was made does not come back', async () => {
    const cluster = clusterOfOne();
    let lists = 0;
    const between = clusterOfOne();
    const inBetween = Object.assign(between, {
      list: async (...[resource, query]: Parameters<MemoryCluster['list']>) => {
        const page = await cluster.list(resource, query);
        if (resource.kind === 'DataDisk' && lists++ > 0) page.items.length = 0;
        return page;
      },
    });
    await backedUp(inBetween);
    await resetDatabase(database());
    const into = emptyCluster();
    await restored(into);
    expect(into.find('DataDisk', 'disk-1')).toBeUndefined();
    expect(into.find('GpuInstance', 'ins-1')).toBeDefined();
  });

  test('an object on its way out is on its way out again', async () => {
    const cluster = clusterOfOne();
    const disk = cluster.find('DataDisk', 'disk-1') as KubeObject;
    cluster.put({
      ...disk,
      metadata: { ...disk.metadata, deletionTimestamp: at.toISOString(), finalizers: ['gantry.dev/billing'] },
    });
    await backedUp(cluster);
    await resetDatabase(database());
    const into = emptyCluster();
    await restored(into);
    expect(into.writes).toContain('delete DataDisk disk-1');
  });

  test('files of models that the bucket lacks are named, once for each file; those that nobody can say anything of are not', async () => {
    const model = {
      id: 'mdl-1',
      organizationId: 'aaa',
      name: 'smol',
      creatorId: 'acc-1',
      createdAt: at,
      updatedAt: at,
    };
    await database().sql.insert(models).values(model);
    const named = { modelId: 'mdl-1', source: 'upload', state: 'ready', creatorId: 'acc-1', createdAt: at } as const;
    await database()
      .sql.insert(modelVersions)
      .values({ id: 'ver-1', name: '1.0', ...named });
    const digests = { kept: 'a', lost: 'b', silent: 'c', coming: 'd' };
    for (const letter of Object.values(digests))
      await database()
        .sql.insert(blobs)
        .values({ digest: letter.repeat(64), sizeBytes: 7, storedAt: at });
    for (const [path, letter] of Object.entries({ ...digests, again: 'b' }))
      await database()
        .sql.insert(files)
        .values({
          ...{
            id: `fil-${path}`,
            ownerKind: 'model',
            ownerId: 'ver-1',
            organizationId: 'aaa',
            path,
            sizeBytes: 7,
            digest: letter.repeat(64),
          },
          keptAt: path === 'coming' ? null : at,
        });
    await backedUp();
    await resetDatabase(database());
    const asked: string[] = [];
    const hasBlob = async ({ digest }: { digest: string }, bytes: number) => {
      asked.push(`${digest[0]} ${bytes}`);
      return digest.startsWith('c') ? undefined : digest.startsWith('a');
    };
    const { lostFiles } = await restored(emptyCluster(), { hasBlob });
    expect(lostFiles).toEqual(['aaa/smol 1.0: again', 'aaa/smol 1.0: lost']);
    expect(asked.toSorted()).toEqual(['a 7', 'b 7', 'c 7']);
    expect(sentencesOf({ ...noFindings(), lostFiles })).toContain(
      'aaa/smol 1.0: lost is not in the bucket for models: its version cannot be served or downloaded unless the bucket is restored',
    );
  });

  test('sequences continue after the restored values', async () => {
    await backedUp();
    await resetDatabase(database());
    await restored(emptyCluster());
    const [made] = await rowsOf<{ id: string }>(
      database().sql,
      sql`insert into audit_log (at, actor_kind, organization_id, request_id, action, decision, status, ip)
        values (now(), 'system', '', 'r', 'a', 'allowed', 200, '') returning id::text`,
    );
    expect(made?.id).toBe('9007199254741002');
  });

  test('a platform that is not empty is refused, and nothing is written', async () => {
    await backedUp();
    const before = await everyRow(database());
    const cluster = emptyCluster();
    await expect(restored(cluster)).rejects.toThrow(
      /^this platform is not empty: the database has rows in "\w+"\. With --into-existing/,
    );
    expect(await everyRow(database())).toEqual(before);
    await resetDatabase(database());
    cluster.put(object('Organization', 'bbb'));
    await expect(restored(cluster)).rejects.toThrow(/the cluster has Organization bbb\./);
    expect(await everyRow(database())).toEqual([]);
    expect(cluster.writes).toEqual([]);
  });

  test('asked to, it replaces the tables and leaves the objects, and tells what differs', async () => {
    const cluster = clusterOfOne();
    await backedUp(cluster);
    const before = await everyRow(database());
    await database().sql.insert(accounts).values({ id: 'acc-3', name: 'late', createdAt: at });
    cluster.put({ ...object('GpuInstance', 'ins-1', 'org-aaa'), spec: { displayName: 'newer' } } as KubeObject);
    cluster.put(object('GpuInstance', 'ins-2', 'org-aaa'));
    expect(await restored(cluster, { intoExisting: true })).toMatchObject({
      ...{ made: 0, alreadyThere: 4, newer: ['GpuInstance org-aaa/ins-1'], unknown: ['GpuInstance org-aaa/ins-2'] },
    });
    expect(await everyRow(database())).toEqual(before);
    expect(cluster.find('GpuInstance', 'ins-1')).toMatchObject({ spec: { displayName: 'newer' } });
    // Tables that only grow do so again.
    await expect(database().sql.execute(sql`delete from audit_log`)).rejects.toThrow();
  });

  test('a restore that was cut off goes on; until then no gateway starts', async () => {
    const cluster = clusterOfOne();
    await backedUp(cluster);
    const { header } = await prove({ file, secrets });
    const before = await everyRow(database());
    await resetDatabase(database());
    const left = lost(cluster);
    left.refuse = (write) => (write === 'create DataDisk disk-1' ? { error: new Error('the wire is cut') } : undefined);
    await expect(restored(left)).rejects.toThrow('the wire is cut');
    expect(await unfinishedRestore(database())).toBe(header.id);
    left.refuse = () => undefined;
    expect(await restored(left)).toMatchObject({ adoptedPods: 1, newer: [], different: [], unknown: [] });
    expect(await unfinishedRestore(database())).toBeUndefined();
    expect(await everyRow(database())).toEqual(before);
    expect(left.find('GpuInstance', 'ins-1')).toMatchObject({ status: { phase: 'running' } });
    // And once more it is refused.
    await expect(restored(left)).rejects.toThrow(/is not empty/);
  });

  test('what the cluster refuses is told, and the rest is restored', async () => {
    await backedUp();
    await resetDatabase(database());
    const into = emptyCluster();
    const error = new ApiError(403, { reason: 'Forbidden', message: 'a policy says no' });
    into.refuse = (write) => (write === 'create DataDisk disk-1' ? { error } : undefined);
    expect(await restored(into)).toMatchObject({
      ...{ made: 3, refused: [{ name: 'DataDisk org-aaa/disk-1', why: expect.stringContaining('a policy says no') }] },
    });
  });

  test('while an operator runs, nothing is restored', async () => {
    await backedUp();
    await resetDatabase(database());
    const into = emptyCluster();
    into.put({
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
      metadata: { name: 'gantry-operator', namespace: 'gantry-system' },
      spec: { holderIdentity: 'one', renewTime: at.toISOString() },
    } as KubeObject);
    await expect(restored(into)).rejects.toThrow(/^the operator one runs: stop it until the restore is over/);
    expect(await restored(into, { now: at.getTime() + 60_000 })).toMatchObject({ made: 4 });
  });

  test.each<[string, (sealed: Buffer) => Buffer, RegExp]>([
    ['that ends within a frame', (sealed) => sealed.subarray(0, -2_000), /is damaged or was changed: frame \d+/],
    [
      'that ends after a frame',
      (sealed) => sealed.subarray(0, 57 + 64 * 1024 + 16),
      /ends early: it is not a whole backup/,
    ],
    ['that has nothing but its header', (sealed) => sealed.subarray(0, 57), /ends early/],
    ['with a changed byte', (sealed) => changed(sealed, 57 + 100), /is damaged or was changed: frame 1 /],
    ['with a changed header', (sealed) => changed(sealed, 50), /was sealed by another key/],
    ['with frames in another order', swapped, /is damaged or was changed: frame 1 /],
    [
      'with a frame twice',
      (sealed) => Buffer.concat([sealed.subarray(0, 57 + 65_552), sealed.subarray(57)]),
      /frame 2 /,
    ],
    [
      'with bytes behind its end',
      (sealed) => Buffer.concat([sealed, Buffer.from('more')]),
      /is damaged or was changed/,
    ],
    ['of something else', () => Buffer.from('hello'), /is no backup of Gantry's/],
    ['of a later format', (sealed) => changed(sealed, 8), /has format \d+, and this version of Gantry reads format 1/],
  ])('a file %s is refused, and nothing is written', async (_what, spoil, why) => {
    await database().sql.execute(sql`insert into audit_log (at, actor_kind, organization_id, request_id, action, decision, status, ip)
      select now(), 'system', md5(n::text), md5((-n)::text), md5((n * 7)::text), 'allowed', 200, '' from generate_series(1, 4000) n`);
    await backedUp();
    await writeFile(file, spoil(await readFile(file)));
    await resetDatabase(database());
    const cluster = emptyCluster();
    await expect(restored(cluster)).rejects.toThrow(why);
    expect(await everyRow(database())).toEqual([]);
    expect(cluster.writes).toEqual([]);
  });

  test('another key opens nothing, and says so; the key of before still opens', async () => {
    await backedUp();
    await expect(prove({ file, secrets: ['some other key of enough letters'] })).rejects.toThrow(
      /was sealed by another key/,
    );
    expect((await prove({ file, secrets: ['some other key of enough letters', ...secrets] })).platformKey).toEqual(
      platformKey,
    );
  });

  test('a backup of other tables is refused', async () => {
    await writeArchive(createWriteStream(file), await newKeys(secrets), async (write) => {
      await write({ header: { gantryBackup: 2, id: 'x', version, migrations: ['another'], at: at.toISOString() } });
      await write({ end: { rows: 0, objects: 0, companions: 0, references: 0 } });
    });
    await resetDatabase(database());
    await expect(restored(emptyCluster())).rejects.toThrow(/of another version of Gantry/);
  });

  test('nothing of it lies in the clear', async () => {
    await backedUp();
    const sealed = (await readFile(file)).toString('latin1');
    for (const text of ['ann@example.org', 'argon2id', 'c2VjcmV0', 'GpuInstance']) expect(sealed).not.toContain(text);
  });

  test('a backup whose file cannot be written, or whose cluster is away, fails', async () => {
    const keys = await newKeys(secrets);
    const how = { id: 'x', at: 0, keys };
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left')) });
    const parts = { db: database(), cluster: clusterOfOne(), version, platformKey };
    await expect(backUp(parts, how, full)).rejects.toThrow('no space left');
    const away = Object.assign(emptyCluster(), { list: () => Promise.reject(new Error('away')) });
    await expect(backedUp(away)).rejects.toThrow('away');
  });
});

function changed(sealed: Buffer, at: number): Buffer {
  const copy = Buffer.from(sealed);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

/** The first two frames after the header. */
function swapped(sealed: Buffer): Buffer {
  const frame = (number: number) => sealed.subarray(57 + number * 65_552, 57 + (number + 1) * 65_552);
  return Buffer.concat([sealed.subarray(0, 57), frame(1), frame(0), sealed.subarray(57 + 2 * 65_552)]);
}
