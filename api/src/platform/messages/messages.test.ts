// Readers' messages on both databases: pages, unread counts, audiences, announcements, and changes of resources.

import { sequenceOf } from '@gantry/contract/areas/messages/messages.ts';
import type { KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { unpaidNotice } from '../../core/billing/prices/plan-notices.ts';
import { LiveSessions } from '../../core/identity/sessions/live-sessions.ts';
import { rowsOf } from '../db/rows-of.ts';
import { apiTokens } from '../db/schema/keys.ts';
import { accounts, memberships, organizations, sessions } from '../db/schema/people.ts';
import { Announcements } from './announcements.ts';
import { MessageFeed, type ReaderNews } from './message-feed.ts';
import { KEPT_PER_READER, MessageStore, type Reader } from './message-store.ts';
import { ResourceMessages, type Resources } from './resource-messages.ts';

const words = (en: string): Words => ({ en, zh: `${en} 中文`, ja: `${en} 日本語` });
const notice = (key: string) => ({ key, title: words(`title ${key}`), content: words(`content ${key}`) });
const ann: Reader = { account: 'ann', organization: 'acme' };
const bob: Reader = { account: 'bob', organization: 'acme' };
const NOW = new Date('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

forEachDatabase((database) => {
  let clock: SteppedClock;
  let store: MessageStore;
  let announcements: Announcements;
  let running: AbortController;

  beforeEach(async () => {
    clock = new SteppedClock();
    store = new MessageStore({ db: database(), clock });
    announcements = new Announcements({ db: database(), clock });
    running = new AbortController();
    const { sql: db } = database();
    await db.insert(accounts).values(['ann', 'bob', 'eve'].map((id) => ({ id, name: id, createdAt: NOW })));
    await db
      .insert(organizations)
      .values(['acme', 'other'].map((id) => ({ id, name: id, currency: 'USD', createdAt: NOW })));
    await db.insert(memberships).values([
      { organizationId: 'acme', accountId: 'ann', role: 'owner', createdAt: NOW },
      { organizationId: 'acme', accountId: 'bob', role: 'member', createdAt: NOW },
      { organizationId: 'other', accountId: 'eve', role: 'owner', createdAt: NOW },
    ]);
  });

  afterEach(() => running.abort());

  const titles = async (reader: Reader, size = 10) =>
    (await store.page(reader, 'en', { size })).data.map(({ title }) => title);

  describe('messages', () => {
    test('a page has the newest first, in the reader’s language, and leads on to the older', async () => {
      for (let count = 1; count <= 12; count++) await store.send(notice(`${count}`), { account: 'ann' });
      const first = await store.page(ann, 'zh', { size: 10 });
      expect(first.data.map(({ title }) => title)).toEqual(
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((count) => `title ${count} 中文`),
      );
      expect(first).toMatchObject({ un_read: 12, has_more: true });
      expect(first.data[0]).toEqual({
        id: expect.stringMatching(/^msg-/),
        title: 'title 12 中文',
        content: 'content 12 中文',
        create_time: '2026-01-01T00:00:00.000Z',
        is_read: false,
      });
      // New messages meanwhile shift nothing.
      await store.send(notice('13'), { account: 'ann' });
      const second = await store.page(ann, 'en', { size: 10, before: sequenceOf(first.next_cursor) });
      expect(second.data.map(({ title }) => title)).toEqual(['title 2', 'title 1']);
      expect(second).toMatchObject({ un_read: 13, has_more: false });
      const third = await store.page(ann, 'en', { size: 10, before: sequenceOf(second.next_cursor) });
      expect(third).toMatchObject({ data: [], has_more: false });
    });

    test('one message is stored for two reports of one event', async () => {
      expect(await store.send(notice('a'), { account: 'ann' })).toBe(true);
      expect(await store.send(notice('a'), { account: 'ann' })).toBe(false);
      expect(await titles(ann)).toEqual(['title a']);
    });

    test('words without arguments stay as they are, whatever a tenant wrote in them', async () => {
      const hostile = { key: 'h', title: words('a |||| %{b}'), content: words('1 hour |||| %{hours} hours') };
      await store.send(hostile, { account: 'ann' });
      expect((await store.page(ann, 'en', { size: 1 })).data[0]).toMatchObject({
        title: 'a |||| %{b}',
        content: '1 hour |||| %{hours} hours',
      });
    });

    test.each([
      ['en', 'The Standard plan is unpaid'],
      ['zh', '套餐 标准版 尚未支付'],
      ['ja', 'プラン スタンダード が未払いです'],
    ] as const)('a plan has its name in the language of the reader: %s', async (language, title) => {
      const price = { amount: parseMoney('49'), currency: 'USD' };
      await store.send(unpaidNotice('plan/acme/1', 'standard', price, clock.now()), { account: 'ann' });
      expect((await store.page(ann, language, { size: 1 })).data[0]).toMatchObject({ title });
    });

    test('words are filled in', async () => {
      const filled = {
        key: 'k',
        title: words('%{who} came'),
        content: words('%{hours} hour ago |||| %{hours} hours ago'),
        args: { who: 'Eve', hours: '1' },
      };
      await store.send(filled, { account: 'ann' });
      expect((await store.page(ann, 'en', { size: 1 })).data[0]).toMatchObject({
        title: 'Eve came',
        content: '1 hour ago',
      });
    });

    test('an organisation’s message is for those of its members who are asked for, in its sessions alone', async () => {
      await store.send(notice('team'), { organization: 'acme', roles: ['owner', 'admin'] });
      await store.send(notice('maker'), { organization: 'acme', roles: [], also: 'bob' });
      await store.send(notice('stranger'), { organization: 'acme', roles: [], also: 'eve' });
      await store.send(notice('everywhere'), { account: 'ann' });
      expect(await titles(ann)).toEqual(['title everywhere', 'title team']);
      expect(await titles({ ...ann, organization: 'other' })).toEqual(['title everywhere']);
      expect(await titles(bob)).toEqual(['title maker']);
      expect(await titles({ account: 'eve', organization: 'acme' })).toEqual([]);
      expect(await store.unread([ann, bob, { ...ann, organization: 'other' }])).toEqual([2, 1, 1]);
    });

    test('reading is for the reader alone, and counts once', async () => {
      await store.send(notice('a'), { account: 'ann' });
      const { data } = await store.page(ann, 'en', { size: 1 });
      const id = data[0]?.id ?? '';
      expect(await store.read(bob, [id])).toEqual([]);
      expect(await store.unread([ann])).toEqual([1]);
      expect(await store.read(ann, [id])).toMatchObject([{ id, isRead: true }]);
      expect(await store.read(ann, [id])).toMatchObject([{ id, isRead: true }]);
      expect(await store.page(ann, 'en', { size: 1 })).toMatchObject({ data: [{ is_read: true }], un_read: 0 });
    });

    test('several are read at once, and those of others stay as they are', async () => {
      for (const key of ['a', 'b', 'c']) await store.send(notice(key), { account: 'ann' });
      await store.send(notice('d'), { account: 'bob' });
      const of = async (reader: Reader) => (await store.page(reader, 'en', { size: 10 })).data.map(({ id }) => id);
      const [c = '', b = ''] = await of(ann);
      const [theirs = ''] = await of(bob);
      expect((await store.read(ann, [b, theirs, 'msg-none', c])).map(({ id }) => id)).toEqual([c, b]);
      expect(await store.unread([ann, bob])).toEqual([1, 1]);
    });

    test('all are read at once: one’s own, in this organisation', async () => {
      for (const key of ['a', 'b']) await store.send(notice(key), { account: 'ann' });
      await store.send(notice('c'), { organization: 'acme', roles: ['owner', 'member'] });
      await store.send(notice('d'), { account: 'ann', organization: 'other' });
      await store.readAll(ann);
      expect(await store.unread([ann, bob, { account: 'ann', organization: 'other' }])).toEqual([0, 1, 1]);
    });

    test('the oldest are forgotten', async () => {
      for (let count = 1; count <= 3; count++) await store.send(notice(`${count}`), { account: 'ann' });
      await store.trim();
      expect(await titles(ann)).toHaveLength(3);
      await database().sql.execute(`insert into notices (id, key, kind, title, content, created_at)
        select 'n' || i, 'n' || i, 'event', '{"en":"x"}', '{"en":"x"}', now() from generate_series(1, ${KEPT_PER_READER}) i`);
      await database().sql.execute(`insert into messages (id, notice_id, account_id)
        select 'm' || i, 'n' || i, 'ann' from generate_series(1, ${KEPT_PER_READER}) i`);
      await store.send(notice('of another'), { account: 'bob' });
      await store.trim();
      expect(await store.unread([ann, bob])).toEqual([KEPT_PER_READER, 1]);
      expect(await titles(ann, 2 * KEPT_PER_READER)).not.toContain('title 3');
    });

    test('no message can be seen before one whose number was drawn earlier', async () => {
      const isDrawn = Promise.withResolvers<void>();
      const mayEnd = Promise.withResolvers<void>();
      const first = database().transaction(async (tx) => {
        await store.send(notice('first'), { account: 'ann' }, tx);
        isDrawn.resolve();
        await mayEnd.promise;
      });
      await isDrawn.promise;
      let isOver = false;
      const second = store.send(notice('second'), { account: 'ann' }).finally(() => {
        isOver = true;
      });
      const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
      await eventually(
        'the second waits, or is through',
        async () => isOver || (await rowsOf(database().sql, waiting)).length > 0,
      );
      expect(await store.newest()).toBe(0);
      mayEnd.resolve();
      await Promise.all([first, second]);
      expect(await titles(ann)).toEqual(['title second', 'title first']);
    });
  });

  describe('announcements', () => {
    const text = {
      title: words('Maintenance'),
      content: words('Tonight'),
      startsAt: new Date(NOW.getTime() + HOUR),
      endsAt: new Date(NOW.getTime() + 2 * HOUR),
    };

    test('one is shown from its start to its end, to each reader with a mark of their own', async () => {
      const { id } = await announcements.create(text, 'staff');
      await store.handOutAnnouncements(['ann']);
      expect(await titles(ann)).toEqual([]);
      clock.set(NOW.getTime() + HOUR);
      expect(await announcements.shown()).toEqual([id]);
      await store.handOutAnnouncements(['ann', 'bob']);
      await store.handOutAnnouncements(['ann', 'bob']);
      const { data } = await store.page(ann, 'ja', { size: 10 });
      expect(data).toMatchObject([
        { title: 'Maintenance 日本語', create_time: '2026-01-01T01:00:00.000Z', is_read: false },
      ]);
      await store.read(ann, [data[0]?.id ?? '']);
      expect(await store.unread([ann, bob])).toEqual([0, 1]);
      clock.set(NOW.getTime() + 2 * HOUR);
      expect(await titles(bob)).toEqual([]);
      expect(await store.unread([bob])).toEqual([0]);
    });

    test('new words replace the old, and a deleted one is gone', async () => {
      const { id } = await announcements.create({ ...text, startsAt: NOW }, 'staff');
      await store.handOutAnnouncements(['ann']);
      expect(await announcements.update(id, { title: words('Later') })).toMatchObject({ id, title: words('Later') });
      expect(await titles(ann)).toEqual(['Later']);
      expect(await announcements.list({ sort: ['id', 'ASC'], range: [0, 9], filter: {} })).toMatchObject({
        items: [{ id, createdBy: 'staff' }],
        total: 1,
      });
      expect(await announcements.delete(id)).toBe(true);
      expect(await announcements.delete(id)).toBe(false);
      expect(await announcements.get(id)).toBeUndefined();
      expect(await titles(ann)).toEqual([]);
    });
  });

  describe('the feed', () => {
    const listening = (readers: Reader[]) => {
      const delivered: ReaderNews[] = [];
      const rereads: string[] = [];
      const listeners = {
        readers: () => readers,
        tell: (_: number, news: readonly ReaderNews[]) => void delivered.push(...news),
        reread: () => void rereads.push('messages'),
      };
      const feed = new MessageFeed({ store, announcements, listeners, clock, log: { warn: () => {} } });
      const heard = () => delivered.map((news) => `${news.account}: ${news.page('en').data.map(({ title }) => title)}`);
      return { feed, heard, delivered, rereads };
    };

    test('own messages are delivered at once, those of another process within a second, and earlier ones never', async () => {
      await store.send(notice('old'), { account: 'ann' });
      const { feed, heard } = listening([ann, bob]);
      await feed.start(running.signal);
      await store.send(notice('ours'), { account: 'ann' });
      await eventually('our message is told', () => heard().includes('ann: title ours'));
      await new MessageStore({ db: database(), clock }).send(notice('theirs'), { account: 'bob' });
      await eventually('their message is told', async () => {
        await clock.step(1_000);
        return heard().length === 2;
      });
      expect(heard()).toEqual(['ann: title ours', 'bob: title theirs']);
    });

    test('an announcement reaches those who listen when it begins', async () => {
      const { feed, heard } = listening([ann]);
      await feed.start(running.signal);
      await announcements.create(
        {
          title: words('Soon'),
          content: words('x'),
          startsAt: new Date(clock.now() + 60_000),
          endsAt: new Date(clock.now() + HOUR),
        },
        'staff',
      );
      await eventually('it is told', async () => {
        await clock.step(10_000);
        return heard().length > 0;
      });
      expect(clock.now() - NOW.getTime()).toBeGreaterThanOrEqual(60_000);
      expect(heard()).toEqual(['ann: Soon']);
    });

    test('an announcement that is deleted is taken back from those who listen', async () => {
      const { feed, heard, delivered, rereads } = listening([ann]);
      await feed.start(running.signal);
      const text = { title: words('Oops'), content: words('x'), startsAt: NOW, endsAt: new Date(clock.now() + HOUR) };
      const { id } = await announcements.create(text, 'staff');
      await eventually('it is told', () => heard().includes('ann: Oops'));
      await announcements.delete(id);
      await eventually('it is taken back', () => rereads.length === 1);
      expect(delivered.map((news) => news.page('en').un_read)).toEqual([1, 0]);
    });

    test('an announcement that is written while it is asked which are shown is told at once all the same', async () => {
      const asked = announcements.shown.bind(announcements);
      let isFirst = true;
      announcements.shown = async () => {
        const shown = await asked();
        if (isFirst) {
          isFirst = false;
          await announcements.create(
            { title: words('Between'), content: words('x'), startsAt: NOW, endsAt: new Date(clock.now() + HOUR) },
            'staff',
          );
        }
        return shown;
      };
      const { feed, heard } = listening([ann]);
      await feed.start(running.signal);
      await eventually('it is told', () => heard().includes('ann: Between'), 10_000);
    });

    test('an announcement that could not be handed out is handed out a second later', async () => {
      await announcements.create(
        { title: words('Soon'), content: words('x'), startsAt: NOW, endsAt: new Date(clock.now() + HOUR) },
        'staff',
      );
      const asked = announcements.shown.bind(announcements);
      announcements.shown = async () => {
        announcements.shown = asked;
        throw new Error('the database does not answer');
      };
      const { feed, heard } = listening([ann]);
      await feed.start(running.signal);
      await eventually('the feed rests', () => clock.waitingMs.length === 1);
      await clock.step(1_000);
      await eventually('it is told', () => heard().includes('ann: Soon'), 10_000);
    });

    test('a message that was read is told to the other streams of its reader, with what is left', async () => {
      await store.send(notice('a'), { account: 'ann' });
      const { feed, delivered } = listening([ann, bob]);
      await feed.start(running.signal);
      const id = (await store.page(ann, 'en', { size: 1 })).data[0]?.id ?? '';
      await feed.wasRead(ann, await store.read(ann, [id]));
      expect(delivered.map((news) => [news.account, news.page('en')])).toEqual([
        ['ann', expect.objectContaining({ data: [expect.objectContaining({ id, is_read: true })], un_read: 0 })],
      ]);
    });

    test('that all were read is told to the streams of that reader', async () => {
      for (const key of ['a', 'b']) await store.send(notice(key), { account: 'ann' });
      const { feed, delivered } = listening([ann, bob]);
      await feed.start(running.signal);
      await store.readAll(ann);
      await feed.wasAllRead(ann);
      expect(delivered.map((news) => [news.account, news.page('en')])).toEqual([
        ['ann', expect.objectContaining({ data: [], un_read: 0 })],
      ]);
    });
  });

  test('who may go on listening: whoever would be let in again, in the role they have now', async () => {
    const { sql: db } = database();
    const live = new LiveSessions({ db: database(), clock });
    const later = new Date(NOW.getTime() + HOUR);
    const session = (id: string, accountId: string, more: object = {}) => ({
      id,
      tokenHash: id,
      accountId,
      organizationId: 'acme',
      createdAt: NOW,
      lastUsedAt: NOW,
      expiresAt: later,
      ...more,
    });
    await db
      .insert(sessions)
      .values([
        session('of-ann', 'ann'),
        session('of-bob', 'bob'),
        session('over', 'ann', { expiresAt: NOW }),
        session('idle', 'ann', { lastUsedAt: new Date(NOW.getTime() - 25 * HOUR) }),
        session('of-a-stranger', 'eve'),
      ]);
    const token = (id: string, expiresAt: Date | null) => ({
      id,
      tokenHash: id,
      accountId: 'ann',
      organizationId: 'acme',
      remark: id,
      scopes: ['view' as const],
      createdAt: NOW,
      expiresAt,
    });
    await db.insert(apiTokens).values([token('permanent', null), token('expired', NOW)]);
    const ids = ['of-ann', 'of-bob', 'over', 'idle', 'of-a-stranger', 'permanent', 'expired', 'unknown'];
    const roles = async () => Object.fromEntries(await live.rolesOf(ids));
    expect(await roles()).toEqual({ 'of-ann': 'owner', 'of-bob': 'member', permanent: 'owner' });
    await db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.accountId, 'bob'));
    await db.update(accounts).set({ disabledAt: NOW }).where(eq(accounts.id, 'ann'));
    expect(await roles()).toEqual({ 'of-bob': 'viewer' });
  });

  describe('resources', () => {
    /** A cluster as one gateway sees it. */
    class Seen implements Resources {
      readonly objects = new Map<string, KubeObject>();
      readonly #listeners = new Set<Parameters<Resources['on']>[0]>();
      list = ({ kind }: KindFacts) => [...this.objects.values()].filter((object) => object.kind === kind);
      get = (_: KindFacts, __: string | undefined, id: string) => this.objects.get(id);
      on = (listener: Parameters<Resources['on']>[0]) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      };
      put(object: KubeObject) {
        this.objects.set(object.metadata.name, object);
        for (const listener of this.#listeners) listener({ kind: gpuInstance, after: object });
      }
      remove(object: KubeObject) {
        this.objects.delete(object.metadata.name);
        for (const listener of this.#listeners) listener({ kind: gpuInstance, before: object });
      }
    }

    const instance = (id: string, phase: string, version: number, reason = 'Running') =>
      ({
        apiVersion: 'gantry.dev/v1alpha1',
        kind: 'GpuInstance',
        metadata: { name: id, namespace: 'org-acme', uid: `uid-${id}`, resourceVersion: `${version}` },
        spec: { displayName: `my ${id}`, creator: 'bob' },
        status: { phase, reason, reasonArgs: { node: 'n1' } },
      }) as KubeObject;

    const gateway = async (seen: Seen) => {
      const telling = new ResourceMessages({ db: database(), store, resources: seen, clock, log: { warn: () => {} } });
      await telling.start(running.signal);
      return { telling, settled: () => eventually('everything is looked at', () => telling.waiting === 0) };
    };

    test('the maker hears that it runs; who answers for all hears too when it breaks', async () => {
      const seen = new Seen();
      const { settled } = await gateway(seen);
      seen.put(instance('a', 'creating', 1, 'PullingImage'));
      seen.put(instance('a', 'running', 2));
      await settled();
      seen.put(instance('a', 'lost_contact', 3, 'NodeLost'));
      await settled();
      expect(await titles(bob)).toEqual(['Contact with instance my a is lost', 'Instance my a is running']);
      expect(await titles(ann)).toEqual(['Contact with instance my a is lost']);
      expect((await store.page(ann, 'zh', { size: 1 })).data[0]).toMatchObject({
        content: expect.stringContaining('n1'),
        object: { kind: 'gpuinstances', id: 'a' },
      });
    });

    test('an object that can never be told keeps nobody from hearing of the others', async () => {
      const seen = new Seen();
      const { telling } = await gateway(seen);
      // PostgreSQL has no such character.
      const bad = instance('bad', 'running', 1);
      bad.metadata.uid = 'a\u0000b';
      seen.put(bad);
      seen.put(instance('a', 'running', 2));
      await eventually('all but one are looked at', async () => {
        await clock.step(10_000);
        return telling.waiting === 1;
      });
      expect(await titles(bob)).toEqual(['Instance my a is running']);
    });

    test('each transition is told once by several gateways, also by one that lags behind or starts anew', async () => {
      const first = new Seen();
      const second = new Seen();
      const a = await gateway(first);
      const b = await gateway(second);
      for (const seen of [first, second]) seen.put(instance('a', 'running', 1));
      await Promise.all([a.settled(), b.settled()]);
      first.put(instance('a', 'lost_contact', 2, 'NodeLost'));
      await a.settled();
      first.put(instance('a', 'running', 4));
      await a.settled();
      // It missed the versions in which these began.
      second.put(instance('a', 'lost_contact', 3, 'NodeLost'));
      await b.settled();
      second.put(instance('a', 'running', 5));
      await b.settled();
      const third = new Seen();
      third.put(instance('a', 'running', 6));
      await (await gateway(third)).settled();
      expect(await titles(bob)).toEqual([
        'Instance my a is running',
        'Contact with instance my a is lost',
        'Instance my a is running',
      ]);
    });

    test('states found by the first gateway are no news; changes while no gateway ran are', async () => {
      const seen = new Seen();
      seen.put(instance('old', 'running', 1));
      await (await gateway(seen)).settled();
      expect(await titles(bob)).toEqual([]);
      running.abort();
      running = new AbortController();
      const later = new Seen();
      later.put(instance('old', 'failed', 5, 'OutOfMemory'));
      later.put(instance('new', 'running', 6));
      await (await gateway(later)).settled();
      expect((await titles(bob)).sort()).toEqual(['Instance my new is running', 'Instance my old failed']);
    });

    /** A gateway that starts while `change` happens, just after it has read the current state. */
    const startedAmid = (seen: Seen, change: () => void) => {
      const { list } = seen;
      seen.list = (facts) => {
        const listed = list(facts);
        if (facts.kind === gpuInstance.kind) {
          seen.list = list;
          change();
        }
        return listed;
      };
      return gateway(seen);
    };

    test("a failure during a gateway's start is reported", async () => {
      const seen = new Seen();
      seen.put(instance('a', 'running', 1));
      const { settled } = await startedAmid(seen, () => seen.put(instance('a', 'failed', 2, 'OutOfMemory')));
      await settled();
      expect(await titles(bob)).toEqual(['Instance my a failed']);
    });

    test("an object that recovers during a gateway's start and fails afterwards is reported again", async () => {
      const first = new Seen();
      await (await gateway(first)).settled();
      first.put(instance('a', 'failed', 1, 'OutOfMemory'));
      await eventually('it is told', async () => (await titles(bob)).length === 1);
      running.abort();
      running = new AbortController();
      const seen = new Seen();
      seen.put(instance('a', 'failed', 1, 'OutOfMemory'));
      const { settled } = await startedAmid(seen, () => seen.put(instance('a', 'creating', 2, 'PullingImage')));
      await settled();
      seen.put(instance('a', 'failed', 3, 'OutOfMemory'));
      await settled();
      expect(await titles(bob)).toEqual(['Instance my a failed', 'Instance my a failed']);
    });

    test('an object that is gone is not told of by a gateway that has not heard', async () => {
      const seen = new Seen();
      const { settled } = await gateway(seen);
      seen.put(instance('a', 'running', 1));
      await settled();
      seen.remove(instance('a', 'running', 1));
      await settled();
      const lagging = new Seen();
      lagging.put(instance('a', 'failed', 9));
      await (await gateway(lagging)).settled();
      expect(await titles(bob)).toEqual(['Instance my a is running']);
    });
  });
});
