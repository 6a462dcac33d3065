// Tables of versions with a played data server: how they come, fail, come again and go, and who is asked for what.

import { text } from 'node:stream/consumers';
import { setTimeout as elapse } from 'node:timers/promises';
import { DATA_REFUSALS } from '@gantry/contract/data-server-refusals.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { inTurn } from '../../../../test/support/soak.ts';
import { cellIn, pageIn } from '../../core/tables/testing/read-json.ts';
import type { Database } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { organizations, platformGrants } from '../../platform/db/schema/people.ts';
import { tableOwnerId } from './reads-data.ts';
import { acme, openStage, other, PATIENCE_MS, type Stage } from './testing/stage.ts';

jest.setTimeout(2 * PATIENCE_MS);

/** Each trouble costs the seconds until the next try. */
const TURNS = 4;
const ROWS = 'one\ntwo\nthree\nfour\nfive\n';
const { signal } = new AbortController();

forEachDatabase((open) => {
  let db: Database;
  let stage: Stage;

  beforeEach(async () => {
    db = open();
    stage = await openStage(db, { hasData: true });
  });
  afterEach(() => stage.stored.stop());

  const profile = async (id: string, version = '1', caller = acme) =>
    (await stage.all.versions.get(caller, { id, version }, 'en')).profile;
  const become = (state: string, id: string, caller = acme) =>
    eventually(
      `a table that is ${state}`,
      async () => {
        const found = await profile(id, '1', caller);
        return found?.state === state ? found : undefined;
      },
      PATIENCE_MS,
    );

  async function tabled(name: string, caller = acme): Promise<{ id: string; version: string }> {
    const id = await stage.created(name, caller);
    await stage.uploaded(id, { [`${name}.txt`]: ROWS }, caller);
    await become('ready', id, caller);
    return { id, version: '1' };
  }

  test('a ready version gets a table: statistics, rows, a cell, lines, and its parts among the stored files', async () => {
    const of = await tabled('rows');
    expect(await stage.all.versions.get(acme, of, 'en')).toMatchObject({ rows: 5, file_count: 1 });
    expect(await stage.all.tables.statistics(acme, of)).toMatchObject({
      ...{ rows: 5, duplicates: 0, languages: [{ language: 'en', rows: 5 }] },
      columns: [{ name: 'a', distinct: null, histogram: { edges: [0, 1], counts: [5] } }],
      problems: [{ path: 'bad.txt', code: 'Locked', message: 'It is bad.' }],
    });
    const asked = { kind: 'data', from: 3, size: 1 } as const;
    expect(pageIn(await stage.all.tables.rows(acme, of, asked, signal))).toMatchObject({ rows: [['four']], total: 5 });
    const cell = await stage.all.tables.cell(acme, { ...of, row: 4, column: 'a' }, signal);
    expect(cellIn(cell)).toEqual({ value: 'five', length: null });
    await expect(stage.all.tables.cell(acme, { ...of, row: 5, column: 'a' }, signal)).rejects.toMatchObject({
      problem: 'not_found',
    });
    const lines = await stage.all.tables.lines(acme, of, { kind: 'data', format: 'jsonl' }, signal);
    expect(await text(lines)).toBe(ROWS);
    const { body } = await stage.all.tables.part(acme, of, { kind: 'data', part: 2 }, { range: undefined, signal });
    expect(await text(body)).toBe('["five"]');
    expect((await profile(of.id))?.parts).toBe(3);
    const downloads = async () => (await stage.all.datasets.get(acme, of.id, 'en')).downloads;
    expect(await downloads()).toBe(1);
    // Of a download in ranges the first one counts, as of any file.
    for (const range of ['bytes=1-2', 'bytes=0-1', 'bytes=2-3']) {
      const part = await stage.all.tables.part(acme, of, { kind: 'data', part: 0 }, { range, signal });
      part.body.destroy();
    }
    expect(await downloads()).toBe(2);
    // Nothing of it is left with the data server.
    expect(stage.data.files.size).toBe(0);
  });

  test('why there is no table is said in the reader’s language', async () => {
    stage.data.refusal = quoted('why', said(DATA_REFUSALS.SeveralKinds));
    const id = await stage.created('kinds');
    await stage.uploaded(id, { 'rows.txt': ROWS });
    await become('failed', id);
    const { profile } = await stage.all.versions.get(acme, { id, version: '1' }, 'zh');
    expect(profile?.problem?.message).toContain(DATA_REFUSALS.SeveralKinds.zh);
  });

  test('a table that takes longer than its turn fails, holds no place any more, and can be read again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.data.gate = promise;
    stage.turn.ms = 200;
    const id = await stage.created('slow');
    await stage.uploaded(id, { 'rows.txt': ROWS });
    expect(await become('failed', id)).toMatchObject({
      problem: { error: 'dataset_profile_failed', message: expect.stringContaining(DATA_REFUSALS.TooSlow.en) },
    });
    expect(stage.data.running).toEqual([]);
    stage.turn.ms = 600_000;
    resolve();
    await stage.all.tables.again(acme, { id, version: '1' });
    await become('ready', id);
  });

  test('without a table every question of one is answered by the same problem', async () => {
    stage.data.refusal = { why: 'It is too large.' };
    const id = await stage.created('rows');
    await stage.uploaded(id, { 'rows.txt': ROWS });
    const of = { id, version: '1' };
    expect(await become('failed', id)).toMatchObject({
      problem: { error: 'dataset_profile_failed', message: expect.stringContaining('It is too large.') },
    });
    const { tables } = stage.all;
    for (const asked of [
      () => tables.statistics(acme, of),
      () => tables.rows(acme, of, { kind: 'data', from: 0, size: 1 }, signal),
      () => tables.query(acme, of, 'SELECT 1', signal),
      () => tables.compare(acme, of, { with: 1, size: 1 }, signal),
    ])
      await expect(asked()).rejects.toMatchObject({ problem: 'dataset_no_table' });
    stage.data.refusal = undefined;
    await tables.again(acme, of);
    await become('ready', id);
    // Of one that is ready it changes nothing.
    await tables.again(acme, of);
    expect((await profile(id))?.state).toBe('ready');
  });

  test('a data server that is away, or breaks off, is asked again, and goes on', async () => {
    stage.data.away = 2;
    stage.data.breaksAfter = 3;
    const of = await tabled('rows');
    const all = await stage.all.tables.rows(acme, of, { kind: 'data', from: 0, size: 9 }, signal);
    expect(pageIn(all).rows).toHaveLength(5);
    expect(stage.data.asked.filter(([name]) => name === 'profile').length).toBeGreaterThan(2);
  });

  test('an object store that refuses any step of a table, or takes long for it, leaves nothing half there', async () => {
    /** Counts the steps from now on, of which one fails. */
    const counted = (failing: number) => {
      let steps = 0;
      stage.store.step = async () => {
        steps += 1;
        if (steps !== failing) return;
        await elapse(20);
        throw new Error('507 the store is full');
      };
      return () => steps;
    };
    const comes = async (name: string, failing: number): Promise<number> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stage.data.gate = promise;
      const id = await stage.created(name);
      // Other bytes for each: what is stored already is not stored again.
      await stage.uploaded(id, { 'rows.txt': ROWS.replaceAll('\n', `${name}\n`) });
      await become('running', id);
      const steps = counted(failing);
      resolve();
      expect((await profile(id))?.state).toBe('running');
      await become('ready', id);
      stage.store.step = async () => undefined;
      const asked = { kind: 'data', from: 0, size: 9 } as const;
      expect(pageIn(await stage.all.tables.rows(acme, { id, version: '1' }, asked, signal)).rows).toHaveLength(5);
      return steps();
    };
    const undisturbed = await comes('a', 0);
    expect(undisturbed).toBeGreaterThan(3);
    const troubles = Array.from({ length: undisturbed }, (_, at) => at + 1);
    for (const failing of inTurn('troubles of a table', troubles, TURNS))
      expect(await comes(`b${failing}`, failing)).toBeGreaterThan(failing);
  });

  test('a table whose parts are not what was said fails, and can be read again', async () => {
    stage.data.lies = true;
    const id = await stage.created('rows');
    await stage.uploaded(id, { 'rows.txt': ROWS });
    expect(await become('failed', id)).toMatchObject({ problem: { error: 'model_hash' } });
    stage.data.lies = false;
    await stage.all.tables.again(acme, { id, version: '1' });
    await become('ready', id);
  });

  test('what is left of a deleted organisation is not read, and holds no place', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.data.gate = promise;
    const id = await stage.created('gone', other);
    await stage.uploaded(id, { 'rows.txt': ROWS }, other);
    await become('running', id, other);
    await db.sql.update(organizations).set({ deletedAt: new Date() }).where(eq(organizations.id, 'other'));
    // As where the organisation is not on the cluster any more.
    stage.data.missing.add('other');
    stage.data.gate = undefined;
    resolve();
    await tabled('rows');
    const asked = stage.data.asked.filter(([, organization]) => organization === 'other').length;
    await tabled('more');
    expect(stage.data.asked.filter(([, organization]) => organization === 'other')).toHaveLength(asked);
  });

  test('one of an organisation is read at a time, and others do not wait for it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.data.gate = promise;
    const ids = [];
    for (const name of ['one', 'two']) {
      const id = await stage.created(name);
      await stage.uploaded(id, { 'rows.txt': `${name}\n` });
      ids.push(id);
    }
    const theirs = await stage.created('theirs', other);
    await stage.uploaded(theirs, { 'rows.txt': ROWS }, other);
    await eventually('both are read', async () => stage.data.running.includes('other') || undefined, PATIENCE_MS);
    expect([...stage.data.running].sort()).toEqual(['acme', 'other']);
    expect(await profile(ids[0] ?? '')).toMatchObject({ state: 'running', step: 'kinds', done: 0, of: 1 });
    expect(await profile(ids[1] ?? '')).toMatchObject({ state: 'waiting' });
    resolve();
    for (const id of ids) await become('ready', id);
    await become('ready', theirs, other);
  });

  test('a version that is deleted takes its table with it, also while that is made', async () => {
    const of = await tabled('rows');
    await stage.all.datasets.removeVersion(acme, of.id, 1);
    await eventually('an empty store', async () => stage.store.objects.size === 0 || undefined, PATIENCE_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.data.gate = promise;
    const id = await stage.created('again');
    await stage.uploaded(id, { 'rows.txt': ROWS });
    await become('running', id);
    await stage.all.datasets.remove(acme, id);
    resolve();
    await eventually('an empty store', async () => stage.store.objects.size === 0 || undefined, PATIENCE_MS);
    expect(await db.sql.select().from(files)).toEqual([]);
  });

  test("what has to look at all rows is asked of the caller's own data server", async () => {
    const of = await tabled('rows');
    await expect(stage.all.tables.query(other, of, 'SELECT 1', signal)).rejects.toMatchObject({ problem: 'not_found' });
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: new Date() });
    await stage.all.shelf.set(of.id, true, 'acc-acme');
    stage.data.asked.length = 0;
    const { tables } = stage.all;
    expect((await tables.query(other, of, 'SELECT 1', signal)).rows).toBe('[["SELECT 1","data"]]');
    const filters = [{ column: 'a', at_least: 1, below: 2, is_null: false }];
    const found = await tables.find(other, of, { filters, from: 0, size: 10 }, signal);
    expect(JSON.parse(JSON.parse(found.rows)[0][0])).toEqual({
      filters: [{ column: 'a', atLeast: 1, below: 2, isNull: false }],
      ...{ from: 0, limit: 10 },
    });
    expect(await tables.search(other, of, { text: 'x', from: 0, size: 1 }, signal)).toMatchObject({ numbers: [7] });
    expect((await tables.compare(other, of, { with: 1, size: 1 }, signal)).changed_columns).toEqual([
      { name: 'a', rows: 1 },
    ]);
    expect(new Set(stage.data.asked.map(([, organization]) => organization))).toEqual(new Set(['other']));
  });

  test('parts count in the quota with what the organisation stores', async () => {
    const of = await tabled('rows');
    const { extra } = await stage.all.datasets.space(acme, {
      ...{ page: 1, size: 10, order_by: 'name', order_type: 'asc' },
    });
    const [version] = await db.sql.select().from(files).where(eq(files.path, 'rows.txt'));
    const parts = await db.sql
      .select()
      .from(files)
      .where(eq(files.ownerId, tableOwnerId(version?.ownerId ?? '')));
    expect(parts.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
    expect(extra.used_bytes).toBe(parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, ROWS.length));
    expect(of.version).toBe('1');
  });
});
