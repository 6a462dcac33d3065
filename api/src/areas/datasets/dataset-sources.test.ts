// Datasets from a hub, a disk and a bucket: what is fetched and what is not, what is said of the repository, which names are refused, and
// what goes on after a break.
import { createHash } from 'node:crypto';
import { type DatasetVersionView, datasetS3Body } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type ForwardProxy, startForwardProxy } from '../../../../test/support/forward-proxy.ts';
import { Hub } from '../../core/files/sources/hub.ts';
import { setS3Keys } from '../../core/files/sources/s3-keys.ts';
import { HUB_TOKEN, SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import { PlayedDisk } from '../../core/files/sources/testing/played-disk.ts';
import { type PlayedHub, playHub } from '../../core/files/sources/testing/played-hub.ts';
import { type PlayedS3, playS3 } from '../../core/files/sources/testing/played-s3.ts';
import { openStoredFiles, type StoredFiles } from '../../core/files/stored-files.ts';
import { PlayedStore } from '../../core/files/testing/played-store.ts';
import type { Database } from '../../platform/db/open.ts';
import { datasetVersions } from '../../platform/db/schema/datasets.ts';
import { accounts, memberships, organizations } from '../../platform/db/schema/people.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type OpenDatasets, openDatasets } from './open.ts';

/** Of a machine with much else to do. */
const PATIENCE_MS = 120_000;
jest.setTimeout(2 * PATIENCE_MS);

const COMMIT = 'c'.repeat(40);
const ALL = { page: 1, size: 100 };
const WISH = { license: null, language: [], tags: [], card: '', type: 'file' as const };
const ROWS = Buffer.from('{"a":1}\n{"a":2}\n');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const callerOf = (organization: string): Caller =>
  ({
    account: { id: `acc-${organization}`, name: organization, email: null, locale: 'en', platformRoles: [] },
    organization: { id: organization, role: 'owner', namespace: `org-${organization}` },
    session: { id: 's', kind: 'session', scopes: [], expiresAt: 0 },
  }) as Caller;
const acme = callerOf('acme');
const other = callerOf('other');

let hub: PlayedHub;
let s3: PlayedS3;
let proxy: ForwardProxy;
const before = { ...process.env };
beforeAll(async () => {
  hub = await playHub();
  s3 = await playS3('data');
  // A server of this machine is none of the internet: buckets are reached through a proxy, and the hub is not.
  proxy = await startForwardProxy({ 's3.example:80': s3.port });
  Object.assign(process.env, { HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' });
});
afterAll(async () => {
  process.env = before;
  hub.server.close();
  s3.end();
  await proxy.end();
});

forEachDatabase((open) => {
  let db: Database;
  let stored: StoredFiles;
  let all: OpenDatasets;
  let credentials: SealedCredentials;
  let disk: PlayedDisk;

  beforeEach(async () => {
    db = open();
    hub.reset();
    s3.reset();
    disk = new PlayedDisk('data');
    const createdAt = new Date('2026-01-01');
    for (const id of ['acme', 'other']) {
      await db.sql.insert(accounts).values({ id: `acc-${id}`, name: id, createdAt });
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt });
      await db.sql.insert(memberships).values({ organizationId: id, accountId: `acc-${id}`, role: 'owner', createdAt });
    }
    // Looks at what waits at once.
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 20), run) };
    const secrets = {
      seal: (purpose: string, text: string) => `${purpose} ${text}`,
      open: (purpose: string, sealed: string) => sealed.slice(purpose.length + 1),
    };
    credentials = new SealedCredentials({ db, clock, secrets });
    stored = openStoredFiles({
      ...{ db, clock, store: new PlayedStore().store, quotaGi: () => 1, log: { info() {}, warn() {} } },
      storage: { priceOf: () => undefined, charge: async () => {} },
    });
    all = openDatasets({
      ...{ db, clock, stored, usedBy: () => [], sources: { hub: new Hub(hub.url), disks: disk, credentials } },
      collected: { rows: async () => [], read: () => Promise.reject(new Error('nothing was collected')) },
    });
    stored.start();
  });
  afterEach(() => stored.stop());

  const created = (name: string, caller = acme) => all.datasets.create(caller, { ...WISH, name });
  const ended = (id: string, number: number, caller = acme): Promise<DatasetVersionView> =>
    eventually(
      'a version that has ended',
      async () => {
        const found = await all.versions.get(caller, { id, version: `${number}` }, 'en');
        return found.state === 'processing' ? undefined : found;
      },
      PATIENCE_MS,
    );
  const fromHub = async (id: string, wish: object = {}, caller = acme) =>
    ended(
      id,
      await all.uploads.beginHub(caller, id, {
        ...{ repository: 'lab/rows', revision: 'main', include: [], message: '' },
        ...wish,
      }),
      caller,
    );
  const fromDisk = async (id: string, wish: object = {}) =>
    ended(id, await all.uploads.beginDisk(acme, id, { disk: 'data', folder: '/', include: [], message: '', ...wish }));
  const fromS3 = async (id: string, wish: object = {}, caller = acme) =>
    ended(
      id,
      await all.uploads.beginS3(
        caller,
        id,
        datasetS3Body.parse({ address: 's3://data/train', endpoint: 'http://s3.example', ...wish }),
      ),
      caller,
    );
  const pathsOf = async (id: string, version: string) =>
    (await all.versions.files(acme, { id, version }, ALL)).items.map(({ path }) => path);

  test('a repository comes at its commit, with what it says of itself, and without what git keeps', async () => {
    hub.serve('lab/rows', { 'data/train.parquet': ROWS, 'README.md': Buffer.from('# Rows'), '.gitattributes': ROWS });
    const id = await created('rows');
    expect(await fromHub(id)).toMatchObject({
      ...{ state: 'ready', source: 'hub', source_ref: `lab/rows@${COMMIT}`, file_count: 2 },
      received_bytes: ROWS.length + 6,
    });
    expect(await pathsOf(id, '1')).toEqual(['README.md', 'data/train.parquet']);
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ license: 'mit', language: ['en'], tags: ['chat'] });
  });

  test('what people wrote of a dataset stays', async () => {
    hub.serve('lab/rows', { 'a.jsonl': ROWS });
    const id = await all.datasets.create(acme, { ...WISH, name: 'ours', license: 'ours', tags: ['own'] });
    await fromHub(id);
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ license: 'ours', language: ['en'], tags: ['own'] });
  });

  test('bytes that the organisation has are not fetched again, and another organisation fetches its own', async () => {
    hub.serve('lab/rows', { 'a.parquet': ROWS, 'b.parquet': Buffer.from('b') });
    const id = await created('rows');
    await fromHub(id);
    hub.asked = [];
    hub.serve('lab/rows', { 'moved/a.parquet': ROWS, 'b.parquet': Buffer.from('other') });
    expect(await fromHub(id)).toMatchObject({ version: 2, state: 'ready' });
    expect(hub.asked).toEqual(['b.parquet']);
    hub.asked = [];
    await fromHub(await created('theirs', other), {}, other);
    expect(hub.asked).toEqual(['b.parquet', 'moved/a.parquet']);
  });

  test('an import goes on where its connection broke off', async () => {
    const large = Buffer.alloc(PIECE_BYTES + 5000, 7);
    hub.serve('lab/rows', { 'a.parquet': large });
    hub.breaksAfter = PIECE_BYTES + 1000;
    const id = await created('large');
    expect(await fromHub(id)).toMatchObject({ state: 'ready', size_bytes: large.length });
    expect(hub.ranges).toEqual([`bytes=${PIECE_BYTES}-`]);
  });

  test("a gated repository needs the organisation's token, and no answer has it", async () => {
    hub.serve('lab/rows', { 'a.jsonl': ROWS }, { token: 'hf_secret' });
    const id = await created('gated');
    expect(await fromHub(id)).toMatchObject({ state: 'failed', problem: { error: 'model_hub_gated' } });
    await credentials.set(acme, HUB_TOKEN, 'hf_secret');
    const version = await fromHub(id);
    expect(version).toMatchObject({ state: 'ready' });
    expect(JSON.stringify([version, await all.datasets.get(acme, id, 'en')])).not.toContain('hf_secret');
    const theirs = await created('theirs', other);
    expect(await fromHub(theirs, {}, other)).toMatchObject({ problem: { error: 'model_hub_gated' } });
  });

  test.each([
    ['with other bytes than its hash', { 'a.parquet': ROWS }, { wrongHash: true }, 'model_hash'],
    ['that sends more than it says', { 'a.parquet': ROWS }, { sends: 200 }, 'model_hub_answer'],
    ['that has no file with content', { 'a.parquet': Buffer.alloc(0) }, {}, 'dataset_source_empty'],
    ['with a name that leads elsewhere', { '../a.jsonl': ROWS }, {}, 'dataset_source_path'],
    ['with a name that reads otherwise', { 'a\u202etxt.exe': ROWS }, {}, 'dataset_source_path'],
    ['with an absolute name', { '/etc/passwd': ROWS }, {}, 'dataset_source_path'],
    ['with a name in two forms', { 'é.jsonl': ROWS, 'e\u0301.jsonl': ROWS }, {}, 'dataset_source_twice'],
  ])('a repository %s is refused, and nothing of it is kept', async (_, files, fault, error) => {
    hub.serve('lab/rows', files, fault);
    const id = await created('bad');
    const version = await fromHub(id);
    expect(version).toMatchObject({ state: 'failed', received_bytes: 0, problem: { error } });
    expect(version.problem?.message).not.toContain('\u202e');
  });

  test('a repository that is not there is said', async () => {
    expect(await fromHub(await created('none'))).toMatchObject({ problem: { error: 'model_hub_unknown' } });
  });

  test('a hub that is away too often is given up, and says so', async () => {
    hub.serve('lab/rows', { 'a.parquet': Buffer.alloc(100) });
    hub.breaksAfter = 10;
    const id = await created('away');
    // Breaks off again each time.
    Object.defineProperty(hub, 'breaksAfter', { get: () => 10, set: () => undefined, configurable: true });
    try {
      const begun = all.uploads.beginHub(acme, id, {
        ...{ repository: 'lab/rows', revision: 'main', include: [], message: '' },
      });
      const number = await begun;
      await db.sql.update(datasetVersions).set({ tries: 400 });
      expect(await ended(id, number)).toMatchObject({ problem: { error: 'model_hub_answer' } });
    } finally {
      Object.defineProperty(hub, 'breaksAfter', { value: undefined, writable: true, configurable: true });
    }
  });

  test('a folder of a disk comes as the member who asked, without hidden folders', async () => {
    disk.files = {
      '/train/a.jsonl': ROWS,
      '/train/deep/b.jsonl': Buffer.from('{"b":1}\n'),
      '/train/.cache/c': ROWS,
      '/other/d.jsonl': ROWS,
    };
    const id = await created('rows');
    expect(await fromDisk(id, { folder: '/train' })).toMatchObject({
      ...{ state: 'ready', source: 'disk', source_ref: 'data:/train', file_count: 2, format: 'jsonl' },
    });
    expect(await pathsOf(id, '1')).toEqual(['a.jsonl', 'deep/b.jsonl']);
    expect(await fromDisk(id, { include: ['*/d.jsonl'] })).toMatchObject({ state: 'ready', file_count: 1 });
  });

  test('a name that macOS wrote is found on its disk and kept in one form', async () => {
    disk.files = { '/cafe\u0301/re\u0301sume\u0301.txt': ROWS };
    const id = await created('accents');
    expect(await fromDisk(id)).toMatchObject({ state: 'ready' });
    expect((await all.versions.files(acme, { id, version: '1' }, ALL)).items).toMatchObject([
      { path: 'caf\u00e9/r\u00e9sum\u00e9.txt', sha256: sha256(ROWS) },
    ]);
  });

  test('a file of a disk that changes while it is copied is refused', async () => {
    disk.files = { '/a.jsonl': Buffer.alloc(PIECE_BYTES + 5, 1) };
    disk.breaksAfter = PIECE_BYTES + 1;
    disk.broken = () => {
      disk.edition = 2;
    };
    expect(await fromDisk(await created('changing'))).toMatchObject({ problem: { error: 'model_disk_changed' } });
  });

  test('a folder of a bucket comes, and goes on where its connection broke off', async () => {
    s3.objects.set('train/a.parquet', Buffer.alloc(PIECE_BYTES + 5000, 7));
    s3.objects.set('train/deep/b.jsonl', ROWS);
    s3.objects.set('other', ROWS);
    s3.breaksAfter = PIECE_BYTES + 1000;
    const id = await created('rows');
    expect(await fromS3(id)).toMatchObject({
      ...{ state: 'ready', source: 's3', source_ref: 's3://data/train', file_count: 2 },
      size_bytes: PIECE_BYTES + 5000 + ROWS.length,
    });
    expect(await pathsOf(id, '1')).toEqual(['a.parquet', 'deep/b.jsonl']);
    const object = 'GET /data/train/a.parquet';
    expect(s3.asked.filter((one) => one !== 'GET /data?list' && one !== 'GET /data/?list')).toEqual([
      ...[object, object, 'GET /data/train/deep/b.jsonl'],
    ]);
    expect(new Set(s3.signed)).toEqual(new Set([false]));
  });

  test('an object that changes between two pieces is refused, and nothing of the version is kept', async () => {
    s3.objects.set('train/a.parquet', Buffer.alloc(PIECE_BYTES + 5000, 7));
    s3.breaksAfter = PIECE_BYTES + 1000;
    s3.broken = () => s3.objects.set('train/a.parquet', Buffer.alloc(PIECE_BYTES + 5000, 8));
    expect(await fromS3(await created('changing'))).toMatchObject({
      ...{ state: 'failed', received_bytes: 0, problem: { error: 'model_disk_changed' } },
    });
  });

  test('credentials sign what is asked, are sealed, and are those of their organisation alone', async () => {
    s3.objects.set('train/a.jsonl', ROWS);
    await setS3Keys(credentials, acme, { name: 'lab', accessKey: 'AKIA1', secretKey: 'very-secret' });
    const id = await created('rows');
    const version = await fromS3(id, { credentials: 'lab' });
    expect(version).toMatchObject({ state: 'ready' });
    expect(new Set(s3.signed)).toEqual(new Set([true]));
    const shown = [version, await all.datasets.get(acme, id, 'en'), await credentials.list('acme', 's3')];
    expect(JSON.stringify(shown)).not.toMatch(/AKIA1|very-secret/);
    const theirs = await created('theirs', other);
    await expect(fromS3(theirs, { credentials: 'lab' }, other)).rejects.toMatchObject({
      ...{ problem: 'dataset_credentials_unknown', field: 'credentials' },
    });
  });

  test('an import whose credentials were deleted meanwhile fails and says so', async () => {
    s3.objects.set('train/a.parquet', Buffer.alloc(PIECE_BYTES + 5000, 7));
    await setS3Keys(credentials, acme, { name: 'lab', accessKey: 'AKIA1', secretKey: 'very-secret' });
    s3.breaksAfter = PIECE_BYTES + 1000;
    let removed: Promise<boolean> | undefined;
    s3.broken = () => {
      removed = credentials.remove('acme', { kind: 's3', name: 'lab' });
    };
    const version = await fromS3(await created('rows'), { credentials: 'lab' });
    expect([await removed, version.problem?.error]).toEqual([true, 'dataset_credentials_unknown']);
  });

  test('an organisation keeps fifty credentials', async () => {
    const set = (name: string) => setS3Keys(credentials, acme, { name, accessKey: 'a', secretKey: 's' });
    for (let at = 0; at < 50; at++) await set(`k-${at}`);
    await expect(set('one-more')).rejects.toMatchObject({ problem: 'too_many_credentials' });
    await set('k-7');
  });

  test('an address inside begins no version', async () => {
    const id = await created('rows');
    for (const endpoint of ['http://127.0.0.1:9000', 'http://169.254.169.254', 'http://minio.lab.svc'])
      await expect(fromS3(id, { endpoint })).rejects.toMatchObject({ problem: 'dataset_s3_inner', field: 'endpoint' });
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ state: 'empty' });
  });

  test('a disk that the organisation does not have begins no version', async () => {
    const id = await created('rows');
    const wish = { disk: 'other', folder: '/', include: [], message: '' };
    await expect(all.uploads.beginDisk(acme, id, wish)).rejects.toMatchObject({ problem: 'no_such_reference' });
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ state: 'empty' });
  });
});
