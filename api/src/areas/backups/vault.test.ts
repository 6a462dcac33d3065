// Backups in a real bucket: whole ones alone are listed, whatever was changed there is refused, and the old go.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { type ObjectStore, startObjectStore } from '../../../../test/support/object-store.ts';
import type { Database } from '../../platform/db/open.ts';
import type { BackupParts } from './backup.ts';
import { expired } from './retention.ts';
import { secretsIn } from './sealed.ts';
import { Bucket } from './store.ts';
import { Vault } from './vault.ts';

const DAY_MS = 24 * 3_600_000;
const secrets = ['a key of thirty-two letters or so'];

let store: ObjectStore;
let db: Database;
let bucket: Bucket;
let parts: BackupParts;
let now: number;
let vault: Vault;
let prefixes = 0;
let prefix: string;

beforeAll(async () => {
  store = await startObjectStore();
  db = await migratedDatabase();
  const cluster = new MemoryCluster([], { fieldManager: 'test' });
  const organization = { apiVersion: 'gantry.dev/v1alpha1', kind: 'Organization', metadata: { name: 'aaa' } };
  cluster.put(organization as KubeObject);
  parts = { db, cluster, version: '1.2.3', platformKey: Buffer.alloc(0) };
});
afterAll(async () => {
  await db?.close();
  await store?.end();
});
beforeEach(() => {
  now = Date.now();
  prefix = `test-${prefixes++}/`;
  bucket = new Bucket({ ...store, region: 'us-east-1', prefix });
  vault = new Vault({ bucket, secrets, now: () => now });
});

const fileOf = (id: string, what: string) => join(store.folder, prefix, id, what);

test('a backup is listed, proved, found by its name or as the latest, and holds what it says', async () => {
  const first = await vault.make(parts);
  now += 60_000;
  const second = await vault.make(parts);
  expect((await vault.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(await vault.find('latest')).toBe(second.id);
  expect(await vault.find(first.id)).toBe(first.id);
  await expect(vault.find('2026-01-01T00-00-00Z-abcd')).rejects.toThrow('holds no whole backup "2026-01-01');
  const { header, counts } = await vault.proved(first.id, async (_file, proved) => proved);
  expect([header.id, counts]).toEqual([first.id, first.counts]);
  expect(counts.objects).toBe(1);
});

test('one that was cut off is none, and a day later nothing of it is left', async () => {
  const { id } = await vault.make(parts);
  const dying = new Bucket({ ...store, region: 'us-east-1', prefix });
  dying.putText = () => Promise.reject(new Error('killed before the manifest'));
  await expect(new Vault({ bucket: dying, secrets, now: () => now }).make(parts)).rejects.toThrow('killed');
  const { endpoint, credentials, bucket: Name } = store;
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
  const begun = { Bucket: Name, Key: `${prefix}2026-01-01T00-00-00Z-abcd/data` };
  await client.send(new CreateMultipartUploadCommand(begun));
  expect((await vault.list()).map((one) => one.id)).toEqual([id]);
  await vault.tidy(30);
  expect(await readdir(join(store.folder, prefix))).toHaveLength(2);
  now += 2 * DAY_MS;
  await vault.tidy(30);
  expect(await readdir(join(store.folder, prefix))).toEqual([id]);
  const left = await client.send(new ListMultipartUploadsCommand({ Bucket: Name, Prefix: prefix }));
  expect(left.Uploads ?? []).toEqual([]);
  client.destroy();
});

test('whatever was changed in the bucket is refused with a sentence', async () => {
  const [a, b] = [await vault.make(parts), await vault.make(parts)];
  const refused = (id: string) => vault.proved(id, async () => 'passed');
  const data = await readFile(fileOf(a.id, 'data'));
  await writeFile(fileOf(b.id, 'data'), data);
  await expect(refused(b.id)).rejects.toThrow(/was changed|the data of another backup/);
  await writeFile(fileOf(a.id, 'data'), data.subarray(0, -5));
  await expect(refused(a.id)).rejects.toThrow(/is damaged or was changed|ends early/);
  await writeFile(fileOf(a.id, 'data'), data);
  const manifest = await readFile(fileOf(a.id, 'manifest.json'), 'utf8');
  await writeFile(fileOf(a.id, 'manifest.json'), manifest.replace('"version":"1.2.3"', '"version":"9.9.9"'));
  await expect(refused(a.id)).rejects.toThrow(`the manifest of ${a.id} was changed`);
  await writeFile(fileOf(a.id, 'manifest.json'), '{"not":"one"}');
  await expect(refused(a.id)).rejects.toThrow(`the manifest of ${a.id} cannot be read`);
  await writeFile(fileOf(a.id, 'manifest.json'), manifest);
  expect(await refused(a.id)).toBe('passed');
  const other = new Vault({ bucket, secrets: ['some other key of enough letters'], now: () => now });
  await expect(other.proved(a.id, async () => 'passed')).rejects.toThrow(/was sealed by another key/);
});

test('the old go, and the newest three stay however old they are', async () => {
  const made = [];
  for (let day = 0; day < 5; day++) {
    made.push((await vault.make(parts)).id);
    now += DAY_MS;
  }
  expect(await vault.tidy(0)).toEqual([]);
  expect(await vault.tidy(4)).toEqual(made.slice(0, 1));
  now += 400 * DAY_MS;
  expect((await vault.tidy(4)).sort()).toEqual(made.slice(1, 2));
  expect((await vault.list()).map(({ id }) => id).sort()).toEqual(made.slice(2));
});

test.each([
  [
    'a bucket that is not there',
    { bucket: 'nowhere' },
    /^the bucket "nowhere" at http:.* does not exist: make it first$/,
  ],
  [
    'credentials that are refused',
    { credentials: { accessKeyId: 'GANTRYTEST', secretAccessKey: 'guessed-by-somebody' } },
    /^the bucket "backups" at .* refuses these credentials/,
  ],
  ['a store that is away', { endpoint: 'http://127.0.0.1:1' }, /^the bucket "backups" at .* cannot be reached: /],
])('%s gets a sentence without a secret in it', async (_what, settings, sentence) => {
  const broken = new Bucket({ ...store, region: 'us-east-1', prefix, ...settings });
  const failure = await broken.list().then(
    () => new Error('it passed'),
    (error: Error) => error,
  );
  expect(failure.message).toMatch(sentence);
  expect(failure.message).not.toMatch(/guessed|a-secret/);
  broken.close();
});

test('a key file has a key, of enough letters; the sentence does not quote it', () => {
  expect(secretsIn('sixteen letters!\n\n the key of before\n')).toEqual(['sixteen letters!', 'the key of before']);
  expect(() => secretsIn('\n')).toThrow('holds no key');
  expect(() => secretsIn('sixteen letters!\nhunter2')).toThrow(/^has a key of 7 letters in line 2, fewer than 16/);
  expect(() => secretsIn('hunter2')).not.toThrow(/hunter2/);
});

test('retention counts from now, and keeps all at 0', () => {
  const at = (days: number) => ({ at: -days * DAY_MS });
  const all = [0, 1, 2, 29, 31, 40].map(at);
  expect(expired(all, 30, 0)).toEqual([at(31), at(40)]);
  expect(expired(all, 0, 0)).toEqual([]);
  expect(expired([50, 60, 70].map(at), 30, 0)).toEqual([]);
});
