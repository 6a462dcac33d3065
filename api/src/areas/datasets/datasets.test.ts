// Datasets on a store in memory: versions that are listed, sent and completed; what is not sent twice; who sees what was collected;
// what is refused, and what is left of what was deleted.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { PlayedDisk } from '../../core/files/sources/testing/played-disk.ts';
import { openStoredFiles, type StoredFiles } from '../../core/files/stored-files.ts';
import { PlayedStore } from '../../core/files/testing/played-store.ts';
import { Lineage } from '../../core/lineage/lineage.ts';
import { recordMade } from '../../core/lineage/lineage-rows.ts';
import type { Database } from '../../platform/db/open.ts';
import { collectedFiles } from '../../platform/db/schema/collected.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Collected, collectedKey } from '../models/collected/collected.ts';
import { type OpenDatasets, openDatasets } from './open.ts';

/** Of a machine with much else to do. */
const PATIENCE_MS = 120_000;
jest.setTimeout(2 * PATIENCE_MS);

const EDIT = { license: null, language: [], tags: [], card: '' };
const WISH = { ...EDIT, type: 'file' as const };
const ALL = { page: 1, size: 10, order_by: 'name', order_type: 'asc' } as const;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const callerOf = (organization: string, role: OrgRole = 'owner'): Caller =>
  ({
    account: { id: `acc-${organization}`, name: organization, email: null, locale: 'en', platformRoles: [] },
    organization: { id: organization, role, namespace: `org-${organization}` },
    session: { id: 's', kind: 'session', scopes: [], expiresAt: 0 },
  }) as Caller;
const acme = callerOf('acme');
const other = callerOf('other');
const ROWS = '{"a":1}\n{"a":2}\n';

