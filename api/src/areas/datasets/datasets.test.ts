// Datasets on a store in memory: versions that are listed, sent and completed; what is not sent twice; who sees what was collected;
// what is refused, and what is left of what was deleted.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { Lineage } from '../../core/lineage/lineage.ts';
import { recordMade } from '../../core/lineage/lineage-rows.ts';
import type { Database } from '../../platform/db/open.ts';
import { collectedFiles } from '../../platform/db/schema/collected.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { StoreAway } from '../../platform/object-store/object-store.ts';
import { collectedKey } from '../models/collected/collected.ts';
import { acme, callerOf, EDIT, listed, openStage, other, PATIENCE_MS, type Stage, sha256 } from './testing/stage.ts';

jest.setTimeout(2 * PATIENCE_MS);

const ALL = { page: 1, size: 10, order_by: 'name', order_type: 'asc' } as const;
const ROWS = '{"a":1}\n{"a":2}\n';

forEachDatabase((open) => {
  let db: Database;
  let stage: Stage;
  let all: Stage['all'];
  let created: Stage['created'];
  let ended: Stage['ended'];
  let uploaded: Stage['uploaded'];

  beforeEach(async () => {
    db = open();
    stage = await openStage(db, { hasData: false });
    ({ all, created, ended, uploaded } = stage);
  });
  afterEach(() => stage.stored.stop());

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

  test('what is repeated under one key after a gateway died before its answer is the same dataset and the same version', async () => {
    const key = (text: string) => sha256(text);
    const wish = { ...EDIT, type: 'file' as const, name: 'rows' };
    const id = await all.datasets.create(acme, wish, key('dataset'));
    expect(await all.datasets.create(acme, wish, key('dataset'))).toBe(id);
    await expect(all.datasets.create(acme, wish, key('another'))).rejects.toMatchObject({ problem: 'dataset_exists' });
    const begin = (text: string) => all.uploads.begin(acme, id, { message: '' }, key(text));
    expect([await begin('one'), await begin('one'), await begin('two'), await begin('one')]).toEqual([1, 1, 2, 1]);
    // A key that names what is another organisation's finds nothing of it.
    await expect(all.datasets.create(other, wish, key('dataset'))).rejects.toThrow();
    expect((await all.versions.list(acme, id, ALL, 'en')).total).toBe(2);
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

  test('a whole version comes as one archive, and counts as one download', async () => {
    const id = await created('rows');
    await uploaded(id, { 'b.txt': 'two', 'a.txt': 'one' });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { archive, name } = await all.versions.archive(acme, { id, version: '1' }, signal);
    const bytes = await buffer(archive.body);
    expect([name, bytes.length]).toEqual(['rows 1', archive.sizeBytes]);
    expect([bytes.indexOf('a.txt') < bytes.indexOf('b.txt'), bytes.includes('one')]).toEqual([true, true]);
    expect(await all.datasets.get(acme, id, 'en')).toMatchObject({ downloads: 1 });
    await expect(all.versions.archive(other, { id, version: '1' }, signal)).rejects.toMatchObject({
      problem: 'not_found',
    });
    await all.uploads.begin(acme, id, { message: '' });
    await expect(all.versions.archive(acme, { id, version: '2' }, signal)).rejects.toMatchObject({
      problem: 'not_found',
    });
  });

  test('a piece that a full store refuses is not there, and is sent again', async () => {
    const id = await created('rows');
    const version = `${await all.uploads.begin(acme, id, { message: '' })}`;
    const of = { id, version, path: 'a' };
    await all.uploads.add(acme, of, listed({ a: ROWS }));
    const put = () =>
      all.uploads.put(acme, { ...of, offset: 0, length: ROWS.length }, Readable.from([Buffer.from(ROWS)]));
    let isAway = true;
    stage.store.step = async () => {
      if (isAway) throw new StoreAway('the store is full');
    };
    await expect(put()).rejects.toMatchObject({ problem: 'model_store_away' });
    expect(await all.uploads.progress(acme, of)).toEqual({ offset: 0, complete: false });
    isAway = false;
    await put();
    await all.uploads.complete(acme, of);
    expect(await ended(id, version)).toMatchObject({ state: 'ready', size_bytes: ROWS.length });
    expect([...stage.store.objects.keys()]).toEqual([expect.stringContaining(sha256(ROWS))]);
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
    const none = { count: 0, paths: [] };
    expect(await all.versions.compare(acme, { id, version: '2' }, '2')).toMatchObject({
      ...{ equal: true, unchanged: 3, size_bytes: 0, added: none, removed: none, changed: none },
    });
  });

  test('what is in use is not deleted, and afterwards its number is not given again and its node stays', async () => {
    const id = await created('rows');
    const { version } = await uploaded(id, { a: ROWS });
    stage.users.set(`${id}/1`, 'Training');
    await expect(all.datasets.removeVersion(acme, id, 1)).rejects.toMatchObject({
      ...{ problem: 'model_in_use', args: { users: 'Training' } },
    });
    stage.users.clear();
    await all.datasets.removeVersion(acme, id, 1);
    await expect(all.versions.get(acme, { id, version }, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    await eventually('an empty store', async () => stage.store.objects.size === 0, PATIENCE_MS);
    expect(await all.uploads.begin(acme, id, { message: '' })).toBe(2);
    const asked = LINEAGE_ROUTES.getLineage.query.parse({ kind: 'dataset', id });
    const { nodes } = await new Lineage({ db, shown: {}, isRunning: () => false, taskName: () => undefined }).of(
      acme,
      asked,
    );
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
      stage.store.objects.set(collectedKey(row), Buffer.from(ROWS));
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
    const asked = LINEAGE_ROUTES.getLineage.query.parse({ kind: 'dataset', id, depth: 2 });
    const lineage = new Lineage({ db, shown: {}, isRunning: () => false, taskName: () => undefined });
    const { nodes } = await lineage.of(acme, asked);
    expect(nodes.map(({ kind, name, level }) => [kind, name, level])).toEqual([
      ['dataset', 'asked', 0],
      ['collected', 'Chat', -1],
      ['deployment', 'Chat', -2],
    ]);
    const colleague = callerOf('acme', 'member');
    await expect(lineage.of(colleague, asked)).rejects.toMatchObject({ problem: 'not_found' });
    const ofDeployment = LINEAGE_ROUTES.getLineage.query.parse({ kind: 'deployment', id: 'dep-chat', depth: 2 });
    const kindsFor = async (caller: Caller) =>
      (await lineage.of(caller, ofDeployment)).nodes.map(
        ({ kind, gone_time: gone }) => `${kind}${gone ? ' (gone)' : ''}`,
      );
    expect(await kindsFor(colleague)).toEqual(['deployment']);
    expect(await kindsFor(acme)).toEqual(['deployment', 'collected', 'dataset']);
    await stage.collected.remove({ organizationId: 'acme', deployment: 'dep-chat', file: 'cdf-1' });
    expect(await kindsFor(acme)).toEqual(['deployment', 'collected', 'dataset']);
    await stage.collected.remove({ organizationId: 'acme', deployment: 'dep-chat' });
    expect(await kindsFor(acme)).toEqual(['deployment', 'collected (gone)', 'dataset']);
    await expect(all.datasets.get(colleague, id, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    await expect(all.versions.files(colleague, { id, version }, ALL)).rejects.toMatchObject({ problem: 'not_found' });
    expect((await all.datasets.space(colleague, ALL)).items).toEqual([]);
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: at });
    await expect(all.shelf.set(id, true, 'acc-acme')).rejects.toMatchObject({ problem: 'dataset_of_collected' });
    // Its hash and size open it to nobody else either: they have to send the bytes.
    const guess = listed({ 'guess.jsonl': ROWS });
    for (const [caller, sent] of [
      [colleague, ['guess.jsonl']],
      [acme, []],
    ] as const) {
      const theirs = await created(`by ${caller.organization.role}`, caller);
      const begun = { id: theirs, version: `${await all.uploads.begin(caller, theirs, { message: '' })}` };
      expect(await all.uploads.add(caller, begun, guess)).toEqual(sent);
    }
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
