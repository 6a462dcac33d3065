// Collected requests on a real database and a store that is played: what is kept and what is left out, limits, and who reads it.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { usedBytes } from '../../../core/files/quota.ts';
import type { Database } from '../../../platform/db/open.ts';
import { collectedFiles } from '../../../platform/db/schema/collected.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { type ObjectStore, StoreAway } from '../../../platform/object-store/object-store.ts';
import { Collected } from './collected.ts';
import { Collector, type CollectorParts } from './collector.ts';

const OF = { organizationId: 'acme', deployment: 'chat', dataset: 'support' };
const SIGNAL = new AbortController().signal;
const HOUR_MS = 3_600_000;
const PAGE = { page: 1, size: 100 };

forEachDatabase((open) => {
  let db: Database;
  let clock: SteppedClock;
  let objects: Map<string, Uint8Array>;
  let isAway: boolean;
  let quotaGi: number;
  let collected: Collected;
  let draw: number;

  beforeEach(async () => {
    db = open();
    clock = new SteppedClock();
    objects = new Map();
    isAway = false;
    quotaGi = 1;
    draw = 0;
    for (const id of ['acme', 'other'])
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt: new Date(clock.now()) });
    collected = new Collected({ db, clock, store, exists: (id, name) => id === 'acme' && name === 'new' });
  });
  const here = () => {
    if (isAway) throw new StoreAway('away');
  };
  const bytesAt = (key: string) => {
    here();
    return Readable.from([objects.get(key) ?? Buffer.alloc(0)]);
  };
  const store = {
    async put(key: string, body: Uint8Array) {
      here();
      objects.set(key, body);
    },
    async remove(key: string) {
      here();
      objects.delete(key);
    },
    read: async (key: string) => bytesAt(key),
    download: async (key: string) => bytesAt(key),
  } as unknown as ObjectStore;
  const collector = (limits: CollectorParts['limits'] = {}, has: ObjectStore | undefined = store) =>
    new Collector({
      ...{ db, clock, limits, store: has },
      quotaGi: () => quotaGi,
      random: () => draw,
      log: { warn() {} },
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  async function keep(one: Collector, ...texts: (string | undefined)[]) {
    for (const text of texts) one.offer(OF, () => (text === undefined ? undefined : { text }));
    await settled();
    await one.flush(0);
  }
  const linesOf = async (file?: string) => {
    const { size, body } = await collected.open({ ...OF, file }, SIGNAL);
    const bytes = await buffer(body);
    expect(bytes.length).toBe(size);
    return bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).text);
  };
  const files = async () => (await collected.files(OF, PAGE)).items;

  test('requests become lines of a file, without what tells who somebody is', async () => {
    await keep(collector(), 'write to ann@example.com', 'hello', undefined, 'x'.repeat(70_000));
    expect(await linesOf()).toEqual(['write to [email]', 'hello']);
    const [file] = await files();
    expect(file).toMatchObject({ dataset: 'support', records: 2, leftOut: 2 });
    expect([...objects.keys()]).toEqual([`collected/acme/chat/${file?.id}.jsonl`]);
    expect(await usedBytes(db.sql, 'acme')).toBe(file?.sizeBytes);
    expect(await collected.sets('acme')).toMatchObject([
      { deployment: 'chat', exists: false, files: 1, records: 2, leftOut: 2, sizeBytes: file?.sizeBytes },
    ]);
  });

  test('whoever offers does not wait, and what cannot be written as JSON is left out', async () => {
    const one = collector();
    let isAsked = false;
    one.offer(OF, () => {
      isAsked = true;
      throw new RangeError('too deep');
    });
    expect(isAsked).toBe(false);
    await keep(one, 'after');
    expect(isAsked).toBe(true);
    expect(await files()).toMatchObject([{ records: 1, leftOut: 1 }]);
  });

  test('a percentage is of a hundred, and without a store nothing is drawn', () => {
    draw = 0.049;
    expect([collector().draws(5), collector().draws(4)]).toEqual([true, false]);
    expect(
      new Collector({ db, clock, store: undefined, quotaGi: () => 1, random: () => 0, log: { warn() {} } }).draws(100),
    ).toBe(false);
  });

  test('a file is written when it is large or old, and all of them at the end', async () => {
    const one = collector({ fileBytes: 100, fileMs: 60_000 });
    one.offer(OF, () => ({ text: 'small' }));
    await settled();
    await one.flush();
    expect(objects.size).toBe(0);
    one.offer(OF, () => ({ text: 'x'.repeat(100) }));
    await settled();
    await one.flush();
    expect(objects.size).toBe(1);
    one.offer(OF, () => ({ text: 'old' }));
    await settled();
    await clock.step(60_000);
    await one.flush();
    expect(objects.size).toBe(2);
    one.offer(OF, () => ({ text: 'last' }));
    await settled();
    await one.stop();
    expect((await linesOf()).length).toBe(4);
  });

  test('while the store is away, what comes waits within limits, and nothing is written twice', async () => {
    const one = collector({ batchBytes: 40 });
    isAway = true;
    await expect(keep(one, 'first', 'second', 'third', 'fourth')).rejects.toThrow('away');
    expect(await collected.sets('acme')).toEqual([]);
    await expect(keep(one, 'fifth')).rejects.toThrow('away');
    isAway = false;
    await one.flush(0);
    expect(await linesOf()).toEqual(['first', 'second']);
    expect(await files()).toMatchObject([{ records: 2, leftOut: 3 }]);
    await clock.step(1_000);
    await keep(one, 'sixth');
    expect(await linesOf()).toEqual(['first', 'second', 'sixth']);
    expect((await db.sql.select().from(collectedFiles)).length).toBe(2);
  });

  test('one deployment that fills its place leaves others theirs', async () => {
    const one = collector({ batchBytes: 20 });
    for (const text of ['a', 'b', 'c', 'd']) one.offer(OF, () => ({ text }));
    one.offer({ ...OF, deployment: 'small' }, () => ({ text: 'e' }));
    await settled();
    await one.flush(0);
    const sets = await collected.sets('acme');
    expect(sets.map(({ deployment, records }) => `${deployment} ${records}`).sort()).toEqual(['chat 1', 'small 1']);
  });

  test('with the quota used up requests are left out, and the next file says how many', async () => {
    const one = collector();
    quotaGi = 0;
    await keep(one, 'a', 'b');
    expect(objects.size).toBe(0);
    quotaGi = 1;
    await keep(one, 'c');
    expect(await files()).toMatchObject([{ records: 1, leftOut: 2 }]);
  });

  test('beyond a size or a number the oldest files go', async () => {
    const one = collector({ keptFiles: 2 });
    for (const text of ['a', 'b', 'c']) {
      await keep(one, text);
      await clock.step(1_000);
    }
    expect(await linesOf()).toEqual(['b', 'c']);
    expect(objects.size).toBe(2);
    await keep(collector({ keptBytes: 30 }), 'd');
    expect(await linesOf()).toEqual(['c', 'd']);
  });

  test('a file whose old ones cannot be removed is written once all the same', async () => {
    const one = collector({ keptFiles: 1 });
    await keep(one, 'a');
    await clock.step(1_000);
    const { remove } = store;
    store.remove = () => Promise.reject(new StoreAway('away'));
    await keep(one, 'b');
    store.remove = remove;
    await one.flush(0);
    expect(await linesOf()).toEqual(['a', 'b']);
    await clock.step(1_000);
    await keep(one, 'c');
    expect(await linesOf()).toEqual(['c']);
  });

  async function begin(id: string) {
    const at = new Date(clock.now());
    const begun = { ...OF, id, records: 1, leftOut: 0, sizeBytes: 5, firstAt: at, lastAt: at };
    await db.sql.insert(collectedFiles).values(begun);
    objects.set(`collected/acme/chat/${id}.jsonl`, Buffer.from('half'));
  }

  test('what a gateway that died has begun is removed, whoever collects now', async () => {
    await begin('cdf-lost');
    await collector().sweep();
    expect(objects.size).toBe(1);
    await clock.step(25 * HOUR_MS);
    await collector().sweep();
    expect(objects.size).toBe(0);
    expect(await usedBytes(db.sql, 'acme')).toBe(0);
  });

  test('whoever deletes all of it deletes what is only begun too', async () => {
    await keep(collector(), 'a');
    await begin('cdf-lost');
    expect(await files()).toHaveLength(1);
    await collected.remove(OF);
    expect([objects.size, await usedBytes(db.sql, 'acme')]).toEqual([0, 0]);
  });

  test('what is deleted while it is being stored is not stored', async () => {
    const { put } = store;
    store.put = async (...asked) => {
      await put(...asked);
      await db.sql.delete(collectedFiles);
    };
    await keep(collector(), 'a');
    store.put = put;
    expect(objects.size).toBe(0);
  });

  test('what a deleted organisation had collected goes after thirty days, in the loop', async () => {
    const one = collector();
    await keep(one, 'a');
    await db.sql
      .update(organizations)
      .set({ deletedAt: new Date(clock.now()) })
      .where(eq(organizations.id, 'acme'));
    await clock.step(29 * 24 * HOUR_MS);
    await one.sweep();
    expect(objects.size).toBe(1);
    await clock.step(2 * 24 * HOUR_MS);
    one.start();
    await eventually('it is swept', async () => {
      await clock.step(5_000);
      return objects.size === 0 && (await db.sql.$count(collectedFiles)) === 0;
    });
    await one.stop();
  });

  test('whoever inherits a name does not get what the organisation before had collected', async () => {
    const one = collector();
    await keep(one, 'theirs');
    const [file] = await files();
    await clock.step(1_000);
    await db.sql
      .update(organizations)
      .set({ createdAt: new Date(clock.now()) })
      .where(eq(organizations.id, 'acme'));
    const gone = { problem: 'not_found' };
    expect(await collected.sets('acme')).toEqual([]);
    await expect(collected.files(OF, PAGE)).rejects.toMatchObject(gone);
    await expect(collected.open({ ...OF, file: file?.id }, SIGNAL)).rejects.toMatchObject(gone);
    await keep(one, 'ours');
    expect(await linesOf()).toEqual(['ours']);
    await clock.step(31 * 24 * HOUR_MS);
    await one.sweep();
    expect([await linesOf(), objects.size]).toEqual([['ours'], 1]);
  });

  test('a store that does not answer holds up no stop for long', async () => {
    const one = collector();
    one.offer(OF, () => ({ text: 'a' }));
    await settled();
    const { put } = store;
    let isAsked = false;
    store.put = () => {
      isAsked = true;
      return new Promise(() => {});
    };
    const stopped = one.stop();
    await eventually('the store is asked', async () => isAsked || undefined);
    await clock.step(10_000);
    await stopped;
    store.put = put;
    expect(objects.size).toBe(0);
  });

  test('one file or all are deleted, and whoever is elsewhere finds nothing', async () => {
    const one = collector();
    await keep(one, 'a');
    await clock.step(1_000);
    await keep(one, 'b');
    const [newer, older] = await files();
    const gone = { problem: 'not_found' };
    const theirs = { ...OF, organizationId: 'other' };
    await expect(collected.files(theirs, PAGE)).rejects.toMatchObject(gone);
    await expect(collected.open({ ...theirs, file: older?.id }, SIGNAL)).rejects.toMatchObject(gone);
    await expect(collected.remove({ ...theirs, file: older?.id })).rejects.toMatchObject(gone);
    expect(await collected.sets('other')).toEqual([]);
    isAway = true;
    await expect(collected.remove(OF)).rejects.toMatchObject({ problem: 'model_store_away' });
    await expect(collected.open(OF, SIGNAL)).rejects.toMatchObject({ problem: 'model_store_away' });
    isAway = false;
    await collected.remove({ ...OF, file: older?.id });
    expect(await linesOf()).toEqual(['b']);
    expect(await linesOf(newer?.id)).toEqual(['b']);
    await collected.remove(OF);
    expect(objects.size).toBe(0);
    await expect(collected.remove(OF)).rejects.toMatchObject(gone);
    await expect(collected.files(OF, PAGE)).rejects.toMatchObject(gone);
    expect(await collected.files({ ...OF, deployment: 'new' }, PAGE)).toEqual({ items: [], total: 0 });
  });
});