forEachDatabase((open) => {
  let db: Database;
  let store: PlayedStore;
  let stored: StoredFiles;
  let all: OpenDatasets;
  const users = new Map<string, string>();

  beforeEach(async () => {
    db = open();
    users.clear();
    const createdAt = new Date('2026-01-01');
    for (const id of ['acme', 'other']) {
      await db.sql.insert(accounts).values({ id: `acc-${id}`, name: id, createdAt });
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt });
      await db.sql.insert(memberships).values({ organizationId: id, accountId: `acc-${id}`, role: 'owner', createdAt });
    }
    store = new PlayedStore();
    // Looks at what waits at once.
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 20), run) };
    stored = openStoredFiles({
      ...{ db, clock, store: store.store, quotaGi: () => 1, log: { info() {}, warn() {} } },
      storage: { priceOf: () => undefined, charge: async () => {} },
    });
    all = openDatasets({
      sources: { hub: undefined, disks: new PlayedDisk('data'), credentials: { read: async () => undefined } },
      ...{ db, clock, stored, collected: new Collected({ db, store: store.store, exists: () => true }) },
      usedBy: (dataset, version) => {
        const name = users.get(version === undefined ? dataset : `${dataset}/${version}`) ?? users.get(dataset);
        return name === undefined ? [] : [{ organizationId: 'acme', name }];
      },
    });
    stored.start();
  });
  afterEach(() => stored.stop());

  const created = (name: string, caller = acme) => all.datasets.create(caller, { ...WISH, name });
  const listed = (files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => ({ path, size_bytes: Buffer.byteLength(text), sha256: sha256(text) }));
  const ended = (id: string, version: string, caller = acme) =>
    eventually(
      'a version that has ended',
      async () => {
        const found = await all.versions.get(caller, { id, version }, 'en');
        return found.state === 'processing' ? undefined : found;
      },
      PATIENCE_MS,
    );

  /** Resolves with the paths that had to be sent. */
  async function uploaded(
    id: string,
    files: Readonly<Record<string, string>>,
  ): Promise<{ version: string; sent: string[] }> {
    const version = `${await all.uploads.begin(acme, id, { message: 'one more' })}`;
    const sent = await all.uploads.add(acme, { id, version }, listed(files));
    for (const path of sent) {
      const bytes = Buffer.from(files[path] ?? '');
      await all.uploads.put(acme, { id, version, path, offset: 0, length: bytes.length }, Readable.from([bytes]));
    }
    await all.uploads.complete(acme, { id, version });
    await ended(id, version);
    return { version, sent };
  }

  test('a version is listed, sent, completed and ready, with its digest and format', async () => {
    const id = await created('rows');
    await uploaded(id, { 'b.jsonl': ROWS, 'a.jsonl': '{"a":3}\n' });
    const latest = await all.versions.get(acme, { id, version: '1' }, 'en');
    expect(latest).toMatchObject({
      ...{ version: 1, state: 'ready', step: null, source: 'upload', message: 'one more', format: 'jsonl' },
      ...{ rows: null, file_count: 2, size_bytes: ROWS.length + 8, received_bytes: ROWS.length + 8 },
      digest: sha256(`${sha256('{"a":3}\n')}  a.jsonl\n${sha256(ROWS)}  b.jsonl\n`),
    });
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ state: 'ready', latest_version: 1, latest });
    expect((await all.versions.files(acme, { id, version: '1' }, ALL)).items.map(({ path }) => path)).toEqual([
      ...['a.jsonl', 'b.jsonl'],
    ]);
  });

  test('bytes that the organisation has are not sent again, and another organisation learns nothing by it', async () => {
    const first = await uploaded(await created('rows'), { 'a.jsonl': ROWS });
    const second = await uploaded(await created('again'), { 'other-name.jsonl': ROWS, 'b.jsonl': '{"b":1}\n' });
    expect([first.sent, second.sent]).toEqual([['a.jsonl'], ['b.jsonl']]);
    const id = await created('theirs', other);
    const version = `${await all.uploads.begin(other, id, { message: '' })}`;
    expect(await all.uploads.add(other, { id, version }, listed({ 'a.jsonl': ROWS }))).toEqual(['a.jsonl']);
  });

  test('a list that is said again is answered again, and another size or SHA-256 is refused', async () => {
    const id = await created('rows');
    const of = { id, version: `${await all.uploads.begin(acme, id, { message: '' })}` };
    const files = listed({ a: ROWS });
    expect([await all.uploads.add(acme, of, files), await all.uploads.add(acme, of, files)]).toEqual([['a'], ['a']]);
    await expect(all.uploads.add(acme, of, listed({ a: 'otherwise' }))).rejects.toMatchObject({
      ...{ problem: 'dataset_file_differs', args: { path: 'a' } },
    });
    expect((await all.versions.files(acme, of, ALL)).total).toBe(1);
  });

  test('a version without files, or without all of their bytes, is not completed', async () => {
    const id = await created('rows');
    const of = { id, version: `${await all.uploads.begin(acme, id, { message: '' })}` };
    await expect(all.uploads.complete(acme, of)).rejects.toMatchObject({ problem: 'dataset_files_missing' });
    await all.uploads.add(acme, of, listed({ a: ROWS }));
    await expect(all.uploads.complete(acme, of)).rejects.toMatchObject({
      ...{ problem: 'dataset_files_missing', args: { path: 'a' } },
    });
  });

  test('a ready version takes no more files, and completing it again changes nothing', async () => {
    const id = await created('rows');
    const { version } = await uploaded(id, { a: ROWS });
    const before = await all.versions.get(acme, { id, version }, 'en');
    await expect(all.uploads.add(acme, { id, version }, listed({ b: ROWS }))).rejects.toMatchObject({
      problem: 'model_not_uploading',
    });
    await all.uploads.complete(acme, { id, version });
    expect(await all.versions.get(acme, { id, version }, 'en')).toEqual(before);
  });

  test('two versions are compared by their files', async () => {
    const id = await created('rows');
    await uploaded(id, { same: 'a', gone: 'b', changed: 'c' });
    await uploaded(id, { same: 'a', changed: 'cc', new: 'n' });
    expect(await all.versions.compare(acme, { id, version: '2' }, '1')).toEqual({
      ...{ version: 2, with: 1, equal: false, unchanged: 1, size_bytes: 1, rows: null },
      ...{ added: { count: 1, paths: ['new'] }, removed: { count: 1, paths: ['gone'] } },
      changed: { count: 1, paths: ['changed'] },
    });
  });

  test('what is in use is not deleted, and afterwards its number is not given again and its node stays', async () => {
    const id = await created('rows');
    const { version } = await uploaded(id, { a: ROWS });
    users.set(`${id}/1`, 'Training');
    await expect(all.datasets.removeVersion(acme, id, 1)).rejects.toMatchObject({
      ...{ problem: 'model_in_use', args: { users: 'Training' } },
    });
    users.clear();
    await all.datasets.removeVersion(acme, id, 1);
    await expect(all.versions.get(acme, { id, version }, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    await eventually('an empty store', async () => store.objects.size === 0, PATIENCE_MS);
    expect(await all.uploads.begin(acme, id, { message: '' })).toBe(2);
    const asked = LINEAGE_ROUTES.getLineage.query.parse({ kind: 'dataset', id });
    const { nodes } = await new Lineage({ db, shown: {} }).of(acme, asked);
    expect(nodes).toMatchObject([
      { name: 'rows', version: '1', gone_time: expect.any(String), digest: expect.any(String) },
    ]);
  });

  test("another organisation's dataset does not exist, until it is shelved; then it is read and not changed", async () => {
    const id = await created('rows');
    await uploaded(id, { a: ROWS });
    await expect(all.datasets.get(other, id, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    await expect(all.datasets.edit(other, id, { ...EDIT, name: 'x' })).rejects.toMatchObject({ problem: 'not_found' });
    await expect(all.shelf.set(id, true, 'acc-acme')).rejects.toMatchObject({ problem: 'dataset_of_tenant' });
    const grant = { accountId: 'acc-acme', role: 'catalogue', createdAt: new Date() } as const;
    await db.sql.insert(platformGrants).values(grant);
    await all.shelf.set(id, true, 'acc-acme');
    await all.uploads.begin(acme, id, { message: '' });
    expect(await all.datasets.get(other, id, 'en')).toMatchObject({ is_own: false, version_count: 1 });
    expect((await all.datasets.library(other, ALL)).items.map((one) => one.id)).toEqual([id]);
    await expect(all.versions.get(other, { id, version: '2' }, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    for (const refused of [
      () => all.datasets.remove(other, id),
      () => all.uploads.begin(other, id, { message: '' }),
      () => all.datasets.removeVersion(other, id, 1),
    ])
      await expect(refused()).rejects.toMatchObject({ problem: 'not_found' });
    await expect(all.datasets.remove(acme, id)).rejects.toMatchObject({ problem: 'dataset_shelved' });
    await expect(all.datasets.removeVersion(acme, id, 1)).rejects.toMatchObject({ problem: 'dataset_shelved' });
  });

  test('a dataset without a ready version is neither shelved nor unshelved', async () => {
    const id = await created('empty');
    for (const isShelved of [true, false])
      await expect(all.shelf.set(id, isShelved, 'acc-acme')).rejects.toMatchObject({ problem: 'dataset_abnormal' });
  });

  test('collected requests become a dataset that only those who manage see, beside its deployment in the lineage', async () => {
    const at = new Date();
    for (const id of ['cdf-1', 'cdf-2']) {
      const row = { id, organizationId: 'acme', deployment: 'dep-chat', dataset: 'chat', sizeBytes: ROWS.length };
      await db.sql
        .insert(collectedFiles)
        .values({ ...row, records: 2, leftOut: 0, firstAt: at, lastAt: at, storedAt: at });
      store.objects.set(collectedKey(row), Buffer.from(ROWS));
    }
    const deployment = {
      organizationId: 'acme',
      kind: 'deployment',
      ref: 'dep-chat',
      version: null,
      uid: 'uid',
    } as const;
    await recordMade(db.sql, { ...deployment, digest: '', name: 'Chat' }, { from: [], at });
    const id = await created('asked');
    const version = `${await all.uploads.beginCollected(acme, id, { deployment: 'dep-chat', message: '' })}`;
    expect(await ended(id, version)).toMatchObject({ state: 'ready', rows: 4, file_count: 2, source_ref: 'dep-chat' });
    const asked = LINEAGE_ROUTES.getLineage.query.parse({ kind: 'dataset', id });
    const { nodes } = await new Lineage({ db, shown: {} }).of(acme, asked);
    expect(nodes.map(({ name, level }) => [name, level])).toEqual([
      ['asked', 0],
      ['Chat', -1],
    ]);
    const colleague = callerOf('acme', 'member');
    await expect(all.datasets.get(colleague, id, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    await expect(all.versions.files(colleague, { id, version }, ALL)).rejects.toMatchObject({ problem: 'not_found' });
    expect((await all.datasets.space(colleague, ALL)).items).toEqual([]);
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: at });
    await expect(all.shelf.set(id, true, 'acc-acme')).rejects.toMatchObject({ problem: 'dataset_of_collected' });
  });

  test('a deployment that collected nothing begins no version', async () => {
    const id = await created('asked');
    await expect(all.uploads.beginCollected(acme, id, { deployment: 'dep-none', message: '' })).rejects.toMatchObject({
      problem: 'not_found',
    });
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ state: 'empty', managers_only: false });
  });

  test('two datasets of an organisation have two names', async () => {
    await created('rows');
    await expect(created('rows')).rejects.toMatchObject({ problem: 'dataset_exists', field: 'name' });
    await created('rows', other);
  });

  test('staff see every dataset, and what each organisation stores, equal files once', async () => {
    await uploaded(await created('one'), { a: ROWS });
    await uploaded(await created('two'), { b: ROWS });
    const query = { sort: ['id', 'ASC'] as ['id', 'ASC'], range: [0, 9] as [number, number], filter: {} };
    expect((await all.shelf.page(query)).items).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
    expect((await all.shelf.usage(query)).items).toEqual([
      { id: 'acme', organization_name: 'acme', datasets: 2, versions: 2, size_bytes: ROWS.length },
    ]);
  });
});
