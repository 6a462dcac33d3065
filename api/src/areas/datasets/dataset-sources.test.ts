// Datasets from a hub and from a disk: what is fetched and what is not, what is said of the repository, which names are refused, and
// what goes on after a break.
import { createHash } from 'node:crypto';
import type { DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { Hub } from '../../core/files/sources/hub.ts';
import { HUB_TOKEN, SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import { PlayedDisk } from '../../core/files/sources/testing/played-disk.ts';
import { type PlayedHub, playHub } from '../../core/files/sources/testing/played-hub.ts';
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
beforeAll(async () => {
  hub = await playHub();
});
afterAll(() => {
  hub.server.close();
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

  test('a disk that the organisation does not have begins no version', async () => {
    const id = await created('rows');
    const wish = { disk: 'other', folder: '/', include: [], message: '' };
    await expect(all.uploads.beginDisk(acme, id, wish)).rejects.toMatchObject({ problem: 'no_such_reference' });
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ state: 'empty' });
  });
});
